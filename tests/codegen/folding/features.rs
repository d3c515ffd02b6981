//! The features that generated programs name.

pub(crate) struct Feature {
    pub(crate) name: &'static str,
    implied: &'static [&'static str],
    /// Whether the build of these tests, and so that of the `simd_core` that programs use, enables it.
    built: bool,
    present: fn() -> bool,
}

macro_rules! features {
    ($detected:ident: $($name:tt [$($implied:literal),*])*) => {
        &[$(Feature {
            name: $name,
            implied: &[$($implied),*],
            built: cfg!(target_feature = $name),
            present: || std::arch::$detected!($name),
        }),*]
    };
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) const FEATURES: &[Feature] = features!(is_x86_feature_detected:
    "sse3" []
    "ssse3" ["sse3"]
    "sse4.1" ["ssse3"]
    "sse4.2" ["sse4.1"]
    "avx" ["sse4.2"]
    "avx2" ["avx"]
    "fma" ["avx"]
    "f16c" ["avx"]
    "bmi1" []
    "bmi2" []
    "lzcnt" []
    "popcnt" []
    "aes" []
    "pclmulqdq" []
    "vpclmulqdq" ["avx", "pclmulqdq"]
    "avx512f" ["avx2", "fma", "f16c"]
    "avx512vpopcntdq" ["avx512f"]
    "adx" []
);
#[cfg(target_arch = "aarch64")]
pub(crate) const FEATURES: &[Feature] = features!(is_aarch64_feature_detected:
    "aes" []
    "sha2" []
    "sha3" ["sha2"]
    "crc" []
    "lse" []
    "rdm" []
    "dotprod" []
    "fp16" []
    "fhm" ["fp16"]
    "i8mm" []
    "bf16" []
);
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) const FEATURES: &[Feature] = &[];

/// The features that one of several crates may be built with, as far as this CPU has them.
const FLAGS: &[&[&str]] = if cfg!(target_arch = "aarch64") {
    &[&["aes"], &["dotprod", "lse"], &["sha3"]]
} else {
    &[&["sse4.2"], &["avx2"], &["avx2", "bmi2", "aes"], &["avx512f"], &["popcnt", "fma"]]
};

const MACRO: &str =
    if cfg!(target_arch = "aarch64") { "is_aarch64_feature_detected" } else { "is_x86_feature_detected" };

pub(crate) fn closure(names: &[&'static str]) -> Vec<&'static str> {
    let mut full = names.to_vec();
    let mut at = 0;
    while at < full.len() {
        full.extend(find(full[at]).map_or(&[][..], |feature| feature.implied));
        at += 1;
    }
    full.sort_unstable();
    full.dedup();
    full
}

fn find(name: &str) -> Option<&'static Feature> {
    FEATURES.iter().find(|feature| feature.name == name)
}

/// The sets of features that a crate of a program can be built with on this CPU.
pub(crate) fn flags() -> Vec<&'static [&'static str]> {
    let present = |name: &&str| find(name).is_some_and(|feature| (feature.present)());
    FLAGS.iter().copied().filter(|flags| flags.iter().all(present)).collect()
}

pub(crate) fn some_are_built() -> bool {
    FEATURES.iter().any(|feature| feature.built)
}

/// The part of each crate that tells whether its build enables a feature, whether that of `simd_core` does, and whether
/// the CPU has it.
pub(crate) fn source() -> String {
    let arms = |value: &dyn Fn(&Feature) -> String| -> String {
        FEATURES.iter().map(|feature| format!("{:?} => {}, ", feature.name, value(feature))).collect()
    };
    format!(
        "pub fn enabled(feature: &str) -> bool {{ match feature {{ {} _ => false }} }}\n\
         pub fn built(feature: &str) -> bool {{ match feature {{ {} _ => false }} }}\n\
         pub fn detected(feature: &str) -> bool {{ match feature {{ {} _ => false }} }}\n",
        arms(&|feature| format!("cfg!(target_feature = {:?})", feature.name)),
        arms(&|feature| feature.built.to_string()),
        arms(&|feature| format!("std::arch::{MACRO}!({:?})", feature.name)),
    )
}
