//! CPU features by rustc's names: what implies what, what the build enables, what an instruction needs.

pub(super) mod aarch64;
pub(super) mod x86;

use crate::asm::prelude::*;
use core::fmt;

use super::{Architecture, Error, path};

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
        )*
    };
}
simd_core_macros::__features!(define);

/// The properties of CPUs by name: they stand in the names of clones and allow no instruction.
macro_rules! define_properties {
    ($($family:ident $arches:tt [$(($constant:ident $name:literal $bit:literal))*];)*) => {
        const PROPERTIES: &[&str] = &[$($($name),*),*];
    };
}
simd_core_macros::__properties!(define_properties);

/// The levels of the x86-64 ABI, as they stand in the names of clones.
const LEVELS: [(&str, &str); 3] = [
    ("x86_64_v2", "fxsr,cmpxchg16b,popcnt,sse4.2"),
    ("x86_64_v3", "x86_64_v2,avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,xsave"),
    ("x86_64_v4", "x86_64_v3,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"),
];

/// A set of CPU features of one architecture, closed under implication.
///
/// Prints as the shortest list that means the same: `avx2,pclmulqdq`.
///
/// ```
/// use simd_core::asm::{Architecture, Features};
///
/// let avx2 = Features::parse(Architecture::X86_64, "avx2")?;
/// assert!(avx2.contains("sse4.2"));
/// # Ok::<(), simd_core::asm::Error>(())
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

fn row(architecture: Architecture, name: &str) -> Option<&'static Row> {
    rows(architecture).iter().find(|row| row.name == name)
}

impl Features {
    /// The empty set.
    ///
    /// ```
    /// use simd_core::asm::{Architecture, Features};
    ///
    /// assert_eq!(Features::none(Architecture::Aarch64).names().count(), 0);
    /// ```
    #[must_use]
    pub fn none(architecture: Architecture) -> Self {
        Self { architecture, bits: 0 }
    }

    /// Reads names separated by commas, and adds all that they imply.
    ///
    /// ```
    /// use simd_core::asm::{Architecture, Features};
    ///
    /// assert!(Features::parse(Architecture::X86_64, "avx2,pclmulqdq").is_ok());
    /// assert!(Features::parse(Architecture::X86_64, "neon").is_err());
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownFeature`] if a word is not one of rustc's names for this architecture.
    pub fn parse(architecture: Architecture, names: &str) -> Result<Self, Error> {
        let mut set = Self::none(architecture);
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            if !set.insert(name) {
                let similar = path::similar(name, rows(architecture).iter().map(|row| row.name));
                return Err(Error::UnknownFeature { name: name.to_owned(), similar });
            }
        }
        Ok(set)
    }

    /// The features that every CPU of this architecture has, as far as rustc's usual targets are concerned.
    ///
    /// ```
    /// use simd_core::asm::{Architecture, Features};
    ///
    /// assert!(Features::architectural(Architecture::X86_64).contains("sse2"));
    /// assert!(Features::architectural(Architecture::Aarch64).contains("neon"));
    /// ```
    #[must_use]
    pub fn architectural(architecture: Architecture) -> Self {
        let mut set = Self::none(architecture);
        match architecture {
            Architecture::X86 | Architecture::X86_64 => set.insert("fxsr") && set.insert("sse2"),
            Architecture::Aarch64 => set.insert("neon"),
        };
        set
    }

    /// The features that this compilation has enabled for all code, by its target and by `-C target-feature` and
    /// `-C target-cpu`. On another architecture than the one compiled for: [`Features::architectural`].
    ///
    /// ```
    /// use simd_core::asm::{Architecture, Features};
    ///
    /// assert!(Features::enabled(Architecture::X86_64).contains("sse2"));
    /// ```
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
    pub(super) fn from_label(architecture: Architecture, label: &str) -> Option<Self> {
        let mut set = Self::none(architecture);
        let mut rest = label;
        loop {
            // Names can contain `_` in a label (`sse4_1`), so the longest one that fits is taken.
            let levels = LEVELS.iter().map(|&(name, _)| name).filter(|_| architecture == Architecture::X86_64);
            let name = rows(architecture)
                .iter()
                .map(|row| row.name)
                .chain(levels)
                .chain(PROPERTIES.iter().copied())
                .filter(|name| begins_with(rest, name))
                .max_by_key(|name| name.len())?;
            set.insert(name);
            match rest[name.len()..].strip_prefix('_') {
                Some(more) => rest = more,
                None => return Some(set),
            }
        }
    }

    /// Adds a feature or a level with all that it implies; false if there is no such name.
    fn insert(&mut self, name: &str) -> bool {
        if let Some(row) = row(self.architecture, name) {
            self.bits |= row.full.iter().fold(1 << row.bit, |bits, bit| bits | 1 << bit);
            return true;
        }
        let level = LEVELS.iter().find(|(level, _)| *level == name.replace('-', "_"));
        let Some((_, members)) = level.filter(|_| self.architecture == Architecture::X86_64) else { return false };
        members.split(',').all(|member| self.insert(member))
    }

    /// Is this feature in the set?
    ///
    /// ```
    /// use simd_core::asm::{Architecture, Features};
    ///
    /// assert!(Features::parse(Architecture::X86_64, "avx2")?.contains("avx"));
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        row(self.architecture, name).is_some_and(|row| self.bits & (1 << row.bit) != 0)
    }

    /// Are all features of `other` in this set?
    ///
    /// ```
    /// use simd_core::asm::{Architecture, Features};
    ///
    /// let [avx2, avx] = ["avx2", "avx"].map(|name| Features::parse(Architecture::X86_64, name));
    /// assert!(avx2?.contains_all(&avx?));
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn contains_all(&self, other: &Self) -> bool {
        self.architecture.same_family(other.architecture) && self.bits & other.bits == other.bits
    }

    /// Both sets together.
    ///
    /// ```
    /// use simd_core::asm::{Architecture, Features};
    ///
    /// let aes = Features::parse(Architecture::Aarch64, "aes")?;
    /// assert!(aes.union(&Features::parse(Architecture::Aarch64, "sha2")?).contains("sha2"));
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { architecture: self.architecture, bits: self.bits | other.bits }
    }

    /// All names in the set, in the order of the table.
    ///
    /// ```
    /// use simd_core::asm::{Architecture, Features};
    ///
    /// let avx2 = Features::parse(Architecture::X86_64, "avx2")?;
    /// assert!(avx2.names().any(|name| name == "sse4.2"));
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        let bits = self.bits;
        rows(self.architecture).iter().filter(move |row| bits & (1 << row.bit) != 0).map(|row| row.name)
    }

    /// The names that no other name in the set implies.
    ///
    /// ```
    /// use simd_core::asm::{Architecture, Features};
    ///
    /// assert_eq!(Features::parse(Architecture::X86_64, "avx2,sse4.2")?.leaves(), ["avx2"]);
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn leaves(&self) -> Vec<&'static str> {
        let inside = || rows(self.architecture).iter().filter(|row| self.bits & (1 << row.bit) != 0);
        inside()
            .filter(|row| !inside().any(|other| other.bit != row.bit && other.full.contains(&row.bit)))
            .map(|row| row.name)
            .collect()
    }
}

/// Does a label begin with this name, in which dots and dashes are `_`?
fn begins_with(label: &str, name: &str) -> bool {
    label.len() >= name.len()
        && label.bytes().zip(name.bytes()).all(|(c, n)| c == n || c == b'_' && matches!(n, b'.' | b'-'))
        && matches!(label.as_bytes().get(name.len()), None | Some(b'_'))
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.leaves().join(","))
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
        assert_eq!(Features::from_label(Architecture::X86, "x86_64_v3"), None);
        assert_eq!(label("baseline"), None);
        assert_eq!(label("avx2_helper"), None);
        assert_eq!(label(""), None);
        assert_eq!(Features::from_label(Aarch64, "sha3_sve2_aes").unwrap().to_string(), "sha3,sve2-aes");
        assert_eq!(Features::from_label(Aarch64, "aes_sve2").unwrap().to_string(), "aes,sve2");
        assert_eq!(Features::from_label(Aarch64, "avx2"), None);
    }
}
