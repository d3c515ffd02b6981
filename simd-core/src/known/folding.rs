//! Reads that the compiler may merge and hoist, of words that an initialiser fills before `main`.
#![allow(
    clippy::pointers_in_nomem_asm_block,
    reason = "`docs/soundness.md` argues for the read that is declared to be none"
)]

use core::sync::atomic::Ordering::Relaxed;

use super::WORDS;
use crate::mask::{Mask, Word};

/// Clones assert the results of their dispatchers' tests.
pub(super) const FOLDING: bool = true;

/// The function of [`INITIALISER`](super::INITIALISER).
pub(super) extern "C" fn initialise() {
    detect_once();
}

fn detect_once() {
    // In a program that has an initialiser, `start` runs second.
    if WORDS[0].load(Relaxed) == 0 {
        publish(super::detect());
    }
}

/// The only writer. Nothing is read in this frame.
#[cold]
#[inline(never)]
fn publish(found: Mask) {
    for (word, stored) in found.words().into_iter().zip(&WORDS) {
        stored.store(word, Relaxed);
    }
}

/// Runs `main` after detection, for programs that no C runtime starts.
///
/// If a C runtime or a dynamic linker runs initialisers, detection has run already and this is a plain call. Without
/// either, dispatched functions run their baselines until this is called.
///
/// ```no_run
/// fn main_of_mine() -> i32 {
///     0
/// }
///
/// // SAFETY: nothing else runs yet, and nothing dispatched is called here.
/// let code = unsafe { simd_core::start(main_of_mine) };
/// # let _ = code;
/// ```
///
/// # Safety
///
/// The program has one thread. No dispatched function is running or suspended, and the function that calls `start` calls
/// none itself.
pub unsafe fn start<R>(main: fn() -> R) -> R {
    detect_once();
    // LLVM cannot see through this, so it inlines nothing of the callee above the store.
    core::hint::black_box(main)()
}

/// The initialiser has made the words ready.
#[inline(always)]
pub(super) fn ready() {}

/// Defines `read` from one load instruction and the class of its address register.
macro_rules! read {
    ($instruction:literal, $class:ident) => {
        /// Reads word `INDEX` of [`WORDS`].
        #[inline(always)]
        pub(super) fn read<const INDEX: usize>() -> Word {
            let word: Word;
            // SAFETY: the address is that of a live static, and the load is one access of an aligned word. The offset
            // lies within the static: words without features of a set are not read. In each frame all reads have one result:
            // obligations 1 and 2 of docs/soundness.md.
            unsafe {
                core::arch::asm!(
                    $instruction,
                    r = lateout(reg) word,
                    p = in($class) &raw const WORDS,
                    offset = const INDEX * size_of::<Word>(),
                    options(pure, nomem, nostack, preserves_flags)
                );
            }
            word
        }
    };
}

#[cfg(target_arch = "x86_64")]
read!("mov {r}, qword ptr [{p} + {offset}]", reg);
#[cfg(target_arch = "x86")]
read!("mov {r}, dword ptr [{p} + {offset}]", reg);
#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
read!("ldr {r}, [{p}, #{offset}]", reg);
#[cfg(target_arch = "riscv64")]
read!("ld {r}, {offset}({p})", reg);
#[cfg(target_arch = "riscv32")]
read!("lw {r}, {offset}({p})", reg);
#[cfg(target_arch = "loongarch64")]
read!("ld.d {r}, {p}, {offset}", reg);
#[cfg(target_arch = "s390x")]
read!("lg {r}, {offset}({p})", reg_addr);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detection_has_run_before_main() {
        assert!(super::super::found().contains(Mask::INIT));
    }

    #[test]
    fn start_changes_nothing_after_the_initialiser() {
        let before = super::super::found();
        // SAFETY: the words are filled already, so nothing is written.
        assert!(unsafe { start(super::super::found) } == before);
    }
}
