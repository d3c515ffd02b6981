//! `bytecount`: the loops and the counting in words.

use super::subject::{count, naive_count, naive_count_32, naive_num_chars, num_chars};
use crate::harness::{Row, bytes};

pub fn rows() -> Vec<Row> {
    const LEN: usize = 64 * 1024;
    vec![
        Row::new("count, 64 KiB", LEN, bytes(LEN), |bytes| count(bytes, b'\n')),
        Row::new("num_chars, 64 KiB", LEN, bytes(LEN), |bytes| num_chars(bytes)),
        Row::new("naive_count, 64 KiB", LEN, bytes(LEN), |bytes| naive_count(bytes, b'\n')),
        Row::new("naive_count_32, 64 KiB", LEN, bytes(LEN), |bytes| naive_count_32(bytes, b'\n')),
        Row::new("naive_num_chars, 64 KiB", LEN, bytes(LEN), |bytes| naive_num_chars(bytes)),
        Row::new("count, 100 bytes", 100, bytes(100), |bytes| count(bytes, b'\n')),
        Row::new("num_chars, 100 bytes", 100, bytes(100), |bytes| num_chars(bytes)),
        Row::new("naive_count, 100 bytes", 100, bytes(100), |bytes| naive_count(bytes, b'\n')),
    ]
}
