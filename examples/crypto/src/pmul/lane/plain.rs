//! Lanes for every CPU.
use super::Lane;
use crate::pmul::karatsuba::{Factor, Product};
use crate::pmul::portable::{clmul64, spread32};

/// The product of one word by one.
#[inline]
pub(crate) fn word(a: u64, b: u64) -> Lane {
    split(clmul64(a, b))
}

/// The squares of both words.
#[inline]
pub(crate) fn square(a: Lane) -> [Lane; 2] {
    a.map(|a| [spread32(a as u32), spread32((a >> 32) as u32)])
}

/// The product of one lane by one.
#[inline]
pub(crate) fn multiply(a: Factor<Lane>, b: Factor<Lane>) -> Product<Lane, 2, 1> {
    let (low, high) = (word(a.lane[0], b.lane[0]), word(a.lane[1], b.lane[1]));
    let middle = word(a.folded[0], b.folded[0]);
    Product { aligned: [low, high], between: [add(middle, add(low, high))] }
}

/// `[low words, high words]` of `p[0] * t[0] + p[1] * t[1]` and of `p[0] * b[0] + p[1] * b[1]`.
#[inline]
pub(crate) fn rows(p: Lane, t: Lane, b: Lane) -> [Lane; 2] {
    let t = add(word(p[0], t[0]), word(p[1], t[1]));
    let b = add(word(p[0], b[0]), word(p[1], b[1]));
    [[t[0], b[0]], [t[1], b[1]]]
}

/// The products of both words by another one.
#[inline]
pub(crate) fn by_word(a: Lane, b: u64) -> [Lane; 2] {
    [word(a[0], b), word(a[1], b)]
}

/// The sum of two lanes.
#[inline]
pub(crate) fn add(a: Lane, b: Lane) -> Lane {
    [a[0] ^ b[0], a[1] ^ b[1]]
}

/// The upper word of `a`, then the lower one of `b`.
#[inline]
pub(crate) fn join(a: Lane, b: Lane) -> Lane {
    [a[1], b[0]]
}

/// Both words shifted to the left by `n < 64` bits.
#[inline]
pub(crate) fn shl(a: Lane, n: u32) -> Lane {
    [a[0] << n, a[1] << n]
}

/// Both words shifted to the right by `n < 64` bits.
#[inline]
pub(crate) fn shr(a: Lane, n: u32) -> Lane {
    [a[0] >> n, a[1] >> n]
}

/// The low and the high word.
#[inline]
pub(super) fn split(a: u128) -> Lane {
    [a as u64, (a >> 64) as u64]
}

/// The bits that both lanes have.
#[inline]
pub(crate) fn and(a: Lane, b: Lane) -> Lane {
    [a[0] & b[0], a[1] & b[1]]
}

/// The same word twice.
#[inline]
pub(crate) fn splat(a: u64) -> Lane {
    [a; 2]
}
