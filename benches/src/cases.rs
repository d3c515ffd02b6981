//! The work.

mod aead;
mod aes;
mod chacha20;
mod dispatch;
mod fields;
mod haraka;
mod limits;
mod ordinary;
mod shamir;
mod shares;
mod strategies;

use crate::case::Case;

/// The column of our own code.
pub const OURS: &str = "simd-core";
/// The column of our own code where its caller has no attribute, and so asks and calls each time. Where this column is, the
/// caller in [`OURS`] has it.
pub const FROM_PLAIN_CODE: &str = "simd-core, from unannotated code";
/// The column of a peer that has a faster build with a `--cfg`.
pub const CHACHA20: &str = "RustCrypto chacha20";
/// The column of OpenSSL, which is timed by its own program, or as a library for authenticated encryption.
pub const OPENSSL: &str = "OpenSSL";
/// The column of the loops that [`OURS`] has with the attribute.
pub const PLAIN: &str = "plain loop";
/// The columns of the same loops in the ways of two peers.
pub(crate) const FEARLESS: &str = "fearless_simd";
pub(crate) const PULP: &str = "pulp";
/// The column of the fastest crate for such a loop, whose name is in the row's.
pub const PEER: &str = "the best crate";

/// Everything that is timed in a process.
#[must_use]
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    ordinary::add(&mut cases);
    dispatch::add(&mut cases);
    strategies::add(&mut cases);
    aes::add(&mut cases);
    aead::add(&mut cases);
    chacha20::add(&mut cases);
    haraka::add(&mut cases);
    fields::add(&mut cases);
    shamir::add(&mut cases);
    shares::add(&mut cases);
    limits::add(&mut cases);
    cases
}
