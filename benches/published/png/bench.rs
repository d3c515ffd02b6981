//! `png`: undoing row filters, and whole images of 512 × 512 pixels.

use super::subject::benchable_apis::unfilter;
use super::subject::{ColorType, Compression, Decoder, Encoder, Filter};
use crate::harness::{Row, bytes};
use std::io::Cursor;

const SIDE: usize = 512;

pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, filter) in [("Up", Filter::Up), ("Sub", Filter::Sub), ("Avg", Filter::Avg), ("Paeth", Filter::Paeth)] {
        for bpp in [3, 4] {
            let len = 4096 * bpp;
            rows.push(Row::new(
                &format!("unfilter, {name}, {len} bytes, {bpp} a pixel"),
                len,
                (bytes(len), bytes(len)),
                move |(previous, current)| unfilter(filter, bpp as u8, previous, current),
            ));
        }
    }
    for (name, color, bpp) in [("RGB", ColorType::Rgb, 3), ("RGBA", ColorType::Rgba, 4)] {
        let pixels = picture(bpp);
        for filter in [Filter::Up, Filter::Adaptive] {
            rows.push(Row::new(
                &format!("encode {name}, {filter:?}, fastest"),
                pixels.len(),
                pixels.clone(),
                move |pixels| encode(pixels, color, filter),
            ));
        }
        for filter in [Filter::Up, Filter::Paeth] {
            let file = encode(&pixels, color, filter);
            rows.push(Row::new(&format!("decode {name}, {filter:?}"), pixels.len(), file, |file| {
                let mut reader = Decoder::new(Cursor::new(&file[..])).read_info().unwrap();
                let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
                reader.next_frame(&mut pixels).unwrap();
                pixels
            }));
        }
    }
    rows
}

fn encode(pixels: &[u8], color: ColorType, filter: Filter) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, SIDE as u32, SIDE as u32);
    encoder.set_color(color);
    encoder.set_compression(Compression::Fastest);
    encoder.set_filter(filter);
    encoder.write_header().unwrap().write_image_data(pixels).unwrap();
    file
}

/// A smooth picture with a little noise.
fn picture(bpp: usize) -> Vec<u8> {
    let noise = bytes(SIDE * SIDE * bpp);
    (0..noise.len())
        .map(|i| ((i / bpp % SIDE / 3 + i / bpp / SIDE / 5 + i % bpp * 40) as u8) + (noise[i] & 3))
        .collect()
}
