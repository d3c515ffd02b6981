//! Which features an instruction needs.

pub(crate) mod aarch64;
pub(crate) mod x86;
