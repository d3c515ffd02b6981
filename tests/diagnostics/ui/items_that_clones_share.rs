#[simd_core::dispatch(targets = "avx2 | sse4.1")]
mod kernels {
    #[cfg(target_feature = "avx2")]
    use core::fmt::Debug;

    macro_rules! pick {
        ($with:expr, $without:expr) => {
            if cfg!(target_feature = "avx2") { $with } else { $without }
        };
    }

    #[dispatch(skip)]
    macro_rules! of_the_build {
        () => {
            cfg!(target_feature = "avx2")
        };
    }

    pub static LANES: usize = if cfg!(target_feature = "avx2") { 8 } else { 4 };
    pub static MATCHED: usize = simd_core::match_target! { "avx2" => 8, _ => 4 };

    #[dispatch(skip)]
    pub static SKIPPED: bool = of_the_build!();

    #[cfg_attr(target_feature = "avx2", repr(align(32)))]
    pub struct Aligned(pub u8);

    pub enum Choice {
        #[cfg(target_feature = "avx2")]
        Wide,
        Narrow,
    }

    impl Aligned {
        pub const LANES: usize = if cfg!(target_feature = "avx2") { 8 } else { 4 };
        #[cfg(target_feature = "avx2")]
        pub const WIDE: bool = true;
    }

    impl Iterator for Aligned {
        type Item = [u8; cfg!(target_feature = "avx2") as usize];

        fn next(&mut self) -> Option<Self::Item> {
            None
        }
    }

    pub const fn lanes() -> usize {
        cfg!(target_feature = "avx2") as usize
    }

    #[cfg(target_feature = "avx2")]
    pub trait Proof {
        const PROOF: ();
    }

    #[cfg(target_feature = "avx2")]
    unsafe impl Sync for Choice {}

    #[cfg(target_feature = "avx2")]
    mod inner {}

    #[cfg(target_feature = "avx2")]
    unsafe extern "C" {
        safe fn abs(number: i32) -> i32;
    }

    #[cfg(target_feature = "avx2")]
    thread_local! {
        static COUNT: u32 = const { 0 };
    }

    #[cfg_attr(target_feature = "avx2", target_feature(enable = "avx2"))]
    fn by_hand() {}

    fn in_a_signature(#[cfg(target_feature = "avx2")] _: u8) {}

    #[cfg(target_feature = "avx2")]
    const WITH_AN_IMPL: u8 = {
        impl Clone for Choice {
            fn clone(&self) -> Choice {
                Choice::Narrow
            }
        }
        1
    };
}

#[simd_core::dispatch(targets = "avx2")]
trait Required {
    #[cfg(target_feature = "avx2")]
    fn required(&self);
}

fn main() {}
