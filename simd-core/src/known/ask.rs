//! The tests that dispatchers make of the words, and the assertions of clones.
//!
//! The tests are compiled into every dispatcher, in debug builds too, where nothing folds. So a set is a type, and one read
//! and one comparison remain for each word that has bits of the set. Assertions are for builds that optimise.

use core::hint::assert_unchecked;

use super::reader::{FOLDING, read, ready};
use crate::mask;
use crate::static_target::StaticTarget;

const _: () = assert!(mask::WORDS <= 3, "a test reads three words at most");

/// Whether the words lack part of a constant mask: one comparison.
// Not a loop, and no condition that is left at run time: the test has to fold before LLVM unrolls loops, and at the
// levels `s` and `z` LLVM does not unroll them.
macro_rules! lacks {
    ($mask:expr) => {{
        let mut lacking = 0;
        if const { $mask.at(0) != 0 } {
            lacking |= !read::<0>() & const { $mask.at(0) };
        }
        if const { $mask.at(1) != 0 } {
            lacking |= !read::<1>() & const { $mask.at(1) };
        }
        if const { $mask.at(2) != 0 } {
            lacking |= !read::<2>() & const { $mask.at(2) };
        }
        lacking != 0
    }};
}

/// Whether the CPU has `S`.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
#[must_use]
pub fn present<S: StaticTarget>() -> bool {
    !lacks::<S>()
}

/// Whether the CPU lacks part of `S`, or detection cannot find it, or has not run. What the build enables is present
/// without a test.
///
/// LLVM's first passes fold a test against an assertion of the same comparison that the test branches on, and not of
/// its inverse. Later passes would fold both, but drop the assertion when the test is moved into a branch. So
/// dispatchers branch on this function, and [`assert_lacks`] asserts it.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
#[must_use]
pub fn lacks<S: StaticTarget>() -> bool {
    if S::ENABLED {
        false
    } else if S::POSSIBLE {
        ready();
        lacks!(S::SET.leaf)
    } else {
        true
    }
}

/// Asserts that the CPU has `S`, unless the build enables it: then no test has read the words, which may be zero.
///
/// # Safety
///
/// [`present`] has returned true for `S` in this process, or `lacks` false, and the caller is compiled with its features.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub unsafe fn assert_present<S: StaticTarget>() {
    macro_rules! word {
        ($index:literal) => {
            if const { FOLDING && !S::ENABLED && S::SET.full.at($index) != 0 } {
                let full = const { S::SET.full.at($index) };
                // SAFETY: the words are closed under implication, so the tested bits prove all of these.
                unsafe { assert_unchecked(read::<$index>() & full == full) }
            }
        };
    }
    word!(0);
    word!(1);
    word!(2);
}

/// Asserts that the CPU lacks part of `S`, in the clone for `G`. Nothing if the build enables `G`: its clone can run before
/// detection, and make a closure that runs after it.
///
/// # Safety
///
/// In this process, [`present`] has returned true for `G`, or `lacks` false, and `lacks` true for `S`.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub unsafe fn assert_absent<S: StaticTarget, G: StaticTarget>() {
    if G::ENABLED {
        return;
    }
    // SAFETY: as the caller promises.
    unsafe { assert_lacks::<S>() }
    // Where LLVM knows `G`, it removes those bits from the tests. The assertion has to look like them.
    if const { FOLDING && S::POSSIBLE && S::SET.leaf.intersects(G::SET.full) } {
        // SAFETY: as above.
        unsafe { assert_unchecked(lacks!(S::SET.leaf.without(G::SET.full))) }
    }
}

/// Asserts that the words lack part of `S`.
///
/// # Safety
///
/// `lacks` has returned true, in this frame or in one that has called it.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub unsafe fn assert_lacks<S: StaticTarget>() {
    if const { FOLDING && S::POSSIBLE } {
        // SAFETY: as the caller promises.
        unsafe { assert_unchecked(lacks!(S::SET.leaf)) }
    }
}

/// Several targets: `(S, Rest)` or `()`.
///
/// To rustc, one call with a list is less work than a call for each target. So the methods are always inlined: what
/// they call remains.
pub trait Sets {
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
    unsafe fn assert_absent<G: StaticTarget>();
}

impl Sets for () {
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn assert_lacking() {}

    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn assert_absent<G: StaticTarget>() {}
}

impl<S: StaticTarget, Rest: Sets> Sets for (S, Rest) {
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn assert_lacking() {
        // SAFETY: as the caller promises.
        unsafe {
            assert_lacks::<S>();
            Rest::assert_lacking();
        }
    }

    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn assert_absent<G: StaticTarget>() {
        // SAFETY: as the caller promises.
        unsafe {
            assert_absent::<S, G>();
            Rest::assert_absent::<G>();
        }
    }
}

/// Asserts that the CPU has `S`, and lacks part of each target in `Earlier`.
///
/// # Safety
///
/// In this process, [`present`] has returned true for `S`, or `lacks` false, and `lacks` true for those in `Earlier`. The caller
/// is compiled with the features of `S`.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub unsafe fn assert_selected<S: StaticTarget, Earlier: Sets>() {
    // SAFETY: as the caller promises.
    unsafe {
        assert_present::<S>();
        Earlier::assert_absent::<S>();
    }
}

/// Asserts that the words lack part of each target in `Targets`.
///
/// # Safety
///
/// `lacks` has returned true for each, in this frame or in one that has called it.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub unsafe fn assert_none<Targets: Sets>() {
    // SAFETY: as the caller promises.
    unsafe { Targets::assert_lacking() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::FeatureSet;
    #[allow(unused_imports, reason = "most architectures have none")]
    use crate::static_target::features;

    /// After detection each question about `S` has the answer that the masks of its `parts` give.
    fn check<S: StaticTarget>(parts: &[FeatureSet]) {
        let found = super::super::found();
        let has = parts.iter().all(|part| found.contains(part.leaf));
        assert_eq!(present::<S>(), has, "{parts:?}");
        assert_eq!(lacks::<S>(), !has, "{parts:?}");
    }

    fn alone<S: StaticTarget>() {
        check::<S>(&[S::SET]);
    }

    fn pair<A: StaticTarget, B: StaticTarget>() {
        check::<(A, B)>(&[A::SET, B::SET]);
    }

    /// The first and the last feature that can be detected: where there are two words, each has one of them.
    enum First {}
    enum Last {}

    macro_rules! define {
        ($($family:ident [$($arch:literal)*]
            detected [$(($seen:ident $seen_name:tt $seen_bit:tt $seen_full:tt))*]
            static [$(($fixed:ident $fixed_name:tt $fixed_bit:tt $fixed_full:tt))*]
            later $later:tt unstable $unstable:tt tied $tied:tt;)*) => {
            $(
                #[cfg(any($(target_arch = $arch),*))]
                const DETECTED: &[FeatureSet] = &[$(<features::$seen as StaticTarget>::SET),*];

                #[cfg(any($(target_arch = $arch),*))]
                #[test]
                fn questions_agree_with_the_masks() {
                    $(
                        alone::<features::$seen>();
                        // All pairs would be thousands of functions to compile.
                        pair::<First, features::$seen>();
                        pair::<features::$seen, Last>();
                    )*
                    $(alone::<features::$fixed>();)*
                    neighbours!($($seen)* $($seen)*);
                }
            )*

            #[cfg(not(any($($(target_arch = $arch),*),*)))]
            const DETECTED: &[FeatureSet] = &[];
        };
    }

    /// Each feature with the one before it or the one after it: the list stands there twice, so that its length is even.
    #[allow(unused_macros, reason = "some architectures have no features")]
    macro_rules! neighbours {
        ($($one:ident $other:ident)*) => {
            $(pair::<features::$one, features::$other>();)*
        };
    }
    table!(features define);

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_level_is_its_features() {
        use crate::mask::feature;
        use crate::static_target::levels::{X86_64_V2, X86_64_V3, X86_64_V4};
        for (set, name) in [(X86_64_V2::SET, "x86-64-v2"), (X86_64_V3::SET, "x86-64-v3"), (X86_64_V4::SET, "x86-64-v4")]
        {
            let (_, features) = mask::OTHER_NAMES.iter().find(|(other, _)| *other == name).unwrap();
            assert_eq!(set, features.iter().fold(FeatureSet::EMPTY, |set, feature| set.and(*feature)), "{name}");
        }
        assert!(X86_64_V4::SET.full.contains(X86_64_V3::SET.full));
        assert!(X86_64_V3::SET.full.contains(feature::AVX2.and(feature::BMI2).and(feature::SSE4_2).full));
    }

    impl StaticTarget for First {
        const SET: FeatureSet = match DETECTED {
            [first, ..] => *first,
            [] => FeatureSet::EMPTY,
        };
    }

    impl StaticTarget for Last {
        const SET: FeatureSet = match DETECTED {
            [.., last] => *last,
            [] => FeatureSet::EMPTY,
        };
    }
}
