//! Eight lanes of 64 bits, and what both forms of Poly1305 in lanes need of them.
pub(super) use ops::{and, left, load, or, plus, right, times};

/// Eight lanes of one limb.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Lanes(pub(super) [u64; 8]);

pub(super) const ZERO: Lanes = Lanes([0; 8]);

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
        pub(in crate::poly1305) fn $name($a: Lanes, $b: Lanes) -> Lanes {
            Lanes(match_target! {
                "avx512vl" => transmute!($of_512(transmute!($a.0), transmute!($b.0))),
                "avx2" => {
                    let (a, b): ([__m256i; 2], [__m256i; 2]) = (transmute!($a.0), transmute!($b.0));
                    transmute!([$of_256(a[0], b[0]), $of_256(a[1], b[1])])
                }
                _ => core::array::from_fn(|i| $of_words($a.0[i], $b.0[i])),
            })
        }
    };
}

#[simd_core::dispatch(targets = crate::targets::chacha20)]
mod ops {
    #![allow(unused_imports, dead_code, clippy::wildcard_imports, reason = "the baseline has no vectors")]
    use super::Lanes;
    use crate::arch::*;
    use simd_core::match_target;
    use zerocopy::transmute;

    /// The lower and the upper words of eight blocks, in the order 0, 4, 1, 5, 2, 6, 3, 7: what unpacking two vectors gives.
    #[inline]
    pub(in crate::poly1305) fn load(blocks: &[[u8; 16]; 8]) -> (Lanes, Lanes) {
        let [first, second]: [[u64; 8]; 2] = transmute!(*blocks);
        unpack(little_endian(Lanes(first)), little_endian(Lanes(second)))
    }

    #[inline]
    fn little_endian(words: Lanes) -> Lanes {
        if cfg!(target_endian = "little") { words } else { Lanes(words.0.map(u64::swap_bytes)) }
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
    pub(in crate::poly1305) fn right<const BY: u32>(a: Lanes) -> Lanes {
        Lanes(match_target! {
            "avx512vl" => transmute!(_mm512_srli_epi64::<BY>(transmute!(a.0))),
            "avx2" => {
                let (a, by): ([__m256i; 2], _) = (transmute!(a.0), _mm_cvtsi32_si128(BY.cast_signed()));
                transmute!([_mm256_srl_epi64(a[0], by), _mm256_srl_epi64(a[1], by)])
            }
            _ => a.0.map(|a| a >> BY),
        })
    }

    /// Each lane shifted to the left.
    #[inline]
    pub(in crate::poly1305) fn left<const BY: u32>(a: Lanes) -> Lanes {
        Lanes(match_target! {
            "avx512vl" => transmute!(_mm512_slli_epi64::<BY>(transmute!(a.0))),
            "avx2" => {
                let (a, by): ([__m256i; 2], _) = (transmute!(a.0), _mm_cvtsi32_si128(BY.cast_signed()));
                transmute!([_mm256_sll_epi64(a[0], by), _mm256_sll_epi64(a[1], by)])
            }
            _ => a.0.map(|a| a << BY),
        })
    }

    /// The even lanes of both by turns, and the odd ones.
    #[inline]
    fn unpack(a: Lanes, b: Lanes) -> (Lanes, Lanes) {
        match_target! {
            "avx512vl" => {
                let (a, b) = (transmute!(a.0), transmute!(b.0));
                (Lanes(transmute!(_mm512_unpacklo_epi64(a, b))), Lanes(transmute!(_mm512_unpackhi_epi64(a, b))))
            }
            _ => {
                let (a, b) = (a.0, b.0);
                (
                    Lanes([a[0], b[0], a[2], b[2], a[4], b[4], a[6], b[6]]),
                    Lanes([a[1], b[1], a[3], b[3], a[5], b[5], a[7], b[7]]),
                )
            }
        }
    }
}
