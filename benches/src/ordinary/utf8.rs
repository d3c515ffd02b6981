//! Whether text is UTF-8.

/// Bytes that are looked at together while all are ASCII.
const CHUNK: usize = 64;

twice! {
    /// Skips ASCII in chunks, and looks at each other character by itself.
    #[must_use]
    pub fn is_utf8(mut text: &[u8]) -> bool {
        loop {
            while let Some((chunk, rest)) = text.split_first_chunk::<CHUNK>() {
                if chunk.iter().fold(0, |all, byte| all | byte) >= 0x80 {
                    break;
                }
                text = rest;
            }
            // The rest of this chunk, character by character.
            let end = text.len().saturating_sub(CHUNK);
            while text.len() > end {
                match character(text) {
                    Some(length) => text = &text[length..],
                    None => return false,
                }
            }
            if text.is_empty() {
                return true;
            }
        }
    }

    /// The length of the character at the start, if it is well formed (table 3-7 of the Unicode Standard).
    #[inline]
    fn character(text: &[u8]) -> Option<usize> {
        let follows = |at: usize| text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
        let second = *text.get(1).unwrap_or(&0);
        let length = match text[0] {
            0x00..=0x7f => return Some(1),
            0xc2..=0xdf => 2,
            0xe0 if second >= 0xa0 => 3,
            0xed if second <= 0x9f => 3,
            0xe1..=0xec | 0xee..=0xef => 3,
            0xf0 if second >= 0x90 => 4,
            0xf4 if second <= 0x8f => 4,
            0xf1..=0xf3 => 4,
            _ => return None,
        };
        (1..length).all(follows).then_some(length)
    }
}
