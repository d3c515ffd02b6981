//! Rust's CPU features, by family of architectures: the features that each implies, the release that stabilised it, and
//! its place in the masks of the runtime crate.
//!
//! The names, implications and stability are those of `compiler/rustc_target/src/target_features.rs` in Rust's sources.
//! `tests/platforms/features.rs` compares every pair with the installed compiler. CONTRIBUTING.md says how to add a feature.
//!
//! Unstable features come last in each table, so that the feature `nightly` moves no other bit. The table has those
//! that the standard library detects, with all that they imply.
mod aarch64;
pub(crate) mod export;
mod others;
mod riscv;
mod table;
mod x86;

use proc_macro2::{Ident, Span};

pub(crate) use table::{Arch, Family, Feature, Preset, TAKES_UNSTABLE};
use table::{Counts, Cpuid, Table, UNSTABLE};

/// The minor version of the Rust that compiles this crate, and so the user's crate.
pub(crate) const RUSTC: u32 = parse_minor(env!("SIMD_CORE_RUSTC_MINOR"));

/// The meaning of a name in one family.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meaning {
    Feature(&'static Feature),
    Preset(&'static Preset),
    /// A feature of a later Rust.
    Later(&'static Feature),
    /// A feature that a nightly accepts, with the feature `nightly`.
    Nightly(&'static Feature),
    /// The compiler's name of a feature that no program can enable.
    Unstable(&'static str),
}

impl Family {
    pub(crate) const ALL: [Self; 8] =
        [Self::X86, Self::Aarch64, Self::Arm, Self::Riscv, Self::Loongarch, Self::S390x, Self::Powerpc, Self::Wasm];

    fn table(self) -> &'static Table {
        match self {
            Self::X86 => &x86::TABLE,
            Self::Aarch64 => &aarch64::TABLE,
            Self::Arm => &others::ARM,
            Self::Riscv => &riscv::TABLE,
            Self::Loongarch => &others::LOONGARCH,
            Self::S390x => &others::S390X,
            Self::Powerpc => &others::POWERPC,
            Self::Wasm => &others::WASM,
        }
    }

    /// Every feature of the table, in the order of the bits.
    pub(crate) fn features(self) -> &'static [Feature] {
        self.table().features
    }

    /// The compiler's names of features that no program can enable, and of those that this build does not accept.
    pub(crate) fn unstable(self) -> Vec<&'static str> {
        let mut names = self.table().unstable.to_vec();
        for feature in self.features() {
            if feature.since == UNSTABLE && !TAKES_UNSTABLE {
                names.push(feature.name);
            }
        }
        names
    }

    /// Whether a function of this family can have `name` and no other feature. A property is none.
    pub(crate) fn enables_alone(self, name: &str) -> bool {
        let feature = matches!(self.meaning(name, RUSTC), Some(Meaning::Feature(feature)) if !feature.property);
        feature && !self.tied().iter().flatten().any(|tied| *tied == name)
    }

    pub(crate) fn arches(self) -> Vec<Arch> {
        Arch::TABLE.iter().filter(|(.., family)| *family == self).map(|(arch, ..)| *arch).collect()
    }

    pub(crate) fn tied(self) -> &'static [[&'static str; 2]] {
        self.table().tied
    }

    /// The meaning of `name` in this family in Rust 1.`rustc`; `None` if it has none.
    pub(crate) fn meaning(self, name: &str, rustc: u32) -> Option<Meaning> {
        let table = self.table();
        if let Some(preset) = table.presets.iter().find(|preset| preset.name == name) {
            return Some(Meaning::Preset(preset));
        }
        let name = table.aliases.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
        if let Some(feature) = self.features().iter().find(|feature| feature.name == name) {
            return Some(match feature.since {
                _ if feature.taken(rustc) => Meaning::Feature(feature),
                UNSTABLE => Meaning::Nightly(feature),
                _ => Meaning::Later(feature),
            });
        }
        table.unstable.iter().find(|unstable| **unstable == name).copied().map(Meaning::Unstable)
    }

    /// Every name that has a meaning in this family in some Rust, in this build: the compiler's, aliases and presets.
    pub(crate) fn names(self) -> Vec<&'static str> {
        let Table { features, aliases, presets, .. } = self.table();
        let unstable = self.unstable();
        let mut named: Vec<_> = features.iter().map(|feature| (feature.name, feature.name)).collect();
        named.extend_from_slice(aliases);
        named.extend(presets.iter().map(|preset| (preset.name, preset.name)));
        named.retain(|(_, name)| !unstable.contains(name));
        named.into_iter().map(|(name, _)| name).collect()
    }
}

impl Arch {
    /// The value of `target_arch` for each, and its family, in the order of their declaration.
    const TABLE: [(Self, &'static str, Family); 12] = [
        (Self::X86, "x86", Family::X86),
        (Self::X86_64, "x86_64", Family::X86),
        (Self::Aarch64, "aarch64", Family::Aarch64),
        (Self::Arm, "arm", Family::Arm),
        (Self::Riscv32, "riscv32", Family::Riscv),
        (Self::Riscv64, "riscv64", Family::Riscv),
        (Self::Loongarch64, "loongarch64", Family::Loongarch),
        (Self::S390x, "s390x", Family::S390x),
        (Self::Powerpc, "powerpc", Family::Powerpc),
        (Self::Powerpc64, "powerpc64", Family::Powerpc),
        (Self::Wasm32, "wasm32", Family::Wasm),
        (Self::Wasm64, "wasm64", Family::Wasm),
    ];

    pub(crate) fn all() -> Vec<Self> {
        Self::TABLE.iter().map(|(arch, _, _)| *arch).collect()
    }

    /// The value of `target_arch`.
    pub(crate) fn cfg_name(self) -> &'static str {
        Self::TABLE[self as usize].1
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::TABLE.iter().find(|(_, known, _)| *known == name).map(|(arch, _, _)| *arch)
    }

    pub(crate) fn family(self) -> Family {
        Self::TABLE[self as usize].2
    }

    /// Every build has it, except those without vector registers (`…-softfloat`). There a function must not enable it either.
    pub(crate) fn base(self) -> &'static [&'static str] {
        match self {
            Self::X86_64 => &["sse", "sse2", "fxsr"],
            Self::Aarch64 => &["neon"],
            _ => &[],
        }
    }
}

/// The constant of the feature `name` in the runtime crate.
pub(crate) fn constant(name: &str, span: Span) -> Ident {
    Ident::new(&ident_part(name).to_uppercase(), span)
}

/// Whether `name` is a property's.
pub(crate) fn is_property(name: &str) -> bool {
    let holds = |family: &Family| family.features().iter().any(|feature| feature.property && feature.name == name);
    Family::ALL.iter().any(holds)
}

/// `name` with `_` in place of characters that identifiers cannot contain.
pub(crate) fn ident_part(name: &str) -> String {
    name.replace(['.', '-'], "_")
}

/// `features` with all that they imply in Rust 1.`rustc`, in table order. Features that are not accepted there are left
/// out: that Rust's `cfg` and detection macros do not have them either.
pub(crate) fn closure(family: Family, features: &[&'static Feature], rustc: u32) -> Vec<&'static Feature> {
    let mut implied = implied(family, features, rustc);
    implied.retain(|feature| feature.taken(rustc));
    implied
}

pub(crate) fn contains(features: &[&Feature], feature: &Feature) -> bool {
    features.iter().any(|other| other.bit == feature.bit)
}

/// `features` without those that others among them imply, in table order.
pub(crate) fn leaves(family: Family, features: &[&'static Feature], rustc: u32) -> Vec<&'static Feature> {
    let mut implied_by_others = Vec::new();
    for feature in features {
        let closure = closure(family, &[feature], rustc);
        implied_by_others.extend(closure.into_iter().filter(|other| other.bit != feature.bit));
    }
    let mut leaves = closure(family, features, rustc);
    leaves.retain(|leaf| contains(features, leaf) && !contains(&implied_by_others, leaf));
    leaves
}

/// `features` with all that they imply in Rust 1.`rustc`, stable there or not, in table order.
fn implied(family: Family, features: &[&'static Feature], rustc: u32) -> Vec<&'static Feature> {
    let mut names: Vec<&str> = features.iter().map(|feature| feature.name).collect();
    let mut table: Vec<&Feature> = family.features().iter().collect();
    let mut at = 0;
    while at < names.len() {
        if let Some(feature) = table.iter().find(|feature| feature.name == names[at]) {
            for name in feature.implied(rustc) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        at += 1;
    }
    table.retain(|feature| names.contains(&feature.name));
    table
}

const fn parse_minor(text: &str) -> u32 {
    match u32::from_str_radix(text, 10) {
        Ok(minor) => minor,
        Err(_) => panic!("the build script writes a number"),
    }
}
