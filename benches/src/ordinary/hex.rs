//! Bytes as hexadecimal digits.

twice! {
    /// Two lower-case digits for each byte.
    pub fn encode(bytes: &[u8], text: &mut [u8]) {
        for (byte, text) in bytes.iter().zip(text.as_chunks_mut::<2>().0) {
            *text = [byte >> 4, byte & 15].map(|digit| digit + if digit < 10 { b'0' } else { b'a' - 10 });
        }
    }
}
