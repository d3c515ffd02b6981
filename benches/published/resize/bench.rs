//! `resize`: pictures to half their width and height, and to twice.

use super::subject::{Pixel, PixelFormat, Resizer, Type, px};
use crate::harness::{Row, bytes};
use core::fmt::Debug;

const SIDE: usize = 96;

fn row<F: PixelFormat + 'static>(
    name: &str,
    side: usize,
    format: F,
    filter: Type,
    pixel: impl Fn(&[u8]) -> F::InputPixel,
) -> Row
where
    F::InputPixel: Debug,
    F::OutputPixel: Debug,
{
    let source: Vec<F::InputPixel> = bytes(SIDE * SIDE * 4).chunks(4).map(pixel).collect();
    let made = vec![F::OutputPixel::default(); side * side];
    let mut resizer = Resizer::new(SIDE, SIDE, side, side, format, filter).expect("valid sizes");
    Row::new(name, SIDE * SIDE, (source, made), move |(source, made)| {
        resizer.resize(source, made).expect("valid sizes");
    })
}

pub fn rows() -> Vec<Row> {
    let rgb = |b: &[u8]| px::RGB::new(b[0], b[1], b[2]);
    let rgba = |b: &[u8]| px::RGBA::new(b[0], b[1], b[2], b[3]);
    let float = |b: &[u8]| px::RGB::new(f32::from(b[0]), f32::from(b[1]), f32::from(b[2]));
    vec![
        row("grey, Triangle, half", SIDE / 2, Pixel::Gray8, Type::Triangle, |b| px::Gray::new(b[0])),
        row("RGB, Triangle, half", SIDE / 2, Pixel::RGB8, Type::Triangle, rgb),
        row("RGB, Lanczos3, half", SIDE / 2, Pixel::RGB8, Type::Lanczos3, rgb),
        row("RGB, Lanczos3, twice", SIDE * 2, Pixel::RGB8, Type::Lanczos3, rgb),
        row("RGBA, Catrom, half", SIDE / 2, Pixel::RGBA8, Type::Catrom, rgba),
        row("RGBA, premultiplied, Catrom, half", SIDE / 2, Pixel::RGBA8P, Type::Catrom, rgba),
        row("RGB of floats, Lanczos3, half", SIDE / 2, Pixel::RGBF32, Type::Lanczos3, float),
    ]
}
