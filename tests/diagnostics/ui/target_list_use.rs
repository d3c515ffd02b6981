simd_core::target_list!(simd = "avx2,fma | sse4.1");

#[simd_core::dispatch(targets = ["sse4.1", simd])]
fn sum(a: u64, b: u64) -> u64 {
    a + b
}

#[simd_core::dispatch(targets = simd)]
struct Sums;

#[simd_core::dispatch(targets = simd, lists = TARGETS)]
fn half_typed(a: u64) -> u64 {
    a +
}

#[simd_core::dispatch(targets = simd)]
const fn constant() -> u64 {
    1
}

fn main() {
    sum(1, 2);
}
