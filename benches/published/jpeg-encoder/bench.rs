//! `jpeg-encoder`: pictures with gradients, edges and a little noise.

use super::subject::{ColorType, Encoder, SamplingFactor};
use crate::harness::{Row, bytes};

const SIDE: usize = 128;

fn picture(channels: usize) -> Vec<u8> {
    let noise = bytes(SIDE * SIDE);
    let pixel = |i: usize| {
        let (x, y) = (i % SIDE, i / SIDE);
        let square = if (x / 20 + y / 15) % 2 == 0 { 0x30 } else { 0 };
        let red = (x * 255 / SIDE) as u8 ^ square;
        let all = [red.wrapping_add(noise[i] & 3), (y * 255 / SIDE) as u8, red / 2 + (noise[i] >> 6), 255];
        all[..channels].to_vec()
    };
    (0..SIDE * SIDE).flat_map(pixel).collect()
}

fn row(name: &str, color: ColorType, channels: usize, quality: u8, set: fn(&mut Encoder<&mut Vec<u8>>)) -> Row {
    Row::new(name, SIDE * SIDE * channels, (picture(channels), Vec::new()), move |(picture, coded)| {
        coded.clear();
        let mut encoder = Encoder::new(coded, quality);
        set(&mut encoder);
        encoder.encode(picture, SIDE as u16, SIDE as u16, color).expect("a valid picture");
    })
}

pub fn rows() -> Vec<Row> {
    vec![
        row("grey", ColorType::Luma, 1, 80, |_| {}),
        row("RGB, quality 60", ColorType::Rgb, 3, 60, |_| {}),
        row("RGB, quality 95", ColorType::Rgb, 3, 95, |_| {}),
        row("RGB, halved colours", ColorType::Rgb, 3, 80, |encoder| encoder.set_sampling_factor(SamplingFactor::F_2_2)),
        row("BGRA", ColorType::Bgra, 4, 80, |_| {}),
        row("CMYK", ColorType::Cmyk, 4, 80, |_| {}),
        row("RGB, progressive", ColorType::Rgb, 3, 80, |encoder| encoder.set_progressive(true)),
        row("RGB, fitted tables", ColorType::Rgb, 3, 80, |encoder| encoder.set_optimized_huffman_tables(true)),
    ]
}
