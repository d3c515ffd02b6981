//! Runs a process as if its CPU had fewer features.

use std::env;
use std::string::String;

use crate::mask::{FeatureSet, Mask};

/// The variable that names the features that remain, with all that they imply.
const ONLY: &str = "SIMD_CORE_ONLY";
/// The variable that names features that are taken away, with all that imply them.
const WITHOUT: &str = "SIMD_CORE_WITHOUT";

/// What the environment leaves of `found`; it can only take features away. Those that the build enables remain.
///
/// # Panics
///
/// If a variable names a feature that this architecture does not have.
pub(crate) fn limit(found: Mask) -> Mask {
    let mut left = found;
    if let Some(only) = named(ONLY) {
        left = left.and(only.full);
    }
    if let Some(without) = named(WITHOUT) {
        left = left.without(without.leaf);
    }
    Mask::INIT.or(Mask::STATIC.or(left).closed())
}

/// The features that `variable` lists, separated by commas; `None` if it is not set.
fn named(variable: &str) -> Option<FeatureSet> {
    let text: String = env::var_os(variable)?.to_string_lossy().into_owned();
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    Some(names.fold(FeatureSet::EMPTY, |set, name| match lookup(name) {
        Some(feature) => set.and(feature),
        None => panic!("{variable} names `{name}`, which is no feature of {}", env::consts::ARCH),
    }))
}

macro_rules! define {
    ($($family:ident [$($arch:literal)*]
        detected [$(($seen:ident $seen_name:tt $seen_bit:tt $seen_full:tt))*]
        static [$(($fixed:ident $fixed_name:tt $fixed_bit:tt $fixed_full:tt))*]
        later $later:tt unstable $unstable:tt tied $tied:tt;)*) => {
        $(
            #[cfg(any($(target_arch = $arch),*))]
            fn lookup(name: &str) -> Option<FeatureSet> {
                match name {
                    $($seen_name => Some(crate::mask::feature::$seen),)*
                    $($fixed_name => Some(crate::mask::feature::$fixed),)*
                    _ => None,
                }
            }
        )*

        #[cfg(not(any($($(target_arch = $arch),*),*)))]
        fn lookup(_: &str) -> Option<FeatureSet> {
            None
        }
    };
}
simd_core_macros::__features!(define);
