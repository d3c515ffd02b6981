//! Plain Rust kernels, annotated once with `simd-core`.
//!
//! | module | content |
//! |---|---|
//! | [`aead`] | AES-GCM, ChaCha20-Poly1305 and XChaCha20-Poly1305 |
//! | [`aes`] | AES rounds with the semantics of the x86 instructions on every platform, key schedules, AES-128/192/256 blocks |
//! | [`chacha20`] | the ChaCha20 stream cipher, XChaCha20, and the original with its nonce of 64 bits |
//! | [`ctr`] | AES in counter mode |
//! | [`gf`] | the finite fields GF(2^8) … GF(2^2048), with operators, inverses and code generic over them |
//! | [`ghash`] | GHASH and POLYVAL |
//! | [`haraka`] | Haraka-256 and Haraka-512 v2, one message or many |
//! | [`pmul`] | carry-less multiplication of words and of polynomials |
//! | [`poly1305`] | the one-time authenticator Poly1305 |
//! | [`shamir`] | Shamir's secret sharing of field elements and of bytes |
//! | [`targets`] | the targets of these kernels, and which of them runs |
//! | `share_files` | files of shares, binary and text (feature `share-files`) |
//!
//! Each kernel is a tree of small safe functions under one `#[dispatch]`. The functions select instructions by
//! `cfg(target_feature)`; the attribute compiles the tree once for each target, and the selection is made when the tree
//! is entered.
//!
//! # Constant time
//! Every function runs the same instructions, in the same order, on the same addresses, whatever the values of its
//! arguments are. Only lengths of slices affect the time, and arguments that are public by their nature: thresholds,
//! points and sets of shares. This holds for the baseline too, which has no look-up table: it is bitsliced, or uses
//! integer products. The few exceptions are documented ([`gf`] names them). The compiler gives no guarantee; the source
//! contains nothing that depends on a secret. A test runs the kernels under valgrind with their secrets marked as
//! undefined, on the baseline and on the clones that valgrind can run. Another one steps through decryption, the comparison of
//! tags, text shares and combined shares, and through all kernels with AVX-512, and compares every instruction and every
//! address for several secrets.
//!
//! # Limits
//! These are primitives. Only [`aead`] protects a message, and it leaves the choice of nonces to its caller. There is
//! no key derivation and no signature here. A changed ciphertext of a stream cipher, or a changed share, is not
//! noticed. The code has not been audited. It does not protect against power analysis or fault injection. Types that
//! hold secrets wipe them when they are dropped; copies in registers and on the stack, and what a value leaves behind when it is moved,
//! cannot be wiped.
//!
//! # Features
//! All but `rustcrypto` are on by default. Without any, the crate needs `alloc` (for [`shamir`]) and no `std`.
//! - `std`: detection of CPU features by the standard library.
//! - `getrandom`: `shamir::seeded_rng`, for targets whose operating system provides randomness. Without it, seed a
//!   [`SeededRng`](shamir::SeededRng), or use any other [`CryptoRng`](rand_core::CryptoRng).
//! - `rustcrypto`: the traits of RustCrypto (`cipher` 0.5, `universal-hash` 0.6, `aead` 0.6), so that its modes of
//!   operation accept the ciphers of this crate. No type implements those of `digest`: Haraka takes messages of one
//!   length, and a key of Poly1305 must not be used again, as `Mac` does after a reset.
//! - `share-files`: the formats of share files, which the program `simd-crypto` reads and writes.
#![no_std]
#![forbid(unsafe_code)]
#![allow(clippy::semicolon_if_nothing_returned, reason = "clippy reports it at attributes that name a list of targets")]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

// Modules use those above them.
mod arch;
pub mod targets;

mod keystream;
mod lanes;
mod wide;

pub mod aes;
pub mod chacha20;
pub mod pmul;
pub mod poly1305;

pub mod gf;
pub mod haraka;
mod modes;

pub mod ghash;
pub mod shamir;

pub mod ctr;
#[cfg(feature = "share-files")]
pub mod share_files;

pub mod aead;

#[cfg(feature = "rustcrypto")]
mod rustcrypto;
