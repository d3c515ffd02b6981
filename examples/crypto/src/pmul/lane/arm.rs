//! Lanes for Arm's `pmull`. Additions and shifts need no more than the vectors that every such CPU has.
use super::Lane;
use super::plain::split;
pub(crate) use super::plain::{add, and, join, shl, shr, splat};
#[allow(clippy::wildcard_imports, reason = "vendor intrinsics")]
use crate::arch::*;
use crate::pmul::karatsuba::{Factor, Product};

/// The product of one word by one.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(crate) fn word(a: u64, b: u64) -> Lane {
    split(vmull_p64(a, b))
}

/// The squares of both words.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(crate) fn square(a: Lane) -> [Lane; 2] {
    [word(a[0], a[0]), word(a[1], a[1])]
}

/// The product of one lane by one.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(crate) fn multiply(a: Factor<Lane>, b: Factor<Lane>) -> Product<Lane, 2, 1> {
    let (low, high) = (word(a.lane[0], b.lane[0]), word(a.lane[1], b.lane[1]));
    let middle = word(a.folded[0], b.folded[0]);
    Product { aligned: [low, high], between: [add(middle, add(low, high))] }
}

/// `[low words, high words]` of `p[0] * t[0] + p[1] * t[1]` and of `p[0] * b[0] + p[1] * b[1]`.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(crate) fn rows(p: Lane, t: Lane, b: Lane) -> [Lane; 2] {
    let t = add(word(p[0], t[0]), word(p[1], t[1]));
    let b = add(word(p[0], b[0]), word(p[1], b[1]));
    [[t[0], b[0]], [t[1], b[1]]]
}

/// The products of both words by another one.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(crate) fn by_word(a: Lane, b: u64) -> [Lane; 2] {
    [word(a[0], b), word(a[1], b)]
}
