#[simd_core::dispatch(targets = "avx2")]
#[simd_core::dispatch(targets = "sve2")]
fn sum(a: u64, b: u64) -> u64 {
    a + b
}

#[simd_core::dispatch(targets = "avx2 | sve2")]
mod kernels {
    #[simd_core::dispatch(targets = "avx2")]
    #[inline]
    #[simd_core::dispatch(skip)]
    pub fn product(a: u64, b: u64) -> u64 {
        a * b
    }
}

fn main() {
    sum(1, kernels::product(2, 3));
}
