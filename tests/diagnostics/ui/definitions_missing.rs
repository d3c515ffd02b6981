#[simd_core::dispatch(targets = "avx2 | sse4.1")]
mod kernels {
    #[cfg(target_feature = "avx2")]
    pub fn wide() -> u32 {
        LANES
    }

    #[cfg(all(target_feature = "sse4.1", not(target_feature = "avx2")))]
    const LANES: u32 = 4;
    #[cfg(not(target_feature = "sse4.1"))]
    const LANES: u32 = 2;

    #[cfg(target_feature = "avx2")]
    pub type Wide = [u32; 8];

    pub struct Block;

    impl Block {
        #[cfg(not(target_feature = "avx2"))]
        pub fn narrow(&self) {}
    }

    impl Iterator for Block {
        type Item = u8;

        #[cfg(target_feature = "avx2")]
        fn next(&mut self) -> Option<u8> {
            None
        }
    }

    // No clone on this architecture has it, so there is none.
    #[cfg(all(target_arch = "aarch64", target_feature = "sve2"))]
    fn elsewhere() {}
}

fn main() {}
