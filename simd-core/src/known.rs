//! The feature words: where they come from, how they are read, and why clones may rely on them.
//!
//! # The mechanism
//!
//! [`WORDS`] holds the features of this CPU, one bit each. An initialiser of the program or shared library fills it
//! before `main` ([`folding`](reader)); until then it is zero. A dispatcher tests the words and calls a clone. A clone
//! asserts, at its entry, what those tests have shown. The reads are one-instruction `asm!` blocks declared
//! `pure, nomem`, so that LLVM treats reads of one word as one value, takes them out of loops, and folds the tests of a
//! nested dispatcher against the assertions of the clone that it was inlined into. Nothing else folds: an atomic load,
//! a volatile load and an external static are all read again.
//!
//! # Why this is sound
//!
//! `pure` and `nomem` promise that the output depends on the inputs alone. The input is the address of [`WORDS`], and
//! the memory behind it changes once, in the initialiser. So the promise holds for every frame that does not contain the
//! initialiser's store, that is, for every frame but the initialiser's own, which reads nothing:
//!
//! 1. *Only the initialiser and [`start`] write, and they write once*: in a function that is never inlined, as its last
//!    act. What they call before that (detection, the environment's variables) is not dispatched.
//! 2. *A frame sees zeros throughout, or final words throughout.* Initialisers run one after another on one thread. A
//!    frame that ends before ours runs has seen zeros; one that begins later sees the final words.
//! 3. *An assertion is true wherever it is executed.* A target clone asserts that its features are present and that
//!    those of earlier targets are not. It runs after its dispatcher has read that, which is after the initialiser: zeros
//!    lead to the baseline. That stays true for as long as the process lives, so that the clone's closures, futures and
//!    nested functions may repeat it. The baseline asserts that no target is present, at the entry that its dispatcher
//!    calls, in the frame of the tests or one that those tests have called.
//! 4. *What may outlive a read of zero asserts nothing.* Another initialiser may run before ours, call a dispatched
//!    function, and keep a closure, a future or a function pointer that the baseline has made. It runs after the words
//!    have changed. So the baseline's closures, its async code, and the baseline behind a pointer of
//!    [`select!`](crate::select) test the words again, and a function nested in a clone tests what it asserts.
//! 5. *A clone runs only after its dispatcher's tests*: it takes a [`Proof`], which only `unsafe` code makes. What the
//!    build enables for all code is neither tested nor asserted.
//!    *Properties of CPUs are bits like the others*: the initialiser sets them, and clones assert them. They are no reason
//!    to execute an instruction, since each target that has one names a feature too, so that a wrong one costs speed. What
//!    has to hold is that the bit never changes, whatever core of a hybrid CPU `cpuid` would be asked on later: dispatchers
//!    and assertions read the words alone. No build enables a property, so that none is taken for present unasked.
//! 6. *A process has one answer.* Variables of the environment take features away in the initialiser and nowhere else.
//!
//! What this does not cover: a thread that another initialiser of the same program has started before ours ran, and
//! that is inside of a dispatched function while the words are written. No safe Rust runs before `main` in Rust
//! programs, and the initialiser's priority puts it before others where the platform has priorities (ELF, Windows).
//!
//! | obligation | discharged by | noticed by |
//! |---|---|---|
//! | 1 | `reader::publish`, private to one file | its test; the assembly tests, which find no other store |
//! | 2 | the linker's section of `INITIALISER` | the tests in `tests/startup` |
//! | 3 | the macros' `plan.rs` and `emit/dispatcher.rs` | random callers with debug assertions, which check each assertion |
//! | 4 | the macros' `transform` and `emit/select.rs` | the startup tests with a constructor that runs first |
//! | 5 | [`Proof`]'s private field | a compile-fail test |
//! | 6 | `limit` | the kit's check of the target that runs |
//!
//! The portable reader (`--cfg simd_core_portable`, Miri, and platforms that are not listed below) uses atomic loads,
//! detects on first use and asserts nothing, so that it needs none of this.

#![allow(
    clippy::inline_always,
    reason = "the reads fold only where they are, and a dispatcher is a few instructions in debug builds as well"
)]

use core::sync::atomic::Ordering::Relaxed;

use crate::detect::DETECTABLE;
use crate::mask::{self, FeatureSet, Mask};

mod ask;

macro_rules! reader {
    ($listed:meta) => {
        #[cfg(all($listed, not(any(miri, simd_core_portable))))]
        #[path = "known/folding.rs"]
        mod reader;

        /// Called by the C runtime, or by the dynamic linker, before `main`. The sections are those that the standard
        /// library takes for its own detection (`std/src/sys/configure_builtins.rs`): before initialisers of the default
        /// priority.
        ///
        /// It is a static of this module because [`WORDS`] is: the compiler puts both into one object file. Programs in
        /// other languages take from a static library the object files that they refer to, and `#[used]` alone is no
        /// reference.
        #[cfg(all($listed, not(any(miri, simd_core_portable))))]
        #[used]
        #[cfg_attr(not(any(windows, target_vendor = "apple")), unsafe(link_section = ".init_array.90"))]
        #[cfg_attr(windows, unsafe(link_section = ".CRT$XCT"))]
        #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func,mod_init_funcs"))]
        static INITIALISER: extern "C" fn() = reader::initialise;

        #[cfg(not(all($listed, not(any(miri, simd_core_portable)))))]
        #[path = "known/portable.rs"]
        mod reader;
    };
}
// Architectures for which the reader has an instruction, on systems that are known to run initialisers.
reader!(all(
    any(
        all(target_arch = "x86_64", target_pointer_width = "64"),
        target_arch = "x86",
        all(target_arch = "aarch64", target_pointer_width = "64"),
        target_arch = "arm",
        target_arch = "riscv64",
        target_arch = "riscv32",
        target_arch = "loongarch64",
        target_arch = "s390x",
    ),
    any(
        target_os = "linux",
        target_os = "android",
        target_vendor = "apple",
        target_os = "windows",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "openbsd",
        target_os = "dragonfly",
    )
));

pub use ask::{assert_absent, assert_lacks, assert_present, lacks, present};
pub use reader::start;

#[cfg(target_pointer_width = "64")]
type AtomicWord = core::sync::atomic::AtomicU64;
#[cfg(target_pointer_width = "32")]
type AtomicWord = core::sync::atomic::AtomicU32;
#[cfg(target_pointer_width = "16")]
type AtomicWord = core::sync::atomic::AtomicU16;

/// The features that are present, and [`Mask::INIT`]; zero until detection has run.
pub(crate) static WORDS: [AtomicWord; mask::WORDS] = [const { AtomicWord::new(0) }; mask::WORDS];

/// Whether detection can find `set` in this build, and the program does not do without. A constant wherever `set` is one, so that the clone of a target that
/// cannot be found is never called, and left out of the program.
#[inline(always)]
#[must_use]
pub(crate) const fn possible(set: FeatureSet) -> bool {
    const POSSIBLE: Mask = Mask::STATIC.or(DETECTABLE).without(Mask::WITHOUT);
    POSSIBLE.contains(set.full)
}

/// What dispatchers go by: the features of this CPU, with [`Mask::INIT`] if detection has run.
#[must_use]
pub(crate) fn found() -> Mask {
    reader::ready();
    stored().or(Mask::STATIC)
}

/// The words as a mask.
fn stored() -> Mask {
    let mut mask = [0; mask::WORDS];
    for (word, stored) in mask.iter_mut().zip(&WORDS) {
        *word = stored.load(Relaxed);
    }
    Mask::from_words(mask)
}

/// Detection, less what the environment takes away.
fn detect() -> Mask {
    let found = crate::detect::detect();
    #[cfg(any(feature = "environment", feature = "testing"))]
    let found = crate::limit::limit(found);
    found
}

/// The last parameter of each clone: its dispatcher's tests have chosen it. It keeps safe code from calling a clone that
/// has features enough, but asserts that others are absent.
pub struct Proof(());

impl Proof {
    /// # Safety
    ///
    /// The clone that takes it is the one that its dispatcher's tests have chosen in this process.
    #[inline(always)]
    #[must_use]
    pub const unsafe fn new() -> Self {
        Self(())
    }
}

/// A function of a clone's body was called in a process that lacks the clone's target.
///
/// # Panics
///
/// Always.
#[cold]
#[inline(never)]
#[track_caller]
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
