//! The table of features against the compiler, the scripts of the matrix, and nightly compilers.

mod android_runner;
mod features;
pub(crate) mod nightly;
