//! Eight lanes of 64 bits, and what both forms of Poly1305 in lanes need of them.
pub(super) use lanewise::{and, left, load, or, plus, right, times};

use crate::wide::Wide;

pub(super) const ZERO: Wide = Wide([0; 8]);

/// A value for each block that [`load`] is given, in its order of the lanes.
#[inline]
pub(super) fn in_order<T: Copy>(of: [T; 8]) -> [T; 8] {
    [of[0], of[4], of[1], of[5], of[2], of[6], of[3], of[7]]
}

/// A function that is an instruction of two vectors on each lane, in the vectors that the target has; `$of_words` in the baseline.
macro_rules! lanewise {
    ($(#[$docs:meta])* $name:ident($a:ident, $b:ident) = $of_512:path | $of_256:path, _ => $of_words:expr) => {
        $(#[$docs])*
        #[simd_core::dispatch(targets = crate::targets::chacha20)]
        #[inline]
        pub(in crate::poly1305) fn $name($a: Wide, $b: Wide) -> Wide {
            match_target! {
                "avx512vl" => Wide::from($of_512($a.into(), $b.into())),
                "avx2" => {
                    let (a, b): ([__m256i; 2], [__m256i; 2]) = ($a.into(), $b.into());
                    Wide::from([$of_256(a[0], b[0]), $of_256(a[1], b[1])])
                }
                _ => Wide(core::array::from_fn(|i| $of_words($a.0[i], $b.0[i]))),
            }
        }
    };
}

#[simd_core::dispatch(targets = crate::targets::chacha20)]
mod lanewise {
    #![allow(unused_imports, dead_code, clippy::wildcard_imports, reason = "the baseline has no vectors")]
    use crate::arch::*;
    use crate::wide::Wide;
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

    lanewise! {
        /// The products of the lower halves.
        times(a, b) = _mm512_mul_epu32 | _mm256_mul_epu32, _ => |a: u64, b: u64| (a & 0xffff_ffff) * (b & 0xffff_ffff)
    }

    lanewise! {
        /// The sums.
        plus(a, b) = _mm512_add_epi64 | _mm256_add_epi64, _ => u64::wrapping_add
    }

    lanewise! {
        /// The bits that both have.
        and(a, b) = _mm512_and_si512 | _mm256_and_si256, _ => |a: u64, b: u64| a & b
    }

    lanewise! {
        /// The bits that either has.
        or(a, b) = _mm512_or_si512 | _mm256_or_si256, _ => |a: u64, b: u64| a | b
    }

    /// Each lane shifted to the right.
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

    /// Each lane shifted to the left.
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
