//! Passes the compiler's version to the crate: features become stable over time, and the table has the release of each.
use std::{env, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Without an answer, assume the oldest supported Rust, which has the fewest stable features.
    let (minor, unreleased) = version().unwrap_or((89, false));
    println!("cargo::rustc-env=SIMD_CORE_RUSTC_MINOR={minor}");
    println!("cargo::rustc-check-cfg=cfg(simd_core_unstable)");
    println!("cargo::rerun-if-env-changed=RUSTC_BOOTSTRAP");
    // With this variable, any compiler accepts feature gates.
    let takes_gates = unreleased || env::var_os("RUSTC_BOOTSTRAP").is_some_and(|value| value == "1");
    if takes_gates && env::var_os("CARGO_FEATURE_NIGHTLY").is_some() {
        println!("cargo::rustc-cfg=simd_core_unstable");
    }
}

/// The `95` of `rustc 1.95.0 (…)`, and whether that is a nightly or a custom build. These count as the release before:
/// the features that their own release stabilises may not have landed yet.
fn version() -> Option<(u32, bool)> {
    let output = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text.strip_prefix("rustc 1.")?.split(' ').next()?;
    let minor: u32 = version.split('.').next()?.parse().ok()?;
    let unreleased = version.contains("nightly") || version.contains("dev");
    Some((minor - u32::from(unreleased), unreleased))
}
