//! `fixedbitset`: counts.

use std::fmt::{Debug, Formatter, Result};

use super::subject::FixedBitSet;
use crate::harness::{Row, bytes};

struct Set(FixedBitSet);

impl Debug for Set {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.0.as_slice().fmt(f)
    }
}

fn set(bits: usize) -> Set {
    let blocks = bytes(bits / 8).chunks_exact(8).map(|chunk| usize::from_ne_bytes(chunk.try_into().expect("8 bytes")));
    Set(FixedBitSet::with_capacity_and_blocks(bits, blocks))
}

pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (size, bits) in [("2^20 bits", 1 << 20), ("4096 bits", 4096), ("256 bits", 256)] {
        let (len, pair) = (bits / 8, || (set(bits), set(bits)));
        rows.extend([
            Row::new(&format!("count_ones(..), {size}"), len, set(bits), |a| a.0.count_ones(..)),
            Row::new(&format!("count_ones(7..), {size}"), len, set(bits), |a| a.0.count_ones(7..)),
            Row::new(&format!("intersection_count, {size}"), 2 * len, pair(), |(a, b)| a.0.intersection_count(&b.0)),
            Row::new(&format!("union_count, {size}"), 2 * len, pair(), |(a, b)| a.0.union_count(&b.0)),
            Row::new(&format!("difference_count, {size}"), 2 * len, pair(), |(a, b)| a.0.difference_count(&b.0)),
            Row::new(&format!("union_with, {size}"), 2 * len, pair(), |(a, b)| a.0.union_with(&b.0)),
            Row::new(&format!("ones().sum(), {size}"), len, set(bits), |a| a.0.ones().sum::<usize>()),
        ]);
    }
    rows
}
