#[simd_core::dispatch(targets = "avx2 | neon | i8mm")]
fn sum(a: u64, b: u64) -> u64 {
    a + b
}

fn main() {
    sum(1, 2);
}
