//! `fast_image_resize`: 512 × 512 pixels to 200 × 200, without the crate's own SIMD.

use super::subject::images::Image;
use super::subject::{CpuExtensions, FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use crate::harness::{Row, bytes};

pub fn rows() -> Vec<Row> {
    let types = [
        ("one channel", PixelType::U8, 1),
        ("three channels", PixelType::U8x3, 3),
        ("four channels", PixelType::U8x4, 4),
        ("one channel of 16 bits", PixelType::U16, 2),
        ("four channels of 16 bits", PixelType::U16x4, 8),
    ];
    let row = |(name, pixel, size): (&str, PixelType, usize)| {
        let from = Image::from_vec_u8(512, 512, bytes(512 * 512 * size).to_vec(), pixel).unwrap();
        let mut to = Image::new(200, 200, pixel);
        let mut resizer = Resizer::new();
        // SAFETY: none is supported everywhere.
        unsafe { resizer.set_cpu_extensions(CpuExtensions::None) };
        let filter = ResizeAlg::Convolution(FilterType::Lanczos3);
        let options = ResizeOptions::new().resize_alg(filter).use_alpha(false);
        Row::new(name, 512 * 512 * size, Vec::new(), move |pixels: &mut Vec<u8>| {
            resizer.resize(&from, &mut to, &options).unwrap();
            if pixels.is_empty() {
                *pixels = to.buffer().to_vec();
            }
        })
    };
    types.into_iter().map(row).collect()
}
