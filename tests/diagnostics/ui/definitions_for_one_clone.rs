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

    pub struct Block;

    impl From<u32> for Block {
        #[cfg(target_feature = "avx2")]
        fn from(_: u32) -> Block {
            Block
        }
        fn from(_: u32) -> Block {
            Block
        }
    }
}

fn main() {}
