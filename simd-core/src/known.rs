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
//! `docs/soundness.md` in the repository has the obligations, the argument and the test of each, and what the Reference says of `pure`
//! and `nomem`. The portable reader (`--cfg simd_core_portable`, Miri, and platforms that are not listed below) uses atomic loads, detects
//! on first use and assumes nothing.

#![allow(
    clippy::inline_always,
    reason = "the reads fold only where they are, and a dispatcher is a few instructions in debug builds as well"
)]

use core::sync::atomic::Ordering::Relaxed;

use crate::mask::{self, Mask};

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
        /// other languages link only those object files of a static library that they refer to, and `#[used]` by itself is
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
