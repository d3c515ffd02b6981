//! To rustc, each clone of a safe method is the safe code that it is.

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

#[target_feature(enable = "avx2")]
fn needs() -> u32 {
    8
}

pub trait Methods {
    fn by_an_argument(&self) -> u32;
    fn by_a_constant(&self) -> u32;
    fn in_a_closure(&self) -> u32;
    fn under_cfg(&self) -> u32;
    fn everywhere(&self) -> u32;
}

#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    use super::{Chosen, Methods, needs};

    const WIDE: bool = cfg!(target_feature = "avx2");

    pub struct Block;

    impl Methods for Block {
        fn by_an_argument(&self) -> u32 {
            Chosen::<{ cfg!(target_feature = "avx2") }>::go()
        }

        fn by_a_constant(&self) -> u32 {
            Chosen::<WIDE>::go()
        }

        fn in_a_closure(&self) -> u32 {
            let go = || Chosen::<WIDE>::go();
            go()
        }

        fn under_cfg(&self) -> u32 {
            #[cfg(target_feature = "avx2")]
            return needs();
            #[cfg(not(target_feature = "avx2"))]
            4
        }

        fn everywhere(&self) -> u32 {
            [needs, needs][0]()
        }
    }
}

fn main() {}
