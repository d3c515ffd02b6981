#[simd_core::dispatch(targets = "avx2 | sve2")]
mod kernels {
    #[simd_core::dispatch]
    pub fn sum(a: u64, b: u64) -> u64 {
        a + b
    }
}

fn main() {
    kernels::sum(1, 2);
}
