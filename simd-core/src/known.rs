//! The feature words: who writes them, how they are read, and why clones may rely on them.
//!
//! # The mechanism
//!
//! [`WORDS`] holds the features of this CPU, one bit each. An initialiser of the program or shared library fills it
//! before `main` ([`folding`](reader)); until then it is zero. A dispatcher tests the words and calls a clone. On
//! entry, a clone asserts the results of those tests. The reads are one-instruction `asm!` blocks declared `pure,
//! nomem`. So LLVM treats reads of one word as one value, hoists them out of loops, and folds the tests of a nested
//! dispatcher against the assertions of the clone that it was inlined into. No other form folds: an atomic load, a
//! volatile load and an external static are all read again.
//!
//! # Why this is sound
//!
//! `pure` and `nomem` promise that the output depends on the inputs alone. The input is the address of [`WORDS`], and
//! the memory behind it changes once, in the initialiser. So the promise holds for every frame that does not contain the
//! initialiser's store, that is, for every frame but the initialiser's own, which reads nothing:
//!
//! 1. *Only the initialiser and [`start`] write, and they write once*: in a function that is never inlined, as its last
//!    act. The functions that they call before that (detection, the environment's variables) are not dispatched.
//! 2. *A frame sees zeros throughout, or final words throughout.* Initialisers run one after another on one thread. A
//!    frame that ends before ours runs has seen zeros; one that begins later sees the final words.
//! 3. *An assertion is true wherever it is executed.* A target clone asserts that its features are present and that
//!    those of earlier targets are not. It runs after its dispatcher has read these facts, and so after the
//!    initialiser, since zeros lead to the baseline. The facts stay true for as long as the process lives, so the
//!    clone's closures, futures and nested functions may repeat the assertion. The baseline asserts that no target is
//!    present, at the entry that its dispatcher calls, in the frame of the tests or in one that this frame has called.
//! 4. *Code that may outlive a read of zero asserts nothing.* Another initialiser may run before ours, call a
//!    dispatched function, and keep a closure, a future or a function pointer that the baseline has made. It runs after
//!    the words have changed. So the baseline's closures and its async code test the words again, and a function
//!    nested in a clone tests everything that it asserts.
//! 5. *A clone runs only after its dispatcher's tests*: it takes a [`Proof`], which only `unsafe` code makes. (That of a trait's
//!    method is a closure that has captured one. The function with the features that calls it asserts nothing, and to call
//!    it where the features are not known is unsafe.) Features
//!    that the build enables for all code are not tested, and so the clone for such a target asserts nothing.
//!    *Properties of CPUs are bits like the others*: the initialiser sets them, and clones assert them. A property
//!    never makes an instruction permissible, since each target that has one also names a feature. So a wrong property
//!    costs speed alone. The bit must never change, even if `cpuid` would give another answer on another core of a
//!    hybrid CPU: dispatchers and assertions read the words alone. No build enables a property, so none counts as
//!    present without detection.
//! 6. *A process has one answer.* Environment variables disable features in the initialiser and nowhere else.
//!
//! One case is not covered: another initialiser of the same program starts a thread before ours runs, and the thread is
//! inside a dispatched function while the words are written. No safe Rust runs before `main` in Rust programs, and the
//! initialiser's priority puts it before others where the platform has priorities (ELF, Windows).
//!
//! | obligation | discharged by | noticed by |
//! |---|---|---|
//! | 1 | `reader::publish`, private to one file | its test; the assembly tests, which find no other store |
//! | 2 | the linker's section of `INITIALISER` | the tests in `tests/startup` |
//! | 3 | the macros' `plan.rs`, `emit/dispatcher.rs` and `emit/closures.rs` | random callers with debug assertions, which check each assertion |
//! | 4 | the macros' `transform` and `emit/clones.rs` | the startup tests with a constructor that runs first |
//! | 5 | [`Proof`]'s private field | a compile-fail test |
//! | 6 | `limit` | the kit's check of the target that runs |
//!
//! The portable reader (`--cfg simd_core_portable`, Miri, and platforms that are not listed below) uses atomic loads,
//! detects on first use and asserts nothing. So it has none of these obligations.

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

        /// Called by the C runtime, or by the dynamic linker, before `main`. The sections are those of the standard
        /// library's own detection (`std/src/sys/configure_builtins.rs`): before initialisers of the default priority.
        ///
        /// It is a static of this module because [`WORDS`] is: the compiler puts both into one object file. Programs in
        /// other languages link only those object files of a static library that they refer to, and `#[used]` alone is
        /// no reference.
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
// The architectures for which the reader has an instruction, on systems that are known to run initialisers.
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

pub use ask::{assert_absent, assert_lacks, assert_none, assert_present, assert_selected, lacks, present};
pub use reader::start;

#[cfg(target_pointer_width = "64")]
type AtomicWord = core::sync::atomic::AtomicU64;
#[cfg(target_pointer_width = "32")]
type AtomicWord = core::sync::atomic::AtomicU32;
#[cfg(target_pointer_width = "16")]
type AtomicWord = core::sync::atomic::AtomicU16;

/// The features that are present, and [`Mask::INIT`]; zero until detection has run.
pub(crate) static WORDS: [AtomicWord; mask::WORDS] = [const { AtomicWord::new(0) }; mask::WORDS];

/// Whether detection can find `set` in this build, and the program is not built without it. The result is a constant if
/// `set` is one. So the clone of a target that cannot be found is never called.
#[inline(always)]
#[must_use]
pub(crate) const fn possible(set: FeatureSet) -> bool {
    // The compiler evaluates a static in this crate alone, and a constant again in each crate that uses it.
    static POSSIBLE: Mask = Mask::STATIC.or(DETECTABLE).without(Mask::WITHOUT);
    POSSIBLE.contains(set.full)
}

/// Whether the build enables `set` for all code. The result is a constant if `set` is one.
#[inline(always)]
#[must_use]
pub(crate) const fn enabled(set: FeatureSet) -> bool {
    static ENABLED: Mask = Mask::STATIC;
    ENABLED.contains(set.full)
}

/// The mask that dispatchers test: the features of this CPU, with [`Mask::INIT`] if detection has run.
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

/// Detection, less the features that the environment disables.
fn detect() -> Mask {
    let found = crate::detect::detect();
    #[cfg(any(feature = "environment", feature = "testing"))]
    let found = crate::limit::limit(found);
    found
}

/// The last parameter of each clone, a proof that its dispatcher's tests have selected it. Without it, safe code that
/// has the clone's features could call a clone, which also asserts that others are absent.
pub struct Proof(());

impl Proof {
    /// # Safety
    ///
    /// The value is passed to one clone, which this process's dispatcher has selected.
    #[inline(always)]
    #[must_use]
    pub const unsafe fn new() -> Self {
        Self(())
    }
}

/// Ends a function of a clone's body that was called in a process without the clone's target.
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
