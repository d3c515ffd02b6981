//! What is known of this CPU: the two feature words, how they are read, and why clones may rely on them.
//!
//! # The mechanism
//!
//! [`WORDS`] holds two masks, PRESENT and ABSENT, all zero until the first detection. A dispatcher reads them and a
//! target clone asserts, at its entry, what its being chosen has shown. The reads are one-instruction `asm!` blocks
//! declared `pure, nomem`, so that LLVM may treat two of them as one value, take them out of loops and fold a nested
//! dispatcher's test against the assertion of the clone that it was inlined into. Nothing else folds: an atomic load, a
//! volatile load and an external static are all read again.
//!
//! # Why this is sound
//!
//! `pure` and `nomem` promise that the block's output depends on its inputs alone. The input is the address of
//! [`WORDS`], and the memory behind it changes: once, from zero to its final value, on the first detection. This
//! stretches the wording of the reference, so the rest of the crate is built such that every outcome that the
//! promise allows the compiler to produce is a correct one:
//!
//! 1. *A read returns zero or the final value of its word.* Bits are only ever added, all bits of a word in one
//!    store, and the words are never lowered. Merging, hoisting or repeating a read can only change which of the two
//!    is seen, that is, make it stale.
//! 2. *A clone is chosen only because a bit is set, never because one is clear.* The dispatcher takes target T when
//!    all of T's bits are set in PRESENT, passes T over when one of T's bits is set in ABSENT, and otherwise knows
//!    nothing and asks [`choose`]. A stale zero therefore leads to [`choose`], which is slower and always right. Each
//!    conclusion stands on set bits, so that it does not matter whether two words were read at different times, nor
//!    whether one decision reads several words.
//! 3. *PRESENT and ABSENT are read by different instructions.* LLVM cannot relate the two, so a stale read of one
//!    says nothing about the other.
//! 4. *An assertion is true of the final words, and is executed only where they are final*: in a target clone, which
//!    runs only after rule 2 or [`choose`] found its bits set. The baseline, and a clone whose features the build
//!    enables statically, may run before detection, and assert nothing. Words become final one after another, for
//!    other threads in particular. So the choice sees a bit of every word that the clone will say something of (see
//!    `FeatureSet::witnesses`), and nothing is said of an earlier target that detection cannot find, for which no word
//!    was read.
//! 5. *No clone shares a frame with a read that may be zero.* Were a clone inlined below a read that LLVM knows to
//!    have returned zero, its assertion would contradict that and the code would be taken for unreachable. On
//!    the path where the words may be zero, the clone is called through a function pointer that comes out of an opaque
//!    function ([`choose`]), or from an outlined function that decides on the value which [`ensure`] returned. On the
//!    other paths the frame has just read what the clone asserts, and no read of its can contradict that. A future alone
//!    goes from frame to frame once it has been chosen: [`Outlined`](crate::__private::Outlined) keeps the first one out
//!    of its caller's frame, and [`Chosen`](crate::__private::Chosen) asks in each frame anew.
//!
//! 6. *The baseline asks.* It has no features that would keep it out of other frames, so that it can assert nothing of
//!    ABSENT. It reads ABSENT at its start, by rule 2, and goes back to the decision where that does not tell; below the
//!    test, nested dispatchers fold against it as against an assertion. What it then says of PRESENT, that a target which
//!    is absent is not in it, is true of every read, before detection too.
//!
//! Who discharges what: 1 is [`publish`], the only writer; 2 and 4 are the macro's `emit::dispatcher`; 3 is `read`'s
//! constant operand; 5 is [`choose`] and the macro's outlined forms. `tests/tests/folding.rs` generates random callers
//! and compares the first with the second run of each in fresh processes, with debug assertions, which check 4.
//!
//! The portable reader (`--cfg simd_core_portable`, Miri, and architectures without an entry below) uses relaxed atomic
//! loads and asserts nothing; rules 1 and 2 alone make it right.

#![allow(
    clippy::inline_always,
    reason = "the reads fold only where they are, and a dispatcher is a few instructions in debug builds as well"
)]

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use crate::detect::{DETECTABLE, detect};
use crate::mask::{self, FeatureSet, Mask, Word};

mod ask;
#[cfg_attr(
    all(
        not(any(miri, simd_core_portable)),
        any(
            all(target_arch = "x86_64", target_pointer_width = "64"),
            target_arch = "x86",
            all(target_arch = "aarch64", target_pointer_width = "64"),
            target_arch = "arm",
            target_arch = "riscv64",
            target_arch = "riscv32",
            target_arch = "loongarch64",
            target_arch = "s390x",
        )
    ),
    path = "known/folding.rs"
)]
#[cfg_attr(
    not(all(
        not(any(miri, simd_core_portable)),
        any(
            all(target_arch = "x86_64", target_pointer_width = "64"),
            target_arch = "x86",
            all(target_arch = "aarch64", target_pointer_width = "64"),
            target_arch = "arm",
            target_arch = "riscv64",
            target_arch = "riscv32",
            target_arch = "loongarch64",
            target_arch = "s390x",
        )
    )),
    path = "known/portable.rs"
)]
mod reader;

pub use ask::{absent, assert_absent, assert_not_present, assert_present, detected, not_present, present};

#[cfg(target_pointer_width = "64")]
type AtomicWord = core::sync::atomic::AtomicU64;
#[cfg(target_pointer_width = "32")]
type AtomicWord = core::sync::atomic::AtomicU32;
#[cfg(target_pointer_width = "16")]
type AtomicWord = core::sync::atomic::AtomicU16;

/// PRESENT, then ABSENT: [`mask::WORDS`] words each.
pub(crate) static WORDS: [AtomicWord; 2 * mask::WORDS] = [const { AtomicWord::new(0) }; 2 * mask::WORDS];

/// What the first detection to finish found, [`UNKNOWN`] until then. Racing detections agree on it before they publish.
static FOUND: [AtomicWord; mask::WORDS] = [const { AtomicWord::new(UNKNOWN) }; mask::WORDS];

/// A word of [`FOUND`] before any detection: no CPU has every feature of the table.
const UNKNOWN: Word = Word::MAX;

/// Whether detection can find `set` in this build. A constant wherever `set` is one, so that the clone of a target that
/// cannot be found is never called, and left out of the program.
#[inline(always)]
#[must_use]
pub(crate) const fn possible(set: FeatureSet) -> bool {
    const POSSIBLE: Mask = Mask::STATIC.or(DETECTABLE);
    POSSIBLE.contains(set.full)
}

/// The clone to call where the words did not tell: `clones[i]` for the first `targets[i]` that the CPU has, else the
/// last of `clones`.
///
/// # Safety
///
/// `F` is a function pointer, and there is one more clone than targets.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub unsafe fn choose<F: Copy, const N: usize>(targets: &'static [FeatureSet], clones: &[F; N]) -> F {
    /// One of the clones; `transmute` wants to see that it has the size of a pointer.
    union Clone<F: Copy> {
        address: *const (),
        function: F,
    }
    const { assert!(size_of::<F>() == size_of::<*const ()>()) };
    debug_assert!(N == targets.len() + 1);
    let address = choose_clone(targets, core::ptr::from_ref(clones).cast());
    // SAFETY: `address` is one of `clones`, as it was.
    unsafe { Clone { address }.function }
}

/// Outlined and opaque, so that no clone is ever inlined beside a read that returned zero.
#[cold]
#[inline(never)]
fn choose_clone(targets: &[FeatureSet], clones: *const *const ()) -> *const () {
    let present = ensure();
    let mut index = 0;
    while index < targets.len() && !present.contains(targets[index].leaf) {
        index += 1;
    }
    // SAFETY: the only caller passes one more clone than targets.
    reader::opaque(unsafe { *clones.add(index) })
}

/// Detects on the first call; returns the final PRESENT mask.
#[inline]
#[must_use]
pub fn ensure() -> Mask {
    // The first word is published last.
    if WORDS[0].load(Acquire) == 0 {
        first();
    }
    mask_of(&WORDS)
}

#[cold]
#[inline(never)]
fn first() {
    let found = detect();
    #[cfg(feature = "testing")]
    let found = crate::limit::limit(found);
    publish(found);
}

/// Makes `found`, or what a racing detection found before, the process's answer.
fn publish(found: Mask) {
    for (found, slot) in found.words().into_iter().zip(&FOUND) {
        // Whoever comes first decides; every racer goes on with what the slot holds after this.
        let _ = slot.compare_exchange(UNKNOWN, found, AcqRel, Acquire);
    }
    // Words of two detections may have met; what remains is closed under implication again, and the same for all.
    let present = mask_of(&FOUND).closed();
    let absent = Mask::ALL.without(present);
    for (word, published) in absent.words().into_iter().zip(&WORDS[mask::WORDS..]) {
        published.store(word, Relaxed);
    }
    for (word, published) in Mask::INIT.or(present).words().into_iter().zip(&WORDS).rev() {
        published.store(word, Release);
    }
}

/// The mask in the first words of `words`.
fn mask_of(words: &[AtomicWord]) -> Mask {
    let mut mask = [0; mask::WORDS];
    for (word, published) in mask.iter_mut().zip(words) {
        *word = published.load(Relaxed);
    }
    Mask::from_words(mask)
}

/// A function of a clone's body was called in a process that lacks the clone's target.
///
/// # Panics
///
/// Always.
#[cold]
#[inline(never)]
pub fn target_lost() -> ! {
    panic!("a function nested in a clone was called on a CPU that lacks the clone's features");
}

/// `function` has no definition for the clone that runs: every `cfg` on its definitions was false.
///
/// # Panics
///
/// Always.
#[cold]
#[inline(never)]
#[track_caller]
pub fn missing_variant(function: &str) -> ! {
    panic!("no definition of `{function}` is for this CPU: the `cfg(target_feature)` of each was false");
}
