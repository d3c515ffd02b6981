//! Blocks for GFNI in 512-bit vectors: one instruction for each product.
use super::Block;
#[allow(clippy::wildcard_imports, reason = "vendor intrinsics")]
use crate::arch::*;
use zerocopy::transmute;

/// An element four times, which a load spreads over a vector where it would need a shuffle for one byte.
pub(crate) type Factor = u32;

/// `x` as a factor.
#[inline]
pub(crate) fn factor(x: u8) -> Factor {
    u32::from_ne_bytes([x; 4])
}

/// `x`, which is not secret, as a factor.
#[inline]
pub(crate) fn public_factor(x: u8) -> Factor {
    factor(x)
}

/// The products of `x` and all elements of `a`.
#[inline]
#[target_feature(enable = "avx512f,gfni")]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "other instruction sets have large factors")]
pub(crate) fn mul(a: Block, x: &Factor) -> Block {
    transmute!(_mm512_gf2p8mul_epi8(transmute!(a), _mm512_set1_epi32(x.cast_signed())))
}

/// The sums.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn add(a: Block, b: Block) -> Block {
    transmute!(_mm512_xor_si512(transmute!(a), transmute!(b)))
}

/// The products of every two elements.
#[inline]
#[target_feature(enable = "avx512f,gfni")]
pub(crate) fn products(a: Block, b: Block) -> Block {
    transmute!(_mm512_gf2p8mul_epi8(transmute!(a), transmute!(b)))
}

/// The inverses of all elements.
#[inline]
#[target_feature(enable = "avx512f,gfni")]
pub(crate) fn inverses(a: Block) -> Block {
    let identity = _mm512_set1_epi64(0x0102_0408_1020_4080);
    transmute!(_mm512_gf2p8affineinv_epi64_epi8::<0>(transmute!(a), identity))
}
