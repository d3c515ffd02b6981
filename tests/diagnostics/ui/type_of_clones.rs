#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    #[cfg(target_feature = "avx2")]
    #[repr(align(32))]
    pub struct Lanes([u32; 8]);
    #[cfg(not(target_feature = "avx2"))]
    #[repr(align(16))]
    pub struct Lanes([u32; 8]);

    pub fn first(lanes: &Lanes) -> u32 {
        lanes.0[0]
    }
}

fn main() {}
