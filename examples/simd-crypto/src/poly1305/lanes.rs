//! Eight lanes of 64 bits, and what both forms of Poly1305 in lanes need of them.
pub(super) use lanewise::{Factor, and, left, load, or, plus, right, times};

use crate::wide::Wide;

pub(super) const ZERO: Wide = Wide([0; 8]);

/// A value for each block that [`load`] is given, in its order of the lanes.
#[inline]
pub(super) fn in_order<T: Copy>(of: [T; 8]) -> [T; 8] {
    [of[0], of[4], of[1], of[5], of[2], of[6], of[3], of[7]]
}

#[simd_core::dispatch(targets = crate::targets::chacha20)]
mod lanewise {
    #![allow(unused_imports, dead_code, clippy::wildcard_imports, reason = "the baseline has no vectors")]
    use crate::arch::*;
    use crate::wide::{Wide, lanewise};
    use simd_core::match_target;
    use zerocopy::transmute;

    /// The lower and the upper words of eight blocks, in the order 0, 4, 1, 5, 2, 6, 3, 7: what unpacking two vectors gives.
    #[inline]
    pub(in crate::poly1305) fn load(blocks: &[[u8; 16]; 8]) -> (Wide, Wide) {
        let [first, second]: [[u64; 8]; 2] = transmute!(*blocks);
        unpack(little_endian(Wide(first)), little_endian(Wide(second)))
    }

    #[inline]
    fn little_endian(words: Wide) -> Wide {
        if cfg!(target_endian = "little") { words } else { Wide(words.0.map(u64::swap_bytes)) }
    }

    /// A factor in limbs, one for each lane, and a multiple of these: of what the power of two behind the last limb is.
    pub(in crate::poly1305) struct Factor<const N: usize> {
        pub(in crate::poly1305) limbs: [Wide; N],
        pub(in crate::poly1305) multiples: [Wide; N],
    }

    impl<const N: usize> Factor<N> {
        #[inline]
        pub(in crate::poly1305) fn new(lanes: [[u64; N]; 8], by: u64) -> Self {
            let mut limbs = [Wide([0; 8]); N];
            for (lane, number) in lanes.into_iter().enumerate() {
                for (limb, value) in limbs.iter_mut().zip(number) {
                    limb.0[lane] = value;
                }
            }
            let mut multiples = limbs;
            for limb in multiples.as_mut_slice() {
                *limb = Wide(limb.0.map(|limb| limb.wrapping_mul(by)));
            }
            Self { limbs, multiples }
        }

        #[inline]
        pub(in crate::poly1305) fn splat(number: [u64; N], by: u64) -> Self {
            let (mut limbs, mut multiples) = ([Wide([0; 8]); N], [Wide([0; 8]); N]);
            for i in 0..N {
                (limbs[i], multiples[i]) = (Wide([number[i]; 8]), Wide([number[i].wrapping_mul(by); 8]));
            }
            Self { limbs, multiples }
        }
    }

    #[inline]
    fn each(a: Wide, b: Wide, of: impl Fn(u64, u64) -> u64) -> Wide {
        Wide(core::array::from_fn(|i| of(a.0[i], b.0[i])))
    }

    lanewise! {
        chacha20
        /// The products of the lower halves.
        pub(in crate::poly1305) times(a, b) = _mm512_mul_epu32 | _mm256_mul_epu32,
        _ => each(a, b, |a, b| (a & 0xffff_ffff) * (b & 0xffff_ffff))
    }

    lanewise! {
        chacha20
        pub(in crate::poly1305) plus(a, b) = _mm512_add_epi64 | _mm256_add_epi64, _ => each(a, b, u64::wrapping_add)
    }

    lanewise! {
        chacha20
        pub(in crate::poly1305) and(a, b) = _mm512_and_si512 | _mm256_and_si256, _ => each(a, b, |a, b| a & b)
    }

    lanewise! {
        chacha20
        pub(in crate::poly1305) or(a, b) = _mm512_or_si512 | _mm256_or_si256, _ => each(a, b, |a, b| a | b)
    }

    #[inline]
    pub(in crate::poly1305) fn right<const BY: u32>(a: Wide) -> Wide {
        match_target! {
            "avx512vl" => Wide::from(_mm512_srli_epi64::<BY>(a.into())),
            "avx2" => {
                let (a, by): ([__m256i; 2], _) = (a.into(), _mm_cvtsi32_si128(BY.cast_signed()));
                Wide::from([_mm256_srl_epi64(a[0], by), _mm256_srl_epi64(a[1], by)])
            }
            _ => Wide(a.0.map(|a| a >> BY)),
        }
    }

    #[inline]
    pub(in crate::poly1305) fn left<const BY: u32>(a: Wide) -> Wide {
        match_target! {
            "avx512vl" => Wide::from(_mm512_slli_epi64::<BY>(a.into())),
            "avx2" => {
                let (a, by): ([__m256i; 2], _) = (a.into(), _mm_cvtsi32_si128(BY.cast_signed()));
                Wide::from([_mm256_sll_epi64(a[0], by), _mm256_sll_epi64(a[1], by)])
            }
            _ => Wide(a.0.map(|a| a << BY)),
        }
    }

    /// The even lanes of both, interleaved, and the odd ones.
    #[inline]
    fn unpack(a: Wide, b: Wide) -> (Wide, Wide) {
        match_target! {
            "avx512vl" => {
                let (a, b) = (a.into(), b.into());
                (Wide::from(_mm512_unpacklo_epi64(a, b)), Wide::from(_mm512_unpackhi_epi64(a, b)))
            }
            _ => {
                let (a, b) = (a.0, b.0);
                (
                    Wide([a[0], b[0], a[2], b[2], a[4], b[4], a[6], b[6]]),
                    Wide([a[1], b[1], a[3], b[3], a[5], b[5], a[7], b[7]]),
                )
            }
        }
    }
}
