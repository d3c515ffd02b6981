#[simd_core::dispatch(targets = "avx2 | sve2")]
mod kernels {
    #[simd_core::dispatch(skip, targets = "sse4.2")]
    pub fn sum(a: u64, b: u64) -> u64 {
        a + b
    }
}

fn main() {
    kernels::sum(1, 2);
}
