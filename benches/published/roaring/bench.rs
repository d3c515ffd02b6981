//! `roaring`: operations on dense bitmaps.

use super::subject::RoaringBitmap;
use crate::harness::{Row, bytes};

/// About half of the numbers below 2^20.
fn bitmap(skip: usize) -> RoaringBitmap {
    let noise = bytes((1 << 17) + skip);
    let set = |i: &u32| noise[*i as usize / 8 + skip] >> (i % 8) & 1 == 1;
    (0..1 << 20).filter(set).collect()
}

pub fn rows() -> Vec<Row> {
    const LEN: usize = 2 << 17;
    let pair = || (bitmap(0), bitmap(1));
    vec![
        Row::new("intersection_len", LEN, pair(), |(a, b)| a.intersection_len(b)),
        Row::new("union_len", LEN, pair(), |(a, b)| a.union_len(b)),
        Row::new("a |= b", LEN, pair(), |(a, b)| *a |= &*b),
        Row::new("a ^= b", LEN, pair(), |(a, b)| *a ^= &*b),
        Row::new("&a & &b", LEN, pair(), |(a, b)| &*a & &*b),
        Row::new("&a - &b", LEN, pair(), |(a, b)| &*a - &*b),
        Row::new("rank", LEN / 2, bitmap(0), |a| a.rank(700_000)),
        Row::new("select", LEN / 2, bitmap(0), |a| a.select(400_000)),
        Row::new("contains, 1000 numbers", 1000, bitmap(0), |a| (0..1000).filter(|i| a.contains(i * 997)).count()),
    ]
}
