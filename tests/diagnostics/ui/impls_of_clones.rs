#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    pub struct Block;

    #[cfg(target_feature = "avx2")]
    impl Block {
        pub fn first(&self) {}
        pub fn sum(&self) {}
    }
    #[cfg(not(target_feature = "avx2"))]
    impl Block {
        pub fn sum(&self) {}
    }
}

fn main() {}
