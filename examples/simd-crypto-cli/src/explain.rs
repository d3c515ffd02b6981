//! `--explain`: which target of each kernel runs here, and why no better one does.
use core::fmt::Write;
use simd_core::{Status, Targets};
use simd_crypto::targets;
use std::env::consts::ARCH;

/// Kernels that have the same targets.
#[derive(Clone, Copy)]
pub(crate) struct Kernel {
    name: &'static str,
    targets: Targets,
}

pub(crate) const SINGLE: Kernel =
    Kernel { name: "AES rounds, one block, and Haraka-256 of one message", targets: targets::block };
pub(crate) const HARAKA512: Kernel = Kernel { name: "Haraka-512 of one message", targets: targets::haraka512 };
pub(crate) const MANY: Kernel =
    Kernel { name: "AES of many blocks, Haraka of many messages", targets: targets::blocks };
pub(crate) const PRODUCTS: Kernel =
    Kernel { name: "carry-less products, GF(2^16) to GF(2^2048), Shamir of elements", targets: targets::products };
pub(crate) const BYTES: Kernel = Kernel { name: "GF(2^8), Shamir of bytes", targets: targets::bytes };
pub(crate) const CHACHA20: Kernel = Kernel { name: "ChaCha20", targets: targets::chacha20 };

pub(crate) const KERNELS: &[Kernel] = &[SINGLE, HARAKA512, MANY, PRODUCTS, BYTES, CHACHA20];

impl Kernel {
    pub(crate) fn chosen(self) -> &'static str {
        self.targets.chosen()
    }
}

/// Features that targets of the kernels want, and whether the standard library finds them.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn wanted() -> Vec<(&'static str, bool)> {
    macro_rules! wanted {
        ($($name:tt)*) => {
            vec![$(($name, std::arch::is_x86_feature_detected!($name))),*]
        };
    }
    wanted!("ssse3" "avx2" "avx512f" "avx512bw" "avx512vl" "avx512vbmi2" "aes" "vaes" "pclmulqdq" "vpclmulqdq" "gfni")
}

#[cfg(target_arch = "aarch64")]
fn wanted() -> Vec<(&'static str, bool)> {
    let aes = std::arch::is_aarch64_feature_detected!("aes") && std::arch::is_aarch64_feature_detected!("pmull");
    vec![("aes", aes)]
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
fn wanted() -> Vec<(&'static str, bool)> {
    Vec::new()
}

/// The CPU, its features, and the targets of these kernels.
pub(crate) fn text(kernels: &[Kernel]) -> String {
    let features = simd_core::features();
    let mut text =
        format!("CPU: {} ({ARCH})\nfeatures: {features}\n", cpu().unwrap_or_else(|| "of unknown make".to_owned()));
    // Features that only the standard library finds have been taken away.
    let taken = wanted().into_iter().filter(|(name, found)| *found && !features.contains(name));
    let taken: Vec<_> = taken.map(|(name, _)| name).collect();
    if !taken.is_empty() {
        let taken = taken.join(", ");
        // Writing to a string does not fail.
        let _ = writeln!(text, "taken away by SIMD_CORE_ONLY or SIMD_CORE_WITHOUT: {taken}");
    }
    for kernel in kernels {
        let _ = write!(text, "\n{}: {}", kernel.name, kernel.chosen());
        for target in kernel.targets.iter() {
            let why = match target.status() {
                Status::Runs if target.name() == "baseline" => "chosen, since no target can be used".to_owned(),
                Status::Runs => "chosen, the first whose features are all here".to_owned(),
                Status::Outranked => "not needed".to_owned(),
                other => other.to_string(),
            };
            let _ = write!(text, "\n    {:<42}{why}", target.name());
        }
    }
    text
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn cpu() -> Option<String> {
    let brand = raw_cpuid::CpuId::new().get_processor_brand_string()?;
    Some(brand.as_str().trim().to_owned()).filter(|name| !name.is_empty())
}

/// A line of Linux about the CPU; other systems are not asked.
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
