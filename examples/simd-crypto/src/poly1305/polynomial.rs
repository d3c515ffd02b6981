//! The polynomial modulo 2^130 - 5.
//!
//! Few blocks are taken one after the other, in limbs of 44 bits. Many are taken in eight lanes: a lane has every eighth block,
//! and the key's powers put them together in the end (M. Goll and S. Gueron, "Vectorization of Poly1305 message authentication
//! code", ITNG 2015).
use super::state::{State, add, limbs, multiply};

pub(super) use horner::absorb;

/// The last block, in which a one stands behind the message.
pub(super) fn absorb_last(state: &mut State, block: &[u8; 16]) {
    let block = limbs(u128::from_le_bytes(*block), 0);
    state.sum = multiply(add(state.sum, block), state.multiplier);
}

#[simd_core::dispatch(targets = crate::targets::poly1305)]
mod horner {
    use crate::poly1305::state::{Limbs, State, add, limbs, multiply};
    use simd_core::match_target;

    pub(in crate::poly1305) fn absorb(state: &mut State, blocks: &[[u8; 16]]) {
        /// From how many blocks on vectors pay for the powers that they need.
        const MANY: usize = 24;
        let mut blocks = blocks;
        if cfg!(target_feature = "avx2") && blocks.len() >= MANY {
            let (groups, rest) = blocks.as_chunks::<8>();
            match_target! {
                "avx512ifma,avx512vl" => crate::poly1305::limbs44::absorb_groups(state, &powers(state.multiplier), groups),
                _ => crate::poly1305::limbs26::absorb_groups(state, &powers(state.multiplier), groups),
            }
            blocks = rest;
        }
        let mut sum = state.sum;
        for block in blocks {
            sum = multiply(add(sum, limbs(u128::from_le_bytes(*block), 1)), state.multiplier);
        }
        state.sum = sum;
    }

    fn powers(r1: Limbs) -> [Limbs; 8] {
        let r2 = multiply(r1, r1);
        let [r3, r4] = [multiply(r2, r1), multiply(r2, r2)];
        [r1, r2, r3, r4, multiply(r4, r1), multiply(r4, r2), multiply(r4, r3), multiply(r4, r4)]
    }
}
