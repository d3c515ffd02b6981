//! Methods of traits next to items that differ between clones: other things of the same names, and tests of features that
//! are values.

use integration_tests::sees;
use simd_core::testing::each_target;

#[simd_core::dispatch(targets = "avx2,aes | aes")]
mod kernels {
    use self::{narrow::sum as narrow_sum, wide::sum as wide_sum};

    #[cfg(target_feature = "aes")]
    fn sum(values: &[u32]) -> u32 {
        wide_sum(values)
    }
    #[cfg(not(target_feature = "aes"))]
    fn sum(values: &[u32]) -> u32 {
        narrow_sum(values)
    }

    mod wide {
        pub(super) fn sum(values: &[u32]) -> u32 {
            values.iter().sum::<u32>() + 1000
        }
    }

    mod narrow {
        pub(super) fn sum(values: &[u32]) -> u32 {
            values.iter().sum()
        }
    }

    const LANES: usize = if cfg!(target_feature = "aes") { 8 } else { 4 };

    macro_rules! lanes {
        () => {
            LANES
        };
    }

    pub(super) fn total(values: &[u32]) -> (u32, usize) {
        (sum(values), lanes!())
    }

    pub(super) struct Values<const LANES: usize>(pub(super) [u32; LANES]);

    impl<const LANES: usize> Values<LANES> {
        /// Has the build's value.
        #[simd_core::dispatch(skip)]
        const HALF: usize = LANES / 2;
    }

    pub(super) trait Named {
        fn by_a_method(&self) -> u32;
        fn by_a_variable(&self) -> u32;
        fn in_a_format_string(&self) -> String;
        fn of_a_parameter(&self) -> usize;
        fn by_a_local_macro(&self) -> usize;
        fn in_a_featured_function(&self) -> usize;
        fn by_paths(&self) -> (bool, bool);
        fn under_an_attribute(&self) -> [bool; 2];
    }

    impl<const LANES: usize> Named for Values<LANES> {
        fn by_a_method(&self) -> u32 {
            self.0.iter().sum()
        }

        fn by_a_variable(&self) -> u32 {
            let sum = self.0[0];
            sum + 1
        }

        fn in_a_format_string(&self) -> String {
            let summary = self.0.len();
            format!("{summary}")
        }

        fn of_a_parameter(&self) -> usize {
            LANES + Self::HALF
        }

        fn by_a_local_macro(&self) -> usize {
            macro_rules! lanes {
                () => {
                    7
                };
            }
            lanes!()
        }

        fn in_a_featured_function(&self) -> usize {
            #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
            fn featured() -> usize {
                7
            }
            // SAFETY: every CPU of x86-64 has SSE2, and elsewhere the function needs nothing.
            #[allow(unused_unsafe, reason = "elsewhere it is an ordinary function")]
            unsafe {
                featured()
            }
        }

        fn by_paths(&self) -> (bool, bool) {
            (core::cfg!(unix), cfg!(target_feature = "avx2"))
        }

        fn under_an_attribute(&self) -> [bool; 2] {
            [
                #[cfg(not(any()))]
                cfg!(unix),
                #[cfg(any())]
                cfg!(unix),
                cfg!(target_feature = "aes"),
            ]
        }
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn names_of_other_things() {
    use kernels::Named as _;
    let (avx2, aes) = sees();
    assert_eq!(kernels::total(&[1, 2]), if aes { (1003, 8) } else { (3, 4) });
    let values = kernels::Values([3, 4]);
    assert_eq!((values.by_a_method(), values.by_a_variable()), (7, 4));
    assert_eq!((values.in_a_format_string().as_str(), values.of_a_parameter()), ("2", 3));
    assert_eq!((values.by_a_local_macro(), values.in_a_featured_function()), (7, 7));
    assert_eq!(values.by_paths(), (cfg!(unix), avx2));
    assert_eq!(values.under_an_attribute(), [cfg!(unix), aes]);
}
