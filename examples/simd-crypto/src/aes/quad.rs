//! The rounds on four blocks at once.
#![allow(unused_imports, clippy::wildcard_imports, reason = "each clone works on vectors of another size")]
use core::ops::{BitXor, BitXorAssign};

use super::bitslice::{self, Planes};
use super::block::{Block, Quad};
use super::round::{aesdec, aesdeclast, aesenc, aesenclast, xor};
use crate::arch::*;
use crate::wide::Wide;
use simd_core::{dispatch, match_target};

/// A function of two vectors on all four blocks, in the vectors that the target has.
macro_rules! four {
    (
        $(#[$docs:meta])*
        $vis:vis $name:ident($a:ident, $b:ident) = $of_512:ident | $of_256:ident | $of_block:path, _ => $baseline:expr
    ) => {
        $(#[$docs])*
        #[dispatch(targets = crate::targets::blocks)]
        #[inline]
        #[must_use]
        $vis fn $name($a: Quad, $b: Quad) -> Quad {
            match_target! {
                "x86, x86_64: vaes,avx512f" => Quad(Wide::from($of_512($a.0.into(), $b.0.into()))),
                "x86, x86_64: vaes" => {
                    let ([a0, a1], [b0, b1]): ([__m256i; 2], [__m256i; 2]) = ($a.0.into(), $b.0.into());
                    Quad(Wide::from([$of_256(a0, b0), $of_256(a1, b1)]))
                }
                "x86, x86_64, aarch64: aes" => {
                    let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = ($a.to_blocks(), $b.to_blocks());
                    Quad::from([$of_block(a0, b0), $of_block(a1, b1), $of_block(a2, b2), $of_block(a3, b3)])
                }
                _ => $baseline,
            }
        }
    };
}

four! {
    /// [`aesenc`](super::aesenc) on each of four blocks, with its own key each. Constant time.
    pub aesenc4(state, keys) = _mm512_aesenc_epi128 | _mm256_aesenc_epi128 | aesenc,
    _ => bitslice::quad(state, keys, Planes::enc)
}

four! {
    /// [`aesenclast`](super::aesenclast) on each of four blocks, with its own key each. Constant time.
    pub aesenclast4(state, keys) = _mm512_aesenclast_epi128 | _mm256_aesenclast_epi128 | aesenclast,
    _ => bitslice::quad(state, keys, Planes::enc_last)
}

four! {
    /// [`aesdec`](super::aesdec) on each of four blocks, with its own key each. Constant time.
    pub aesdec4(state, keys) = _mm512_aesdec_epi128 | _mm256_aesdec_epi128 | aesdec,
    _ => bitslice::quad(state, keys, Planes::dec)
}

four! {
    /// [`aesdeclast`](super::aesdeclast) on each of four blocks, with its own key each. Constant time.
    pub aesdeclast4(state, keys) = _mm512_aesdeclast_epi128 | _mm256_aesdeclast_epi128 | aesdeclast,
    _ => bitslice::quad(state, keys, Planes::dec_last)
}

four! {
    xor4(a, b) = _mm512_xor_si512 | _mm256_xor_si256 | xor,
    _ => {
        let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (a.to_blocks(), b.to_blocks());
        Quad::from([xor(a0, b0), xor(a1, b1), xor(a2, b2), xor(a3, b3)])
    }
}

macro_rules! add {
    ($($Type:ident $xor:ident)*) => { $(
        impl BitXor for $Type {
            type Output = Self;

            #[allow(clippy::inline_always, reason = "an operator is one call, of clones in its callers' clones only")]
            #[inline(always)]
            fn bitxor(self, other: Self) -> Self {
                $xor(self, other)
            }
        }
    )* };
}
add!(Block xor Quad xor4);

impl BitXorAssign for Block {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}
