mod lists {
    simd_core::target_list!(pub(super) simd = "avx2 | sve2");
}

#[simd_core::dispatch(targets = lists::simdd)]
fn sum(a: u64, b: u64) -> u64 {
    a + b
}

#[simd_core::dispatch(targets = other::simd)]
fn product(a: u64, b: u64) -> u64 {
    a * b
}

#[simd_core::dispatch(targets = sum)]
fn quotient(a: u64, b: u64) -> u64 {
    a / b
}

fn main() {}
