//! Reads that the compiler treats as the loads that they are.

use core::sync::atomic::Ordering::Relaxed;

use crate::mask::Word;

/// Clones assert nothing: a fact that no read can be folded with is of no use.
pub(super) const FOLDING: bool = false;

/// `clone`: where nothing is asserted, nothing has to be hidden.
#[inline(always)]
pub(super) fn opaque(clone: *const ()) -> *const () {
    clone
}

/// Reads word `FIRST + INDEX` of [`WORDS`](super::WORDS).
#[inline(always)]
pub(super) fn read<const FIRST: usize, const INDEX: usize>() -> Word {
    super::WORDS[FIRST + INDEX].load(Relaxed)
}
