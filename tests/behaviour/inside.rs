//! Items in the body of a dispatched function: they exist in each clone, with features of their own.

#![forbid(unsafe_code)]

use simd_core::dispatch;
use simd_core::dispatch as renamed;

/// Three features, by `cfg`.
macro_rules! cfgs {
    () => {
        [cfg!(target_feature = "avx512f"), cfg!(target_feature = "avx2"), cfg!(target_feature = "sse4.2")]
    };
}

/// The same by the build.
const BUILD: [bool; 3] = cfgs!();

/// The answers of `cfg` in the clone for the first of `lists` that is there.
fn expected<const N: usize>(lists: [(bool, [bool; 3]); N]) -> [bool; 3] {
    let has = lists.into_iter().find(|(present, _)| *present).map_or([false; 3], |(_, has)| has);
    std::array::from_fn(|i| has[i] || BUILD[i])
}

fn v4_or_sse() -> [bool; 3] {
    expected([
        (simd_core::detected!("x86_64: avx512f"), [true, true, true]),
        (simd_core::detected!("x86_64: sse4.2"), [false, false, true]),
    ])
}

fn avx2() -> [bool; 3] {
    expected([(simd_core::detected!("x86_64: avx2"), [false, true, true])])
}

/// The outer clone's, those of what has targets of its own, and those of what has none.
type Seen = ([bool; 3], Vec<[bool; 3]>, Vec<[bool; 3]>);

#[dispatch(targets = "x86_64: avx2")]
fn outer() -> Seen {
    macro_rules! local {
        () => {
            [cfg!(target_feature = "avx512f"), cfg!(target_feature = "avx2"), cfg!(target_feature = "sse4.2")]
        };
    }

    #[dispatch(targets = "x86_64: avx512f | x86_64: sse4.2")]
    fn inner() -> [bool; 3] {
        [cfg!(target_feature = "avx512f"), cfg!(target_feature = "avx2"), cfg!(target_feature = "sse4.2")]
    }
    #[renamed(targets = "x86_64: avx512f | x86_64: sse4.2")]
    fn other() -> [bool; 3] {
        let inner =
            || [cfg!(target_feature = "avx512f"), cfg!(target_feature = "avx2"), cfg!(target_feature = "sse4.2")];
        inner()
    }
    // On most CPUs this is a baseline.
    #[renamed(targets = "x86_64: sse4a")]
    fn lacking() -> [bool; 3] {
        [cfg!(target_feature = "avx512f"), cfg!(target_feature = "avx2"), cfg!(target_feature = "sse4.2")]
    }
    struct Local;
    #[renamed(targets = "x86_64: avx512f | x86_64: sse4.2")]
    impl Local {
        fn dispatched() -> [bool; 3] {
            [cfg!(target_feature = "avx512f"), cfg!(target_feature = "avx2"), cfg!(target_feature = "sse4.2")]
        }
    }
    impl Local {
        fn ordinary() -> [bool; 3] {
            [cfg!(target_feature = "avx512f"), cfg!(target_feature = "avx2"), cfg!(target_feature = "sse4.2")]
        }
        #[cfg(target_feature = "avx2")]
        const WIDTH: usize = 8;
        #[cfg(not(target_feature = "avx2"))]
        const WIDTH: usize = 4;
    }
    trait Provided {
        fn provided(&self) -> [bool; 3] {
            [cfg!(target_feature = "avx512f"), cfg!(target_feature = "avx2"), cfg!(target_feature = "sse4.2")]
        }
    }
    impl Provided for Local {}
    mod module {
        pub(super) fn function() -> [bool; 3] {
            [cfg!(target_feature = "avx512f"), cfg!(target_feature = "avx2"), cfg!(target_feature = "sse4.2")]
        }
    }
    assert_eq!(Local::WIDTH == 8, BUILD[1]);
    #[dispatch(targets = "x86_64: avx512f | x86_64: sse4.2")]
    fn behind_a_pointer() -> [bool; 3] {
        #[cfg(target_feature = "avx512f")]
        {
            use std::arch::x86_64::{_mm512_reduce_add_epi32, _mm512_set1_epi32};
            assert_eq!(_mm512_reduce_add_epi32(_mm512_set1_epi32(1)), 16);
        }
        [cfg!(target_feature = "avx512f"), cfg!(target_feature = "avx2"), cfg!(target_feature = "sse4.2")]
    }
    let pointer: fn() -> [bool; 3] = core::hint::black_box(behind_a_pointer);
    (
        local!(),
        vec![inner(), other(), Local::dispatched(), pointer()],
        vec![Local::ordinary(), Local.provided(), module::function(), lacking()],
    )
}

#[test]
fn each_has_its_own_cfg() {
    let (own, dispatched, ordinary) = outer();
    assert_eq!(own, avx2());
    assert_eq!(dispatched, vec![v4_or_sse(); 4]);
    assert_eq!(ordinary, vec![BUILD; 4]);
}

#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
trait Run {
    fn run() -> u32;
}

#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
#[dispatch(targets = "avx512f | avx2")]
fn leaf() -> u32 {
    if cfg!(target_feature = "avx512f") {
        512
    } else if cfg!(target_feature = "avx2") {
        2
    } else {
        0
    }
}

/// The attribute refuses an impl that it sees in a body, for a type from outside.
#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
macro_rules! carried {
    ($inner:ident) => {
        impl Run for [u8; 3] {
            fn run() -> u32 {
                $inner()
            }
        }
    };
}

/// The clone for AVX2 has an impl through which its nested function is called on any CPU with AVX2.
#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
#[dispatch(targets = "avx512f | avx2")]
#[allow(non_local_definitions, reason = "that is the point")]
fn carries() -> u32 {
    /// By this word the attribute knows that there may be an impl.
    #[allow(dead_code)]
    trait Unused {}

    #[cfg(all(target_feature = "avx2", not(target_feature = "avx512f")))]
    {
        fn inner() -> u32 {
            leaf()
        }
        carried!(inner);
    }
    leaf()
}

#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
#[test]
fn a_carried_function_knows_its_own_features_alone() {
    assert_eq!(carries(), leaf());
    run_it();
}

#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
#[inline(never)]
fn run_it() {
    if simd_core::detected!("avx2") {
        assert_eq!(<[u8; 3] as Run>::run(), leaf());
    } else {
        assert!(std::panic::catch_unwind(<[u8; 3] as Run>::run).is_err());
    }
}
