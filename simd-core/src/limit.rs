//! Runs a process as if its CPU had fewer features.

use std::env;
use std::string::String;

use crate::mask::{FeatureSet, Mask, NAMES};

/// The variable that names the features or the level that remain, with all that they imply.
const ONLY: &str = "SIMD_CORE_ONLY";
/// The variable that names features that are taken away, with all that imply them.
const WITHOUT: &str = "SIMD_CORE_WITHOUT";

/// What the environment leaves of `found`; it can only take features away. Those that the build enables remain.
///
/// # Panics
///
/// If a variable names a feature that this architecture does not have, or [`WITHOUT`] a level; if there is one whose name
/// is nearly that of one of the two.
pub(crate) fn limit(found: Mask) -> Mask {
    for (variable, _) in env::vars_os() {
        if let Some(meant) = misspelt(&variable.to_string_lossy()) {
            panic!("there is no variable {}: did you mean {meant}?", variable.display());
        }
    }
    let mut left = found;
    if let Some(set) = named(ONLY) {
        left = only(left, set);
    }
    if let Some(without) = named(WITHOUT) {
        left = left.without(without.leaf);
    }
    Mask::INIT.or(Mask::STATIC.or(left).closed())
}

/// The variable that `name` may have been meant for, if it is none: a test run that was not limited looks like one that was.
fn misspelt(name: &str) -> Option<&'static str> {
    let own = name.to_uppercase().replace('-', "_");
    let rest = own.strip_prefix("SIMD_CORE_").or_else(|| own.strip_prefix("SIMDCORE_"))?;
    let meant = match rest.as_bytes().first() {
        Some(b'O') => ONLY,
        Some(b'W') => WITHOUT,
        _ => return None,
    };
    (name != meant).then_some(meant)
}

/// Whether the environment takes features away.
pub(crate) fn limited() -> bool {
    [ONLY, WITHOUT].into_iter().any(|variable| env::var_os(variable).is_some())
}

/// What remains of `found` in a process that has the features of `set` for its only ones.
pub(crate) fn only(found: Mask, set: FeatureSet) -> Mask {
    Mask::STATIC.or(found.and(set.full)).closed()
}

/// The features that `variable` lists, separated by commas; `None` if it is not set.
fn named(variable: &str) -> Option<FeatureSet> {
    let text: String = env::var_os(variable)?.to_string_lossy().into_owned();
    Some(parse(variable, &text))
}

fn parse(variable: &str, text: &str) -> FeatureSet {
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.fold(FeatureSet::EMPTY, |set, name| {
        match feature(name).map(|feature| (feature, false)).or_else(|| other(name)) {
            // To be without a level may mean without all that it consists of, or without what the level below lacks.
            Some((_, true)) if variable == WITHOUT => {
                panic!("{variable} names the level `{name}`: name the features to take away")
            }
            Some((features, _)) => set.and(features),
            None => panic!(
                "{variable} names `{name}`, which is no feature of {}: the names are those of `#[dispatch]`, separated by commas",
                env::consts::ARCH
            ),
        }
    })
}

/// The feature of this architecture that has this name.
fn feature(name: &str) -> Option<FeatureSet> {
    NAMES.iter().find(|(other, _)| *other == name).map(|(_, feature)| *feature)
}

macro_rules! define_names {
    ($(($arch:literal $name:literal [$($feature:ident)*]))*) => {
        /// What another name of a feature, or a level, stands for, and whether it is a level.
        fn other(name: &str) -> Option<(FeatureSet, bool)> {
            $(
                #[cfg(target_arch = $arch)]
                if name == $name {
                    let features = [$(crate::mask::feature::$feature),*];
                    let all = features.iter().fold(FeatureSet::EMPTY, |set, feature| set.and(*feature));
                    return Some((all, features.len() > 1));
                }
            )*
            let _ = name;
            None
        }
    };
}
simd_core_macros::__feature_names!(define_names);

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::mask::feature;

    #[test]
    fn every_name_of_a_feature() {
        for name in ["sse4.2", "sse4_2", " sse4.2 ,"] {
            assert_eq!(parse(ONLY, name), feature::SSE4_2);
        }
        assert_eq!(parse(ONLY, "avx2,fma"), feature::AVX2.and(feature::FMA));
        assert_eq!(parse(ONLY, "pclmul"), parse(WITHOUT, "pclmulqdq"));
        assert_eq!(parse(ONLY, ""), FeatureSet::EMPTY);
    }

    #[test]
    fn a_level_remains_with_all_of_it() {
        let level = parse(ONLY, "x86-64-v3");
        for feature in [feature::AVX2, feature::FMA, feature::BMI2, feature::SSE4_2] {
            assert!(level.full.contains(feature.full));
        }
        assert!(!level.full.intersects(feature::AVX512F.leaf));
    }

    #[test]
    fn misspelt_variables() {
        for (name, meant) in [
            (ONLY, None),
            (WITHOUT, None),
            ("SIMD_CORE_RUNNER", None),
            ("SIMD_CORE", None),
            ("PATH", None),
            ("SIMD_CORE_ONYL", Some(ONLY)),
            ("simd_core_only", Some(ONLY)),
            ("SIMDCORE_ONLY", Some(ONLY)),
            ("SIMD_CORE_WITOUT", Some(WITHOUT)),
        ] {
            assert_eq!(misspelt(name), meant, "{name}");
        }
    }

    #[test]
    #[should_panic = "names the level `x86-64-v3`"]
    fn without_a_level_is_ambiguous() {
        parse(WITHOUT, "x86-64-v3");
    }

    #[test]
    #[should_panic = "names `neon`, which is no feature of x86_64"]
    fn a_feature_of_another_architecture() {
        parse(ONLY, "neon");
    }
}
