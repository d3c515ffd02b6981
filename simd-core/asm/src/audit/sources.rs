//! Where a program keeps what it has found out about the CPU.
//!
//! `cpuid` says which of its bits stands for which feature. Variables and functions that other detection fills or returns
//! are known by their names: a few libraries write it. Users can name more.

use core::ops::Range;
use std::collections::HashMap;

use super::facts::Facts;
use crate::architecture::Architecture;
use crate::features::Features;
use crate::image::Value;
use crate::path;
use crate::program::Program;
use crate::values::bits::ZERO;

/// Names of variables: the end of a path, or a pattern.
const VARIABLES: &[&str] = &[
    "simd_core::known::WORDS",
    // The crate `cpufeatures` puts it into a module that its user names. Its size is checked.
    "*::STORAGE",
    "zlib_rs::cpu_features::*::CACHE",
    "faster_hex::vectorization_support::FLAGS",
    "ring::cpu::*::featureflags::FEATURES",
    "ring_core_*_available",
    "*OPENSSL_ia32cap_P",
    "*OPENSSL_armcap_P",
    "__cpu_model",
    "__cpu_features2",
    "__aarch64_cpu_features",
    "__aarch64_have_lse_atomics",
    "*::HAVE_LSE_ATOMICS",
];

/// Crates that keep in a struct what they have found out, and their kernels. Their own calls of these are behind a test.
const KEEPERS: &[(&str, &[&str])] = &[
    ("blake3::*", &["*blake3_*", "blake3::sse41::*", "blake3::avx2::*"]),
    ("crc32fast::*", &["crc32fast::specialized::pclmulqdq::*"]),
    ("rav1e::*", &["rav1e_*", "rav1e::asm::x86::*"]),
];

/// The standard library's cache. On x86 its bits are those that its code stores there.
const STD: &str = "std_detect::detect::cache::CACHE";

/// The bytes of the longest variable whose size is not known.
const LONGEST: u64 = 64;

/// Functions that return what the CPU has, or nothing on one that lacks something.
const FUNCTIONS: &[&str] = &["std_detect::detect::check_for", "IsProcessorFeaturePresent", "getauxval"];

/// Functions of other libraries that do not return.
const NEVER: &[&str] = &["abort", "exit", "_exit", "_Unwind_Resume", "__stack_chk_fail", "__assert_fail"];

macro_rules! define {
    ($family:ident $arches:tt $($group:ident [$(($feature:ident $name:literal $leaf:literal $part:literal $register:literal $bit:literal))*])*;) => {
        /// A leaf of `cpuid`, its part, the register, the bit and the feature.
        const CPUID: &[(u64, u64, usize, u32, &str)] = &[
            $($(($leaf, $part, $register, $bit, $name),)*)*
            // The operating system's word for it.
            (1, 0, 2, 27, "xsave"),
            (25, 0, 1, 0, "kl"),
        ];
    };
}
simd_core_macros::__table!(cpuid define);

/// A register of which other bits than those of features are read.
const MIXED: (u64, u64, usize) = (1, 0, 3);

/// Whether a path is that of a kernel of a crate that keeps what it has found out, and `from` is one of the same crate. A table of
/// such kernels, and what leads to one in a way that is not seen, is the crate's own.
pub(crate) fn keeps(from: Option<&str>, to: &str) -> bool {
    let of = |(own, kernels): &(&str, &[&str])| {
        let is_kernel = |path: &str| kernels.iter().any(|kernel| path::allowed(kernel, path));
        is_kernel(to) && from.is_none_or(|from| path::allowed(own, from) || is_kernel(from))
    };
    KEEPERS.iter().any(of)
}

pub(crate) struct Sources {
    architecture: Architecture,
    /// Those that say nothing on a CPU that lacks something.
    variables: Vec<Range<u64>>,
    /// The standard library's cache, where its code is read.
    pub(crate) std: Option<Range<u64>>,
    /// For each variable that the user names, whether there is one.
    pub(crate) found: Vec<bool>,
}

impl Sources {
    /// `more` are paths of variables, or patterns, that the user names.
    pub(crate) fn new(program: &Program, more: &[String]) -> Self {
        let architecture = program.image.architecture;
        let mut sources = Self { architecture, variables: Vec::new(), std: None, found: vec![false; more.len()] };
        for (at, symbol) in program.data.iter().enumerate() {
            let path = symbol.path();
            let known = VARIABLES.iter().find(|pattern| path::allowed(pattern, &path));
            let known = known.is_some_and(|pattern| *pattern != "*::STORAGE" || symbol.size <= 1);
            let mut named = false;
            for (pattern, found) in more.iter().zip(&mut sources.found) {
                let is_this = path::allowed(pattern, &path) || *pattern == symbol.name;
                named |= is_this;
                *found |= is_this;
            }
            let is_std = path::allowed(STD, &path);
            if !known && !named && !is_std {
                continue;
            }
            // The format may have no sizes.
            let next = program.data[at..].iter().find(|other| other.address > symbol.address);
            let room = next.map_or(LONGEST, |next| (next.address - symbol.address).min(LONGEST));
            let memory = symbol.address..symbol.address + if symbol.size == 0 { room } else { symbol.size };
            if is_std && architecture != Architecture::Aarch64 {
                sources.std = Some(memory);
            } else {
                sources.variables.push(memory);
            }
        }
        sources
    }

    /// Whether it is in a variable that says what the CPU has.
    pub(crate) fn variable(&self, address: u64) -> bool {
        self.trusted(address) || self.std.as_ref().is_some_and(|std| std.contains(&address))
    }

    pub(crate) fn trusted(&self, address: u64) -> bool {
        self.variables.iter().any(|variable| variable.contains(&address))
    }

    /// Whether the function of this path, here or in another library, is known.
    pub(crate) fn answers(&self, path: &str) -> bool {
        let known = [FUNCTIONS, NEVER].iter().any(|all| all.contains(&path));
        known || path.contains("::__is_feature_detected::") || self.is_unread(path)
    }

    /// The value that the function of this path returns on a CPU that lacks this; nothing if it does not return, or is not known.
    pub(crate) fn returned(&self, path: &str, lacking: Facts) -> Option<[Value; 2]> {
        if NEVER.contains(&path) {
            return None;
        }
        let whether = path.rsplit_once("::").filter(|(module, _)| module.ends_with("::__is_feature_detected"));
        let nothing = FUNCTIONS.contains(&path) || whether.is_some_and(|(_, name)| self.needs(name, lacking));
        Some([if nothing || self.is_unread(path) { ZERO } else { Value::Unknown }; 2])
    }

    /// Whether it fills the standard library's cache from what the system says.
    fn is_unread(&self, path: &str) -> bool {
        self.architecture == Architecture::Aarch64 && path == "std_detect::detect::cache::detect_and_initialize"
    }

    /// Whether the feature is one of these or implies one of them, or has no name here.
    fn needs(&self, name: &str, lacking: Facts) -> bool {
        let features =
            Features::from_label(self.architecture, name).or_else(|| Features::parse(self.architecture, name).ok());
        features.is_none_or(|features| features.bits() & lacking != 0)
    }

    /// The registers of `cpuid` on a CPU that lacks this, by leaf and part.
    pub(crate) fn cpuid(&self, lacking: Facts) -> HashMap<(u64, u64), [Value; 4]> {
        // The bits that are zero: those of what is lacking, and all that stand for nothing.
        let mut zeros: HashMap<_, u64> = HashMap::new();
        for &(leaf, part, register, bit, name) in CPUID {
            let place = (leaf, part, register);
            let zero = zeros.entry(place).or_insert(if place == MIXED { 0 } else { !0 });
            *zero = if self.needs(name, lacking) { *zero | 1 << bit } else { *zero & !(1 << bit) };
        }
        let mut out: HashMap<_, [Value; 4]> = HashMap::new();
        for ((leaf, part, register), zero) in zeros {
            out.entry((leaf, part)).or_insert([Value::Unknown; 4])[register] = Value::bits(zero, 0);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features;

    #[test]
    fn every_feature_has_its_bits() {
        for name in features::all_names(Architecture::X86_64) {
            let known = CPUID.iter().any(|(.., known)| *known == name);
            assert!(known, "{name} has no bit of `cpuid`");
        }
    }
}
