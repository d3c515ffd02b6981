//! Lanes of two words: what they add, shift and multiply with.
//!
//! For `pclmulqdq`, additions and shifts are written as instructions too. Left to the compiler, some would be done in
//! general registers and others in wider vectors, and the way there and back costs more than they do.
use super::karatsuba::{Factor, Product, Vector};
#[allow(unused_imports, clippy::wildcard_imports, reason = "which instructions are in use depends on the target")]
use crate::arch::*;
use core::array;
use simd_core::{dispatch, match_target};
#[allow(unused_imports, reason = "which values are turned into vectors depends on the target")]
use zerocopy::transmute;

use kernels::products;
pub(crate) use kernels::{add, and, by_word, join, rows, shl, shr, splat, square, word};

/// Two words, the lower first: a vector register where the target has those.
pub(crate) type Lane = [u64; 2];

/// Four lanes, for targets with products in 512-bit registers. Others take them one by one.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other architecture has them"))]
pub(crate) struct Wide(pub(crate) [Lane; 4]);

#[dispatch(targets = crate::targets::products)]
impl Vector for Lane {
    const ZERO: Self = [0; 2];

    #[inline]
    fn add(self, other: Self) -> Self {
        add(self, other)
    }

    #[inline]
    fn join(self, above: Self) -> Self {
        join(self, above)
    }

    #[inline]
    fn multiply(a: Factor<Self>, b: Factor<Self>) -> Product<Self, 2, 1> {
        let [low, high, middle] = products(a, b);
        Product { aligned: [low, high], between: [add(middle, add(low, high))] }
    }
}

#[dispatch(targets = crate::targets::products)]
impl Vector for Wide {
    const ZERO: Self = Self([[0; 2]; 4]);

    #[inline]
    fn add(self, other: Self) -> Self {
        self.sum(other)
    }

    #[inline]
    fn join(self, above: Self) -> Self {
        self.joined(above)
    }

    #[inline]
    fn multiply(a: Factor<Self>, b: Factor<Self>) -> Product<Self, 2, 1> {
        Self::product(a, b)
    }
}

#[dispatch(targets = crate::targets::products)]
impl Wide {
    #[inline]
    fn sum(self, other: Self) -> Self {
        match_target! {
            "x86_64: avx512vbmi2" => Self(transmute!(_mm512_xor_si512(transmute!(self.0), transmute!(other.0)))),
            _ => Self(array::from_fn(|i| add(self.0[i], other.0[i]))),
        }
    }

    #[inline]
    fn joined(self, above: Self) -> Self {
        match_target! {
            "x86_64: avx512vbmi2" => {
                let (low, high): (__m512d, __m512d) = (transmute!(self.0), transmute!(above.0));
                Self(transmute!(_mm512_shuffle_pd::<0b0101_0101>(low, high)))
            }
            _ => Self(array::from_fn(|i| join(self.0[i], above.0[i]))),
        }
    }

    #[inline]
    fn product(a: Factor<Self>, b: Factor<Self>) -> Product<Self, 2, 1> {
        match_target! {
            "x86_64: avx512vbmi2" => {
                let low = _mm512_clmulepi64_epi128::<0x00>(transmute!(a.lane.0), transmute!(b.lane.0));
                let high = _mm512_clmulepi64_epi128::<0x11>(transmute!(a.lane.0), transmute!(b.lane.0));
                let middle = _mm512_clmulepi64_epi128::<0x00>(transmute!(a.folded.0), transmute!(b.folded.0));
                let between = _mm512_ternarylogic_epi64::<0x96>(middle, low, high);
                Product { aligned: [Self(transmute!(low)), Self(transmute!(high))], between: [Self(transmute!(between))] }
            }
            _ => {
                let factor = |f: Factor<Self>, i: usize| Factor { lane: f.lane.0[i], folded: f.folded.0[i] };
                let lanes: [_; 4] = array::from_fn(|i| Lane::multiply(factor(a, i), factor(b, i)));
                let part = |part: fn(&Product<Lane, 2, 1>) -> Lane| Self(lanes.each_ref().map(part));
                Product { aligned: [part(|p| p.aligned[0]), part(|p| p.aligned[1])], between: [part(|p| p.between[0])] }
            }
        }
    }
}

#[dispatch(targets = crate::targets::products)]
mod kernels {
    #![allow(unused_imports, clippy::wildcard_imports, reason = "which instructions are in use depends on the target")]
    use super::{Factor, Lane};
    use crate::arch::*;
    use crate::pmul::portable::{clmul64, spread32};
    use simd_core::match_target;
    use zerocopy::transmute;

    /// The product of one word by one.
    #[inline]
    pub(crate) fn word(a: u64, b: u64) -> Lane {
        match_target! {
            "x86_64: pclmulqdq" => {
                let (a, b) = (_mm_cvtsi64_si128(a.cast_signed()), _mm_cvtsi64_si128(b.cast_signed()));
                transmute!(_mm_clmulepi64_si128::<0x00>(a, b))
            }
            "aarch64: aes" => split(vmull_p64(a, b)),
            _ => split(clmul64(a, b)),
        }
    }

    /// The products of the lower words, of the upper ones, and of their sums.
    #[inline]
    pub(super) fn products(a: Factor<Lane>, b: Factor<Lane>) -> [Lane; 3] {
        match_target! {
            "x86_64: pclmulqdq" => [
                transmute!(_mm_clmulepi64_si128::<0x00>(transmute!(a.lane), transmute!(b.lane))),
                transmute!(_mm_clmulepi64_si128::<0x11>(transmute!(a.lane), transmute!(b.lane))),
                transmute!(_mm_clmulepi64_si128::<0x00>(transmute!(a.folded), transmute!(b.folded))),
            ],
            _ => [word(a.lane[0], b.lane[0]), word(a.lane[1], b.lane[1]), word(a.folded[0], b.folded[0])],
        }
    }

    /// The squares of both words.
    #[inline]
    pub(crate) fn square(a: Lane) -> [Lane; 2] {
        match_target! {
            "x86_64: pclmulqdq" => {
                let a = transmute!(a);
                transmute!([_mm_clmulepi64_si128::<0x00>(a, a), _mm_clmulepi64_si128::<0x11>(a, a)])
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
                let (p, t, b) = (transmute!(p), transmute!(t), transmute!(b));
                let t = _mm_xor_si128(_mm_clmulepi64_si128::<0x00>(p, t), _mm_clmulepi64_si128::<0x11>(p, t));
                let b = _mm_xor_si128(_mm_clmulepi64_si128::<0x00>(p, b), _mm_clmulepi64_si128::<0x11>(p, b));
                transmute!([_mm_unpacklo_epi64(t, b), _mm_unpackhi_epi64(t, b)])
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
                let (a, b) = (transmute!(a), _mm_cvtsi64_si128(b.cast_signed()));
                transmute!([_mm_clmulepi64_si128::<0x00>(a, b), _mm_clmulepi64_si128::<0x01>(a, b)])
            }
            _ => [word(a[0], b), word(a[1], b)],
        }
    }

    /// The sum of two lanes.
    #[inline]
    pub(crate) fn add(a: Lane, b: Lane) -> Lane {
        match_target! {
            "x86_64: pclmulqdq" => transmute!(_mm_xor_si128(transmute!(a), transmute!(b))),
            _ => [a[0] ^ b[0], a[1] ^ b[1]],
        }
    }

    /// The upper word of `a`, then the lower one of `b`.
    #[inline]
    pub(crate) fn join(a: Lane, b: Lane) -> Lane {
        match_target! {
            "x86_64: pclmulqdq" => transmute!(_mm_shuffle_pd::<1>(transmute!(a), transmute!(b))),
            _ => [a[1], b[0]],
        }
    }

    /// Both words shifted to the left by `n < 64` bits.
    #[inline]
    pub(crate) fn shl(a: Lane, n: u32) -> Lane {
        match_target! {
            "x86_64: pclmulqdq" => transmute!(_mm_sll_epi64(transmute!(a), _mm_cvtsi32_si128(n.cast_signed()))),
            _ => [a[0] << n, a[1] << n],
        }
    }

    /// Both words shifted to the right by `n < 64` bits.
    #[inline]
    pub(crate) fn shr(a: Lane, n: u32) -> Lane {
        match_target! {
            "x86_64: pclmulqdq" => transmute!(_mm_srl_epi64(transmute!(a), _mm_cvtsi32_si128(n.cast_signed()))),
            _ => [a[0] >> n, a[1] >> n],
        }
    }

    /// The bits that both lanes have.
    #[inline]
    pub(crate) fn and(a: Lane, b: Lane) -> Lane {
        match_target! {
            "x86_64: pclmulqdq" => transmute!(_mm_and_si128(transmute!(a), transmute!(b))),
            _ => [a[0] & b[0], a[1] & b[1]],
        }
    }

    /// The same word twice.
    #[inline]
    pub(crate) fn splat(a: u64) -> Lane {
        match_target! {
            "x86_64: pclmulqdq" => transmute!(_mm_set1_epi64x(a.cast_signed())),
            _ => [a; 2],
        }
    }

    /// The low and the high word.
    #[inline]
    #[allow(dead_code, reason = "pclmulqdq gives vectors")]
    fn split(a: u128) -> Lane {
        [a as u64, (a >> 64) as u64]
    }
}
