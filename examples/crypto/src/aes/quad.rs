//! The rounds on four blocks at once.

use simd_core::dispatch;

pub(super) use kernels::{DEC, DEC_LAST, ENC, ENC_LAST, round};
pub use kernels::{aesdec4, aesdeclast4, aesenc4, aesenclast4};

#[dispatch(targets = crate::targets::blocks)]
mod kernels {
    #![allow(
        unused_imports,
        clippy::wildcard_imports,
        reason = "each clone works on vectors of another size, the baseline in planes"
    )]
    use crate::aes::Quad;
    use crate::aes::bitslice::{self, Planes};
    use crate::aes::round::{aesdec, aesdeclast, aesenc, aesenclast};
    use crate::arch::*;
    use simd_core::match_target;
    use zerocopy::transmute;

    /// `aesenc` as a parameter of [`round`], and so on.
    pub(in crate::aes) const ENC: u8 = 0;
    pub(in crate::aes) const ENC_LAST: u8 = 1;
    pub(in crate::aes) const DEC: u8 = 2;
    pub(in crate::aes) const DEC_LAST: u8 = 3;

    /// [`aesenc`](super::super::aesenc) on each of four blocks, with its own key each. Constant time.
    #[inline]
    #[must_use]
    pub fn aesenc4(state: Quad, keys: Quad) -> Quad {
        round::<ENC>(state, keys)
    }

    /// [`aesenclast`](super::super::aesenclast) on each of four blocks, with its own key each. Constant time.
    #[inline]
    #[must_use]
    pub fn aesenclast4(state: Quad, keys: Quad) -> Quad {
        round::<ENC_LAST>(state, keys)
    }

    /// [`aesdec`](super::super::aesdec) on each of four blocks, with its own key each. Constant time.
    #[inline]
    #[must_use]
    pub fn aesdec4(state: Quad, keys: Quad) -> Quad {
        round::<DEC>(state, keys)
    }

    /// [`aesdeclast`](super::super::aesdeclast) on each of four blocks, with its own key each. Constant time.
    #[inline]
    #[must_use]
    pub fn aesdeclast4(state: Quad, keys: Quad) -> Quad {
        round::<DEC_LAST>(state, keys)
    }

    /// The round as a constant rather than a function: `rounds` of the cipher is given one.
    #[inline]
    pub(in crate::aes) fn round<const KIND: u8>(state: Quad, keys: Quad) -> Quad {
        match_target! {
            "x86, x86_64: vaes,avx512f" => {
                let (s, k) = (transmute!(state.0), transmute!(keys.0));
                Quad(transmute!(match KIND {
                    ENC => _mm512_aesenc_epi128(s, k),
                    ENC_LAST => _mm512_aesenclast_epi128(s, k),
                    DEC => _mm512_aesdec_epi128(s, k),
                    _ => _mm512_aesdeclast_epi128(s, k),
                }))
            }
            "x86, x86_64: vaes" => {
                let (s, k): ([__m256i; 2], [__m256i; 2]) = (transmute!(state.0), transmute!(keys.0));
                Quad(transmute!(match KIND {
                    ENC => [_mm256_aesenc_epi128(s[0], k[0]), _mm256_aesenc_epi128(s[1], k[1])],
                    ENC_LAST => [_mm256_aesenclast_epi128(s[0], k[0]), _mm256_aesenclast_epi128(s[1], k[1])],
                    DEC => [_mm256_aesdec_epi128(s[0], k[0]), _mm256_aesdec_epi128(s[1], k[1])],
                    _ => [_mm256_aesdeclast_epi128(s[0], k[0]), _mm256_aesdeclast_epi128(s[1], k[1])],
                }))
            }
            "x86, x86_64, aarch64: aes" => {
                let ([s0, s1, s2, s3], [k0, k1, k2, k3]) = (state.to_blocks(), keys.to_blocks());
                Quad::from(match KIND {
                    ENC => [aesenc(s0, k0), aesenc(s1, k1), aesenc(s2, k2), aesenc(s3, k3)],
                    ENC_LAST => [aesenclast(s0, k0), aesenclast(s1, k1), aesenclast(s2, k2), aesenclast(s3, k3)],
                    DEC => [aesdec(s0, k0), aesdec(s1, k1), aesdec(s2, k2), aesdec(s3, k3)],
                    _ => [aesdeclast(s0, k0), aesdeclast(s1, k1), aesdeclast(s2, k2), aesdeclast(s3, k3)],
                })
            }
            _ => {
                let round = match KIND {
                    ENC => Planes::enc,
                    ENC_LAST => Planes::enc_last,
                    DEC => Planes::dec,
                    _ => Planes::dec_last,
                };
                bitslice::quad(state, keys, round)
            }
        }
    }
}
