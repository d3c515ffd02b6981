//! Reads that are plain loads to the compiler, of words that the first read fills.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use super::{AtomicWord, WORDS};
use crate::mask::{self, Mask, Word};

/// Clones assert nothing: no read could be folded with the assertion.
pub(super) const FOLDING: bool = false;

/// The result of the first detection to finish, [`UNKNOWN`] until then. Racing detections agree on it before they
/// publish.
static FOUND: [AtomicWord; mask::WORDS] = [const { AtomicWord::new(UNKNOWN) }; mask::WORDS];

/// A word of [`FOUND`] before any detection: no CPU has every feature of the table.
const UNKNOWN: Word = Word::MAX;

/// Detects on the first call.
#[inline]
pub(super) fn ready() {
    // The first word is published last.
    if WORDS[0].load(Acquire) == 0 {
        first();
    }
}

#[cold]
#[inline(never)]
fn first() {
    for (found, slot) in super::detect().words().into_iter().zip(&FOUND) {
        // The first detection to finish decides; the others go on with its result.
        let _ = slot.compare_exchange(UNKNOWN, found, AcqRel, Acquire);
    }
    let mut found = [0; mask::WORDS];
    for (word, slot) in found.iter_mut().zip(&FOUND) {
        *word = slot.load(Relaxed);
    }
    // Words of two detections may have met. The rest is closed under implication again, and the same for all.
    let found = Mask::INIT.or(Mask::from_words(found).closed());
    for (word, stored) in found.words().into_iter().zip(&WORDS).rev() {
        stored.store(word, Release);
    }
}

/// Runs `main`, for programs that no C runtime starts.
///
/// On this platform detection runs on first use, and this is a plain call.
///
/// # Safety
///
/// As on other platforms: the program has one thread, and no dispatched function is running.
pub unsafe fn start<R>(main: fn() -> R) -> R {
    main()
}

/// Reads word `INDEX` of [`WORDS`], after [`ready`].
#[inline(always)]
pub(super) fn read<const INDEX: usize>() -> Word {
    WORDS[INDEX].load(Relaxed)
}
