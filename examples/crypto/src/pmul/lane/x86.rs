//! Lanes for `pclmulqdq`. Additions and shifts are written as instructions too: left to the compiler, some would be
//! done in general registers and others in wider vectors, and the way there and back costs more than they do.
use super::Lane;
#[allow(clippy::wildcard_imports, reason = "vendor intrinsics")]
use crate::arch::*;
use crate::pmul::karatsuba::{Factor, Product};
use zerocopy::transmute;

/// The product of one word by one.
#[inline]
#[target_feature(enable = "pclmulqdq")]
pub(crate) fn word(a: u64, b: u64) -> Lane {
    let (a, b) = (_mm_cvtsi64_si128(a.cast_signed()), _mm_cvtsi64_si128(b.cast_signed()));
    transmute!(_mm_clmulepi64_si128::<0x00>(a, b))
}

/// The squares of both words.
#[inline]
#[target_feature(enable = "pclmulqdq")]
pub(crate) fn square(a: Lane) -> [Lane; 2] {
    let a = transmute!(a);
    transmute!([_mm_clmulepi64_si128::<0x00>(a, a), _mm_clmulepi64_si128::<0x11>(a, a)])
}

/// The product of one lane by one.
#[inline]
#[target_feature(enable = "pclmulqdq")]
pub(crate) fn multiply(a: Factor<Lane>, b: Factor<Lane>) -> Product<Lane, 2, 1> {
    let low = transmute!(_mm_clmulepi64_si128::<0x00>(transmute!(a.lane), transmute!(b.lane)));
    let high = transmute!(_mm_clmulepi64_si128::<0x11>(transmute!(a.lane), transmute!(b.lane)));
    let middle = transmute!(_mm_clmulepi64_si128::<0x00>(transmute!(a.folded), transmute!(b.folded)));
    Product { aligned: [low, high], between: [add(middle, add(low, high))] }
}

/// `[low words, high words]` of `p[0] * t[0] + p[1] * t[1]` and of `p[0] * b[0] + p[1] * b[1]`.
#[inline]
#[target_feature(enable = "pclmulqdq")]
pub(crate) fn rows(p: Lane, t: Lane, b: Lane) -> [Lane; 2] {
    let (p, t, b) = (transmute!(p), transmute!(t), transmute!(b));
    let t = _mm_xor_si128(_mm_clmulepi64_si128::<0x00>(p, t), _mm_clmulepi64_si128::<0x11>(p, t));
    let b = _mm_xor_si128(_mm_clmulepi64_si128::<0x00>(p, b), _mm_clmulepi64_si128::<0x11>(p, b));
    transmute!([_mm_unpacklo_epi64(t, b), _mm_unpackhi_epi64(t, b)])
}

/// The products of both words by another one.
#[inline]
#[target_feature(enable = "pclmulqdq")]
pub(crate) fn by_word(a: Lane, b: u64) -> [Lane; 2] {
    let (a, b) = (transmute!(a), _mm_cvtsi64_si128(b.cast_signed()));
    transmute!([_mm_clmulepi64_si128::<0x00>(a, b), _mm_clmulepi64_si128::<0x01>(a, b)])
}

/// The sum of two lanes.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn add(a: Lane, b: Lane) -> Lane {
    transmute!(_mm_xor_si128(transmute!(a), transmute!(b)))
}

/// The upper word of `a`, then the lower one of `b`.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn join(a: Lane, b: Lane) -> Lane {
    transmute!(_mm_shuffle_pd::<1>(transmute!(a), transmute!(b)))
}

/// Both words shifted to the left by `n < 64` bits.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn shl(a: Lane, n: u32) -> Lane {
    transmute!(_mm_sll_epi64(transmute!(a), _mm_cvtsi32_si128(n.cast_signed())))
}

/// Both words shifted to the right by `n < 64` bits.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn shr(a: Lane, n: u32) -> Lane {
    transmute!(_mm_srl_epi64(transmute!(a), _mm_cvtsi32_si128(n.cast_signed())))
}

/// The bits that both lanes have.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn and(a: Lane, b: Lane) -> Lane {
    transmute!(_mm_and_si128(transmute!(a), transmute!(b)))
}

/// The same word twice.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn splat(a: u64) -> Lane {
    transmute!(_mm_set1_epi64x(a.cast_signed()))
}
