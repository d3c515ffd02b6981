//! What files name that `cargo dispatch expand --write` has written: [`v1`].
//!
//! Such a file has the dispatched form of a module, for crates that build without a macro. Its first line says from what it was made,
//! and how to make it again. It has few names of this crate, and calls this module `cpu`:
//!
//! | in the file | meaning |
//! |---|---|
//! | `cpu::X86_64_V3`, `cpu::AVX2` | a level, or a feature, as a type |
//! | `if !cpu::lacks::<cpu::AVX2>()` | the test before a clone |
//! | `unsafe { __add__avx2(a, b, __proof) }` | the call of a clone. Behind the test, the CPU has what the clone is compiled for |
//! | `const { cpu::possible::<cpu::AVX2>() }` | before the test: whether this program can find the features at all |
//! | `unsafe { cpu::Proof::new() }` | the last argument of a clone, which only `unsafe` code can make |
//! | `unsafe { __add__avx2(__body) }` | a trait's clone: a closure is the body, and has consumed the proof by `cpu::consume(__proof)` |
//! | `unsafe { cpu::assert_present::<cpu::AVX2>() }`, `assert_selected`, `assert_none`, `assert_lacks` | a hint for the optimizer, at the start of a clone and of its closures: what the tests have found. It stands behind `self::`, since a macro in the body may make a module `cpu` |
//!
//! A file names the version of its form: `v1` exists in each simd-core of one minor version. If the file is of another, the compiler's
//! error is at the line that imports it; write the file again.
//!
//! The functions are `unsafe` where they rely on what their caller has tested. Code by hand is better served by the attribute.

/// The first form of written files.
///
/// The features and levels of the architecture are types of this module, called as the attribute calls them in capital letters, with
/// underscores: `AVX2`, `SSE4_1`, `X86_64_V3`. A target with several features is the tuple of them.
///
/// ```
/// use simd_core::expanded::v1 as cpu;
///
/// fn sum(xs: &[u32]) -> u32 {
///     fn baseline(xs: &[u32], _: cpu::Proof) -> u32 {
///         xs.iter().fold(0, |sum, &x| sum.wrapping_add(x))
///     }
///     // SAFETY: each proof is used for the clone that the tests below select.
///     let proof = unsafe { cpu::Proof::new() };
///     #[cfg(target_arch = "x86_64")]
///     {
///         #[target_feature(enable = "avx2,fma")]
///         fn avx2_fma(xs: &[u32], _: cpu::Proof) -> u32 {
///             // SAFETY: the test below has found both.
///             unsafe { cpu::assert_present::<(cpu::AVX2, cpu::FMA)>() }
///             xs.iter().fold(0, |sum, &x| sum.wrapping_add(x))
///         }
///         if !cpu::lacks::<(cpu::AVX2, cpu::FMA)>() {
///             // SAFETY: the CPU has both.
///             return unsafe { avx2_fma(xs, proof) };
///         }
///     }
///     baseline(xs, proof)
/// }
///
/// assert_eq!(sum(&[1, 2, 3]), 6);
/// ```
pub mod v1 {
    #![allow(clippy::inline_always, reason = "the tests fold only where they are")]

    pub use crate::differs::{AliasUsableOnlyInsideClones, ConstantUsableOnlyInsideClones};
    pub use crate::known::{Proof, assert_absent, assert_lacks, assert_present, lacks, present, target_lost};
    pub use crate::static_target::StaticTarget as Target;
    #[allow(unused_imports, unreachable_pub, reason = "some architectures have no features")]
    pub use crate::static_target::{features::*, levels::*};
    pub use crate::targets::Listed;

    /// What the body of a trait's method begins with, which is a closure: it captures the proof, and nothing behind it can use it.
    #[inline(always)]
    pub fn consume(_: Proof) {}

    /// Whether a clone for `S` can be selected in this program: whether detection can find the features, and the program is not built
    /// without them. Before a test as a constant, it keeps clones for other features out of the program.
    #[inline(always)]
    #[must_use]
    pub const fn possible<S: Target>() -> bool {
        S::POSSIBLE
    }

    /// Whether the build enables `S` for all code.
    #[inline(always)]
    #[must_use]
    pub const fn enabled<S: Target>() -> bool {
        S::ENABLED
    }

    /// The target `S` for a list of [`Targets`](crate::Targets), under its name.
    #[must_use]
    pub const fn listed<S: Target>(name: &'static str) -> Listed {
        Listed::new(name, S::SET)
    }

    /// Several targets, a tuple.
    pub trait Targets {
        /// [`assert_lacks`] for each.
        ///
        /// # Safety
        ///
        /// As there.
        unsafe fn assert_lacking();

        /// [`assert_absent`] for each.
        ///
        /// # Safety
        ///
        /// As there.
        unsafe fn assert_absent<S: Target>();
    }

    /// Asserts that the CPU has `S`, and lacks part of each target in `Earlier`.
    ///
    /// # Safety
    ///
    /// In this process, [`present`] has returned true for `S`, or [`lacks`] false, and [`lacks`] true for those in `Earlier`. The
    /// caller is compiled with the features of `S`.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub unsafe fn assert_selected<S: Target, Earlier: Targets>() {
        // SAFETY: as the caller promises.
        unsafe {
            assert_present::<S>();
            Earlier::assert_absent::<S>();
        }
    }

    /// Asserts that the CPU lacks part of each target in `All`, or that detection has not run.
    ///
    /// # Safety
    ///
    /// [`lacks`] has returned true for each, in this frame or in one that has called it.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub unsafe fn assert_none<All: Targets>() {
        // SAFETY: as the caller promises.
        unsafe { All::assert_lacking() }
    }

    macro_rules! tuples {
        ($first:ident $($rest:ident)*) => {
            impl<$first: Target, $($rest: Target),*> Targets for ($first, $($rest,)*) {
                #[cfg_attr(debug_assertions, inline)]
                #[cfg_attr(not(debug_assertions), inline(always))]
                unsafe fn assert_lacking() {
                    // SAFETY: as the caller promises.
                    unsafe {
                        assert_lacks::<$first>();
                        $(assert_lacks::<$rest>();)*
                    }
                }

                #[cfg_attr(debug_assertions, inline)]
                #[cfg_attr(not(debug_assertions), inline(always))]
                unsafe fn assert_absent<Selected: Target>() {
                    // SAFETY: as the caller promises.
                    unsafe {
                        assert_absent::<$first, Selected>();
                        $(assert_absent::<$rest, Selected>();)*
                    }
                }
            }
            tuples!(@next $($rest)*);
        };
        (@next) => {};
        (@next $($rest:ident)*) => { tuples!($($rest)*); };
    }
    tuples!(A B C D E F G H I J K L);

    macro_rules! all_of {
        ($first:ident $second:ident) => {};
        ($first:ident $($rest:ident)*) => {
            impl<$first: Target, $($rest: Target),*> Target for ($first, $($rest),*) {
                const SET: crate::mask::FeatureSet = $first::SET$(.and($rest::SET))*;
            }
            all_of!($($rest)*);
        };
    }
    all_of!(A B C D E F G H I J K L);
}

#[cfg(test)]
mod tests {
    use super::v1::{Target, Targets, assert_none, assert_selected, enabled, lacks, listed, possible, present};
    use crate::mask::FeatureSet;

    /// Part of every CPU that a build is for, and of none.
    enum All {}
    enum No {}

    impl Target for All {
        const SET: FeatureSet = FeatureSet::EMPTY;
    }

    impl Target for No {
        const SET: FeatureSet = FeatureSet::EMPTY;
        const ENABLED: bool = false;
        const POSSIBLE: bool = false;
    }

    #[test]
    fn questions_agree() {
        assert!(present::<All>() && !lacks::<All>() && const { enabled::<All>() && possible::<All>() });
        assert!(lacks::<No>() && !present::<No>() && const { !enabled::<No>() && !possible::<No>() });
        let targets = crate::Targets::new(const { &[listed::<All>("all")] });
        assert_eq!(targets.chosen(), "all");
    }

    #[test]
    fn tuples_are_all_of_their_targets() {
        fn assert_for<Earlier: Targets>() {
            // SAFETY: `All` is present, and the others lack.
            unsafe {
                assert_selected::<All, Earlier>();
                assert_none::<Earlier>();
            }
        }
        assert_for::<(No,)>();
        assert_for::<(No, No, No)>();
        assert_for::<(No, No, No, No, No, No, No, No, No, No, No, No)>();
        #[cfg(target_arch = "x86_64")]
        {
            use super::v1::{AVX2, BMI2, FMA, X86_64_V3};
            let three = AVX2::SET.and(FMA::SET).and(BMI2::SET);
            assert_eq!(<(AVX2, FMA, BMI2) as Target>::SET, three);
            assert_eq!(<(AVX2, FMA, BMI2, X86_64_V3) as Target>::SET, three.and(X86_64_V3::SET));
            assert_eq!(present::<(AVX2, FMA, BMI2)>(), present::<((AVX2, FMA), BMI2)>());
            assert_eq!(lacks::<(AVX2, FMA, BMI2)>(), !present::<(AVX2, FMA, BMI2)>());
        }
    }
}
