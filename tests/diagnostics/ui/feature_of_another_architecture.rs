#[simd_core::dispatch(targets = "x86_64: neon")]
fn sum(a: u64, b: u64) -> u64 {
    a + b
}

fn main() {
    sum(1, 2);
}
