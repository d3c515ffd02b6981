//! A box blur of three by three pixels.

with_peers! {
    /// The mean of each pixel and its eight neighbours; the border stays as it is in `blurred`.
    pub fn blur(pixels: &[u8], width: usize, blurred: &mut [u8]) {
        let mut sums = vec![0u16; width];
        for y in 1..(pixels.len() / width).saturating_sub(1) {
            let (above, rest) = pixels[(y - 1) * width..].split_at(width);
            let (row, below) = rest[..2 * width].split_at(width);
            let blurred = &mut blurred[y * width..][..width];
            for (sum, ((above, row), below)) in sums.iter_mut().zip(above.iter().zip(row).zip(below)) {
                *sum = u16::from(*above) + u16::from(*row) + u16::from(*below);
            }
            let (left, middle, right) = (&sums[..width - 2], &sums[1..width - 1], &sums[2..]);
            for (blurred, ((left, middle), right)) in blurred[1..].iter_mut().zip(left.iter().zip(middle).zip(right)) {
                // A ninth, rounded: 7282 is 65536 / 9.
                *blurred = ((u32::from(left + middle + right) * 7282 + 0x8000) >> 16) as u8;
            }
        }
    }
}
