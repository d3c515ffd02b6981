//! Reads that the compiler may merge and hoist.
#![allow(
    clippy::pointers_in_nomem_asm_block,
    reason = "the read that is declared to be none is argued for in the parent module"
)]

use crate::mask::Word;

/// Clones assert what their being chosen has shown.
pub(super) const FOLDING: bool = true;

/// `clone`, of which the compiler no longer knows what it is.
#[inline(always)]
pub(super) fn opaque(mut clone: *const ()) -> *const () {
    // SAFETY: there is no instruction.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) clone, options(pure, nomem, nostack, preserves_flags));
    }
    clone
}

/// Defines `read` from one load instruction and the class of its address register.
macro_rules! read {
    ($instruction:literal, $class:ident) => {
        /// Reads word `FIRST + INDEX` of [`WORDS`](super::WORDS).
        #[inline(always)]
        pub(super) fn read<const FIRST: usize, const INDEX: usize>() -> Word {
            let word: Word;
            // SAFETY: the address is that of a live static, the offset lies within it (of words without features of
            // a set nothing is read), and the load is one access of an aligned word. Why `pure` and `nomem` hold for
            // this purpose is argued at the head of the parent module.
            unsafe {
                core::arch::asm!(
                    $instruction,
                    r = lateout(reg) word,
                    p = in($class) &raw const super::WORDS,
                    offset = const (FIRST + INDEX) * size_of::<Word>(),
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
