//! `fletcher`: the three widths.

use super::subject::{calc_fletcher16, calc_fletcher32, calc_fletcher64};
use crate::harness::{Row, bytes, placed};

pub fn rows() -> Vec<Row> {
    const LEN: usize = 64 * 1024;
    let words: Vec<u16> = bytes(LEN).chunks(2).map(|pair| u16::from(pair[0]) << 8 | u16::from(pair[1])).collect();
    let wide: Vec<u32> = words.chunks(2).map(|pair| u32::from(pair[0]) << 16 | u32::from(pair[1])).collect();
    vec![
        Row::new("calc_fletcher16, 64 KiB", LEN, bytes(LEN), |bytes| calc_fletcher16(bytes)),
        Row::new("calc_fletcher32, 64 KiB", LEN, placed(&words), |words| calc_fletcher32(words)),
        Row::new("calc_fletcher64, 64 KiB", LEN, placed(&wide), |words| calc_fletcher64(words)),
    ]
}
