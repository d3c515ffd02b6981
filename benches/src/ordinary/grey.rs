//! An image in shades of grey.

with_peers! {
    /// The luma of each pixel by the weights of BT.601, in 256ths.
    pub fn grey(pixels: &[[u8; 3]], greys: &mut [u8]) {
        for (grey, [red, green, blue]) in greys.iter_mut().zip(pixels) {
            let weighted = 77 * u16::from(*red) + 150 * u16::from(*green) + 29 * u16::from(*blue);
            *grey = (weighted >> 8) as u8;
        }
    }
}
