#[simd_core::dispatch(targets = "avx2 | neon")]
mod kernels {
    #[simd_core::dispatch(targets = "avx2")]
    pub struct Sum {
        pub total: u64,
    }
}

fn main() {
    assert!(kernels::Sum { total: 3 }.total == 3);
}
