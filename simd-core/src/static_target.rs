//! Targets as types, which the attribute's code names instead of masks, so that a test of a target is one call without
//! arguments. Masks that are passed as values are copied and taken apart in every dispatcher and every clone, which
//! would be most of the code in a debug build of a small function.

#![allow(clippy::inline_always, reason = "the results are constants where a set is one, in debug builds as well")]

use crate::detect::DETECTABLE;
use crate::mask::{FeatureSet, Mask};

/// The features of a target, known at compile time: one of `features`, a level, or a pair of others.
pub trait StaticTarget {
    /// The features as a value.
    const SET: FeatureSet;
    /// Whether the build enables it for all code, so that its clone is selected without a test.
    const ENABLED: bool = enabled(Self::SET);
    /// Whether its clone can be selected in this program.
    const POSSIBLE: bool = possible(Self::SET);
}

/// Whether detection can find `set` in this build, and the program is not built without it. The result is a constant if
/// `set` is one. So the clone of a target that cannot be found is never called.
#[inline(always)]
#[must_use]
pub(crate) const fn possible(set: FeatureSet) -> bool {
    // The compiler evaluates a static in this crate only, and a constant again in each crate that uses it.
    static POSSIBLE: Mask = Mask::STATIC.or(DETECTABLE).without(Mask::WITHOUT);
    POSSIBLE.contains(set.full)
}

/// Whether the build enables `set` for all code. The result is a constant if `set` is one.
#[inline(always)]
#[must_use]
pub(crate) const fn enabled(set: FeatureSet) -> bool {
    static ENABLED: Mask = Mask::STATIC;
    ENABLED.contains(set.full)
}

impl<A: StaticTarget, B: StaticTarget> StaticTarget for (A, B) {
    const SET: FeatureSet = A::SET.and(B::SET);
}

macro_rules! define {
    ($($family:ident [$($arch:literal)*]
        detected [$(($seen:ident $seen_name:tt $seen_bit:tt $seen_full:tt))*]
        static [$(($fixed:ident $fixed_name:tt $fixed_bit:tt $fixed_full:tt))*]
        later $later:tt unstable $unstable:tt tied $tied:tt;)*) => {
        $(
            /// The features of this architecture, each by itself.
            #[cfg(any($(target_arch = $arch),*))]
            #[allow(non_camel_case_types, reason = "they are called as their values are")]
            pub(crate) mod features {
                #[allow(unused_imports, unreachable_pub, reason = "most architectures have none")]
                pub use super::properties::*;
                #[allow(unused_imports, reason = "some architectures have no features")]
                use crate::{
                    mask::{FeatureSet, feature},
                    static_target::StaticTarget,
                };
                $(
                    #[doc = concat!("`", $seen_name, "`")]
                    pub enum $seen {}
                    impl StaticTarget for $seen {
                        const SET: FeatureSet = feature::$seen;
                    }
                )*
                $(
                    #[doc = concat!("`", $fixed_name, "`")]
                    pub enum $fixed {}
                    impl StaticTarget for $fixed {
                        const SET: FeatureSet = feature::$fixed;
                    }
                )*
            }
        )*

        /// The features of this architecture: none is known.
        #[cfg(not(any($($(target_arch = $arch),*),*)))]
        pub(crate) mod features {}
    };
}
table!(features define);

macro_rules! define_properties {
    ($($family:ident [$($arch:literal)*] [$(($constant:ident $name:tt $bit:tt))*];)*) => {
        $(
            #[cfg(any($(target_arch = $arch),*))]
            #[allow(non_camel_case_types, reason = "they are called as their values are")]
            mod properties {
                use super::StaticTarget;
                use crate::mask::{FeatureSet, feature};
                $(
                    #[doc = concat!("`", $name, "`")]
                    pub enum $constant {}
                    impl StaticTarget for $constant {
                        const SET: FeatureSet = feature::$constant;
                    }
                )*
            }
        )*

        #[cfg(not(any($($(target_arch = $arch),*),*)))]
        mod properties {}
    };
}
table!(properties define_properties);

macro_rules! define_levels {
    ($(($arch:literal $level:ident $name:literal [$($feature:ident)*]))*) => {
        $(
            #[cfg(target_arch = $arch)]
            #[doc = concat!("`", $name, "`")]
            #[allow(non_camel_case_types, reason = "they are called as their values are")]
            pub enum $level {}

            #[cfg(target_arch = $arch)]
            impl StaticTarget for $level {
                const SET: FeatureSet = FeatureSet::EMPTY$(.and(feature::$feature))*;
            }
        )*
    };
}

/// The levels of this architecture.
pub(crate) mod levels {
    #[allow(unused_imports, reason = "some architectures have no levels")]
    use crate::{
        mask::{FeatureSet, feature},
        static_target::StaticTarget,
    };

    table!(levels define_levels);
}
