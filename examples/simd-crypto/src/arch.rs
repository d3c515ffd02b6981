//! The vendor intrinsics of this architecture, where the kernels have a use for them.
#![allow(unused_imports, reason = "which intrinsics are in use depends on the target")]

#[cfg(target_arch = "aarch64")]
pub(crate) use core::arch::aarch64::*;
#[cfg(target_arch = "x86")]
pub(crate) use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
pub(crate) use core::arch::x86_64::*;
