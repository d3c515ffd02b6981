//! Where a program keeps what it has found out about the CPU.
//!
//! Variables and functions are known by their names, as detection is written by a few libraries: the standard library,
//! simd-core, `cpufeatures`, the descendants of OpenSSL, compilers' run-time libraries. Users can name more.

use core::ops::Range;

use super::facts::{ANY, Facts};
use crate::architecture::Architecture;
use crate::features::Features;
use crate::path;
use crate::program::Program;

/// A variable, or a register that `cpuid` fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Bits, each of which is some feature.
    Bits,
    /// A small number, of which zero means that the CPU lacks something and all ones that nothing is known yet.
    Flag,
    /// The bits of the standard library's cache, numbered without those that say whether it is filled.
    Std,
}

/// What a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Returned {
    Bits(Meaning),
    /// Whether the CPU has these features.
    Whether(Facts),
}

struct Variable {
    memory: Range<u64>,
    meaning: Meaning,
}

pub(crate) struct Sources {
    architecture: Architecture,
    word: u64,
    variables: Vec<Variable>,
    /// What the bits of the standard library's cache mean, if that is known.
    std: Vec<Facts>,
    /// For each variable that the user names, whether there is one.
    pub(crate) found: Vec<bool>,
}

/// Names of variables: the end of a path, or a pattern.
const VARIABLES: &[(&str, Meaning)] = &[
    ("simd_core::known::WORDS", Meaning::Bits),
    ("std_detect::detect::cache::CACHE", Meaning::Std),
    // The crate `cpufeatures` puts it into a module that its user names. Its size is checked.
    ("*::STORAGE", Meaning::Flag),
    ("zlib_rs::cpu_features::*::CACHE", Meaning::Flag),
    ("faster_hex::vectorization_support::FLAGS", Meaning::Flag),
    ("ring::cpu::*::featureflags::FEATURES", Meaning::Bits),
    ("ring_core_*_available", Meaning::Flag),
    ("*OPENSSL_ia32cap_P", Meaning::Bits),
    ("*OPENSSL_armcap_P", Meaning::Bits),
    ("__cpu_model", Meaning::Bits),
    ("__cpu_features2", Meaning::Bits),
    ("__aarch64_cpu_features", Meaning::Bits),
    ("__aarch64_have_lse_atomics", Meaning::Flag),
    ("*::HAVE_LSE_ATOMICS", Meaning::Flag),
];

/// The bytes of the longest variable whose size is not known.
const LONGEST: u64 = 64;

/// The order of the features in the standard library's cache on x86 (`std_detect/src/detect/arch/x86.rs`); empty where
/// the table of features has no name for one. A test compares it with the installed Rust.
#[rustfmt::skip]
const STD: &[&str] = &[
    "aes", "pclmulqdq", "rdrand", "rdseed", "", "", "sse", "sse2", "sse3", "ssse3", "sse4.1", "sse4.2", "sse4a", "sha",
    "avx", "avx2", "sha512", "sm3", "sm4", "avx512f", "avx512cd", "", "", "avx512bw", "avx512dq", "avx512vl",
    "avx512ifma", "avx512vbmi", "avx512vpopcntdq", "avx512vbmi2", "gfni", "vaes", "vpclmulqdq", "avx512vnni",
    "avx512bitalg", "avx512bf16", "avx512vp2intersect", "avx512fp16", "avxifma", "avxneconvert", "avxvnni",
    "avxvnniint16", "avxvnniint8", "", "", "", "", "", "", "", "", "", "", "", "", "f16c", "fma", "bmi1", "bmi2",
    "lzcnt", "tbm", "popcnt", "fxsr", "xsave", "xsaveopt", "xsaves", "xsavec", "cmpxchg16b", "kl", "widekl", "adx", "",
    "movbe",
];

/// The minor versions of Rust that have this order.
const STD_SINCE: core::ops::RangeInclusive<u32> = 95..=97;

/// What the bits mean in a program that these versions of Rust have compiled.
fn std_bits(architecture: Architecture, rustc: &[u32]) -> Vec<Facts> {
    let known = !rustc.is_empty() && rustc.iter().all(|minor| STD_SINCE.contains(minor));
    if architecture == Architecture::Aarch64 || !known {
        return Vec::new();
    }
    let facts = |name: &&str| match Features::parse(architecture, name) {
        Ok(features) if !name.is_empty() => features.bits(),
        _ => ANY,
    };
    STD.iter().map(facts).collect()
}

impl Sources {
    /// `more` are paths of variables, or patterns, that the user names.
    pub(crate) fn new(program: &Program, more: &[String]) -> Self {
        let mut found = vec![false; more.len()];
        let mut meaning = |name: &str, path: &str, size: u64| {
            let known = VARIABLES.iter().find(|(pattern, _)| path::allowed(pattern, path));
            let known = known.filter(|(pattern, _)| *pattern != "*::STORAGE" || size <= 1).map(|&(_, meaning)| meaning);
            let mut named = false;
            for (pattern, found) in more.iter().zip(&mut found) {
                let is_this = path::allowed(pattern, path) || pattern == name;
                named |= is_this;
                *found |= is_this;
            }
            known.or_else(|| named.then_some(if size == 1 { Meaning::Flag } else { Meaning::Bits }))
        };
        let variables = program
            .data
            .iter()
            .filter_map(|symbol| {
                let meaning = meaning(&symbol.name, &symbol.path(), symbol.size)?;
                let next = program.data.partition_point(|other| other.address <= symbol.address);
                let size = match (symbol.size, meaning) {
                    (0, Meaning::Flag) => 1,
                    // The format has no sizes.
                    (0, _) => {
                        program.data.get(next).map_or(LONGEST, |next| (next.address - symbol.address).min(LONGEST))
                    }
                    (size, _) => size,
                };
                Some(Variable { memory: symbol.address..symbol.address + size, meaning })
            })
            .collect();
        let architecture = program.image.architecture;
        Self {
            architecture,
            word: if architecture == Architecture::X86 { 4 } else { 8 },
            variables,
            std: std_bits(architecture, &program.rustc),
            found,
        }
    }

    /// With one variable.
    #[cfg(test)]
    pub(crate) fn of(architecture: Architecture, memory: Range<u64>, meaning: Meaning) -> Self {
        let word = if architecture == Architecture::X86 { 4 } else { 8 };
        Self { architecture, word, variables: vec![Variable { memory, meaning }], std: Vec::new(), found: Vec::new() }
    }

    /// Takes a variable for one more that holds what the CPU has.
    pub(crate) fn add(&mut self, address: u64, size: u64, meaning: Meaning) {
        self.variables.push(Variable { memory: address..address + size, meaning });
    }

    /// What the variable at this address means, and the number of the first bit there.
    pub(crate) fn variable(&self, address: u64) -> Option<(Meaning, i32)> {
        let variable = self.variables.iter().find(|variable| variable.memory.contains(&address))?;
        let (word, byte) =
            ((address - variable.memory.start) / self.word, (address - variable.memory.start) % self.word);
        // The highest bit of each word of the cache says that it is filled.
        let bits = if variable.meaning == Meaning::Std { self.word * 8 - 1 } else { self.word * 8 };
        Some((variable.meaning, i32::try_from(word * bits + byte * 8).ok()?))
    }

    /// What the function of this path, here or in another library, returns of the CPU.
    pub(crate) fn returned(&self, path: &str) -> Option<Returned> {
        match path {
            "std_detect::detect::cache::detect_and_initialize" => Some(Returned::Bits(Meaning::Std)),
            "std_detect::detect::check_for" | "IsProcessorFeaturePresent" => Some(Returned::Whether(ANY)),
            "getauxval" => Some(Returned::Bits(Meaning::Bits)),
            _ => {
                let (module, name) = path.rsplit_once("::")?;
                if !module.ends_with("::__is_feature_detected") {
                    return None;
                }
                let features = Features::from_label(self.architecture, name);
                Some(Returned::Whether(features.map_or(ANY, |features| features.bits())))
            }
        }
    }

    /// What the CPU has if this bit is set.
    pub(crate) fn facts(&self, meaning: Meaning, bit: i32) -> Facts {
        let known = usize::try_from(bit).ok().filter(|_| meaning == Meaning::Std);
        known.and_then(|bit| self.std.get(bit)).copied().unwrap_or(ANY)
    }
}
