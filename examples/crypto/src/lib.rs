//! Plain Rust kernels, annotated once with `simd-core`.
