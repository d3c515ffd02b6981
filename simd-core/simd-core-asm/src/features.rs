//! CPU features by rustc's names: the features that each implies, and those that the build enables.

use core::fmt;

use crate::architecture::Architecture;
use crate::error::Error;
use crate::path;

/// A feature of the table that the macro crate shares.
struct Row {
    name: &'static str,
    bit: u32,
    /// The bits of all that it implies, itself included.
    full: &'static [u32],
    /// Whether this compilation has it enabled for all code; of use on its own architecture only.
    enabled: bool,
}

macro_rules! define {
    ($($family:ident [$($arch:literal)*]
        detected [$(($seen:ident $seen_name:tt $seen_bit:literal [$($seen_full:literal)*]))*]
        static [$(($fixed:ident $fixed_name:tt $fixed_bit:literal [$($fixed_full:literal)*]))*]
        later $later:tt unstable $unstable:tt tied $tied:tt;)*) => {
        $(
            #[allow(non_upper_case_globals, dead_code, reason = "one table for each family; two have a decoder")]
            const $family: &[Row] = &[
                $(Row {
                    name: $seen_name,
                    bit: $seen_bit,
                    full: &[$($seen_full),*],
                    enabled: cfg!(target_feature = $seen_name),
                },)*
                $(Row {
                    name: $fixed_name,
                    bit: $fixed_bit,
                    full: &[$($fixed_full),*],
                    enabled: cfg!(target_feature = $fixed_name),
                },)*
            ];

            /// The bits by the constants' names of the macro crate.
            #[allow(non_snake_case, dead_code, reason = "called as the table is; two are used")]
            mod $family {
                $(pub(super) const $seen: u32 = $seen_bit;)*
                $(pub(super) const $fixed: u32 = $fixed_bit;)*
            }
        )*
    };
}
simd_core_macros::__table!(features define);

macro_rules! define_levels {
    ($(($arch:tt $name:literal [$($feature:ident)*]))*) => {
        /// The levels of the x86-64 ABI, and the features that each stands for. Aliases of single features do not occur
        /// in the names of clones.
        const LEVELS: &[(&str, &[u32])] = &[$(define_levels!(@row $arch $name [$($feature)*])),*];
    };
    (@row "x86_64" $name:literal [$($feature:ident)*]) => { ($name, &[$(X86::$feature),*]) };
    (@row $arch:tt $name:literal [$($feature:ident)*]) => { ("", &[]) };
}
simd_core_macros::__table!(names define_levels);

fn levels(architecture: Architecture) -> impl Iterator<Item = &'static (&'static str, &'static [u32])> {
    LEVELS.iter().filter(move |(_, bits)| architecture == Architecture::X86_64 && bits.len() > 1)
}
/// The properties of CPUs by name: they are in the names of clones and allow no instruction.
macro_rules! define_properties {
    ($($family:ident $arches:tt [$(($constant:ident $name:literal $bit:literal))*];)*) => {
        const PROPERTIES: &[&str] = &[$($($name),*),*];
    };
}
simd_core_macros::__table!(properties define_properties);

/// A set of CPU features of one architecture, closed under implication.
///
/// Prints as a short list with the same meaning: `avx2,pclmulqdq`, `x86-64-v3,aes`.
///
/// ```
/// use simd_core_asm::{Architecture, Features};
///
/// let avx2 = Features::parse(Architecture::X86_64, "avx2,sse4.2")?;
/// assert!(avx2.contains("avx") && avx2.names().any(|name| name == "ssse3"));
/// assert_eq!(avx2.leaves(), ["avx2"]);
/// assert!(Features::parse(Architecture::X86_64, "neon").is_err());
///
/// let both = avx2.union(&Features::parse(Architecture::X86_64, "pclmulqdq")?);
/// assert!(both.contains_all(&avx2) && !avx2.contains_all(&both));
/// assert_eq!(both.to_string(), "avx2,pclmulqdq");
///
/// // The features of every CPU, and those that this build enables.
/// assert!(Features::none(Architecture::Aarch64).names().next().is_none());
/// assert!(Features::architectural(Architecture::Aarch64).contains("neon"));
/// assert!(Features::enabled(Architecture::X86_64).contains("sse2"));
/// # Ok::<(), simd_core_asm::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Features {
    architecture: Architecture,
    bits: u128,
}

fn rows(architecture: Architecture) -> &'static [Row] {
    match architecture {
        Architecture::X86 | Architecture::X86_64 => X86,
        Architecture::Aarch64 => Aarch64,
    }
}

/// All names of the table.
pub(crate) fn all_names(architecture: Architecture) -> impl Iterator<Item = &'static str> {
    rows(architecture).iter().map(|row| row.name)
}

/// From this bit on an audit numbers the features that rustc has no name for.
pub(crate) const UNNAMED: u32 = 97;

const _: () = {
    let mut at = 0;
    while at < X86.len() {
        assert!(X86[at].bit < UNNAMED, "two features would share a bit");
        at += 1;
    }
};

/// The number of a feature's bit.
pub(crate) fn bit(architecture: Architecture, name: &str) -> Option<u32> {
    row(architecture, name).map(|row| row.bit)
}

fn row(architecture: Architecture, name: &str) -> Option<&'static Row> {
    rows(architecture).iter().find(|row| row.name == name)
}

impl Features {
    /// The empty set.
    #[must_use]
    pub fn none(architecture: Architecture) -> Self {
        Self { architecture, bits: 0 }
    }

    /// Reads names separated by commas, and adds all that they imply.
    ///
    /// # Errors
    /// [`Error::UnknownFeature`] if a word is not one of rustc's names for this architecture.
    pub fn parse(architecture: Architecture, names: &str) -> Result<Self, Error> {
        let mut set = Self::none(architecture);
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            if !set.insert(name) {
                let similar = path::similar(name, all_names(architecture));
                return Err(Error::UnknownFeature { name: name.to_owned(), similar });
            }
        }
        Ok(set)
    }

    /// The features that every CPU of this architecture has, according to rustc's usual targets.
    #[must_use]
    pub fn architectural(architecture: Architecture) -> Self {
        let mut set = Self::none(architecture);
        match architecture {
            Architecture::X86 | Architecture::X86_64 => set.insert("fxsr") && set.insert("sse2"),
            Architecture::Aarch64 => set.insert("neon"),
        };
        set
    }

    /// The features that this compilation enables for all code, by its target and by `-C target-feature` and `-C
    /// target-cpu`. For another architecture: [`Features::architectural`].
    #[must_use]
    pub fn enabled(architecture: Architecture) -> Self {
        if Some(architecture) != Architecture::of_this_build() {
            return Self::architectural(architecture);
        }
        let mut set = Self::none(architecture);
        for row in rows(architecture).iter().filter(|row| row.enabled) {
            set.insert(row.name);
        }
        set
    }

    /// Reads the label of a clone: names joined by `_`, in which dots and dashes are `_` as well.
    pub(crate) fn from_label(architecture: Architecture, label: &str) -> Option<Self> {
        let mut set = Self::none(architecture);
        for name in words(architecture, label)? {
            set.insert(name);
        }
        Some(set)
    }

    /// Adds a feature or a level with all that it implies; false if there is no such name.
    fn insert(&mut self, name: &str) -> bool {
        if let Some(row) = row(self.architecture, name) {
            self.bits |= row.full.iter().fold(1 << row.bit, |bits, bit| bits | 1 << bit);
            return true;
        }
        let Some((_, members)) =
            levels(self.architecture).find(|(level, _)| level.replace('-', "_") == name.replace('-', "_"))
        else {
            return false;
        };
        for row in rows(self.architecture).iter().filter(|row| members.contains(&row.bit)) {
            self.insert(row.name);
        }
        true
    }

    /// The features as bits, by [`bit`].
    pub(crate) fn bits(&self) -> u128 {
        self.bits
    }

    /// The set of these bits, without those that are no feature's.
    pub(crate) fn from_bits(architecture: Architecture, bits: u128) -> Self {
        let all = rows(architecture).iter().fold(0, |all, row| all | 1 << row.bit);
        Self { architecture, bits: bits & all }
    }

    /// Whether this feature is in the set.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        row(self.architecture, name).is_some_and(|row| self.bits & (1 << row.bit) != 0)
    }

    /// Whether all features of `other` are in this set.
    #[must_use]
    pub fn contains_all(&self, other: &Self) -> bool {
        self.architecture.same_family(other.architecture) && self.bits & other.bits == other.bits
    }

    /// The union of both sets.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { architecture: self.architecture, bits: self.bits | other.bits }
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bits == 0
    }

    pub(crate) fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// All names in the set, in the order of the table.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        let bits = self.bits;
        rows(self.architecture).iter().filter(move |row| bits & (1 << row.bit) != 0).map(|row| row.name)
    }

    /// The names that no other name in the set implies.
    #[must_use]
    pub fn leaves(&self) -> Vec<&'static str> {
        let inside = || rows(self.architecture).iter().filter(|row| self.bits & (1 << row.bit) != 0);
        inside()
            .filter(|row| !inside().any(|other| other.bit != row.bit && other.full.contains(&row.bit)))
            .map(|row| row.name)
            .collect()
    }

    /// A short list of names that stands for the set: the highest level of the x86-64 ABI in it, and the
    /// [`leaves`](Self::leaves) that the level does not imply.
    #[must_use]
    pub fn shortest(&self) -> Vec<&'static str> {
        let mut level = None;
        for (name, _) in levels(self.architecture) {
            let mut features = Self::none(self.architecture);
            features.insert(name);
            if self.contains_all(&features) && level.is_none_or(|(_, lower)| features.contains_all(&lower)) {
                level = Some((*name, features));
            }
        }
        let Some((name, implied)) = level else { return self.leaves() };
        let rest = self.leaves().into_iter().filter(|leaf| !implied.contains(leaf));
        core::iter::once(name).chain(rest).collect()
    }
}

/// The names in the label of a clone.
fn words(architecture: Architecture, label: &str) -> Option<Vec<&'static str>> {
    let (mut words, mut rest) = (Vec::new(), label);
    loop {
        // Names can contain `_` in a label (`sse4_1`), so the longest one that fits is taken.
        let name = all_names(architecture)
            .chain(levels(architecture).map(|(name, _)| *name))
            .chain(PROPERTIES.iter().copied())
            .filter(|name| begins_with(rest, name))
            .max_by_key(|name| name.len())?;
        words.push(name);
        match rest[name.len()..].strip_prefix('_') {
            Some(more) => rest = more,
            None => return Some(words),
        }
    }
}

/// The properties of CPUs in the label of a clone, which select a CPU and allow no instruction.
pub(crate) fn properties(architecture: Architecture, label: &str) -> Vec<&'static str> {
    let words = words(architecture, label).unwrap_or_default();
    words.into_iter().filter(|word| PROPERTIES.contains(word)).collect()
}

/// Whether a label begins with this name, in which dots and dashes are `_`.
fn begins_with(label: &str, name: &str) -> bool {
    label.len() >= name.len()
        && label.bytes().zip(name.bytes()).all(|(c, n)| c == n || c == b'_' && matches!(n, b'.' | b'-'))
        && matches!(label.as_bytes().get(name.len()), None | Some(b'_'))
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shortest().join(","))
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
    use Architecture::{Aarch64, X86_64};

    #[test]
    fn implications_are_followed() {
        let set = Features::parse(X86_64, "vpclmulqdq, avx512vl").unwrap();
        for name in ["avx", "pclmulqdq", "sse4.2", "avx512f", "fma", "f16c", "avx2"] {
            assert!(set.contains(name), "{name}");
        }
        assert!(!set.contains("aes") && !set.contains("avx512bw"));
        assert_eq!(set.to_string(), "avx512vl,vpclmulqdq");
        assert!(Features::parse(Aarch64, "sve2-aes").unwrap().contains("neon"));
    }

    #[test]
    fn unknown_names_are_refused_with_a_suggestion() {
        let error = Features::parse(X86_64, "avx2,pclmulqdk").unwrap_err().to_string();
        assert!(error.contains("`pclmulqdk` is no CPU feature") && error.contains("    pclmulqdq"), "{error}");
    }

    #[test]
    fn labels_are_read_back() {
        let label = |text| Features::from_label(X86_64, text).map(|set| set.to_string());
        assert_eq!(label("avx2_pclmulqdq").as_deref(), Some("avx2,pclmulqdq"));
        assert_eq!(label("sse4_1").as_deref(), Some("sse4.1"));
        assert_eq!(label("aes_sse4_2").as_deref(), Some("sse4.2,aes"));
        assert_eq!(label("bmi2_fast_pext").as_deref(), Some("bmi2"));
        assert_eq!(label("avx512f_fast_512_fast_compress_store").as_deref(), Some("avx512f"));
        let v3 = Features::from_label(X86_64, "x86_64_v3_aes").unwrap();
        assert!(
            v3.contains_all(&Features::parse(X86_64, "avx2,fma,bmi2,popcnt,aes").unwrap()) && !v3.contains("avx512f")
        );
        assert_eq!(v3.to_string(), "x86-64-v3,aes");
        assert_eq!(label("x86_64_v4_vaes_gfni").as_deref(), Some("x86-64-v4,gfni,vaes"));
        assert_eq!(label("x86_64_v2").as_deref(), Some("x86-64-v2"));
        assert_eq!(Features::parse(X86_64, "x86-64-v3,aes").unwrap(), v3);
        assert_eq!(Features::from_label(Architecture::X86, "x86_64_v3"), None);
        assert_eq!(label("baseline"), None);
        assert_eq!(label("avx2_helper"), None);
        assert_eq!(label(""), None);
        assert_eq!(Features::from_label(Aarch64, "sha3_sve2_aes").unwrap().to_string(), "sha3,sve2-aes");
        assert_eq!(Features::from_label(Aarch64, "aes_sve2").unwrap().to_string(), "aes,sve2");
        assert_eq!(Features::from_label(Aarch64, "avx2"), None);
        assert_eq!(properties(X86_64, "avx512f_fast_512_fast_compress_store"), ["fast-512", "fast-compress-store"]);
        assert!(properties(X86_64, "bmi2").is_empty() && properties(X86_64, "baseline").is_empty());
    }
}
