struct Generic<T>(T);

#[simd_core::dispatch(targets = "avx2")]
pub fn generic() -> u32 {
    const LANES: u32 = if cfg!(target_feature = "avx2") { 8 } else { 1 };
    struct Local;
    impl Generic<u8> {
        pub const LANES: u32 = LANES;
    }
    Generic::<u8>::LANES
}

#[simd_core::dispatch(targets = "avx2")]
pub fn local() -> u32 {
    struct Local;
    impl Generic<Local> {
        const LANES: u32 = 2;
    }
    trait Lanes {
        const LANES: u32;
    }
    impl Lanes for [u8; 3] {
        const LANES: u32 = 3;
    }
    Generic::<Local>::LANES + <[u8; 3]>::LANES
}

#[simd_core::dispatch(targets = "avx2")]
pub fn hidden() -> u32 {
    {
        #[allow(dead_code)]
        struct Generic;
    }
    impl Generic<u16> {
        pub const LANES: u32 = 1;
    }
    Generic::<u16>::LANES
}

fn main() {}
