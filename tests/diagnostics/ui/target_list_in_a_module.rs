simd_core::target_list!(simd = "avx2 | sve2");

#[simd_core::dispatch(targets = simd)]
mod kernels {
    #[dispatch(targets = super::simd)]
    pub fn sum(a: u64, b: u64) -> u64 {
        a + b
    }

    pub struct Sums(u64);

    impl Sums {
        #[dispatch(targets = simd)]
        pub fn sum(&self) -> u64 {
            self.0
        }
    }
}

fn main() {
    kernels::sum(1, 2);
}
