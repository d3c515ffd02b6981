#[simd_core::dispatch(targets = "avx2 | sve2")]
mod kernels {
    #[simd_core::dispatch(targets = "avx2")]
    pub struct Sum {
        pub total: u64,
    }
}

fn main() {
    assert!(kernels::Sum { total: 3 }.total == 3);
}
