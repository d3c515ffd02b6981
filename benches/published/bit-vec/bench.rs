//! `bit-vec`: bitwise operations and counts.

use super::subject::BitVec;
use crate::harness::{Row, bytes};

fn vector(bits: usize) -> BitVec {
    BitVec::from_bytes(bytes(bits / 8))
}

/// Of the same length, with other bits.
fn other(bits: usize) -> BitVec {
    BitVec::from_bytes(&bytes(bits / 8 + 1)[1..])
}

pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (size, bits) in [("2^16 bits", 1 << 16), ("4096 bits", 4096), ("256 bits", 256)] {
        let (len, pair) = (bits / 8, || (vector(bits), other(bits)));
        rows.extend([
            Row::new(&format!("count_ones, {size}"), len, vector(bits), |a| a.count_ones()),
            Row::new(&format!("count_zeros, {size}"), len, vector(bits), |a| a.count_zeros()),
            Row::new(&format!("or, {size}"), 2 * len, pair(), |(a, b)| a.or(b)),
            Row::new(&format!("and, {size}"), 2 * len, pair(), |(a, b)| a.and(b)),
            Row::new(&format!("xor, {size}"), 2 * len, pair(), |(a, b)| a.xor(b)),
            Row::new(&format!("iter().filter().count(), {size}"), len, vector(bits), |a| a.iter().filter(|&bit| bit).count()),
        ]);
    }
    rows
}
