//! The clones of a safe method are unsafe. What they do is checked in the baseline, so they can do nothing else.

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

mod wide {
    pub const LANES: u32 = 8;
}

mod narrow {
    pub const LANES: u32 = 4;
}

pub trait Methods {
    fn under_cfg(&self) -> u32;
    fn by_match_target(&self) -> u32;
    fn by_an_argument(&self) -> u32;
    fn by_a_length(&self) -> usize;
    fn by_a_local_constant(&self) -> u32;
    fn in_an_inner_function(&self) -> u32;
    fn in_the_arguments_of_a_macro(&self) -> String;
    fn by_a_constant(&self) -> u32;
    fn by_an_alias(&self) -> u32;
    fn by_an_import(&self) -> u32;
    fn by_a_macro(&self) -> u32;
    fn through_a_macro(&self) -> u32;
    fn in_a_closure(&self) -> u32;
    fn selected(&self) -> u32;
}

#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    use super::{Chosen, Methods};
    #[cfg(not(target_feature = "avx2"))]
    use super::narrow::LANES;
    #[cfg(target_feature = "avx2")]
    use super::wide::LANES;
    use simd_core::match_target;

    const WIDE: bool = cfg!(target_feature = "avx2");

    type Wide = Chosen<{ cfg!(target_feature = "avx2") }>;

    macro_rules! wide {
        () => {
            cfg!(target_feature = "avx2")
        };
    }

    macro_rules! lanes {
        () => {
            LANES
        };
    }

    pub struct Block;

    impl Methods for Block {
        fn under_cfg(&self) -> u32 {
            #[cfg(target_feature = "avx2")]
            return 8;
            #[cfg(not(target_feature = "avx2"))]
            4
        }

        fn by_match_target(&self) -> u32 {
            match_target! { "avx2" => 8, _ => 4 }
        }

        fn by_an_argument(&self) -> u32 {
            Chosen::<{ cfg!(target_feature = "avx2") }>::go()
        }

        fn by_a_length(&self) -> usize {
            [0; cfg!(target_feature = "avx2") as usize].len()
        }

        fn by_a_local_constant(&self) -> u32 {
            const WIDE: bool = cfg!(target_feature = "avx2");
            Chosen::<WIDE>::go()
        }

        fn in_an_inner_function(&self) -> u32 {
            fn inner() -> u32 {
                if cfg!(target_feature = "avx2") { 8 } else { 4 }
            }
            inner()
        }

        fn in_the_arguments_of_a_macro(&self) -> String {
            format!("{}", cfg!(target_feature = "avx2"))
        }

        fn by_a_constant(&self) -> u32 {
            Chosen::<WIDE>::go()
        }

        fn by_an_alias(&self) -> u32 {
            Wide::go()
        }

        fn by_an_import(&self) -> u32 {
            LANES
        }

        fn by_a_macro(&self) -> u32 {
            Chosen::<{ wide!() }>::go()
        }

        fn through_a_macro(&self) -> u32 {
            lanes!()
        }

        fn in_a_closure(&self) -> u32 {
            let go = || Chosen::<{ cfg!(target_feature = "avx2") }>::go();
            go()
        }

        fn selected(&self) -> u32 {
            4
        }
    }
}

pub struct Other;

#[simd_core::dispatch(targets = "avx2")]
impl Iterator for Other {
    type Item = u32;

    #[cfg(target_feature = "avx2")]
    fn next(&mut self) -> Option<u32> {
        Some(8)
    }

    #[cfg(not(target_feature = "avx2"))]
    fn next(&mut self) -> Option<u32> {
        None
    }
}

#[simd_core::dispatch(targets = "avx2")]
trait Default {
    fn lanes(&self) -> u32 {
        match_target! { "avx2" => 8, _ => 4 }
    }
}

#[simd_core::dispatch(targets = "avx2")]
mod impls {
    pub struct Block;

    #[cfg(target_feature = "avx2")]
    impl From<u32> for Block {
        fn from(_: u32) -> Block {
            Block
        }
    }

    #[cfg(target_feature = "avx2")]
    mod inner {
        struct Vector;

        impl From<u32> for Vector {
            fn from(_: u32) -> Vector {
                Vector
            }
        }
    }
}

// At run time a `cfg!` chooses among code that is checked in all clones.
#[simd_core::dispatch(targets = "avx2")]
impl From<Other> for u32 {
    fn from(_: Other) -> u32 {
        if cfg!(target_feature = "avx2") { 8 } else { 4 }
    }
}

fn main() {}
