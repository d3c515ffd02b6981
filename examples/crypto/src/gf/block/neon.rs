//! Blocks for Arm's vectors: `tbl` looks up in a register too.
use super::Block;
#[allow(clippy::wildcard_imports, reason = "vendor intrinsics")]
use crate::arch::*;
use zerocopy::transmute;

/// The products with all halves of a byte.
pub(crate) type Factor = [[u8; 16]; 2];

/// `x` as a factor.
#[inline]
pub(crate) fn factor(x: u8) -> Factor {
    super::tables(x)
}

/// `x`, which is not secret, as a factor.
#[inline]
pub(crate) fn public_factor(x: u8) -> Factor {
    factor(x)
}

/// The products of `x` and all elements of `a`.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn mul(a: Block, x: &Factor) -> Block {
    let [a0, a1, a2, a3]: [uint8x16_t; 4] = transmute!(a);
    let [low, high]: [uint8x16_t; 2] = transmute!(*x);
    let half = vdupq_n_u8(15);
    let mul = |a| veorq_u8(vqtbl1q_u8(low, vandq_u8(a, half)), vqtbl1q_u8(high, vshrq_n_u8::<4>(a)));
    transmute!([mul(a0), mul(a1), mul(a2), mul(a3)])
}

/// The sums.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn add(a: Block, b: Block) -> Block {
    let [a0, a1, a2, a3]: [uint8x16_t; 4] = transmute!(a);
    let [b0, b1, b2, b3]: [uint8x16_t; 4] = transmute!(b);
    transmute!([veorq_u8(a0, b0), veorq_u8(a1, b1), veorq_u8(a2, b2), veorq_u8(a3, b3)])
}
