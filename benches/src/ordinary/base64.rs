//! Base64 with the standard alphabet.

twice! {
    /// Four characters for each three bytes. Of `text`, as much is written as whole groups of `bytes` need.
    pub fn encode(bytes: &[u8], text: &mut [u8]) {
        for ([a, b, c], text) in bytes.as_chunks::<3>().0.iter().zip(text.as_chunks_mut::<4>().0) {
            *text = [a >> 2, a << 4 | b >> 4, b << 2 | c >> 6, *c].map(|bits| character(bits & 63));
        }
    }

    /// The character for six bits, without a table, so that it vectorises.
    #[inline]
    fn character(bits: u8) -> u8 {
        let from = |first: u8, step: u8| if bits >= first { step } else { 0 };
        // `A` to `Z`, `a` to `z`, `0` to `9`, `+` and `/`: how far each begins behind the one before it.
        let step = from(26, b'a' - b'Z' - 1).wrapping_add(from(52, b'0'.wrapping_sub(b'z' + 1)));
        bits.wrapping_add(b'A').wrapping_add(step).wrapping_sub(from(62, b'9' + 1 - b'+')).wrapping_add(from(63, b'/' - b'+' - 1))
    }
}
