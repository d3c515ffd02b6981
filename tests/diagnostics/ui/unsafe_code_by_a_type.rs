//! A constant chooses a type, and the type an unsafe function: the baseline does not have the call.

pub struct Chosen<const WIDE: bool>;

impl Chosen<false> {
    fn go() -> u32 {
        1
    }
}

impl Chosen<true> {
    unsafe fn go() -> u32 {
        2
    }
}

pub trait Go {
    fn by_an_argument(&self) -> u32;
    fn by_a_constant(&self) -> u32;
    fn by_a_macro(&self) -> u32;
    fn in_a_closure(&self) -> u32;
    fn safe(&self) -> String;
}

#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    use super::{Chosen, Go};

    const WIDE: bool = cfg!(target_feature = "avx2");

    macro_rules! wide {
        () => {
            cfg!(target_feature = "avx2")
        };
    }

    pub struct Block;

    impl Go for Block {
        fn by_an_argument(&self) -> u32 {
            Chosen::<{ cfg!(target_feature = "avx2") }>::go()
        }

        fn by_a_constant(&self) -> u32 {
            Chosen::<WIDE>::go()
        }

        fn by_a_macro(&self) -> u32 {
            Chosen::<{ wide!() }>::go()
        }

        fn in_a_closure(&self) -> u32 {
            let go = || Chosen::<{ cfg!(target_feature = "avx2") }>::go();
            go()
        }

        fn safe(&self) -> String {
            let wide = cfg!(target_feature = "avx2");
            format!("{wide}")
        }
    }
}

fn main() {}
