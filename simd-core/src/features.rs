//! The features of this CPU, by their names.

use core::fmt;

use crate::known;
use crate::mask::{self, FeatureSet, Mask};

/// A set of CPU features, which prints as their names.
///
/// ```
/// let features: simd_core::Features = simd_core::features();
/// println!("{features}"); // sse3, ssse3, sse4.1, …
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Features(Mask);

/// The features that dispatched functions use on this CPU: the detected ones, those that the build enables, and the
/// CPU's [properties](macro@crate::dispatch#properties-of-cpus).
///
/// Features that this build cannot detect are left out, and so are features that the environment disables (see [the
/// crate's page](crate#testing-every-clone)).
///
/// ```
/// println!("CPU features: {}", simd_core::features());
/// ```
#[must_use]
pub fn features() -> Features {
    Features(known::found())
}

impl Features {
    pub(crate) const fn of(mask: Mask) -> Self {
        Self(mask)
    }

    /// The features that decide whether the CPU has `set`, less those in `found`.
    pub(crate) fn missing(set: FeatureSet, found: Mask) -> Self {
        Self(Mask::INIT.or(set.leaf.without(found)))
    }

    /// The features of `set`, with all that they imply, that the program is built without.
    pub(crate) fn excluded(set: FeatureSet) -> Self {
        Self(Mask::INIT.or(set.full.and(Mask::WITHOUT)))
    }

    /// The reasons why the CPU lacks the properties in the set, in words.
    pub(crate) fn reasons(self) -> impl Iterator<Item = &'static str> {
        crate::detect::properties::reasons(self.0.and(Mask::PROPERTIES))
    }

    /// Whether detection has run, which it does before `main`. In code that runs earlier, and in programs that have no
    /// C runtime and do not call [`start`](crate::start), only the features that the build enables are known, and every
    /// dispatched function runs its baseline.
    ///
    /// ```
    /// assert!(simd_core::features().are_detected());
    /// ```
    #[must_use]
    pub fn are_detected(self) -> bool {
        self.0.contains(Mask::INIT)
    }

    /// Whether the feature called `name` is in the set. Names are rustc's; an unknown name is in no set.
    ///
    /// ```
    /// let features = simd_core::features();
    /// assert_eq!(features.contains("avx2"), simd_core::detected!("avx2"));
    /// ```
    #[must_use]
    pub fn contains(self, name: &str) -> bool {
        self.names().any(|other| other == name)
    }

    /// The names of the features, as rustc spells them, and of the properties. Features come after those that they
    /// imply.
    ///
    /// ```
    /// for name in simd_core::features().names() {
    ///     println!("{name}");
    /// }
    /// ```
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        mask::names().filter(move |(_, feature)| self.0.intersects(feature.leaf)).map(|(name, _)| name)
    }

    /// Whether the set is empty.
    ///
    /// ```
    /// let features = simd_core::features();
    /// assert_eq!(features.is_empty(), features.names().next().is_none());
    /// ```
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0.without(Mask::INIT).is_empty()
    }
}

/// `sse4.1, avx2`, or `none`, and a note if detection has not run.
impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            f.write_str("none")?;
        }
        for (at, name) in self.names().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{name}")?;
        }
        if self.are_detected() { Ok(()) } else { f.write_str(" (detection has not run)") }
    }
}

impl fmt::Debug for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Features({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::{String, ToString};
    use std::vec::Vec;

    #[test]
    fn every_bit_has_a_name() {
        let all = Features(Mask::INIT.or(Mask::ALL));
        assert_eq!(all.names().count(), mask::names().count());
        let named = mask::names().fold(Mask::EMPTY, |mask, (_, feature)| mask.or(feature.leaf));
        assert_eq!(named, Mask::ALL);
        assert!(mask::names().all(|(name, _)| all.contains(name)));
    }

    #[test]
    fn prints_the_names() {
        assert_eq!(Features(Mask::INIT).to_string(), "none");
        assert_eq!(Features(Mask::EMPTY).to_string(), "none (detection has not run)");
        assert!(Features(Mask::INIT).is_empty() && Features(Mask::EMPTY).is_empty());
        assert!(!Features(Mask::INIT).contains(""));
        let names: Vec<&str> = mask::names().map(|(name, _)| name).collect();
        let expected: String = if names.is_empty() { "none".into() } else { names.join(", ") };
        let all = Features(Mask::INIT.or(Mask::ALL));
        assert_eq!(all.to_string(), expected);
        assert_eq!(std::format!("{all:?}"), std::format!("Features({expected})"));
    }

    #[test]
    fn the_cpu_has_what_the_build_enables() {
        let found = features();
        assert!(Features(Mask::STATIC).names().all(|name| found.contains(name)));
        assert!(!std::format!("{found}").is_empty());
    }
}
