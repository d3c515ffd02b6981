//! Blocks for SSSE3: as for AVX2, a quarter of a block at a time.
use super::Block;
pub(crate) use super::avx2::{Factor, factor, public_factor};
#[allow(clippy::wildcard_imports, reason = "vendor intrinsics")]
use crate::arch::*;
use zerocopy::transmute;

/// The products of `x` and all elements of `a`.
#[inline]
#[target_feature(enable = "ssse3")]
pub(crate) fn mul(a: Block, x: &Factor) -> Block {
    let [a0, a1, a2, a3]: [__m128i; 4] = transmute!(a);
    let [low, high]: [__m128i; 2] = transmute!(*x);
    let half = _mm_set1_epi8(15);
    let mul = |a| {
        let low = _mm_shuffle_epi8(low, _mm_and_si128(a, half));
        let high = _mm_shuffle_epi8(high, _mm_and_si128(_mm_srli_epi64::<4>(a), half));
        _mm_xor_si128(low, high)
    };
    transmute!([mul(a0), mul(a1), mul(a2), mul(a3)])
}

/// The sums.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn add(a: Block, b: Block) -> Block {
    let [a0, a1, a2, a3]: [__m128i; 4] = transmute!(a);
    let [b0, b1, b2, b3]: [__m128i; 4] = transmute!(b);
    transmute!([_mm_xor_si128(a0, b0), _mm_xor_si128(a1, b1), _mm_xor_si128(a2, b2), _mm_xor_si128(a3, b3)])
}
