//! Blocks for AVX2: the products with the lower and the upper halves of all bytes are shuffles.
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
#[target_feature(enable = "avx2")]
pub(crate) fn mul(a: Block, x: &Factor) -> Block {
    let [a0, a1]: [__m256i; 2] = transmute!(a);
    let low = _mm256_broadcastsi128_si256(transmute!(x[0]));
    let high = _mm256_broadcastsi128_si256(transmute!(x[1]));
    let half = _mm256_set1_epi8(15);
    let mul = |a| {
        let low = _mm256_shuffle_epi8(low, _mm256_and_si256(a, half));
        let high = _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi64::<4>(a), half));
        _mm256_xor_si256(low, high)
    };
    transmute!([mul(a0), mul(a1)])
}

/// The sums.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn add(a: Block, b: Block) -> Block {
    let ([a0, a1], [b0, b1]): ([__m256i; 2], [__m256i; 2]) = (transmute!(a), transmute!(b));
    transmute!([_mm256_xor_si256(a0, b0), _mm256_xor_si256(a1, b1)])
}
