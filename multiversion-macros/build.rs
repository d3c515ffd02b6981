//! Tells the crate which Rust compiles it: features become stable over time, and the table says when.
use std::{env, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Without an answer the oldest supported Rust is assumed, on which the fewest features are stable.
    let (minor, unreleased) = version().unwrap_or((89, false));
    println!("cargo::rustc-env=SIMD_CORE_RUSTC_MINOR={minor}");
    println!("cargo::rustc-check-cfg=cfg(simd_core_unstable)");
    println!("cargo::rerun-if-env-changed=RUSTC_BOOTSTRAP");
    // The variable makes a nightly of any compiler.
    let takes_gates = unreleased || env::var_os("RUSTC_BOOTSTRAP").is_some_and(|value| value == "1");
    if takes_gates && env::var_os("CARGO_FEATURE_NIGHTLY").is_some() {
        println!("cargo::rustc-cfg=simd_core_unstable");
    }
}

/// The `95` of `rustc 1.95.0 (…)`, and whether that is a nightly or a build of one's own, which count as the release before
/// them: what that release stabilises may not have landed yet.
fn version() -> Option<(u32, bool)> {
    let output = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text.strip_prefix("rustc 1.")?.split(' ').next()?;
    let minor: u32 = version.split('.').next()?.parse().ok()?;
    let unreleased = version.contains("nightly") || version.contains("dev");
    Some((minor - u32::from(unreleased), unreleased))
}
