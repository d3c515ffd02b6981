//! Blocks for GFNI in 256-bit vectors.
use super::Block;
pub(crate) use super::avx2::add;
pub(crate) use super::gfni512::{Factor, factor, public_factor};
#[allow(clippy::wildcard_imports, reason = "vendor intrinsics")]
use crate::arch::*;
use zerocopy::transmute;

/// The products of `x` and all elements of `a`.
#[inline]
#[target_feature(enable = "avx2,gfni")]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "other instruction sets have large factors")]
pub(crate) fn mul(a: Block, x: &Factor) -> Block {
    let [a0, a1]: [__m256i; 2] = transmute!(a);
    let x = _mm256_set1_epi32(x.cast_signed());
    transmute!([_mm256_gf2p8mul_epi8(a0, x), _mm256_gf2p8mul_epi8(a1, x)])
}

/// The products of every two elements.
#[inline]
#[target_feature(enable = "avx2,gfni")]
pub(crate) fn products(a: Block, b: Block) -> Block {
    let ([a0, a1], [b0, b1]): ([__m256i; 2], [__m256i; 2]) = (transmute!(a), transmute!(b));
    transmute!([_mm256_gf2p8mul_epi8(a0, b0), _mm256_gf2p8mul_epi8(a1, b1)])
}

/// The inverses of all elements.
#[inline]
#[target_feature(enable = "avx2,gfni")]
pub(crate) fn inverses(a: Block) -> Block {
    let [a0, a1]: [__m256i; 2] = transmute!(a);
    let identity = _mm256_set1_epi64x(0x0102_0408_1020_4080);
    let invert = |a| _mm256_gf2p8affineinv_epi64_epi8::<0>(a, identity);
    transmute!([invert(a0), invert(a1)])
}
