//! The loop over the rounds and the order in which a mixing step has the columns of a state, for every layout of states.
#![cfg_attr(
    not(any(target_arch = "x86", target_arch = "x86_64")),
    allow(dead_code, reason = "only x86 has shuffles of columns by number")
)]
use super::constants::RoundKeys;

/// All rounds with these keys: two of AES, and a mixing step.
///
/// Has no clones, but is inlined into those around its closures.
#[allow(clippy::inline_always, reason = "a call would hide the target's instructions from it")]
#[inline(always)]
pub(super) fn rounds<S>(state: S, keys: &[RoundKeys], aes2: impl Fn(S, &RoundKeys) -> S, mix: impl Fn(S) -> S) -> S {
    let mut state = state;
    for keys in keys {
        state = mix(aes2(state, keys));
    }
    state
}

/// The mixing step of Haraka-256: column `i` of the mixed state is column `MIX256[i]` of the state.
pub(super) const MIX256: [u32; 8] = [0, 4, 1, 5, 2, 6, 3, 7];
/// The same of two states side by side.
pub(super) const MIX256_TWICE: [u32; 16] = [0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15];
/// The mixing step of Haraka-512.
pub(super) const MIX512: [u32; 16] = [3, 11, 7, 15, 8, 0, 12, 4, 9, 1, 13, 5, 2, 10, 6, 14];
/// The columns of a state of Haraka-512 that are its hash: the high halves of the first two blocks, the low ones of the others.
pub(super) const KEPT: [u32; 8] = [2, 3, 6, 7, 8, 9, 12, 13];
/// [`KEPT`] of a state that is mixed.
pub(super) const MIX_KEPT: [u32; 8] = {
    let mut order = KEPT;
    let mut i = 0;
    while i < 8 {
        order[i] = MIX512[KEPT[i] as usize];
        i += 1;
    }
    order
};
/// The same of two states side by side.
pub(super) const MIX_KEPT_OF_TWO: [[u32; 8]; 2] = {
    let mut order = [MIX_KEPT; 2];
    let mut i = 0;
    while i < 8 {
        order[1][i] += 16;
        i += 1;
    }
    order
};
