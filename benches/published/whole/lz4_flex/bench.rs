//! `lz4_flex`: blocks of text and of noise.

use super::subject::block::{compress, compress_into, decompress_into, get_maximum_output_size};
use crate::harness::{Row, bytes, placed, zeros};

pub fn rows() -> Vec<Row> {
    const LEN: usize = 64 * 1024;
    let words: Vec<&[u8]> = bytes(4096).chunks(7).collect();
    let text: Vec<u8> = bytes(LEN).iter().flat_map(|&byte| words[usize::from(byte)]).copied().take(LEN).collect();
    let (text, noise) = (&*placed(&text), &*bytes(LEN));
    let mut rows = Vec::new();
    for (name, input) in [("text", text), ("noise", noise)] {
        let out = zeros(get_maximum_output_size(LEN));
        let block = compress(input);
        rows.push(Row::new(&format!("compress_into, {name}"), LEN, (input, out), |(input, out)| {
            compress_into(input, out).unwrap()
        }));
        rows.push(Row::new(&format!("decompress_into, {name}"), LEN, (&*placed(&block), zeros(LEN)), |(block, out)| {
            decompress_into(block, out).unwrap()
        }));
    }
    rows
}
