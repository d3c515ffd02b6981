#[simd_core::dispatch(targets = "avx2 | sve2")]
const fn sum(a: u64, b: u64) -> u64 {
    a + b
}

fn main() {
    const SUM: u64 = sum(1, 2);
    sum(1, SUM);
}
