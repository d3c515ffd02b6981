//! Haraka v2, by Kölbl, Lauridsen, Mendel and Rechberger: hash functions for inputs of exactly 256 or 512 bits, built from
//! AES rounds ([IACR ePrint 2016/098](https://eprint.iacr.org/2016/098)).
//!
//! The number of rounds is a parameter: 5 resist second preimages, as hash-based signatures require; 6 resist
//! collisions as well (section 2 of the paper). No other number compiles.
//!
//! One call hashes one message. The `_many` functions hash slices of messages, as many at a time as fill the AES unit:
//! several times the throughput of a loop of single calls if the CPU has VAES.
//!
//! A chain of single hashes is fastest in a function dispatched for [`targets::haraka512`](crate::targets::haraka512), where they are
//! inlined and each stays in registers for the next. From other code every hash is a call, and its result goes through memory. All
//! functions are constant time in the messages; the `_many` functions reveal the number of messages.
//!
//! ```
//! use hex_literal::hex;
//! use simd_crypto::haraka::{haraka256, haraka512, haraka512_many};
//! // The paper's appendix B
//! let message: [u8; 64] = std::array::from_fn(|i| i as u8);
//! let hash = haraka256::<5>(message.first_chunk().unwrap());
//! assert_eq!(hash, hex!("8027ccb87949774b78d0545fb72bf70c695c2a0923cbd47bba1159efbf2b2c1c"));
//! let hash = haraka512::<5>(&message);
//! assert_eq!(hash, hex!("be7f723b4e80a99813b292287f306f625a6d57331cae5f34dd9277b0945be2aa"));
//!
//! let leaves = [[1; 64], [2; 64], [3; 64]];
//! let mut hashes = [[0; 32]; 3];
//! haraka512_many::<5>(&leaves, &mut hashes);
//! assert_eq!(hashes[2], haraka512::<5>(&leaves[2]));
//! ```
//!
//! # Limits
//! Haraka is not a general hash function: inputs of other lengths need a construction around it, such as the sponge of
//! SPHINCS+-Haraka.
//!
//! # The code
//! `single` is the whole hash, annotated once: its module is compiled for each target, and there
//! [`match_target!`](simd_core::match_target) becomes the arm of that target. [`aesenc`](crate::aes::aesenc) is dispatched where
//! it is defined, and a call from there is its instruction. `many` hashes messages side by side. Both have the order of the columns,
//! and the loop over the rounds, from `rounds`.

mod constants;
mod rounds;

mod single;

mod many;

pub use many::{haraka256_many, haraka512_many};
pub use single::{haraka256, haraka512};
