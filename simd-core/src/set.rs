//! Targets as types, which the attribute's code names instead of masks, so that a test of a target is one call without
//! arguments. Masks that are passed as values are copied and taken apart in every dispatcher and every clone, which
//! would be most of the code in a debug build of a small function.

use crate::mask::FeatureSet;

/// The features of a target, known at compile time: one of `features`, or a pair of others.
pub trait Set {
    /// The features as a value.
    const SET: FeatureSet;
    /// Whether the build enables it for all code, so that its clone is selected without a test.
    const ENABLED: bool = crate::known::enabled(Self::SET);
    /// Whether its clone can be selected in this program.
    const POSSIBLE: bool = crate::known::possible(Self::SET);
}

impl<A: Set, B: Set> Set for (A, B) {
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
                    set::Set,
                };
                $(
                    #[doc = concat!("`", $seen_name, "`")]
                    pub enum $seen {}
                    impl Set for $seen {
                        const SET: FeatureSet = feature::$seen;
                    }
                )*
                $(
                    #[doc = concat!("`", $fixed_name, "`")]
                    pub enum $fixed {}
                    impl Set for $fixed {
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
simd_core_macros::__table!(features define);

macro_rules! define_properties {
    ($($family:ident [$($arch:literal)*] [$(($constant:ident $name:tt $bit:tt))*];)*) => {
        $(
            #[cfg(any($(target_arch = $arch),*))]
            #[allow(non_camel_case_types, reason = "they are called as their values are")]
            mod properties {
                use super::Set;
                use crate::mask::{FeatureSet, feature};
                $(
                    #[doc = concat!("`", $name, "`")]
                    pub enum $constant {}
                    impl Set for $constant {
                        const SET: FeatureSet = feature::$constant;
                    }
                )*
            }
        )*

        #[cfg(not(any($($(target_arch = $arch),*),*)))]
        mod properties {}
    };
}
simd_core_macros::__table!(properties define_properties);
