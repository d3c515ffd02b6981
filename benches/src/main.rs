//! `simd-core` against its peers, in one run.
fn main() {}
