//! A target, and the meaning of the words in it.
use crate::features::{Arch, Family, Feature, Meaning, Preset, RUSTC, closure, contains, ident_part};

/// A set of features of one family, on those of its architectures that are listed and where it can be selected.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) family: Family,
    pub(crate) arches: Vec<Arch>,
    /// The listed features, less those that the rest implies; in table order.
    pub(crate) leaf: Vec<&'static Feature>,
    /// The listed features with all that they imply; in table order.
    pub(crate) full: Vec<&'static Feature>,
    pub(super) preset: Option<&'static Preset>,
    /// Names of a preset and of features that together have these leaves, and no others.
    pub(crate) parts: Vec<&'static str>,
}

impl Target {
    /// Whether each of its architectures is also one of `other`.
    pub(crate) fn is_within(&self, other: &Target) -> bool {
        self.arches.iter().all(|arch| other.arches.contains(arch))
    }

    /// The name of the clone as a part of an identifier: `avx2_pclmulqdq`, `x86_64_v3`.
    pub(crate) fn label(&self) -> String {
        ident_part(&self.names().join("_"))
    }

    /// The operand of `#[target_feature(enable = …)]`.
    pub(crate) fn enable(&self) -> String {
        let names: Vec<&str> =
            self.leaf.iter().filter(|feature| !feature.property).map(|feature| feature.name).collect();
        names.join(",")
    }

    /// Whether it has a property of CPUs, which no build enables.
    pub(crate) fn has_property(&self) -> bool {
        self.leaf.iter().any(|feature| feature.property)
    }

    /// The target in words: `avx2,pclmulqdq (x86, x86_64)`.
    pub(crate) fn display(&self) -> String {
        let arches: Vec<&str> = self.arches.iter().map(|arch| arch.cfg_name()).collect();
        format!("{} ({})", self.name(), arches.join(", "))
    }

    /// The target as a list of names with the same meaning: `avx2,pclmulqdq`, `x86-64-v3,aes`.
    pub(crate) fn name(&self) -> String {
        self.names().join(",")
    }

    /// The preset, then the features that it does not have.
    fn names(&self) -> Vec<&'static str> {
        let of_preset = self.preset.map_or_else(Vec::new, |preset| closure(self.family, &preset.features(), RUSTC));
        let rest = self.leaf.iter().filter(|feature| !contains(&of_preset, feature));
        self.preset.iter().map(|preset| preset.name).chain(rest.map(|feature| feature.name)).collect()
    }
}

/// The stable features of `arch` that `word` names, and the preset that it is.
pub(super) fn meaning(word: &str, arch: Arch, rustc: u32) -> Option<(Vec<&'static Feature>, Option<&'static Preset>)> {
    match arch.family().meaning(word, rustc)? {
        Meaning::Feature(feature) => Some((vec![feature], None)),
        Meaning::Preset(preset) if preset.arch == arch => Some((preset.features(), Some(preset))),
        Meaning::Preset(_) | Meaning::Later(_) | Meaning::Nightly(_) | Meaning::Unstable(_) => None,
    }
}
