//! Text that a terminal can show.
use crate::failure::Failure;

/// A text that comes in pieces, as far as they have been looked at.
#[derive(Default)]
pub(super) struct Text {
    /// The start of a character whose end is in the next piece, or a carriage return.
    rest: Vec<u8>,
}

impl Text {
    /// Adds a piece, if it is text that drives no terminal.
    pub(super) fn add(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let text = [&self.rest, bytes].concat();
        let valid = match str::from_utf8(&text) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => return Err(no_text()),
        };
        let valid = valid - usize::from(text[..valid].ends_with(b"\r"));
        let mut characters = str::from_utf8(&text[..valid]).map_err(|_| no_text())?.chars().peekable();
        while let Some(character) = characters.next() {
            let is_shown = match character {
                '\n' | '\t' => true,
                // Only as the end of a line: what is behind it would hide what is before.
                '\r' => characters.peek() == Some(&'\n'),
                other => !drives(other),
            };
            if !is_shown {
                return Err(no_text());
            }
        }
        self.rest = text[valid..].to_vec();
        Ok(())
    }

    /// Whether the last character is whole.
    pub(super) fn end(self) -> Result<(), Failure> {
        if self.rest.is_empty() { Ok(()) } else { Err(no_text()) }
    }
}

/// Control characters, and those that change the direction of a text or where lines end.
fn drives(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn no_text() -> Failure {
    Failure::general("standard output is a terminal, and this is no text that it can show; --out names a file for it")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether text is shown, in pieces of any length.
    #[track_caller]
    fn check(bytes: &[u8], expected: bool) {
        for length in 1..=bytes.len() {
            let mut text = Text::default();
            let shown = bytes.chunks(length).try_for_each(|piece| text.add(piece)).and_then(|()| text.end()).is_ok();
            assert_eq!(shown, expected, "{bytes:x?} in pieces of {length}");
        }
    }

    #[test]
    fn text_is_shown_and_nothing_else() {
        for text in ["a\tb\r\nc\n", "Käse, 鍵, e\u{301}, 👩\u{200d}🚀, a\u{a0}b", "\u{feff}a"] {
            check(text.as_bytes(), true);
        }
        for text in
            ["\u{9b}31mred", "\u{1b}[2J", "evil\rgood", "a\r", "\r\r\n", "a\u{202e}b", "a\u{2028}b", "\u{7f}", "\0"]
        {
            check(text.as_bytes(), false);
        }
        for bytes in [&b"\x9b31m"[..], b"caf\xe9", b"a\xe2\x80", b"\xc0\x80", b"\xed\xa0\x80"] {
            check(bytes, false);
        }
    }
}
