//! The form of a table of features.

/// Whether unstable features are accepted: the feature `nightly` is on, and the compiler accepts feature gates.
pub(crate) const TAKES_UNSTABLE: bool = cfg!(simd_core_unstable);

/// A set of architectures that share one table of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    X86,
    Aarch64,
    Arm,
    Riscv,
    Loongarch,
    S390x,
    Powerpc,
    Wasm,
}

/// An architecture, by its value of `target_arch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arch {
    X86,
    X86_64,
    Aarch64,
    Arm,
    Riscv32,
    Riscv64,
    Loongarch64,
    S390x,
    Powerpc,
    Powerpc64,
    Wasm32,
    Wasm64,
}

/// A feature that is stable in some Rust, or that the standard library detects on a nightly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feature {
    /// The compiler's name.
    pub(crate) name: &'static str,
    pub(crate) family: Family,
    /// The index in the masks of the runtime crate. Bit 0 is not a feature.
    pub(crate) bit: u32,
    /// The names of the features that this one enables directly; unstable ones are left out.
    pub(crate) implies: &'static [&'static str],
    /// One more, and the minor version of the Rust from which on it enables that one too.
    pub(crate) later: Option<(u32, &'static str)>,
    /// The minor version of the Rust that stabilised it; 0 if all supported versions have it, [`UNSTABLE`] if none has.
    pub(crate) since: u32,
    /// Whether the standard library detects it, on the families where its macro is stable.
    pub(crate) detectable: bool,
    /// Whether it is a property of CPUs that have some feature, such as `fast-pext`. Properties are in masks and in
    /// lists. They are never in `#[target_feature]` or `cfg`, since the compiler has no such names.
    pub(crate) property: bool,
    /// On x86, the bit that says that the CPU has it.
    pub(crate) cpuid: Option<Cpuid>,
}

/// A bit that `cpuid` returns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cpuid {
    pub(crate) leaf: u32,
    pub(crate) subleaf: u32,
    /// 0 for `eax`, then `ebx`, `ecx`, `edx`.
    pub(crate) register: u32,
    pub(crate) bit: u32,
    pub(crate) counts: Counts,
}

/// When a bit of `cpuid` means that programs can use the feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counts {
    Alone,
    /// If the operating system has prepared the CPU for AVX.
    WithAvx,
    /// If the operating system saves the feature's registers.
    IfSaved,
    /// If the operating system has loaded keys.
    IfLoaded,
}

/// A name for a set of features: a level of a platform's ABI.
#[derive(Debug)]
pub(crate) struct Preset {
    pub(crate) name: &'static str,
    pub(crate) arch: Arch,
    pub(crate) features: &'static [&'static str],
}

impl Preset {
    /// The features of the platform, those that others imply among them.
    pub(crate) fn features(&self) -> Vec<&'static Feature> {
        let table = self.arch.family().features();
        table.iter().filter(|feature| self.features.contains(&feature.name)).collect()
    }
}

/// The value of [`Feature::since`] for features that are unstable in every Rust.
pub(super) const UNSTABLE: u32 = u32::MAX;

pub(super) struct Table {
    pub(super) features: &'static [Feature],
    pub(super) unstable: &'static [&'static str],
    /// Another name, and the compiler's.
    pub(super) aliases: &'static [(&'static str, &'static str)],
    pub(super) presets: &'static [Preset],
    /// Names that `#[target_feature]` accepts only together.
    pub(super) tied: &'static [[&'static str; 2]],
    /// The version of Rust that stabilised the standard library's detection macro, if it is stable.
    pub(super) detected_since: Option<u32>,
}

impl Table {
    pub(super) const EMPTY: Table =
        Table { features: &[], unstable: &[], aliases: &[], presets: &[], tied: &[], detected_since: None };
}

impl Feature {
    pub(super) const fn new(name: &'static str, implies: &'static [&'static str]) -> Self {
        Self {
            name,
            family: Family::X86,
            bit: 0,
            implies,
            later: None,
            since: 0,
            detectable: true,
            property: false,
            cpuid: None,
        }
    }

    /// A property, which implies nothing: a CPU may have the property without the feature.
    pub(super) const fn property(name: &'static str) -> Self {
        Self { property: true, ..Self::new(name, &[]) }
    }

    pub(super) const fn since(mut self, minor: u32) -> Self {
        self.since = minor;
        self
    }

    /// Enables `name` too in Rust 1.`minor` and later.
    pub(super) const fn implies_since(self, minor: u32, name: &'static str) -> Self {
        Self { later: Some((minor, name)), ..self }
    }

    pub(super) const fn unstable(self) -> Self {
        self.since(UNSTABLE)
    }

    pub(super) const fn undetectable(mut self) -> Self {
        self.detectable = false;
        self
    }

    pub(super) const fn cpuid(self, leaf: u32, subleaf: u32, register: u32, bit: u32) -> Self {
        Self { cpuid: Some(Cpuid { leaf, subleaf, register, bit, counts: Counts::Alone }), ..self }
    }

    pub(super) const fn cpuid_with_avx(self, leaf: u32, subleaf: u32, register: u32, bit: u32) -> Self {
        Self { cpuid: Some(Cpuid { leaf, subleaf, register, bit, counts: Counts::WithAvx }), ..self }
    }

    pub(super) const fn cpuid_if_saved(self, leaf: u32, subleaf: u32, register: u32, bit: u32) -> Self {
        Self { cpuid: Some(Cpuid { leaf, subleaf, register, bit, counts: Counts::IfSaved }), ..self }
    }

    pub(super) const fn cpuid_if_loaded(self, leaf: u32, subleaf: u32, register: u32, bit: u32) -> Self {
        Self { cpuid: Some(Cpuid { leaf, subleaf, register, bit, counts: Counts::IfLoaded }), ..self }
    }

    /// The names of the features that it enables directly in Rust 1.`rustc`.
    pub(crate) fn implied(&self, rustc: u32) -> impl Iterator<Item = &'static str> {
        let later = self.later.filter(|(since, _)| *since <= rustc).map(|(_, name)| name);
        self.implies.iter().copied().chain(later)
    }

    /// Whether Rust 1.`rustc` accepts the feature: without a feature gate, or with one in a build for that.
    pub(crate) fn taken(&self, rustc: u32) -> bool {
        if self.since == UNSTABLE { TAKES_UNSTABLE } else { self.since <= rustc }
    }
}

/// Gives each feature its family and its bit, from 1 on.
pub(super) const fn number<const N: usize>(family: Family, mut features: [Feature; N]) -> [Feature; N] {
    let mut i = 0;
    let mut bit = 1;
    while i < N {
        features[i].family = family;
        features[i].bit = bit;
        i += 1;
        bit += 1;
    }
    features
}
