//! Lanes of two words: what they add, shift and multiply with, by instruction set.
//!
//! The modules have the same functions; a kernel names the one that its target has.
#[cfg(target_arch = "aarch64")]
pub(crate) mod arm;
pub(crate) mod plain;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

/// Two words, the lower first: a vector register where the target has those.
pub(crate) type Lane = [u64; 2];
