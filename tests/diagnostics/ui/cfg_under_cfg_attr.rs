#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    #[cfg_attr(target_feature = "avx2", cfg(any()))]
    pub const LANES: usize = 4;

    #[cfg_attr(target_feature = "avx2", cfg(any()))]
    pub fn narrow() {}
}

fn main() {}
