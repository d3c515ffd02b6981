//! The table of features against the compiler, the scripts of the matrix, and ledgers of several machines.

mod android_runner;
mod features;
mod ledger;
