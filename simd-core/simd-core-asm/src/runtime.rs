//! The names of simd-core's run-time tests in a program's symbol table.
//!
//! Programs are read by these only, so they can be of any version of it, or without it.

/// The symbol of the feature words, which dispatchers read.
pub(crate) const WORDS: &str = "simd_core::known::WORDS";

/// Whether this path is a function of simd-core that tests the feature words for its caller, as in debug builds.
pub(crate) fn decides(path: &str) -> bool {
    path.starts_with("simd_core::known::")
}
