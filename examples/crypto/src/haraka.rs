//! Haraka v2, by Kölbl, Lauridsen, Mendel and Rechberger: hash functions for inputs of exactly 256 or 512 bits, built from
//! AES rounds ([IACR ePrint 2016/098](https://eprint.iacr.org/2016/098)).
//!
//! The number of rounds is a parameter: 5 resist second preimages, as hash-based signatures require; 6 resist
//! collisions as well (section 2 of the paper). No other number compiles.
//!
//! One call hashes one message. The `_many` functions hash slices of messages, as many at a time as fill the AES unit:
//! several times the throughput of a loop of single calls if the CPU has VAES.
//!
//! A chain of single hashes is fastest in a function dispatched for [`targets::haraka512`](crate::targets::haraka512), where they are
//! inlined and each stays in registers for the next. From other code every hash is a call, and its result goes through memory. All
//! functions are constant time in the messages; the `_many` functions reveal the number of messages.
//!
//! ```
//! use hex_literal::hex;
//! use simd_crypto::haraka::{haraka256, haraka512, haraka512_many};
//! // The paper's appendix B
//! let message: [u8; 64] = std::array::from_fn(|i| i as u8);
//! let hash = haraka256::<5>(message.first_chunk().unwrap());
//! assert_eq!(hash, hex!("8027ccb87949774b78d0545fb72bf70c695c2a0923cbd47bba1159efbf2b2c1c"));
//! let hash = haraka512::<5>(&message);
//! assert_eq!(hash, hex!("be7f723b4e80a99813b292287f306f625a6d57331cae5f34dd9277b0945be2aa"));
//!
//! let leaves = [[1; 64], [2; 64], [3; 64]];
//! let mut hashes = [[0; 32]; 3];
//! haraka512_many::<5>(&leaves, &mut hashes);
//! assert_eq!(hashes[2], haraka512::<5>(&leaves[2]));
//! ```
//!
//! # Limits
//! Haraka is not a general hash function: inputs of other lengths need a construction around it, such as the sponge of
//! SPHINCS+-Haraka.
//!
//! # The code
//! This file is the whole hash, annotated once: the module `haraka_v2` is compiled for each target, and there
//! [`match_target!`](simd_core::match_target) becomes the arm of that target. [`aesenc`](crate::aes::aesenc) is dispatched where
//! it is defined, and a call from here is its instruction. `tuned` hashes many messages side by side, and single ones on CPUs
//! whose AES instructions take two blocks.

mod constants;
mod order;
mod tuned;

pub use haraka_v2::{haraka256, haraka512};
pub use tuned::{haraka256_many, haraka512_many};

#[simd_core::dispatch(targets = crate::targets::block)]
mod haraka_v2 {
    #![allow(unused_imports, clippy::wildcard_imports, reason = "the baseline has no vectors")]
    use super::constants::{KEYS256, KEYS512, RoundKeys};
    use super::tuned;
    use crate::aes::{Block, Quad, aesenc};
    use crate::arch::*;
    use simd_core::{dispatch, match_target};
    use zerocopy::transmute;

    /// Haraka-256 v2 of one message, with 5 or 6 rounds. Constant time.
    #[must_use]
    #[inline]
    pub fn haraka256<const ROUNDS: usize>(message: &[u8; 32]) -> [u8; 32] {
        const { assert!(ROUNDS == 5 || ROUNDS == 6, "Haraka has 5 or 6 rounds") };
        let start = blocks(message);
        let mut state = start;
        for keys in &KEYS256[..ROUNDS] {
            state = mix256(aes2(state, keys));
        }
        hash(state, start)
    }

    /// Haraka-512 v2 of one message, with 5 or 6 rounds. Constant time.
    #[must_use]
    #[inline]
    #[dispatch(targets = crate::targets::haraka512)]
    pub fn haraka512<const ROUNDS: usize>(message: &[u8; 64]) -> [u8; 32] {
        const { assert!(ROUNDS == 5 || ROUNDS == 6, "Haraka has 5 or 6 rounds") };
        if let Some(hash) = tuned::hash512(message, &KEYS512[..ROUNDS]) {
            return hash;
        }
        let start = blocks(message);
        let mut state = start;
        for keys in &KEYS512[..ROUNDS - 1] {
            state = mix512(aes2(state, keys));
        }
        hash(mix512_truncated(aes2(state, &KEYS512[ROUNDS - 1])), truncate(start))
    }

    /// The message as blocks.
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

    /// The mixing step of Haraka-256.
    #[inline]
    pub(super) fn mix256([a, b]: [Block; 2]) -> [Block; 2] {
        [columns::<0>(a, b), columns::<1>(a, b)]
    }

    /// The mixing step of Haraka-512.
    #[inline]
    pub(super) fn mix512([a, b, c, d]: [Block; 4]) -> [Block; 4] {
        let (ab_low, ab_high) = (columns::<0>(a, b), columns::<1>(a, b));
        let (cd_low, cd_high) = (columns::<0>(c, d), columns::<1>(c, d));
        let (e, f) = (columns::<1>(ab_high, cd_high), columns::<0>(cd_low, ab_low));
        [e, f, columns::<1>(cd_low, ab_low), columns::<0>(ab_high, cd_high)]
    }

    /// What the paper keeps of a state of Haraka-512: the high halves of the first two blocks and the low halves of the others.
    #[inline]
    fn truncate([a, b, c, d]: [Block; 4]) -> [Block; 2] {
        [halves::<1, 1>(a, b), halves::<0, 0>(c, d)]
    }

    /// [`mix512`] and [`truncate`] in one, with half of the shuffles.
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
