#[simd_core::dispatch(targets = "avx2 | sse4.1")]
mod kernels {
    macro_rules! pick {
        ($with:expr, $without:expr) => {
            if cfg!(target_feature = "avx2") { $with } else { $without }
        };
    }

    pub static LANES: usize = if cfg!(target_feature = "avx2") { 8 } else { 4 };
    pub static PICKED: usize = pick!(8, 4);
    pub static MATCHED: usize = simd_core::match_target! { "avx2" => 8, _ => 4 };

    #[dispatch(skip)]
    pub static OF_THE_BUILD: usize = pick!(8, 4);

    #[cfg_attr(target_feature = "avx2", repr(align(32)))]
    pub struct Aligned(pub u8);

    pub enum Choice {
        #[cfg(target_feature = "avx2")]
        Wide,
        Narrow,
    }

    impl Aligned {
        pub const LANES: usize = pick!(8, 4);
        #[cfg(target_feature = "avx2")]
        pub const WIDE: bool = true;
        #[cfg(not(target_feature = "avx2"))]
        pub const WIDE: bool = false;
        #[dispatch(skip)]
        pub const OF_THE_BUILD: usize = pick!(8, 4);
    }

    impl Iterator for Aligned {
        type Item = [u8; pick!(8, 4)];

        fn next(&mut self) -> Option<Self::Item> {
            None
        }
    }

    pub const fn lanes() -> usize {
        pick!(8, 4)
    }
}

fn main() {}
