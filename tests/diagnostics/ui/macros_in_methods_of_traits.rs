//! The clones of a safe method are unsafe, and rustc checks them by a lint, which does not see into other crates' macros.

pub struct Writer;

impl Writer {
    #[target_feature(enable = "avx512f")]
    fn write_fmt(&self, _: std::fmt::Arguments<'_>) {}
}

pub trait Lanes {
    fn lanes(&self, of: &[u32]) -> u32;
    fn checked(&self) -> u32;
    fn imported(&self, of: &u32) -> u32;
    fn by_a_path(&self, of: &u32) -> u32;
    fn in_the_same_code(&self, to: &mut String);
    fn tested_in_arguments(&self, to: &mut String);
    fn by_own_macros(&self) -> u32;
    fn by_a_crate_of_that_name(&self) -> bool;
    fn picked(&self) -> u32;
}

#[simd_core::dispatch(targets = "avx2 | sse4.1")]
mod kernels {
    use super::{Lanes, Writer};
    use simd_core::match_target;
    use std::fmt::Write as _;

    macro_rules! written {
        () => {
            write!(Writer, "8")
        };
    }

    macro_rules! by_name {
        ($assert:ident, $true:expr) => {
            $assert!($true)
        };
    }

    macro_rules! from_pieces {
        ($($piece:tt)*) => {
            $($piece)*
        };
    }

    #[cfg(all())]
    macro_rules! sometimes {
        () => {};
    }

    pub struct Block;

    impl Lanes for Block {
        fn lanes(&self, of: &[u32]) -> u32 {
            #[cfg(target_feature = "avx2")]
            {
                write!(Writer, "{of:?}");
                return 8;
            }
            #[cfg(not(target_feature = "avx2"))]
            4
        }

        fn checked(&self) -> u32 {
            #[cfg(target_feature = "avx2")]
            written!();
            debug_assert!(match_target! { "avx2" => 8, _ => 4 } > 1);
            if !(1 > 2) { 8 } else { 4 }
        }

        fn by_a_path(&self, of: &u32) -> u32 {
            #[cfg(target_feature = "avx2")]
            {
                assert!(*of > 1);
                other::assert!(*of > 1);
                {
                    macro_rules! vec {
                        () => {};
                    }
                }
                vec![*of];
            }
            *of
        }

        fn imported(&self, of: &u32) -> u32 {
            #[cfg(target_feature = "avx2")]
            {
                use std::write as assert;
                assert!(Writer, "{of}");
            }
            *of
        }

        fn in_the_same_code(&self, to: &mut String) {
            let wide = cfg!(target_feature = "avx2");
            write!(to, "{wide}").unwrap();
        }

        fn tested_in_arguments(&self, to: &mut String) {
            write!(to, "{}", cfg!(target_feature = "avx2")).unwrap();
        }

        fn by_own_macros(&self) -> u32 {
            #[cfg(target_feature = "avx2")]
            {
                by_name!(assert, 1 > 0);
                from_pieces!(assert!(1 > 0));
                sometimes!();
            }
            8
        }

        fn by_a_crate_of_that_name(&self) -> bool {
            #[cfg(target_feature = "avx2")]
            return other::simd_core::detected!("avx2");
            #[cfg(not(target_feature = "avx2"))]
            false
        }

        #[cfg(target_feature = "avx2")]
        fn picked(&self) -> u32 {
            vec![8][0]
        }

        #[cfg(not(target_feature = "avx2"))]
        fn picked(&self) -> u32 {
            4
        }
    }
}

fn main() {}
