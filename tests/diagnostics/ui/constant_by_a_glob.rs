#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    #[cfg(target_feature = "avx2")]
    const W: usize = 8;
    #[cfg(not(target_feature = "avx2"))]
    const W: usize = 4;

    pub mod inner {
        use super::*;

        pub fn sum() -> usize {
            W
        }
    }
}

fn main() {}
