//! The names by which simd-core's run-time decisions are known in a program's symbol table.
//!
//! They are all that this crate knows of simd-core, so that it reads programs built with any version of it, and programs
//! without it.

/// The symbol of the feature words, which dispatchers read.
pub(crate) const WORDS: &str = "simd_core::known::WORDS";

/// Whether this path is a function of simd-core's that tests the feature words for its caller, as in debug builds.
pub(crate) fn decides(path: &str) -> bool {
    path.starts_with("simd_core::known::")
}
