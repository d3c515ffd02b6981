//! Plain Rust kernels, annotated once with `simd-core`.
#![forbid(unsafe_code)]

pub mod chacha20;
mod lanes;
