//! Blocks one by one or many at once, each encrypted or decrypted by itself.
pub(crate) use blocks::{crypt_block, crypt_blocks};

#[simd_core::dispatch(targets = crate::targets::blocks)]
mod blocks {
    use crate::aes::bitslice;
    use crate::aes::block::{Block, ENCRYPT, Quad};
    use crate::aes::quad::{aesdec4, aesdeclast4, aesenc4, aesenclast4};
    use crate::aes::round::{aesdec, aesdeclast, aesenc, aesenclast};
    use simd_core::match_target;

    /// How many quads hide the latency of a round: 8 vectors of the size that the AES unit takes.
    const IN_FLIGHT: usize = match_target! { "vaes,avx512f" => 8, "vaes" => 4, _ => 2 };

    /// The middle and the outermost two of a schedule.
    #[inline]
    fn split<const N: usize>(keys: &[Block; N]) -> (Block, &[Block], Block) {
        const { assert!(N > 2, "a schedule has at least 11 keys") };
        (keys[0], &keys[1..N - 1], keys[N - 1])
    }

    /// Encrypts or decrypts one block. The keys are those of the direction.
    #[inline]
    pub(crate) fn crypt_block<const DIRECTION: bool, const N: usize>(keys: &[Block; N], block: &mut [u8; 16]) {
        if cfg!(target_feature = "aes") {
            let (first, middle, last) = split(keys);
            let mut state = Block::new(*block) ^ first;
            for key in middle {
                state = if DIRECTION == ENCRYPT { aesenc(state, *key) } else { aesdec(state, *key) };
            }
            state = if DIRECTION == ENCRYPT { aesenclast(state, last) } else { aesdeclast(state, last) };
            *block = state.to_bytes();
        } else {
            crypt_blocks::<DIRECTION, N>(keys, core::slice::from_mut(block));
        }
    }

    pub(crate) fn crypt_blocks<const DIRECTION: bool, const N: usize>(keys: &[Block; N], blocks: &mut [[u8; 16]]) {
        let (quads, rest) = blocks.as_flattened_mut().as_chunks_mut::<64>();
        if cfg!(target_feature = "aes") {
            let (groups, quads) = quads.as_chunks_mut::<IN_FLIGHT>();
            for group in groups {
                rounds::<DIRECTION, N, IN_FLIGHT>(keys, group);
            }
            for quad in quads {
                rounds::<DIRECTION, N, 1>(keys, core::array::from_mut(quad));
            }
            for block in rest.as_chunks_mut().0 {
                crypt_block::<DIRECTION, N>(keys, block);
            }
        } else {
            let keys = bitslice::Keys::new(keys);
            let (groups, quads) = quads.as_chunks_mut::<4>();
            for group in groups {
                *group = keys.run::<DIRECTION, 4>(group);
            }
            for quad in quads {
                [*quad] = keys.run::<DIRECTION, 1>(&[*quad]);
            }
            if !rest.is_empty() {
                let mut padded = [0; 64];
                padded[..rest.len()].copy_from_slice(rest);
                let [done] = keys.run::<DIRECTION, 1>(&[padded]);
                rest.copy_from_slice(&done[..rest.len()]);
            }
        }
    }

    /// All rounds on `Q` quads side by side, which keeps the AES unit busy while each round takes its time.
    #[inline]
    fn rounds<const DIRECTION: bool, const N: usize, const Q: usize>(keys: &[Block; N], quads: &mut [[u8; 64]; Q]) {
        let (first, middle, last) = split(keys);
        let first = Quad::splat(first);
        let mut states = [first; Q];
        for (state, quad) in states.iter_mut().zip(&*quads) {
            *state = *state ^ Quad::new(*quad);
        }
        for key in middle {
            let key = Quad::splat(*key);
            for state in &mut states {
                *state = if DIRECTION == ENCRYPT { aesenc4(*state, key) } else { aesdec4(*state, key) };
            }
        }
        let last = Quad::splat(last);
        for (quad, state) in quads.iter_mut().zip(states) {
            let state = if DIRECTION == ENCRYPT { aesenclast4(state, last) } else { aesdeclast4(state, last) };
            *quad = state.to_bytes();
        }
    }
}
