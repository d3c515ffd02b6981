//! A fused multiply-add, which the levels of all contenders have.
#![allow(unsafe_code, reason = "the way by hand takes it")]
#![allow(clippy::inline_always, reason = "pulp's way of helpers")]

use super::{CALLS, Contender, add_all};
use crate::case::{Case, sample};

/// Factors below one, so that products stay finite, and what is added.
type Pairs = [(f64, f64)];

pub(super) fn add(cases: &mut Vec<Case>) {
    let all: [Contender<f64>; 7] = [
        ("inlined in one function", [by_hand::throughput, by_hand::latency]),
        ("simd-core, nested", [ours::nested::throughput, ours::nested::latency]),
        ("simd-core, unannotated caller", [ours::leaf::throughput, ours::leaf::latency]),
        ("fearless_simd, nested", [fearless::nested::throughput, fearless::nested::latency]),
        ("fearless_simd, dispatch!", [fearless::leaf::throughput, fearless::leaf::latency]),
        ("pulp, nested", [with_pulp::nested::throughput, with_pulp::nested::latency]),
        ("pulp, Arch::dispatch", [with_pulp::leaf::throughput, with_pulp::leaf::latency]),
    ];
    add_all(cases, "dispatch, levels", pairs, ("", [plain::throughput, plain::latency]), all);
}

fn pairs() -> Vec<(f64, f64)> {
    sample(CALLS * 2).as_chunks().0.iter().map(|[a, b]| (f64::from(*a) / 257.0, f64::from(*b))).collect()
}

/// The loops around a leaf, in a caller that knows nothing.
macro_rules! loops {
    ($leaf:expr) => {
        pub(crate) fn throughput(pairs: &[(f64, f64)]) -> u64 {
            pairs.iter().fold(0, |sum, &(a, b)| sum ^ $leaf(a, 3.0, b).to_bits())
        }

        pub(crate) fn latency(pairs: &[(f64, f64)]) -> u64 {
            pairs.iter().fold(1.0, |x, &(a, b)| $leaf(x, a, b)).to_bits()
        }
    };
}

/// The same loops, with what comes before and around each.
macro_rules! nested {
    ($(#[$attribute:meta])* $leaf:path, $($given:ident: $type:ident)?) => {
        $(#[$attribute])*
        fn throughput_inside<$($type: fearless_simd::Simd)?>($($given: $type,)? pairs: &[(f64, f64)]) -> u64 {
            pairs.iter().fold(0, |sum, &(a, b)| sum ^ $leaf($($given,)? a, 3.0, b).to_bits())
        }

        $(#[$attribute])*
        fn latency_inside<$($type: fearless_simd::Simd)?>($($given: $type,)? pairs: &[(f64, f64)]) -> u64 {
            pairs.iter().fold(1.0, |x, &(a, b)| $leaf($($given,)? x, a, b)).to_bits()
        }
    };
}

mod plain {
    loops!(f64::mul_add);
}

mod by_hand {
    use super::Pairs;

    nested!(
        #[target_feature(enable = "avx2,fma")]
        f64::mul_add,
    );

    pub(super) fn throughput(pairs: &Pairs) -> u64 {
        assert!(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"), "this CPU has no FMA to time");
        // SAFETY: just detected.
        unsafe { throughput_inside(pairs) }
    }

    pub(super) fn latency(pairs: &Pairs) -> u64 {
        assert!(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"), "this CPU has no FMA to time");
        // SAFETY: just detected.
        unsafe { latency_inside(pairs) }
    }
}

mod ours {
    use simd_core::dispatch;

    #[dispatch(targets = "x86-64-v3")]
    pub(super) fn fma(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }

    pub(super) mod leaf {
        loops!(super::fma);
    }

    #[dispatch(targets = "x86-64-v3")]
    pub(super) mod nested {
        pub(crate) fn throughput(pairs: &[(f64, f64)]) -> u64 {
            pairs.iter().fold(0, |sum, &(a, b)| sum ^ super::fma(a, 3.0, b).to_bits())
        }

        pub(crate) fn latency(pairs: &[(f64, f64)]) -> u64 {
            pairs.iter().fold(1.0, |x, &(a, b)| super::fma(x, a, b)).to_bits()
        }
    }
}

mod fearless {
    use fearless_simd::{Level, Simd, dispatch};
    use fearless_simd_macros::simd;

    #[simd]
    fn fma<S: Simd>(_: S, a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }

    pub(super) mod leaf {
        use super::{Level, dispatch, fma};

        loops!(|a, b, c| dispatch!(Level::new(), simd => fma(simd, a, b, c)));
    }

    pub(super) mod nested {
        use super::super::Pairs;
        use super::{Level, dispatch, fma, simd};

        nested!(#[simd] fma, simd: S);

        pub(in super::super) fn throughput(pairs: &Pairs) -> u64 {
            dispatch!(Level::new(), simd => throughput_inside(simd, pairs))
        }

        pub(in super::super) fn latency(pairs: &Pairs) -> u64 {
            dispatch!(Level::new(), simd => latency_inside(simd, pairs))
        }
    }
}

mod with_pulp {
    use pulp::Arch;

    #[inline(always)]
    fn fma(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }

    pub(super) mod leaf {
        use super::{Arch, fma};

        loops!(|a, b, c| Arch::new().dispatch(
            #[inline(always)]
            || fma(a, b, c)
        ));
    }

    pub(super) mod nested {
        use super::super::Pairs;
        use super::{Arch, fma};

        nested!(
            #[inline(always)]
            fma,
        );

        pub(in super::super) fn throughput(pairs: &Pairs) -> u64 {
            Arch::new().dispatch(
                #[inline(always)]
                || throughput_inside(pairs),
            )
        }

        pub(in super::super) fn latency(pairs: &Pairs) -> u64 {
            Arch::new().dispatch(
                #[inline(always)]
                || latency_inside(pairs),
            )
        }
    }
}
