//! Many messages side by side, and two blocks in one register.
mod many;
mod vectors256;
mod vectors512;

pub use many::{haraka256_many, haraka512_many};
pub(super) use vectors256::hash512;
