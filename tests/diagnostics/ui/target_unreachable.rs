#[simd_core::dispatch(targets = "sse4.2 | avx2,fma | sve2")]
fn sum(a: u64, b: u64) -> u64 {
    a + b
}

fn main() {
    sum(1, 2);
}
