#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    const W: usize = if cfg!(target_feature = "avx2") { 8 } else { 4 };
    type Lanes = [u32; W];

    pub fn sum(lanes: &Lanes) -> u32 {
        lanes.iter().sum()
    }
}

fn main() {}
