//! `image-webp`: decoding and encoding. The lossy picture is encoded by libwebp.

use std::io::Cursor;

use super::subject::{ColorType, WebPDecoder, WebPEncoder};
use crate::harness::{Row, bytes};

const SIDE: usize = 512;

/// Gradients, edges and a little noise.
fn picture() -> Vec<u8> {
    let noise = bytes(SIDE * SIDE);
    let pixel = |i: usize| {
        let (x, y) = (i % SIDE, i / SIDE);
        let square = if (x / 40 + y / 30) % 2 == 0 { 0x30 } else { 0 };
        let red = (x * 255 / SIDE) as u8 ^ square;
        [red.wrapping_add(noise[i] & 3), (y * 255 / SIDE) as u8, red / 2 + (noise[i] >> 6), 255]
    };
    (0..SIDE * SIDE).flat_map(pixel).collect()
}

fn encode(picture: &[u8]) -> Vec<u8> {
    let mut coded = Vec::new();
    let side = SIDE as u32;
    WebPEncoder::new(&mut coded).encode(picture, side, side, ColorType::Rgba8).expect("a valid picture");
    coded
}

fn decode(name: &str, coded: Vec<u8>) -> Row {
    Row::new(name, SIDE * SIDE * 4, (coded, vec![0; SIDE * SIDE * 4]), |(coded, pixels)| {
        let mut decoder = WebPDecoder::new(Cursor::new(&*coded)).expect("a valid file");
        let len = decoder.output_buffer_size().expect("it is small");
        decoder.read_image(&mut pixels[..len]).expect("a valid file");
    })
}

pub fn rows() -> Vec<Row> {
    let picture = picture();
    let lossy = |quality| webp::Encoder::from_rgba(&picture, SIDE as u32, SIDE as u32).encode(quality).to_vec();
    vec![
        decode("decode, lossy, quality 75", lossy(75.0)),
        decode("decode, lossy, quality 30", lossy(30.0)),
        decode("decode, lossless", encode(&picture)),
        decode("decode, lossless by libwebp", {
            webp::Encoder::from_rgba(&picture, SIDE as u32, SIDE as u32).encode_lossless().to_vec()
        }),
        Row::new("encode, lossless", SIDE * SIDE * 4, picture, |picture| encode(picture)),
    ]
}
