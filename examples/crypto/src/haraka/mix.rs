//! The steps that move 32-bit columns between blocks: on one state, and on four states side by side.
use simd_core::dispatch;

pub(super) use blocks::{mix256, mix512, mix512_truncated, truncate};
pub(super) use quads::{mix256_pair, mix512_quad};

#[dispatch(targets = "aes")]
mod blocks {
    #![allow(unused_imports, clippy::wildcard_imports, reason = "the baseline has no vectors")]
    use crate::aes::Block;
    use crate::arch::*;
    use zerocopy::transmute;

    /// The mixing step of Haraka-256.
    #[inline]
    pub(in crate::haraka) fn mix256([a, b]: [Block; 2]) -> [Block; 2] {
        [low_columns(a, b), high_columns(a, b)]
    }

    /// The mixing step of Haraka-512.
    #[inline]
    pub(in crate::haraka) fn mix512([a, b, c, d]: [Block; 4]) -> [Block; 4] {
        let (ab_low, ab_high) = (low_columns(a, b), high_columns(a, b));
        let (cd_low, cd_high) = (low_columns(c, d), high_columns(c, d));
        [
            high_columns(ab_high, cd_high),
            low_columns(cd_low, ab_low),
            high_columns(cd_low, ab_low),
            low_columns(ab_high, cd_high),
        ]
    }

    /// What the paper keeps of a state of Haraka-512: the high halves of the first two blocks and the low halves of the others.
    #[inline]
    pub(in crate::haraka) fn truncate([a, b, c, d]: [Block; 4]) -> [Block; 2] {
        [high_halves(a, b), low_halves(c, d)]
    }

    /// [`mix512`] and [`truncate`] in one, with half of the shuffles.
    #[inline]
    pub(in crate::haraka) fn mix512_truncated([a, b, c, d]: [Block; 4]) -> [Block; 2] {
        [inner_halves(high_columns(b, d), low_columns(d, b)), inner_halves(low_columns(c, a), high_columns(a, c))]
    }

    /// Columns 0 and 1 of both, interleaved: a0, b0, a1, b1.
    #[inline]
    fn low_columns(a: Block, b: Block) -> Block {
        let (a, b) = (a.to_bytes(), b.to_bytes());
        #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "aes"))]
        {
            Block::new(transmute!(_mm_unpacklo_epi32(transmute!(a), transmute!(b))))
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "aes"))]
        {
            Block::new(transmute!(vzip1q_u32(transmute!(a), transmute!(b))))
        }
        #[cfg(not(all(
            any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"),
            target_feature = "aes"
        )))]
        {
            let (a, b): ([u32; 4], [u32; 4]) = (transmute!(a), transmute!(b));
            Block::new(transmute!([a[0], b[0], a[1], b[1]]))
        }
    }

    /// Columns 2 and 3 of both, interleaved: a2, b2, a3, b3.
    #[inline]
    fn high_columns(a: Block, b: Block) -> Block {
        let (a, b) = (a.to_bytes(), b.to_bytes());
        #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "aes"))]
        {
            Block::new(transmute!(_mm_unpackhi_epi32(transmute!(a), transmute!(b))))
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "aes"))]
        {
            Block::new(transmute!(vzip2q_u32(transmute!(a), transmute!(b))))
        }
        #[cfg(not(all(
            any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"),
            target_feature = "aes"
        )))]
        {
            let (a, b): ([u32; 4], [u32; 4]) = (transmute!(a), transmute!(b));
            Block::new(transmute!([a[2], b[2], a[3], b[3]]))
        }
    }

    /// a0, a1, b0, b1.
    #[inline]
    fn low_halves(a: Block, b: Block) -> Block {
        let (a, b) = (a.to_bytes(), b.to_bytes());
        #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "aes"))]
        {
            Block::new(transmute!(_mm_unpacklo_epi64(transmute!(a), transmute!(b))))
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "aes"))]
        {
            Block::new(transmute!(vzip1q_u64(transmute!(a), transmute!(b))))
        }
        #[cfg(not(all(
            any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"),
            target_feature = "aes"
        )))]
        {
            let (a, b): ([u64; 2], [u64; 2]) = (transmute!(a), transmute!(b));
            Block::new(transmute!([a[0], b[0]]))
        }
    }

    /// a2, a3, b2, b3.
    #[inline]
    fn high_halves(a: Block, b: Block) -> Block {
        let (a, b) = (a.to_bytes(), b.to_bytes());
        #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "aes"))]
        {
            Block::new(transmute!(_mm_unpackhi_epi64(transmute!(a), transmute!(b))))
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "aes"))]
        {
            Block::new(transmute!(vzip2q_u64(transmute!(a), transmute!(b))))
        }
        #[cfg(not(all(
            any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"),
            target_feature = "aes"
        )))]
        {
            let (a, b): ([u64; 2], [u64; 2]) = (transmute!(a), transmute!(b));
            Block::new(transmute!([a[1], b[1]]))
        }
    }

    /// a2, a3, b0, b1.
    #[inline]
    fn inner_halves(a: Block, b: Block) -> Block {
        let (a, b) = (a.to_bytes(), b.to_bytes());
        #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "aes"))]
        {
            Block::new(transmute!(_mm_shuffle_pd::<0b01>(transmute!(a), transmute!(b))))
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "aes"))]
        {
            Block::new(transmute!(vextq_u64::<1>(transmute!(a), transmute!(b))))
        }
        #[cfg(not(all(
            any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"),
            target_feature = "aes"
        )))]
        {
            let (a, b): ([u64; 2], [u64; 2]) = (transmute!(a), transmute!(b));
            Block::new(transmute!([a[1], b[0]]))
        }
    }
}

#[dispatch(targets = "vaes,avx512f | vaes,avx2 | aes")]
mod quads {
    #![allow(unused_imports, clippy::wildcard_imports, reason = "each clone works on vectors of another size")]
    use super::{mix256, mix512};
    use crate::aes::Quad;
    use crate::arch::*;
    use zerocopy::transmute;

    /// The mixing step of Haraka-256 on two states, blocks 0 and 1 and blocks 2 and 3.
    #[inline]
    pub(in crate::haraka) fn mix256_pair(state: Quad) -> Quad {
        #[cfg(all(
            any(target_arch = "x86", target_arch = "x86_64"),
            target_feature = "vaes",
            target_feature = "avx512f"
        ))]
        {
            let order = _mm512_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
            Quad::new(transmute!(_mm512_permutexvar_epi32(order, transmute!(state.to_bytes()))))
        }
        #[cfg(all(
            any(target_arch = "x86", target_arch = "x86_64"),
            target_feature = "vaes",
            not(target_feature = "avx512f")
        ))]
        {
            let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
            let [a, b]: [__m256i; 2] = transmute!(state.to_bytes());
            let mixed = [_mm256_permutevar8x32_epi32(a, order), _mm256_permutevar8x32_epi32(b, order)];
            Quad::new(transmute!(mixed))
        }
        #[cfg(not(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "vaes")))]
        {
            let [a, b, c, d] = state.to_blocks();
            let ([a, b], [c, d]) = (mix256([a, b]), mix256([c, d]));
            Quad::from([a, b, c, d])
        }
    }

    /// The mixing step of Haraka-512.
    #[inline]
    pub(in crate::haraka) fn mix512_quad(state: Quad) -> Quad {
        #[cfg(all(
            any(target_arch = "x86", target_arch = "x86_64"),
            target_feature = "vaes",
            target_feature = "avx512f"
        ))]
        {
            let order = _mm512_setr_epi32(3, 11, 7, 15, 8, 0, 12, 4, 9, 1, 13, 5, 2, 10, 6, 14);
            Quad::new(transmute!(_mm512_permutexvar_epi32(order, transmute!(state.to_bytes()))))
        }
        #[cfg(all(
            any(target_arch = "x86", target_arch = "x86_64"),
            target_feature = "vaes",
            not(target_feature = "avx512f")
        ))]
        {
            // Vector a holds blocks 0 and 1, b blocks 2 and 3. Their columns are paired and the pairs sorted within
            // lanes of 128 bits, which is cheap, so that one step across lanes is left.
            const PAIRS_0213: i32 = 0b11_01_10_00;
            let [a, b]: [__m256i; 2] = transmute!(state.to_bytes());
            let (high, low) = (transmute!(_mm256_unpackhi_epi32(a, b)), transmute!(_mm256_unpacklo_epi32(b, a)));
            let sorted: [__m256d; 2] = [_mm256_shuffle_pd::<0b0101>(high, low), _mm256_shuffle_pd::<0b0101>(low, high)];
            let [a, b]: [__m256i; 2] = transmute!(sorted);
            let mixed = [_mm256_permute4x64_epi64::<PAIRS_0213>(a), _mm256_permute4x64_epi64::<PAIRS_0213>(b)];
            Quad::new(transmute!(mixed))
        }
        #[cfg(not(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "vaes")))]
        {
            Quad::from(mix512(state.to_blocks()))
        }
    }
}
