#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    const N: usize = 4;
    const LANES: usize = if cfg!(target_feature = "avx2") { 2 * N } else { N };

    pub fn lanes<const N: usize>(_: [u8; N]) -> usize {
        LANES
    }

    pub struct Block<const N: usize>;

    impl<const N: usize> Iterator for Block<N> {
        type Item = usize;

        fn next(&mut self) -> Option<usize> {
            Some(LANES)
        }
    }
}

fn main() {}
