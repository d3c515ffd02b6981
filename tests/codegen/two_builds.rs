//! A library that is compiled for one set of features, in a program that is compiled for more: nothing is lost, and
//! each clone is the one that the library means.
#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]

use integration_tests::build::{Build, Crate, RELEASE};
use integration_tests::{for_each, skip, some_of};

use super::outcome::run;

/// A plain run takes the first.
const BUILDS: [Build; 5] = [
    RELEASE,
    Build { debug_assertions: true, ..RELEASE },
    Build { opt_level: "1", ..RELEASE },
    Build { opt_level: "2", codegen_units: 1, ..RELEASE },
    Build { opt_level: "s", codegen_units: 1, ..RELEASE },
];

/// Only the program gets this.
const FEATURE: &str = if cfg!(target_arch = "aarch64") { "aes" } else { "avx2" };

#[test]
fn a_program_with_more_features_than_its_library() {
    if !simd_core::features().contains(FEATURE) {
        return skip("a program with more features than its library: there is no more");
    }
    for_each(some_of(&BUILDS, 1), |build| {
        let more = format!("-Ctarget-feature=+{FEATURE}");
        for flags in [&[][..], &[&*more]] {
            let library = Crate::file("two_builds", "two-builds/src/lib.rs");
            let program = Crate::file("main", "two-builds/src/main.rs").kind("bin").flags(flags);
            let program = build.as_here().path(&[library, program]);
            let lines = run(&program, None, &[]).unwrap_or_else(|error| panic!("{flags:?}: {error}"));
            assert_eq!(lines, ["1 [2, 2, 2, 2]", "2 [2, 2, 2, 2]"], "{flags:?}");
        }
    });
}
