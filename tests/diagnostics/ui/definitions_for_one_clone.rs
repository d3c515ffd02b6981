#[simd_core::dispatch(targets = "avx2 | sse4.1")]
mod kernels {
    #[cfg(target_feature = "avx2")]
    pub fn lanes() -> u32 {
        8
    }
    #[cfg(target_feature = "sse4.1")]
    pub fn lanes() -> u32 {
        4
    }
    #[cfg(not(target_feature = "avx2"))]
    pub fn lanes() -> u32 {
        1
    }
}

fn main() {}
