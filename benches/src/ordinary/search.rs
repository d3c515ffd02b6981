//! Where a byte first occurs.

/// Bytes that are looked at together.
const CHUNK: usize = 64;

twice! {
    /// Its place.
    #[must_use]
    pub fn find(byte: u8, bytes: &[u8]) -> Option<usize> {
        let (chunks, rest) = bytes.as_chunks::<CHUNK>();
        let has = |chunk: &[u8; CHUNK]| chunk.iter().fold(0, |any, other| any | u8::from(*other == byte)) != 0;
        let place = chunks.iter().position(has).map(|chunk| chunk * CHUNK);
        let within = |bytes: &[u8]| bytes.iter().position(|other| *other == byte);
        match place {
            Some(start) => within(&chunks[start / CHUNK]).map(|place| start + place),
            None => within(rest).map(|place| chunks.len() * CHUNK + place),
        }
    }
}
