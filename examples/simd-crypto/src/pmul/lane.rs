//! Lanes of two words: what they add, shift and multiply with.
//!
//! For `pclmulqdq`, additions and shifts are written as instructions too. Left to the compiler, some would be done in
//! general registers and others in wider vectors, and the way there and back costs more than they do.
use super::karatsuba::{Factor, Product, Vector};
use crate::wide::Wide;

pub(crate) use words2::{add, and, by_word, join, rows, shl, shr, splat, square, word};
use words2::{multiply, wide_add, wide_join, wide_multiply};

/// Two words, the lower first: a vector register where the target has those.
pub(crate) type Lane = [u64; 2];

/// Lanes side by side, from functions that have clones.
macro_rules! vector {
    ($Vector:ty, $zero:expr, $add:ident, $join:ident, $multiply:ident) => {
        impl Vector for $Vector {
            const ZERO: Self = $zero;

            #[inline]
            fn add(self, other: Self) -> Self {
                $add(self, other)
            }

            #[inline]
            fn join(self, above: Self) -> Self {
                $join(self, above)
            }

            #[allow(clippy::inline_always, reason = "a call would be one without the features")]
            #[inline(always)]
            fn multiply(a: Factor<Self>, b: Factor<Self>) -> Product<Self, 2, 1> {
                $multiply(a, b)
            }
        }
    };
}

vector!(Lane, [0; 2], add, join, multiply);
// Four lanes, for the target with products in 512-bit registers.
vector!(Wide, Wide([0; 8]), wide_add, wide_join, wide_multiply);

#[cfg(target_arch = "x86_64")]
mod vectors {
    use super::Lane;
    use crate::arch::__m128i;
    use zerocopy::transmute;

    #[inline]
    pub(crate) fn vector(lane: Lane) -> __m128i {
        transmute!(lane)
    }

    #[inline]
    pub(crate) fn lane(vector: __m128i) -> Lane {
        transmute!(vector)
    }
}
#[cfg(target_arch = "x86_64")]
pub(crate) use vectors::{lane, vector};

#[simd_core::dispatch(targets = crate::targets::products)]
mod words2 {
    #![allow(unused_imports, clippy::wildcard_imports, reason = "which instructions are in use depends on the target")]
    use super::{Factor, Lane, Product, Wide};
    #[cfg(target_arch = "x86_64")]
    use super::{lane, vector};
    use crate::arch::*;
    use crate::pmul::portable::{clmul64, spread32};
    use simd_core::match_target;

    #[inline]
    pub(crate) fn word(a: u64, b: u64) -> Lane {
        match_target! {
            "x86_64: pclmulqdq" => {
                let (a, b) = (_mm_cvtsi64_si128(a.cast_signed()), _mm_cvtsi64_si128(b.cast_signed()));
                lane(_mm_clmulepi64_si128::<0x00>(a, b))
            }
            "aarch64: aes" => split(vmull_p64(a, b)),
            _ => split(clmul64(a, b)),
        }
    }

    /// The product of one lane by one: three products of words.
    #[inline]
    pub(super) fn multiply(a: Factor<Lane>, b: Factor<Lane>) -> Product<Lane, 2, 1> {
        let [low, high, middle] = match_target! {
            "x86_64: pclmulqdq" => [
                lane(_mm_clmulepi64_si128::<0x00>(vector(a.lane), vector(b.lane))),
                lane(_mm_clmulepi64_si128::<0x11>(vector(a.lane), vector(b.lane))),
                lane(_mm_clmulepi64_si128::<0x00>(vector(a.folded), vector(b.folded))),
            ],
            _ => [word(a.lane[0], b.lane[0]), word(a.lane[1], b.lane[1]), word(a.folded[0], b.folded[0])],
        };
        Product { aligned: [low, high], between: [add(middle, add(low, high))] }
    }

    /// The squares of both words.
    #[inline]
    pub(crate) fn square(a: Lane) -> [Lane; 2] {
        match_target! {
            "x86_64: pclmulqdq" => {
                let a = vector(a);
                [lane(_mm_clmulepi64_si128::<0x00>(a, a)), lane(_mm_clmulepi64_si128::<0x11>(a, a))]
            }
            "aarch64: aes" => [word(a[0], a[0]), word(a[1], a[1])],
            _ => a.map(|a| [spread32(a as u32), spread32((a >> 32) as u32)]),
        }
    }

    /// `[low words, high words]` of `p[0] * t[0] + p[1] * t[1]` and of `p[0] * b[0] + p[1] * b[1]`.
    #[inline]
    pub(crate) fn rows(p: Lane, t: Lane, b: Lane) -> [Lane; 2] {
        match_target! {
            "x86_64: pclmulqdq" => {
                let (p, t, b) = (vector(p), vector(t), vector(b));
                let t = _mm_xor_si128(_mm_clmulepi64_si128::<0x00>(p, t), _mm_clmulepi64_si128::<0x11>(p, t));
                let b = _mm_xor_si128(_mm_clmulepi64_si128::<0x00>(p, b), _mm_clmulepi64_si128::<0x11>(p, b));
                [lane(_mm_unpacklo_epi64(t, b)), lane(_mm_unpackhi_epi64(t, b))]
            }
            _ => {
                let t = add(word(p[0], t[0]), word(p[1], t[1]));
                let b = add(word(p[0], b[0]), word(p[1], b[1]));
                [[t[0], b[0]], [t[1], b[1]]]
            }
        }
    }

    /// The products of both words by another one.
    #[inline]
    pub(crate) fn by_word(a: Lane, b: u64) -> [Lane; 2] {
        match_target! {
            "x86_64: pclmulqdq" => {
                let (a, b) = (vector(a), _mm_cvtsi64_si128(b.cast_signed()));
                [lane(_mm_clmulepi64_si128::<0x00>(a, b)), lane(_mm_clmulepi64_si128::<0x01>(a, b))]
            }
            _ => [word(a[0], b), word(a[1], b)],
        }
    }

    #[inline]
    pub(crate) fn add(a: Lane, b: Lane) -> Lane {
        match_target! {
            "x86_64: pclmulqdq" => lane(_mm_xor_si128(vector(a), vector(b))),
            _ => [a[0] ^ b[0], a[1] ^ b[1]],
        }
    }

    /// The upper word of `a`, then the lower one of `b`.
    #[inline]
    pub(crate) fn join(a: Lane, b: Lane) -> Lane {
        match_target! {
            "x86_64: pclmulqdq" => {
                let (a, b) = (_mm_castsi128_pd(vector(a)), _mm_castsi128_pd(vector(b)));
                lane(_mm_castpd_si128(_mm_shuffle_pd::<1>(a, b)))
            }
            _ => [a[1], b[0]],
        }
    }

    /// Both words shifted to the left by `n < 64` bits.
    #[inline]
    pub(crate) fn shl(a: Lane, n: u32) -> Lane {
        match_target! {
            "x86_64: pclmulqdq" => lane(_mm_sll_epi64(vector(a), _mm_cvtsi32_si128(n.cast_signed()))),
            _ => [a[0] << n, a[1] << n],
        }
    }

    /// Both words shifted to the right by `n < 64` bits.
    #[inline]
    pub(crate) fn shr(a: Lane, n: u32) -> Lane {
        match_target! {
            "x86_64: pclmulqdq" => lane(_mm_srl_epi64(vector(a), _mm_cvtsi32_si128(n.cast_signed()))),
            _ => [a[0] >> n, a[1] >> n],
        }
    }

    #[inline]
    pub(crate) fn and(a: Lane, b: Lane) -> Lane {
        match_target! {
            "x86_64: pclmulqdq" => lane(_mm_and_si128(vector(a), vector(b))),
            _ => [a[0] & b[0], a[1] & b[1]],
        }
    }

    #[inline]
    pub(crate) fn splat(a: u64) -> Lane {
        match_target! {
            "x86_64: pclmulqdq" => lane(_mm_set1_epi64x(a.cast_signed())),
            _ => [a; 2],
        }
    }

    #[inline]
    #[allow(dead_code, reason = "pclmulqdq gives vectors")]
    fn split(a: u128) -> Lane {
        [a as u64, (a >> 64) as u64]
    }

    #[inline]
    pub(super) fn wide_add(a: Wide, b: Wide) -> Wide {
        match_target! {
            "x86_64: avx512vbmi2" => _mm512_xor_si512(a.into(), b.into()).into(),
            _ => unreachable!("of no target"),
        }
    }

    #[inline]
    pub(super) fn wide_join(a: Wide, b: Wide) -> Wide {
        match_target! {
            "x86_64: avx512vbmi2" => {
                let (a, b) = (_mm512_castsi512_pd(a.into()), _mm512_castsi512_pd(b.into()));
                _mm512_castpd_si512(_mm512_shuffle_pd::<0b0101_0101>(a, b)).into()
            }
            _ => unreachable!("of no target"),
        }
    }

    #[inline]
    pub(super) fn wide_multiply(a: Factor<Wide>, b: Factor<Wide>) -> Product<Wide, 2, 1> {
        match_target! {
            "x86_64: avx512vbmi2" => {
                let low = _mm512_clmulepi64_epi128::<0x00>(a.lane.into(), b.lane.into());
                let high = _mm512_clmulepi64_epi128::<0x11>(a.lane.into(), b.lane.into());
                let middle = _mm512_clmulepi64_epi128::<0x00>(a.folded.into(), b.folded.into());
                let between = _mm512_ternarylogic_epi64::<0x96>(middle, low, high);
                Product { aligned: [low.into(), high.into()], between: [between.into()] }
            }
            _ => unreachable!("of no target"),
        }
    }
}
