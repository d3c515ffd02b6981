#[simd_core::dispatch(targets = "avx2 | sse4.1")]
mod kernels {
    #[cfg(target_feature = "avx2")]
    fn wide() -> u32 {
        8
    }

    #[cfg(not(target_feature = "sse4.1"))]
    fn narrow<const N: u32>() -> u32 {
        N
    }

    pub fn only_there() -> u32 {
        #[cfg(target_feature = "avx2")]
        return wide();
        #[cfg(not(target_feature = "sse4.1"))]
        return narrow::<4>();
        #[allow(unreachable_code)]
        6
    }

    pub fn its_own() -> u32 {
        let wide = || 3;
        wide()
    }

    pub fn everywhere() -> u32 {
        let called = wide();
        let called_by_path = assert_eq!(called, self::wide());
        let called_narrow = narrow::<4>;
        [1].map(|_| called_narrow())[0]
    }

    pub struct Block;

    impl Block {
        #[cfg(target_feature = "avx2")]
        fn sum() -> u32 {
            8
        }

        pub fn total() -> u32 {
            Self::sum()
        }
    }
}

fn main() {}
