//! Trees of dispatched functions in the machine code: below a clone nothing is decided again.
//!
//! The program `trees` of `fixtures` is built at several levels of optimisation, disassembled, and run.
#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]

use std::path::PathBuf;

use integration_tests::build::{Build, Crate, RELEASE};
use integration_tests::{for_each, skip, some_of};
use simd_core::asm::{Binary, CallLeft, CalleeKind, Function, Target};

use super::outcome::run;

/// A plain run takes the first two.
const BUILDS: [Build; 5] = [
    RELEASE,
    Build { opt_level: "s", codegen_units: 1, ..RELEASE },
    Build { opt_level: "1", ..RELEASE },
    Build { opt_level: "2", codegen_units: 1, ..RELEASE },
    Build { opt_level: "z", ..RELEASE },
];

fn program(build: &Build) -> PathBuf {
    build.as_here().path(&[Crate::file("trees", "trees/src/main.rs").kind("bin")])
}

/// What the attribute leaves as it is in a clone: methods of a type that the body declares, which are ordinary functions,
/// and closures in the arguments of a macro, which may mean anything.
fn is_left_alone(path: &str) -> bool {
    let in_a_macro = path.contains("::in_macros::") || path.contains("::in_a_format::");
    path.contains("Local") || in_a_macro && path.contains("{closure")
}

/// Whether `function` calls a clone for less, or one of the program's without clones, besides the helpers that are meant to be plain.
fn loses(function: &Function, call: &CallLeft) -> bool {
    let path = call.callee.name().unwrap_or_default();
    let is_own = path.trim_start_matches('<').starts_with("trees::");
    let is_plain = path.starts_with("trees::calls::apply") || path == "trees::closures::call" || is_left_alone(path);
    match call.kind {
        CalleeKind::Clone(Target::Features(features)) => !function.features().contains_all(&features),
        CalleeKind::Clone(_) => true,
        CalleeKind::NotDispatched => is_own && !is_plain,
        _ => false,
    }
}

/// Whatever stands between two calls, the second decides nothing: not in a clone, nor in the parts of it that are compiled separately.
#[test]
fn nothing_between_two_calls_loses_the_features() {
    let why = if cfg!(simd_core_portable) {
        "the portable reader folds nothing"
    } else if cfg!(any(target_feature = "avx2", target_feature = "popcnt", target_feature = "dotprod")) {
        "the build decides on some targets"
    } else {
        ""
    };
    if !why.is_empty() {
        return skip(format_args!("disassembly of trees: {why}"));
    }
    // At level z too much is left of the standard library.
    let builds = some_of(&BUILDS, 2).iter().filter(|build| build.opt_level != "z");
    for_each(builds, |build| {
        let clones = Binary::open(program(build)).and_then(|binary| binary.clones_in("trees")).unwrap();
        let mut losses = String::new();
        let mut seen = 0;
        for function in clones.iter().filter(|f| f.target() != Some(Target::Baseline) && !is_left_alone(f.path())) {
            seen += 1;
            let lost: Vec<CallLeft> = function.calls_left().into_iter().filter(|call| loses(function, call)).collect();
            if !function.dispatches().is_empty() || !lost.is_empty() {
                losses += &format!("{} calls {lost:?}\n{}", function.path(), function.listing());
            }
        }
        assert!(losses.is_empty(), "these decide, or lose features:\n{losses}");
        let targets = if cfg!(target_arch = "aarch64") { 1 } else { 2 };
        assert!(seen >= 50 * targets, "only {seen} functions");
    });
}

/// The program gives the same results whatever of the CPU's features it is left with.
#[test]
fn results_do_not_depend_on_the_clone() {
    let run = |build: &Build, only| run(&program(build), only, &[]).unwrap();
    let limits = if cfg!(target_arch = "aarch64") {
        [None, Some(""), Some("dotprod")]
    } else {
        [None, Some(""), Some("popcnt")]
    };
    let expected = run(&BUILDS[0], Some(""));
    for_each(some_of(&BUILDS, 2), |build| {
        limits.iter().for_each(|limit| assert_eq!(run(build, *limit), expected, "SIMD_CORE_ONLY={limit:?}"));
    });
}
