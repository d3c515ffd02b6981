#[simd_core::dispatch(targets("avx2", "sve2"))]
fn in_parentheses() {}

#[simd_core::dispatch(targets = "avx2", dispatcher = "indirect")]
fn dispatcher() {}

#[simd_core::dispatch(targets = "simd")]
fn ready_list() {}

#[simd_core::dispatch(targets = "crate::lists::simd")]
fn quoted_path() {}

fn main() {}
