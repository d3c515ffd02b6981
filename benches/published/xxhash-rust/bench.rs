//! `xxhash-rust`: XXH3, at once and as a stream.

use super::subject::xxh3::{Xxh3, xxh3_64, xxh3_128};
use crate::harness::{Row, bytes};

pub fn rows() -> Vec<Row> {
    let row = |name: &str, len: usize| Row::new(name, len, bytes(len), |bytes| xxh3_64(bytes));
    const LEN: usize = 64 * 1024;
    vec![
        row("xxh3_64, 64 KiB", LEN),
        row("xxh3_64, 1 KiB", 1024),
        row("xxh3_64, 200 bytes", 200),
        row("xxh3_64, 16 bytes", 16),
        Row::new("xxh3_128, 64 KiB", LEN, bytes(LEN), |bytes| xxh3_128(bytes)),
        Row::new("Xxh3::update, 64 KiB in pieces of 4 KiB", LEN, bytes(LEN), |bytes| {
            let mut hasher = Xxh3::new();
            bytes.chunks(4096).for_each(|piece| hasher.update(piece));
            hasher.digest()
        }),
    ]
}
