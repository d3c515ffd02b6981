//! `--explain`: which target of each kernel runs here, and why no better one does.
use core::fmt::Write;
use std::env::consts::ARCH;

/// Kernels that have the same targets.
#[derive(Clone, Copy)]
pub(crate) struct Kernel {
    name: &'static str,
    /// As they are annotated, in order of preference.
    targets: &'static str,
}

pub(crate) const SINGLE: Kernel = Kernel { name: "AES rounds, one block, and Haraka of one message", targets: "aes" };
pub(crate) const MANY: Kernel =
    Kernel { name: "AES of many blocks, Haraka of many messages", targets: "vaes,avx512f | vaes,avx2 | aes" };
pub(crate) const PRODUCTS: Kernel = Kernel {
    name: "carry-less products, GF(2^16) to GF(2^2048), Shamir of elements",
    targets: "avx512vbmi2,avx512vl,gfni,vpclmulqdq | avx2,pclmulqdq | pclmulqdq | aes,pmull",
};
pub(crate) const BYTES: Kernel = Kernel {
    name: "GF(2^8), Shamir of bytes",
    targets: "avx512bw,avx512vl,gfni | avx2,gfni | avx2 | ssse3 | aarch64: neon",
};
pub(crate) const CHACHA20: Kernel = Kernel { name: "ChaCha20", targets: "avx512vl | avx2" };

pub(crate) const KERNELS: &[Kernel] = &[SINGLE, MANY, PRODUCTS, BYTES, CHACHA20];

/// A feature that a target asks for.
struct Feature {
    name: &'static str,
    /// Whether the dispatchers take it for present.
    present: fn() -> bool,
    /// Whether the standard library finds it. What only that finds has been taken away for a test.
    found: fn() -> bool,
    /// Whether the build enables it, so that nothing is asked.
    built: bool,
}

/// The features of this architecture that targets of the kernels ask for.
const FEATURES: &[Feature] = features();

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
const fn features() -> &'static [Feature] {
    macro_rules! features {
        ($($name:tt)*) => {
            &[$(Feature {
                name: $name,
                present: || simd_core::detected!($name),
                found: || std::arch::is_x86_feature_detected!($name),
                built: cfg!(target_feature = $name),
            }),*]
        };
    }
    features!("ssse3" "avx2" "avx512f" "avx512bw" "avx512vl" "avx512vbmi2" "aes" "vaes" "pclmulqdq" "vpclmulqdq" "gfni")
}

#[cfg(target_arch = "aarch64")]
const fn features() -> &'static [Feature] {
    macro_rules! features {
        ($($name:tt as $feature:literal)*) => {
            &[$(Feature {
                name: $name,
                present: || simd_core::detected!($name),
                found: || std::arch::is_aarch64_feature_detected!($name),
                built: cfg!(target_feature = $feature),
            }),*]
        };
    }
    features!("neon" as "neon" "aes" as "aes" "pmull" as "aes")
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
const fn features() -> &'static [Feature] {
    &[]
}

/// What becomes of a target on this CPU.
enum Fate {
    OtherArchitecture,
    Missing(Vec<&'static str>),
    Usable,
}

/// The features of a target and whether they are here.
fn fate(target: &str) -> Fate {
    let (arch, features) = target.split_once(':').unwrap_or((ARCH, target));
    let features: Option<Vec<&Feature>> =
        features.split(',').map(|name| FEATURES.iter().find(|feature| feature.name == name.trim())).collect();
    match features {
        Some(features) if arch.trim() == ARCH => {
            let missing = features.into_iter().filter(|feature| !(feature.present)());
            let missing: Vec<_> = missing.map(|feature| feature.name).collect();
            if missing.is_empty() { Fate::Usable } else { Fate::Missing(missing) }
        }
        _ => Fate::OtherArchitecture,
    }
}

impl Kernel {
    fn targets(self) -> impl Iterator<Item = &'static str> {
        self.targets.split('|').map(str::trim)
    }

    /// The target whose clone runs in this process.
    pub(crate) fn chosen(self) -> &'static str {
        let target = self.targets().find(|target| matches!(fate(target), Fate::Usable));
        target.map_or("baseline", |target| target.split_once(": ").map_or(target, |(_, features)| features))
    }
}

/// The CPU, its features, and the targets of these kernels.
pub(crate) fn text(kernels: &[Kernel]) -> String {
    let mut text = format!("CPU: {} ({ARCH})\n", cpu().unwrap_or_else(|| "of unknown make".to_owned()));
    let named = |keep: &dyn Fn(&Feature) -> bool| {
        let names: Vec<_> = FEATURES.iter().filter(|feature| keep(feature)).map(|feature| feature.name).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(" ") }
    };
    let mut line = |what: &str, names: String| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{what}: {names}");
    };
    line("features enabled by the build", named(&|feature| feature.built));
    line("features detected", named(&|feature| !feature.built && (feature.present)()));
    line("features that the CPU lacks", named(&|feature| !(feature.present)() && !(feature.found)()));
    line(
        "features taken away by SIMD_CORE_ONLY or SIMD_CORE_WITHOUT",
        named(&|feature| !(feature.present)() && (feature.found)()),
    );
    for kernel in kernels {
        let _ = write!(text, "\n{}: {}", kernel.name, kernel.chosen());
        let mut chosen = false;
        for target in kernel.targets() {
            let why = match fate(target) {
                Fate::OtherArchitecture => "of another architecture".to_owned(),
                Fate::Missing(features) => format!("needs {}", features.join(" ")),
                Fate::Usable if chosen => "comes after the chosen one".to_owned(),
                Fate::Usable => {
                    chosen = true;
                    "chosen, the first whose features are all here".to_owned()
                }
            };
            let _ = write!(text, "\n    {target:<42}{why}");
        }
        let why = if chosen { "for CPUs with none of these" } else { "chosen, since no target can be used" };
        let _ = write!(text, "\n    {:<42}{why}", "baseline");
    }
    text
}

/// What the CPU calls itself.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn cpu() -> Option<String> {
    let brand = raw_cpuid::CpuId::new().get_processor_brand_string()?;
    Some(brand.as_str().trim().to_owned()).filter(|name| !name.is_empty())
}

/// What Linux says of the CPU; other systems are not asked.
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn cpu() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let field = |name: &str| {
        let lines = text.lines().filter_map(|line| line.split_once(':'));
        lines.into_iter().find_map(|(key, value)| (key.trim() == name).then(|| value.trim().to_owned()))
    };
    field("model name").or_else(|| {
        let (implementer, part) = (field("CPU implementer")?, field("CPU part")?);
        Some(format!("implementer {implementer}, part {part}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files in which the kernels are annotated.
    const SOURCES: &[(Kernel, &[&str])] = &[
        (
            SINGLE,
            &[
                include_str!("../aes/block.rs"),
                include_str!("../aes/round.rs"),
                include_str!("../haraka/single.rs"),
                include_str!("../haraka/mix.rs"),
            ],
        ),
        (MANY, &[include_str!("../aes/cipher.rs"), include_str!("../aes/quad.rs"), include_str!("../haraka/batch.rs")]),
        (
            PRODUCTS,
            &[
                include_str!("../pmul/words.rs"),
                include_str!("../gf/arith.rs"),
                include_str!("../gf/small.rs"),
                include_str!("../gf/divstep.rs"),
                include_str!("../shamir/elements.rs"),
            ],
        ),
        (BYTES, &[include_str!("../gf/bytes.rs")]),
        (CHACHA20, &[include_str!("../chacha20/kernel.rs"), include_str!("../lanes.rs")]),
    ];

    #[test]
    fn targets_are_those_of_the_kernels() {
        assert_eq!(SOURCES.len(), KERNELS.len());
        for (kernel, sources) in SOURCES {
            let annotation = format!("targets = \"{}\"", kernel.targets);
            for source in *sources {
                assert!(source.contains(&annotation), "{}: {annotation}", kernel.name);
            }
        }
    }

    /// Every name that is not known here would make a target one of another architecture.
    #[test]
    fn features_are_known() {
        let x86 = cfg!(any(target_arch = "x86", target_arch = "x86_64"));
        for kernel in KERNELS {
            for target in kernel.targets() {
                let arm = ["aes,pmull", "aarch64: neon"].contains(&target);
                let here = if arm {
                    cfg!(target_arch = "aarch64")
                } else if target == "aes" {
                    x86 || cfg!(target_arch = "aarch64")
                } else {
                    x86
                };
                assert_eq!(!matches!(fate(target), Fate::OtherArchitecture), here, "{target}");
            }
        }
    }

    #[test]
    fn agrees_with_the_kernels() {
        assert_eq!(SINGLE.chosen(), simd_crypto::haraka::target());
        assert_eq!(MANY.chosen(), simd_crypto::aes::target());
    }
}
