//! Where the name of a constant that differs between clones means another thing.
use simd_core::dispatch;

#[dispatch(targets = "avx2")]
mod kernels {
    pub const W: usize = if cfg!(target_feature = "avx2") { 8 } else { 4 };
    pub const TWICE: usize = 2 * W;
    pub type Lanes = [u8; W];

    pub fn by_paths() -> usize {
        self::W + crate::kernels::W
    }

    pub fn by_the_path_of_the_crate() -> usize {
        crate::kernels::W
    }

    pub mod inner {
        use super::W;

        pub fn sum() -> usize {
            W + super::W
        }

        pub mod deeper {
            pub fn by_a_path() -> usize {
                super::super::W
            }
        }
    }

    pub mod other {
        use super::*;

        pub fn by_a_glob() -> usize {
            W
        }
    }

    pub const fn double() -> usize {
        2 * W
    }

    #[dispatch(skip)]
    pub fn skipped() -> usize {
        W
    }

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

    pub fn in_a_signature(lanes: &Lanes) -> u8 {
        lanes.iter().sum()
    }
}

fn main() {
    let sum: usize = kernels::TWICE;
    let size = size_of::<kernels::Lanes>();
}
