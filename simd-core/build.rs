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
    let macros = env::var_os("CARGO_FEATURE_MACROS").is_some();
    println!("cargo::rustc-check-cfg=cfg(simd_core_rust, values(any()))");
    if !macros {
        for minor in 90..=stable_minor() {
            println!("cargo::rustc-cfg=simd_core_rust=\"{minor}\"");
        }
    }
    let Ok(without) = env::var("CARGO_CFG_SIMD_CORE_WITHOUT") else { return };
    println!("cargo::rustc-env=LEFT_OUT_OF_SIMD_CORE={}", without.escape_default());
    for name in without.split(',').map(str::trim) {
        if !macros && !TABLE.lines().any(|line| is_row_of(name, line)) {
            println!("cargo::error=`simd_core_without` names `{name}`, which is not a feature: the names are rustc's");
        }
        if name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-._".contains(letter)) {
            // The name may be one of several in a value.
            println!("cargo::rustc-cfg=simd_core_without=\"{name}\"");
        }
    }
}

/// The features, in builds without the macros.
const TABLE: &str = include_str!("src/table.rs");

/// Whether `line` of the table is that of a feature: `(AVX2 "avx2" 8 [1 2 3 4 5 6 7 8])`.
fn is_row_of(name: &str, line: &str) -> bool {
    let mut words = line.split_whitespace().skip(1);
    words.next() == Some(&format!("{name:?}"))
        && words.next().is_some_and(|bit| bit.trim_end_matches([')', ']', ';']).parse::<u32>().is_ok())
}

/// The `1.95.0` of `rustc 1.95.0 (…)`.
fn version() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&version).split(' ').nth(1).unwrap_or_default().to_owned()
}

/// The `95` of `rustc 1.95.0 (…)`, and of nightlies the version before, by the same rule as the build script of the macros.
fn stable_minor() -> u32 {
    let version = version();
    let minor = version.split('.').nth(1).and_then(|minor| minor.parse::<u32>().ok()).unwrap_or(89);
    minor - u32::from(version.contains("nightly") || version.contains("dev"))
}

/// Whether the compiler accepts feature gates, by the same rule as the build script of the macros.
fn takes_gates() -> bool {
    let version = version();
    version.contains("nightly")
        || version.contains("dev")
        || env::var_os("RUSTC_BOOTSTRAP").is_some_and(|value| value == "1")
}
