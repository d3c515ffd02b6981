//! Passes the names in `--cfg simd_core_without="…"` on, one by one: rustc accepts any, and a macro checks them. Also sets a
//! `cfg` if the table has unstable features, for which the library needs feature gates.
//!
//! The script depends on no crate, so cargo builds it next to the macros.
use std::{env, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC_BOOTSTRAP");
    println!("cargo::rustc-check-cfg=cfg(simd_core_unstable)");
    if env::var_os("CARGO_FEATURE_NIGHTLY").is_some() && takes_gates() {
        println!("cargo::rustc-cfg=simd_core_unstable");
    }
    // Cargo gets the target's `cfg`s from rustc, with the flags of the build, and joins values by commas.
    let Ok(without) = env::var("CARGO_CFG_SIMD_CORE_WITHOUT") else { return };
    println!("cargo::rustc-env=LEFT_OUT_OF_SIMD_CORE={}", without.escape_default());
    for name in without.split(',').map(str::trim) {
        if name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-._".contains(letter)) {
            // The name may be one of several in a value.
            println!("cargo::rustc-cfg=simd_core_without=\"{name}\"");
        }
    }
}

/// Whether the compiler accepts feature gates, by the same rule as the build script of the macros.
fn takes_gates() -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().map(|output| output.stdout).unwrap_or_default();
    let version = String::from_utf8_lossy(&version);
    version.contains("nightly")
        || version.contains("dev")
        || env::var_os("RUSTC_BOOTSTRAP").is_some_and(|value| value == "1")
}
