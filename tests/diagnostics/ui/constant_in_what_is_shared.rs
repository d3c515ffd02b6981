#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    #[cfg(target_feature = "avx2")]
    const W: usize = 8;
    #[cfg(not(target_feature = "avx2"))]
    const W: usize = 4;

    static TABLE: [u32; W] = [0; W];

    pub struct Block([u32; W]);

    pub enum Level {
        Highest = W as isize,
    }

    pub trait Wide {
        const N: usize;
    }

    impl Wide for [u32; W] {
        const N: usize = W;
    }

    pub struct Own;

    impl Own {
        pub const N: usize = W;

        pub fn zeros() -> [u32; W] {
            [0; W]
        }
    }

    pub fn sum() -> u32 {
        TABLE.iter().sum()
    }
}

fn main() {}
