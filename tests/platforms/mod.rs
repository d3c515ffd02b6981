//! The table of features against the compiler, the scripts of the matrix, ledgers of several machines, and nightly
//! compilers.

mod android_runner;
mod features;
mod ledger;
mod nightly;
