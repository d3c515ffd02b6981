//! `miniz_oxide`: text at three levels.

use super::subject::{deflate::compress_to_vec, inflate::decompress_to_vec};
use crate::harness::{Row, bytes, placed};

pub fn rows() -> Vec<Row> {
    const LEN: usize = 64 * 1024;
    let words: Vec<&[u8]> = bytes(4096).chunks(7).collect();
    let text: Vec<u8> = bytes(LEN).iter().flat_map(|&byte| words[usize::from(byte)]).copied().take(LEN).collect();
    let text = &*placed(&text);
    vec![
        Row::new("compress_to_vec, level 1", LEN, text, |text| compress_to_vec(text, 1)),
        Row::new("compress_to_vec, level 6", LEN, text, |text| compress_to_vec(text, 6)),
        Row::new("decompress_to_vec", LEN, compress_to_vec(text, 6), |block| decompress_to_vec(block).unwrap()),
    ]
}
