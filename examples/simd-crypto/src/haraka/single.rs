//! One message at a time.
pub use haraka_v2::{haraka256, haraka512};
pub(super) use haraka_v2::{mix256, mix512};

#[simd_core::dispatch(targets = crate::targets::block)]
mod haraka_v2 {
    #![allow(clippy::redundant_closure, reason = "a closure is compiled for its clone; a function would choose again")]
    #![allow(unused_imports, clippy::wildcard_imports, reason = "the baseline has no vectors")]
    use crate::aes::{Block, Quad, aesenc};
    use crate::arch::*;
    use crate::haraka::constants::{KEYS256, KEYS512, RoundKeys};
    use crate::haraka::rounds::{KEPT, MIX_KEPT, MIX512, rounds};
    use simd_core::{dispatch, match_target};
    use zerocopy::transmute;

    /// Haraka-256 v2 of one message, with 5 or 6 rounds. Constant time.
    #[must_use]
    #[inline]
    pub fn haraka256<const ROUNDS: usize>(message: &[u8; 32]) -> [u8; 32] {
        const { assert!(ROUNDS == 5 || ROUNDS == 6, "Haraka has 5 or 6 rounds") };
        let start = blocks(message);
        hash(rounds(start, &KEYS256[..ROUNDS], |state, keys| aes2(state, keys), |state| mix256(state)), start)
    }

    /// Haraka-512 v2 of one message, with 5 or 6 rounds. Constant time.
    #[must_use]
    #[inline]
    #[dispatch(targets = crate::targets::haraka512)]
    pub fn haraka512<const ROUNDS: usize>(message: &[u8; 64]) -> [u8; 32] {
        const { assert!(ROUNDS == 5 || ROUNDS == 6, "Haraka has 5 or 6 rounds") };
        let (keys, last) = (&KEYS512[..ROUNDS - 1], &KEYS512[ROUNDS - 1]);
        match_target! {
            // In two registers: a shuffle that takes any columns of both is one step of mixing instead of two, and two vectors do
            // not wait for each other at the CPU's AES and shuffle units, as four blocks do.
            "x86, x86_64: vaes,avx512vl" => {
                let columns = |[a, b]: [__m256i; 2], from: [u32; 8]| _mm256_permutex2var_epi32(a, transmute!(from), b);
                let aes2 = |[a, b]: [__m256i; 2], keys: &RoundKeys| -> [__m256i; 2] {
                    let ([c, d], [e, f]): ([__m256i; 2], [__m256i; 2]) = (keys.first.0.into(), keys.second.0.into());
                    let (a, b) = (_mm256_aesenc_epi128(a, c), _mm256_aesenc_epi128(b, d));
                    [_mm256_aesenc_epi128(a, e), _mm256_aesenc_epi128(b, f)]
                };
                let start: [__m256i; 2] = transmute!(*message);
                let state = rounds(start, keys, aes2, |state| {
                    let [low, high]: [[u32; 8]; 2] = transmute!(MIX512);
                    [columns(state, low), columns(state, high)]
                });
                transmute!(_mm256_xor_si256(columns(aes2(state, last), MIX_KEPT), columns(start, KEPT)))
            }
            _ => {
                let start = blocks(message);
                let state = rounds(start, keys, |state, keys| aes2(state, keys), |state| mix512(state));
                hash(mix512_truncated(aes2(state, last)), truncate(start))
            }
        }
    }

    #[inline]
    fn blocks<const BYTES: usize, const N: usize>(message: &[u8; BYTES]) -> [Block; N] {
        let (bytes, mut blocks) = (message.as_chunks().0, [Block::default(); N]);
        for i in 0..N {
            blocks[i] = Block::new(bytes[i]);
        }
        blocks
    }

    /// The last step: the message is added to the state.
    #[inline]
    fn hash([a, b]: [Block; 2], [c, d]: [Block; 2]) -> [u8; 32] {
        transmute!([(a ^ c).to_bytes(), (b ^ d).to_bytes()])
    }

    /// Two AES rounds on each block. The baseline does four blocks at a time, bit by bit.
    #[inline]
    fn aes2<const N: usize>(mut state: [Block; N], keys: &RoundKeys) -> [Block; N] {
        match_target! {
            "x86, x86_64, aarch64: aes" => {
                let (first, second) = (keys.first.to_blocks(), keys.second.to_blocks());
                for i in 0..N {
                    state[i] = aesenc(aesenc(state[i], first[i]), second[i]);
                }
            }
            _ => {
                let mut quad = [Block::default(); 4];
                quad[..N].copy_from_slice(&state);
                let [quad] = keys.bitsliced([Quad::from(quad)]);
                state.copy_from_slice(&quad.to_blocks()[..N]);
            }
        }
        state
    }

    #[inline]
    pub(in crate::haraka) fn mix256([a, b]: [Block; 2]) -> [Block; 2] {
        [columns::<0>(a, b), columns::<1>(a, b)]
    }

    #[inline]
    pub(in crate::haraka) fn mix512([a, b, c, d]: [Block; 4]) -> [Block; 4] {
        let (ab_low, ab_high) = (columns::<0>(a, b), columns::<1>(a, b));
        let (cd_low, cd_high) = (columns::<0>(c, d), columns::<1>(c, d));
        let (e, f) = (columns::<1>(ab_high, cd_high), columns::<0>(cd_low, ab_low));
        [e, f, columns::<1>(cd_low, ab_low), columns::<0>(ab_high, cd_high)]
    }

    /// The hash in a state of Haraka-512: the high halves of the first two blocks and the low halves of the others.
    #[inline]
    fn truncate([a, b, c, d]: [Block; 4]) -> [Block; 2] {
        [halves::<1, 1>(a, b), halves::<0, 0>(c, d)]
    }

    /// [`mix512`], and then [`truncate`], with half of the shuffles.
    #[inline]
    fn mix512_truncated([a, b, c, d]: [Block; 4]) -> [Block; 2] {
        let (bd, db) = (columns::<1>(b, d), columns::<0>(d, b));
        let (ca, ac) = (columns::<0>(c, a), columns::<1>(a, c));
        [halves::<1, 0>(bd, db), halves::<1, 0>(ca, ac)]
    }

    /// Two columns of each block, interleaved: a0, b0, a1, b1 for `HALF` 0, and a2, b2, a3, b3 for `HALF` 1.
    #[inline]
    fn columns<const HALF: usize>(a: Block, b: Block) -> Block {
        match_target! {
            "x86, x86_64: aes" => Block(if HALF == 0 { _mm_unpacklo_epi32(a.0, b.0) } else { _mm_unpackhi_epi32(a.0, b.0) }),
            "aarch64: aes" => {
                let (a, b) = (transmute!(a.0), transmute!(b.0));
                Block(transmute!(if HALF == 0 { vzip1q_u32(a, b) } else { vzip2q_u32(a, b) }))
            }
            _ => {
                let (a, b): ([[u32; 2]; 2], [[u32; 2]; 2]) = (transmute!(a.to_bytes()), transmute!(b.to_bytes()));
                Block::new(transmute!([a[HALF][0], b[HALF][0], a[HALF][1], b[HALF][1]]))
            }
        }
    }

    /// Half `A` of `a` and half `B` of `b`, the low half being 0.
    #[inline]
    fn halves<const A: usize, const B: usize>(a: Block, b: Block) -> Block {
        let (a, b): ([u64; 2], [u64; 2]) = (transmute!(a.to_bytes()), transmute!(b.to_bytes()));
        Block::new(transmute!([a[A], b[B]]))
    }
}
