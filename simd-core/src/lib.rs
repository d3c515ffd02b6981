//! One attribute clones a whole call tree for several sets of CPU features, and picks the clone at run time.
#![no_std]

#[cfg(feature = "std")]
extern crate std;

mod detect;
mod known;
#[cfg(feature = "testing")]
mod limit;
mod mask;
mod outlined;

pub use simd_core_macros::{detected, dispatch};

/// What the attribute's code refers to. Not for use by hand, and not covered by the version number.
#[doc(hidden)]
pub mod __private {
    pub use core::pin::pin;

    pub use crate::known::{
        absent, assert_absent, assert_present, choose, detected, ensure, missing_variant, present, target_lost,
    };
    pub use crate::mask::{FeatureSet, Mask, feature};
    pub use crate::outlined::Outlined;
}
