#[simd_core::dispatch(targets = "avx10.1 | sme | riscv64: v")]
fn sum(a: u64, b: u64) -> u64 {
    a + b
}

fn main() {
    sum(1, 2);
}
