#[simd_core::dispatch(targets = "avx2 | sve2")]
#[target_feature(enable = "avx2")]
unsafe fn sum(a: u64, b: u64) -> u64 {
    a + b
}

fn main() {
    unsafe { sum(1, 2) };
}
