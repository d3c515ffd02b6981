//! Tells the crate which Rust compiles it: features become stable over time, and the table says when.
use std::{env, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Without an answer the oldest supported Rust is assumed, on which the fewest features are stable.
    let minor = minor().unwrap_or(89);
    println!("cargo::rustc-env=SIMD_CORE_RUSTC_MINOR={minor}");
}

/// The `95` of `rustc 1.95.0 (…)`. A nightly counts as the release before it: what that release stabilises may
/// not have landed yet.
fn minor() -> Option<u32> {
    let output = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text.strip_prefix("rustc 1.")?.split(' ').next()?;
    let minor: u32 = version.split('.').next()?.parse().ok()?;
    let unreleased = version.contains("nightly") || version.contains("dev");
    Some(minor - u32::from(unreleased))
}
