//! The table of features against the compiler, and the scripts of the matrix.

mod android_runner;
mod features;
