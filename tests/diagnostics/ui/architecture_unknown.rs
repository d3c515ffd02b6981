#[simd_core::dispatch(targets = "amd64: avx2 | mips: msa")]
fn sum(a: u64, b: u64) -> u64 {
    a + b
}

fn main() {
    sum(1, 2);
}
