//! Runs a process as if its CPU had fewer features.
//!
//! The variables are read when detection runs, usually before `main`: nothing here allocates or panics.

mod environment;

use core::fmt;

use crate::mask::{self, FeatureSet, Mask};

/// The variable that names the features or the level that remain, with all that they imply.
const ONLY: &str = "SIMD_CORE_ONLY";
/// The variable that names the features to disable, with all that imply them.
const WITHOUT: &str = "SIMD_CORE_WITHOUT";

/// The variable that names the features whose targets may not be skipped in a test run.
#[cfg(feature = "testing")]
const REQUIRE: &str = "SIMD_CORE_REQUIRE";

/// The part of `found` that the environment leaves. It can only disable features, and not those that the build enables.
///
/// A mistake in the environment is written to standard error and ends the process. A library that a program loads
/// ignores the variables, since the environment belongs to the program. So does a program that has more privileges than
/// its user.
pub(crate) fn limit(found: Mask) -> Mask {
    // Miri loads no libraries, and cannot look up where a program is in memory.
    if !cfg!(miri) && (!environment::is_program() || environment::is_privileged()) {
        return found;
    }
    let mut limits = Limits::default();
    let mut mistaken = false;
    environment::each_variable(|name, value| {
        if let Err(mistake) = limits.read(name, value) {
            environment::complain(format_args!("simd-core: {mistake}\n"));
            mistaken = true;
        }
    });
    if mistaken {
        environment::exit();
    }
    limits.of(found)
}

/// Whether the environment disables features.
#[cfg(feature = "testing")]
pub(crate) fn limited() -> bool {
    [ONLY, WITHOUT].into_iter().any(|variable| std::env::var_os(variable).is_some())
}

/// Whether a test may not be skipped for a target with `set`: the variable names all of the target's features, or one
/// that the target has and is not in `found`.
#[cfg(feature = "testing")]
pub(crate) fn requires(set: FeatureSet, found: Mask) -> bool {
    let Some(value) = std::env::var_os(REQUIRE) else { return false };
    // The initialiser has accepted the value.
    let Ok(required) = parse(REQUIRE, value.as_encoded_bytes()) else { return true };
    demands(required, set, found)
}

#[cfg(feature = "testing")]
fn demands(required: FeatureSet, set: FeatureSet, found: Mask) -> bool {
    let all = !set.full.is_empty() && required.full.contains(set.full);
    all || required.full.intersects(set.full.without(found))
}

/// The part of `found` that remains in a process whose only features are those of `set`.
pub(crate) fn only(found: Mask, set: FeatureSet) -> Mask {
    Mask::STATIC.or(found.and(set.full)).closed()
}

/// The values of the two variables.
#[derive(Default)]
struct Limits {
    only: Option<FeatureSet>,
    without: Option<FeatureSet>,
}

impl Limits {
    /// Reads the variable `name`, if it is one of ours.
    fn read<'a>(&mut self, name: &'a [u8], value: &'a [u8]) -> Result<(), Mistake<'a>> {
        if let Some(meant) = misspelt(name) {
            return Err(Mistake::Variable { name, meant });
        }
        if name == ONLY.as_bytes() {
            self.only = Some(parse(ONLY, value)?);
        } else if name == WITHOUT.as_bytes() {
            self.without = Some(parse(WITHOUT, value)?);
        }
        #[cfg(feature = "testing")]
        if name == REQUIRE.as_bytes() {
            parse(REQUIRE, value)?;
        }
        Ok(())
    }

    fn of(&self, found: Mask) -> Mask {
        let mut left = found;
        if let Some(set) = self.only {
            left = only(left, set);
        }
        if let Some(without) = self.without {
            left = left.without(without.leaf);
        }
        Mask::INIT.or(Mask::STATIC.or(left).closed())
    }
}

/// A mistake in a variable.
#[derive(Debug, PartialEq)]
enum Mistake<'a> {
    /// Its name is nearly one of ours.
    Variable { name: &'a [u8], meant: &'static str },
    /// [`WITHOUT`] names a level. That is ambiguous: all of it, or only what the level below lacks.
    Level { variable: &'static str, name: &'a [u8] },
    /// It names something that is not a feature of this architecture.
    Feature { variable: &'static str, name: &'a [u8] },
}

impl fmt::Display for Mistake<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mistake::Variable { name, meant } => {
                write!(f, "there is no variable {}: did you mean {meant}?", Shown(name))
            }
            Mistake::Level { variable, name } => {
                write!(f, "{variable} names the level `{}`: name the features to disable", Shown(name))
            }
            Mistake::Feature { variable, name } => {
                let arch = std::env::consts::ARCH;
                write!(
                    f,
                    "{variable} names `{}`, which is not a feature of {arch}: the names are those of `rustc --print \
                     target-features`, separated by commas",
                    Shown(name)
                )
            }
        }
    }
}

/// A name as messages show it: on one line, without control characters, and shortened.
struct Shown<'a>(&'a [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 60;
        match self.0.get(..LONGEST) {
            Some(start) if self.0.len() > LONGEST => write!(f, "{}...", start.escape_ascii()),
            _ => write!(f, "{}", self.0.escape_ascii()),
        }
    }
}

/// The variable that `name` was probably meant to be. Without this check, a test run with a misspelt variable would
/// pass unlimited.
fn misspelt(name: &[u8]) -> Option<&'static str> {
    const PREFIXES: [&[u8]; 2] = [b"SIMD_CORE_", b"SIMDCORE_"];
    let begins = |prefix: &&[u8]| {
        name.len() > prefix.len()
            && name.iter().zip(*prefix).all(|(a, b)| a.eq_ignore_ascii_case(b) || (*a == b'-' && *b == b'_'))
    };
    let prefix = PREFIXES.iter().find(|prefix| begins(prefix))?;
    let meant = match name[prefix.len()].to_ascii_uppercase() {
        b'O' => ONLY,
        b'W' => WITHOUT,
        #[cfg(feature = "testing")]
        b'R' if name.get(prefix.len() + 1).is_some_and(|letter| letter.eq_ignore_ascii_case(&b'E')) => REQUIRE,
        _ => return None,
    };
    (name != meant.as_bytes()).then_some(meant)
}

fn parse<'a>(variable: &'static str, text: &'a [u8]) -> Result<FeatureSet, Mistake<'a>> {
    let names = text.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).filter(|name| !name.is_empty());
    let mut set = FeatureSet::EMPTY;
    for name in names {
        let found = core::str::from_utf8(name).ok();
        match found.and_then(|name| feature(name).map(|feature| (feature, false)).or_else(|| other(name))) {
            Some((_, true)) if variable == WITHOUT => return Err(Mistake::Level { variable, name }),
            Some((features, _)) => set = set.and(features),
            None => return Err(Mistake::Feature { variable, name }),
        }
    }
    Ok(set)
}

/// The feature of this architecture with this name.
fn feature(name: &str) -> Option<FeatureSet> {
    mask::names().find(|(other, _)| *other == name).map(|(_, feature)| feature)
}

/// The features of an alias or a level, and whether it is a level.
fn other(name: &str) -> Option<(FeatureSet, bool)> {
    let (_, features) = mask::OTHER_NAMES.iter().find(|(other, _)| *other == name)?;
    let all = features.iter().fold(FeatureSet::EMPTY, |set, feature| set.and(*feature));
    Some((all, features.len() > 1))
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::mask::feature;
    use std::string::ToString;

    #[test]
    fn every_name_of_a_feature() {
        for name in ["sse4.2", "sse4_2", " sse4.2 ,"] {
            assert_eq!(parse(ONLY, name.as_bytes()), Ok(feature::SSE4_2));
        }
        assert_eq!(parse(ONLY, b"avx2,fma"), Ok(feature::AVX2.and(feature::FMA)));
        assert_eq!(parse(ONLY, b"pclmul"), parse(WITHOUT, b"pclmulqdq"));
        assert_eq!(parse(ONLY, b""), Ok(FeatureSet::EMPTY));
    }

    #[test]
    fn a_level_remains_with_all_of_it() {
        let level = parse(ONLY, b"x86-64-v3").unwrap();
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
            ("SIMD_CORE_", None),
            ("SIMD_CORE", None),
            ("PATH", None),
            ("", None),
            ("SIMD_CORE_ONYL", Some(ONLY)),
            ("simd_core_only", Some(ONLY)),
            ("simd-core-only", Some(ONLY)),
            ("SIMDCORE_ONLY", Some(ONLY)),
            ("SIMD_CORE_WITOUT", Some(WITHOUT)),
            #[cfg(feature = "testing")]
            ("SIMD_CORE_REQUIRED", Some(REQUIRE)),
        ] {
            assert_eq!(misspelt(name.as_bytes()), meant, "{name}");
        }
    }

    #[test]
    fn both_variables_take_away() {
        let mut limits = Limits::default();
        let all = Mask::INIT.or(Mask::ALL);
        assert_eq!(limits.of(all), all);
        limits.read(b"HOME", b"avx2").unwrap();
        assert_eq!(limits.of(all), all);
        limits.read(ONLY.as_bytes(), b"avx2,fma").unwrap();
        limits.read(WITHOUT.as_bytes(), b"fma").unwrap();
        let left = limits.of(all);
        assert!(
            left.contains(feature::AVX2.full.or(Mask::INIT))
                && left.intersects(feature::FMA.leaf) == Mask::STATIC.contains(feature::FMA.leaf)
        );
    }

    #[test]
    fn mistakes_say_what_to_write() {
        let text = |name: &str, value: &[u8]| Limits::default().read(name.as_bytes(), value).unwrap_err().to_string();
        assert!(text(WITHOUT, b"x86-64-v3").contains("names the level `x86-64-v3`"));
        assert!(text(ONLY, b"avx2,neon").contains("names `neon`, which is not a feature of x86_64: the names are"));
        assert!(text(ONLY, b"\xff\x1b").contains(r"names `\xff\x1b`, which is not a feature"));
        assert!(text("SIMD_CORE_ONYL", b"").contains("no variable SIMD_CORE_ONYL: did you mean SIMD_CORE_ONLY?"));
    }

    #[test]
    #[cfg(feature = "testing")]
    fn what_may_not_be_skipped() {
        let avx512 = parse(REQUIRE, b"avx512f").unwrap();
        let here = Mask::INIT.or(feature::AVX2.full);
        // The feature is missing, by itself or with others.
        assert!(demands(avx512, feature::AVX512F, here) && demands(avx512, feature::AVX512BW, here));
        assert!(demands(avx512, feature::AVX512F.and(feature::GFNI), here));
        // The feature is present, and another one is missing.
        assert!(!demands(avx512, feature::AVX512BW, here.or(feature::AVX512F.full)));
        assert!(!demands(avx512, feature::GFNI, here));
        // Nothing is missing: the target is skipped for another reason.
        assert!(demands(avx512, feature::AVX2, here) && !demands(feature::AVX, feature::AVX2, here));
        assert!(!demands(avx512, FeatureSet::EMPTY, here));
    }
}
