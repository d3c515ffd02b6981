//! Features that only a nightly compiler has, with the feature `nightly` of `simd-core`.
#![cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]

use std::env;
use std::process::{Command, Output};

use integration_tests::build::{Package, cargo, target_directory};
use integration_tests::{asks_for_all, shown, skip};

const LIBRARY: &str = r#"
#![cfg_attr(gates, feature(avx10_target_feature))]
#![deny(warnings)]
use simd_core::{detected, dispatch, match_target};

#[dispatch(targets = "avx10.1 | avx2", list = LIST)]
pub fn sum(xs: &[u32]) -> (u32, &'static str, bool) {
    let name = match_target! { "avx10.1" => "avx10.1", "avx2" => "avx2", _ => "baseline" };
    (xs.iter().sum(), name, wider())
}

#[dispatch(targets = "avx10.1,avx512f | avx512f")]
pub fn wider() -> bool {
    cfg!(target_feature = "avx10.1") && detected!("avx10.1,avx512bw")
}

/// Another list means what it does without the feature.
#[dispatch(targets = "avx512f | aes | sve2 | d", list = OTHER)]
pub fn other() {}

#[cfg(test)]
mod tests {
    use super::{LIST, OTHER, other, sum};
    use simd_core::testing::each_target;

    #[test]
    #[each_target(LIST)]
    fn the_clone_that_runs() {
        let chosen = LIST.chosen();
        assert_eq!(sum(&[1, 2, 39]), (42, chosen, chosen == "avx10.1"));
        other();
        assert_eq!(OTHER.iter().count(), 3);
    }

    #[test]
    fn detection_is_the_standard_librarys() {
        let has = std::is_x86_feature_detected!("avx10.1");
        assert_eq!((LIST.chosen() == "avx10.1", simd_core::features().contains("avx10.1")), (has, has));
    }
}
"#;

fn package() -> Package {
    Package::new("nightly", LIBRARY)
}

/// A call of a nightly's cargo, if one is installed.
pub(crate) fn nightly() -> Option<Command> {
    let run = || {
        let mut command = Command::new("rustup");
        command.args(["run", "nightly", "cargo"]);
        for variable in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN", "RUSTFLAGS", "RUSTC_WRAPPER"] {
            command.env_remove(variable);
        }
        command
    };
    run().arg("--version").output().is_ok_and(|output| output.status.success()).then(run)
}

fn tests(mut command: Command, gates: bool, features: &str) -> Output {
    let package = package();
    command.args(["test", "--quiet", "--offline", "--lib", "--target", "x86_64-unknown-linux-gnu"]);
    command.args(["--features", features]).current_dir(package.directory);
    command.env("CARGO_TARGET_DIR", target_directory());
    command.env_remove("SIMD_CORE_ONLY").env_remove("SIMD_CORE_WITHOUT");
    let flags = if gates { "--cfg=gates\x1f--check-cfg=cfg(gates)" } else { "--check-cfg=cfg(gates)" };
    command.env("CARGO_ENCODED_RUSTFLAGS", flags).output().expect("cargo starts")
}

#[test]
fn a_nightly_takes_unstable_features() {
    if !asks_for_all() {
        return skip("what a nightly compiler takes; SIMD_CORE_TESTS=all");
    }
    let Some(cargo) = nightly() else {
        return skip("no nightly compiler is installed");
    };
    let output = tests(cargo, true, "simd-core/testing,simd-core/nightly");
    assert!(output.status.success() && shown(&output).contains("2 passed"), "{}", shown(&output));
    // The gate is the user's, and the switch has to be on.
    let output = tests(nightly().expect("it was there"), false, "simd-core/testing,simd-core/nightly");
    let text = shown(&output);
    assert!(!output.status.success() && text.contains("add `#![feature(avx10_target_feature)]`"), "{text}");
    let output = tests(nightly().expect("it was there"), true, "simd-core/testing");
    assert!(!output.status.success() && shown(&output).contains(SWITCH), "{}", shown(&output));
}

const SWITCH: &str = "use a nightly compiler, and enable `simd-core`'s cargo feature `nightly`";

#[test]
fn a_stable_compiler_names_the_switch() {
    let text = shown(&cargo().arg("--version").output().expect("cargo starts"));
    if text.contains("nightly") || env::var_os("RUSTC_BOOTSTRAP").is_some() {
        return skip("this compiler takes unstable features");
    }
    for (features, help) in [
        ("simd-core/testing", SWITCH),
        (
            "simd-core/testing,simd-core/nightly",
            "the feature `nightly` of `simd-core` is enabled, but this compiler is Rust 1.",
        ),
    ] {
        let output = tests(cargo(), false, features);
        let text = shown(&output);
        assert!(!output.status.success(), "{text}");
        assert!(text.contains("`avx10.1` is not stable in Rust") && text.contains(help), "{text}");
    }
}
