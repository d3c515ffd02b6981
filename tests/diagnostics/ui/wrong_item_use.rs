#[simd_core::dispatch(targets = "avx2 | sve2")]
use std::iter::Sum;

fn main() {
    let _ = <u64 as Sum>::sum([1_u64].into_iter());
}
