//! Trees of dispatched functions in the machine code: below a clone nothing is decided again.
//!
//! The program `trees` of `fixtures` is built at several levels of optimisation and disassembled.
#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]

use std::path::Path;
use std::process::Command;

use integration_tests::scratch::{Profile, workspace};
use integration_tests::{has_compiler, report, shown};
use simd_core::asm::{Binary, Callee, Clones, Function, Target};

const fn unchecked(opt_level: &'static str, codegen_units: u32) -> Profile {
    Profile { opt_level, debug_assertions: false, codegen_units }
}

const PROFILES: [Profile; 4] = [unchecked("1", 16), unchecked("2", 1), unchecked("3", 16), unchecked("s", 1)];

/// The program for each profile; none where its code can show nothing.
fn programs() -> Vec<(Profile, Binary)> {
    let why = if cfg!(simd_core_portable) {
        "the portable reader folds nothing"
    } else if cfg!(any(target_feature = "avx2", target_feature = "popcnt", target_feature = "dotprod")) {
        "the build decides on some targets"
    } else {
        ""
    };
    if !why.is_empty() {
        report(format_args!("skipped: disassembly of trees: {why}"));
        return Vec::new();
    }
    if !has_compiler() {
        return Vec::new();
    }
    let program = |profile: Profile| {
        let file = profile.build(&workspace(), "trees", "trees");
        (profile, Binary::open(file).expect("the program can be read"))
    };
    PROFILES.into_iter().map(program).collect()
}

/// All clones of the function, those of generic ones for each type.
fn clones(binary: &Binary, path: &str) -> Clones {
    let all = binary.clones(path).unwrap_or_else(|error| panic!("{error}"));
    assert!(targets(&all).count() > 0, "{path} has no clone for a target");
    all
}

/// All but the baseline.
fn targets(clones: &Clones) -> impl Iterator<Item = &Function> {
    clones.iter().filter(|clone| clone.target() != Some(Target::Baseline))
}

/// What the clone calls and may call: clones for the same target, and what `allowed` lists by the ends of its names.
fn calls_only_clones(clone: &Function, allowed: &[&str]) {
    for call in clone.calls() {
        let Callee::Function { path, .. } = &call.callee else {
            assert!(allowed.contains(&"*"), "{} calls {:?}", clone.path(), call.callee);
            continue;
        };
        let suffix = clone.path().rsplit("::__").next().unwrap_or_default();
        let suffix = suffix.split_once('_').map_or("", |(_, target)| target.split("::").next().unwrap_or_default());
        let same_target = path.contains("::__") && path.contains(suffix);
        let listed = allowed.iter().any(|end| path.contains(end));
        assert!(same_target || listed, "{} calls {path}:\n{}", clone.path(), clone.listing());
    }
}

#[test]
fn an_evaluation_over_a_field_of_another_crate() {
    for (profile, binary) in programs() {
        for path in ["poly::fold", "poly::horner", "poly::at_all"] {
            let all = clones(&binary, path);
            for clone in targets(&all) {
                println!("{profile}: {}", clone.path());
                clone.assert().no_dispatch_in_callees().no_panics();
                calls_only_clones(clone, &[]);
                if path != "poly::at_all" && profile.opt_level != "1" {
                    // Multiplications are where they are wanted, not behind a call in the loop.
                    let multiply = if cfg!(target_arch = "x86_64") { "*pclmul*" } else { "pmull" };
                    clone.assert().at_least(multiply, 1).no_calls();
                }
            }
            if path == "poly::fold" {
                let multiply = if cfg!(target_arch = "x86_64") { "*pclmul*" } else { "pmull" };
                all.baseline().unwrap_or_else(|error| panic!("{error}")).assert().not_contains(multiply);
            }
        }
    }
}

#[test]
fn trees_of_every_shape() {
    for (profile, binary) in programs() {
        for path in [
            "shapes::levels::level1",
            "shapes::levels::recursive",
            "shapes::wider",
            "shapes::generic",
            "shapes::Counter::add_all",
            "shapes::Defaults::twice",
        ] {
            let all = clones(&binary, path);
            for clone in targets(&all) {
                println!("{profile}: {}", clone.path());
                clone.assert().no_dispatch_in_callees().no_panics();
                calls_only_clones(clone, &[]);
            }
        }
        let all = clones(&binary, "shapes::dynamic");
        for clone in targets(&all) {
            // What it reaches through the table decides for itself; nothing does so here.
            clone.assert().no_dispatch();
            calls_only_clones(clone, &["*"]);
        }
    }
}

/// What is compiled alone has the clone's features and knows what the clone knows.
#[test]
fn bodies_that_are_compiled_alone() {
    for (profile, binary) in programs() {
        for (path, must_be_alone) in [
            ("bodies::sorted", true),
            ("bodies::spawned", true),
            ("bodies::caught", false),
            ("bodies::called_back", true),
            ("bodies::nested", false),
            ("bodies::awaits", true),
        ] {
            let all = clones(&binary, path);
            for clone in targets(&all) {
                let parts = clone.nested();
                assert!(
                    !must_be_alone || !parts.is_empty(),
                    "{profile}: nothing of {} is compiled alone",
                    clone.path()
                );
                for part in parts.iter().chain([clone]) {
                    println!("{profile}: {}", part.path());
                    part.assert().no_dispatch().within_target();
                }
            }
        }
    }
}

/// The program gives the same results whatever of the CPU's features it is left with.
#[test]
fn results_do_not_depend_on_the_clone() {
    if !has_compiler() {
        return;
    }
    let run = |program: &Path, only: Option<&str>| {
        let mut command = Command::new(program);
        command.env_remove("SIMD_CORE_ONLY");
        if let Some(only) = only {
            command.env("SIMD_CORE_ONLY", only);
        }
        let output = command.output().expect("the program starts");
        assert!(output.status.success(), "{}", shown(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let limits: &[Option<&str>] = if cfg!(target_arch = "x86_64") {
        &[None, Some(""), Some("popcnt"), Some("pclmulqdq"), Some("avx2"), Some("avx2,popcnt,pclmulqdq")]
    } else {
        &[None, Some(""), Some("aes"), Some("dotprod")]
    };
    let mut first: Option<String> = None;
    for profile in PROFILES {
        let program = profile.build(&workspace(), "trees", "trees");
        for limit in limits {
            let output = run(&program, *limit);
            assert_eq!(*first.get_or_insert_with(|| output.clone()), output, "{profile}, SIMD_CORE_ONLY={limit:?}");
        }
    }
}
