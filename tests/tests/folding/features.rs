//! The features that generated programs name.

/// A feature, and what it implies of the others.
type Feature = (&'static str, &'static [&'static str]);

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) const FEATURES: &[Feature] = &[
    ("sse3", &[]),
    ("ssse3", &["sse3"]),
    ("sse4.1", &["ssse3"]),
    ("sse4.2", &["sse4.1"]),
    ("avx", &["sse4.2"]),
    ("avx2", &["avx"]),
    ("fma", &["avx"]),
    ("f16c", &["avx"]),
    ("bmi1", &[]),
    ("bmi2", &[]),
    ("lzcnt", &[]),
    ("popcnt", &[]),
    ("aes", &[]),
    ("pclmulqdq", &[]),
    ("vpclmulqdq", &["avx", "pclmulqdq"]),
    ("avx512f", &["avx2", "fma", "f16c"]),
    ("avx512vpopcntdq", &["avx512f"]),
    ("adx", &[]),
];
#[cfg(target_arch = "aarch64")]
pub(crate) const FEATURES: &[Feature] = &[
    ("aes", &[]),
    ("sha2", &[]),
    ("sha3", &["sha2"]),
    ("crc", &[]),
    ("lse", &[]),
    ("rdm", &[]),
    ("dotprod", &[]),
    ("fp16", &[]),
    ("fhm", &["fp16"]),
    ("i8mm", &[]),
    ("bf16", &[]),
];
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) const FEATURES: &[Feature] = &[];

/// The macro that detects a feature.
const MACRO: &str =
    if cfg!(target_arch = "aarch64") { "is_aarch64_feature_detected" } else { "is_x86_feature_detected" };

/// `names` and all that they imply, sorted.
pub(crate) fn closure(names: &[&'static str]) -> Vec<&'static str> {
    let mut full = names.to_vec();
    let mut at = 0;
    while at < full.len() {
        let implied = FEATURES.iter().find(|(name, _)| *name == full[at]).map_or(&[][..], |(_, implied)| implied);
        full.extend(implied);
        at += 1;
    }
    full.sort_unstable();
    full.dedup();
    full
}

/// Functions of a program that tell whether the build enables a feature, and whether the CPU has it.
pub(crate) fn source() -> String {
    let arms = |value: &dyn Fn(&str) -> String| -> String {
        FEATURES.iter().map(|(name, _)| format!("{name:?} => {}, ", value(name))).collect()
    };
    format!(
        "fn enabled(feature: &str) -> bool {{ match feature {{ {} _ => false }} }}\n\
         fn detected(feature: &str) -> bool {{ match feature {{ {} _ => false }} }}",
        arms(&|name| format!("cfg!(target_feature = {name:?})")),
        arms(&|name| format!("std::arch::{MACRO}!({name:?})")),
    )
}
