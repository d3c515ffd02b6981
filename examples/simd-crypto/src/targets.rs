//! The targets of the kernels: each list once, by name. As a value a list prints the target that runs in this process,
//! and the features that the better ones lack:
//!
//! ```
//! use simd_crypto::targets;
//! println!("many blocks: {}\n{}", targets::blocks.chosen(), targets::blocks);
//! ```
//!
//! A function that calls small kernels in a loop has them inlined if it is dispatched for the same list.
#![allow(non_upper_case_globals, reason = "the lists are named where paths are, and are values besides")]
use simd_core::{Targets, target_list};

target_list! {
    /// AES, one block at a time; Haraka-256, one message at a time.
    pub block = "aes"
}

target_list! {
    /// Haraka-512, one message at a time.
    pub haraka512 = "vaes,avx512vl | aes"
}

target_list! {
    /// AES of many blocks, Haraka of many messages.
    pub blocks = "vaes,avx512f | vaes,avx2 | aes"
}

target_list! {
    /// Carry-less products, GF(2^16) to GF(2^2048), Shamir's sharing of elements.
    pub products = "avx512vbmi2,avx512vl,gfni,vpclmulqdq | avx2,pclmulqdq | pclmulqdq | aes,pmull"
}

target_list! {
    /// Slices of GF(2^8), Shamir's sharing of bytes.
    pub bytes = "avx512bw,avx512vl,gfni | avx2,gfni | avx2 | ssse3"
}

target_list! {
    /// AES in counter mode, GHASH and POLYVAL, AES-GCM.
    pub modes = "vaes,vpclmulqdq,avx512bw | vaes,vpclmulqdq,avx2 | aes,pclmulqdq,ssse3 | aes,pmull"
}

target_list! {
    /// ChaCha20.
    pub chacha20 = "avx512vl | avx2"
}

target_list! {
    /// Poly1305.
    pub poly1305 = "avx512ifma,avx512vl | avx512vl | avx2"
}

target_list! {
    /// The form of Poly1305 for the first of these targets.
    pub(crate) multiply_add52 = "avx512ifma,avx512vl"
}

/// All lists, with their names.
pub const ALL: [(&str, Targets); 8] = [
    ("block", block),
    ("haraka512", haraka512),
    ("blocks", blocks),
    ("products", products),
    ("bytes", bytes),
    ("modes", modes),
    ("chacha20", chacha20),
    ("poly1305", poly1305),
];
