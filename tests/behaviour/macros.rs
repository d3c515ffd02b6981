//! Macros of a module that name what differs between clones: each clone has those that are visible at its function.
#![forbid(unsafe_code)]
#![deny(unused_macros, reason = "as without the attribute")]

use integration_tests::{block_on, expected, sees};
use simd_core::testing::each_target;

#[simd_core::dispatch(targets = "avx2,aes | aes")]
mod kernels {
    macro_rules! outer {
        () => {
            inner!()
        };
    }

    #[cfg(target_feature = "avx2")]
    const WIDTH: usize = 8;
    #[cfg(not(target_feature = "avx2"))]
    const WIDTH: usize = 4;

    macro_rules! inner {
        () => {
            WIDTH
        };
    }

    pub(super) fn defined_later() -> usize {
        outer!()
    }

    macro_rules! inner {
        () => {
            100
        };
    }

    pub(super) fn replaced() -> [usize; 2] {
        [inner!(), outer!()]
    }

    pub(super) fn local() -> usize {
        macro_rules! outer {
            () => {
                7
            };
        }
        outer!()
    }

    #[cfg(target_feature = "avx2")]
    fn wide() -> usize {
        8
    }
    #[cfg(not(target_feature = "avx2"))]
    fn wide() -> usize {
        4
    }
    /// Two ways of naming what differs.
    macro_rules! lanes {
        () => {
            WIDTH
        };
        ($function:ident) => {
            $function()
        };
    }
    const LANES: usize = lanes!();

    pub(super) fn selected() -> [usize; 3] {
        [[0; lanes!()].len(), lanes!(wide), LANES]
    }

    pub(super) mod nested {
        use super::wide;

        pub(in super::super) fn visible() -> usize {
            lanes!(wide)
        }

        macro_rules! lanes {
            () => {
                50
            };
        }

        pub(in super::super) fn replaced() -> usize {
            lanes!()
        }
    }

    pub(super) fn after_the_module() -> usize {
        lanes!()
    }

    #[macro_use]
    mod open {
        macro_rules! wide {
            () => {
                AVX2
            };
        }
    }
    const AVX2: bool = cfg!(target_feature = "avx2");
    const WIDE: bool = AVX2 && wide!();

    pub(super) fn of_an_open_module() -> [bool; 2] {
        [wide!(), WIDE]
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn as_visible() {
    let (avx2, _) = sees();
    let lanes = if avx2 { 8 } else { 4 };
    assert_eq!(kernels::defined_later(), lanes, "{}", expected());
    assert_eq!((kernels::replaced(), kernels::local()), ([100; 2], 7));
    assert_eq!(kernels::selected(), [lanes; 3]);
    assert_eq!((kernels::nested::visible(), kernels::nested::replaced()), (lanes, 50));
    assert_eq!(kernels::after_the_module(), lanes);
    assert_eq!(kernels::of_an_open_module(), [avx2; 2]);
}

/// A statement under a `cfg` may be the last one of a block, and what the statement before it awaits precedes it.
#[simd_core::dispatch(targets = "avx2,aes | aes")]
async fn ends_by_cfg(value: usize) -> usize {
    let first = {
        #[cfg(target_feature = "avx2")]
        {
            core::future::ready(value).await + 8
        }
        #[cfg(not(target_feature = "avx2"))]
        {
            core::future::ready(value).await + 4
        }
    };
    #[cfg(target_feature = "aes")]
    {
        core::future::ready(first).await * 2
    }
    #[cfg(not(target_feature = "aes"))]
    {
        core::future::ready(first).await
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn statements_under_cfg() {
    let (avx2, aes) = sees();
    let first = 1 + if avx2 { 8 } else { 4 };
    assert_eq!(block_on(ends_by_cfg(1)), if aes { first * 2 } else { first });
}
