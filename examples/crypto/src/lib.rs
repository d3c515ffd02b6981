//! Plain Rust kernels, annotated once with `simd-core`.
//!
//! | module | what |
//! |---|---|
//! | [`aes`] | AES rounds with the semantics of the x86 instructions on every platform, key schedules, AES-128/192/256 blocks |
//! | [`chacha20`] | the ChaCha20 stream cipher |
//! | [`gf`] | the finite fields GF(2^8) … GF(2^2048), with operators, inverses and code generic over them |
//! | [`haraka`] | Haraka-256 and Haraka-512 v2, one message or many |
//! | [`pmul`] | carry-less multiplication of words and of polynomials |
//! | [`shamir`] | Shamir's secret sharing of field elements and of bytes |
//! | `share_files` | the files in which the program keeps shares (feature `cli`) |
//!
//! Each kernel is a tree of small safe functions under one `#[dispatch]`. The functions choose between instructions by
//! `cfg(target_feature)`; the attribute compiles the tree once per target and picks a clone when the tree is entered.
//!
//! # Constant time
//! Every function here runs the same instructions, in the same order, on the same addresses, whatever the values of its
//! arguments are; only lengths of slices show. That holds for the baseline too, which has no look-up table: it is
//! bitsliced. The compiler gives no guarantee of its own; it is the source that has nothing to leak.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "std")]
extern crate std;

pub mod aes;
pub mod chacha20;
pub mod gf;
pub mod haraka;
mod lanes;
pub mod pmul;
pub mod shamir;
#[cfg(feature = "cli")]
pub mod share_files;

/// The vendor intrinsics of this architecture, where the kernels have a use for them.
#[allow(unused_imports, reason = "which intrinsics are in use depends on the target")]
mod arch {
    #[cfg(target_arch = "aarch64")]
    pub(crate) use core::arch::aarch64::*;
    #[cfg(target_arch = "x86")]
    pub(crate) use core::arch::x86::*;
    #[cfg(target_arch = "x86_64")]
    pub(crate) use core::arch::x86_64::*;
}
