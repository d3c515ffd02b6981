mod lists {
    simd_core::target_list!(simd = "avx2 | sve2");
}

#[simd_core::dispatch(targets = lists::simd)]
fn sum(a: u64, b: u64) -> u64 {
    a + b
}

fn main() {
    sum(1, 2);
}
