//! The smallest crate that uses `simd-core`.
fn main() {}
