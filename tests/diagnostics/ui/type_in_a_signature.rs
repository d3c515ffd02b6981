#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    #[cfg(target_feature = "avx2")]
    type Lanes = [u32; 8];
    #[cfg(not(target_feature = "avx2"))]
    type Lanes = [u32; 4];

    pub fn sum(xs: &[u32]) -> u32 {
        xs.chunks_exact(size_of::<Lanes>() / 4).map(|lanes| fold(lanes.try_into().unwrap())).sum()
    }

    fn fold(lanes: &Lanes) -> u32 {
        lanes.iter().sum()
    }
}

fn main() {}
