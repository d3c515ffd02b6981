//! Haraka v2, by Kölbl, Lauridsen, Mendel and Rechberger: hash functions for inputs of exactly 256 or 512 bits, built from
//! AES rounds ([IACR ePrint 2016/098](https://eprint.iacr.org/2016/098)).
//!
//! The number of rounds is a parameter: 5 resist second preimages, which is what hash-based signatures need; 6 resist
//! collisions as well (section 2 of the paper). Nothing else compiles.
//!
//! One call hashes one message. The `_many` functions hash slices of messages, as many at a time as it takes to fill the
//! AES unit: several times the throughput of a loop of single calls where the CPU has VAES.
//!
//! A chain of single hashes is quickest in a dispatched function with the target `aes`, where they are inlined and each stays
//! in registers for the next. From other code every hash is a call, and its result goes through memory on the way.
//!
//! All of it is constant time in the messages; the `_many` functions show how many there are.
//!
//! ```
//! use simd_crypto::haraka::{haraka256, haraka512, haraka512_many};
//! let leaves = [[1; 64], [2; 64], [3; 64]];
//! let mut hashes = [[0; 32]; 3];
//! haraka512_many::<5>(&leaves, &mut hashes);
//! assert_eq!(hashes[2], haraka512::<5>(&leaves[2]));
//! assert_ne!(haraka256::<5>(&hashes[0]), haraka256::<6>(&hashes[0]));
//! ```
//!
//! # What this is not
//! A general hash function: inputs of other lengths need a construction around it, such as the sponge of SPHINCS+-Haraka.

mod batch;
mod constants;
mod mix;
mod single;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod wide;

pub use batch::{haraka256_many, haraka512_many};
pub use single::{haraka256, haraka512, target};
