//! The order in which a mixing step has the columns of a state, once; layouts in vectors have theirs from here.
#![cfg_attr(
    not(any(target_arch = "x86", target_arch = "x86_64")),
    allow(dead_code, reason = "only x86 has shuffles of columns by number")
)]

/// The mixing step of Haraka-256: column `i` of the mixed state is column `MIX256[i]` of the state.
pub(super) const MIX256: [u32; 8] = [0, 4, 1, 5, 2, 6, 3, 7];
/// The mixing step of Haraka-512.
pub(super) const MIX512: [u32; 16] = [3, 11, 7, 15, 8, 0, 12, 4, 9, 1, 13, 5, 2, 10, 6, 14];
/// The columns of a state of Haraka-512 that are its hash: the high halves of the first two blocks, the low ones of the others.
pub(super) const KEPT: [u32; 8] = [2, 3, 6, 7, 8, 9, 12, 13];
/// What is kept of a state that is mixed: [`KEPT`] behind [`MIX512`].
pub(super) const MIX_KEPT: [u32; 8] = {
    let mut order = KEPT;
    let mut i = 0;
    while i < 8 {
        order[i] = MIX512[KEPT[i] as usize];
        i += 1;
    }
    order
};
/// The same columns of what lies `by` columns behind.
pub(super) const fn shifted(mut order: [u32; 8], by: u32) -> [u32; 8] {
    let mut i = 0;
    while i < 8 {
        order[i] += by;
        i += 1;
    }
    order
}

/// The order that [`MIX512`] undoes.
pub(super) const UNMIX512: [u32; 16] = {
    let mut order = MIX512;
    let mut i = 0;
    while i < 16 {
        order[MIX512[i] as usize] = i as u32;
        i += 1;
    }
    order
};
