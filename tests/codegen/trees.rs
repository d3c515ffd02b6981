//! Trees of dispatched functions in the machine code: below a clone nothing is decided again.
//!
//! The program `trees` of `fixtures` is built at several levels of optimisation and disassembled.
#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]

use std::path::Path;
use std::process::Command;

use integration_tests::build::{Build, Crate, RELEASE};
use integration_tests::{for_each, has_compiler, shown, skip, some_of};
use simd_core::asm::{Binary, Callee, Function, Target};

/// A plain run takes the first two.
const BUILDS: [Build; 5] = [
    RELEASE,
    Build { opt_level: "s", codegen_units: 1, ..RELEASE },
    Build { opt_level: "1", ..RELEASE },
    Build { opt_level: "2", codegen_units: 1, ..RELEASE },
    Build { opt_level: "z", ..RELEASE },
];

/// The crates of the program `trees`.
const CRATES: [Crate<'_>; 3] = [
    Crate::file("field", "field/src/lib.rs"),
    Crate::file("poly", "poly/src/lib.rs"),
    Crate::file("trees", "trees/src/main.rs").kind("bin"),
];

/// The targets of the evaluation, as names of clones end with them.
const FIELD: &[&str] = if cfg!(target_arch = "aarch64") { &["aes"] } else { &["avx2_pclmulqdq", "pclmulqdq"] };
/// The targets of everything else.
const COUNTS: &[&str] = if cfg!(target_arch = "aarch64") { &["dotprod"] } else { &["avx2_popcnt", "popcnt"] };
/// Instructions that multiply in the field.
const MULTIPLY: &str = if cfg!(target_arch = "aarch64") { "pmull*" } else { "*pclmul*" };

/// Checks the program of each build; none where its code can show nothing.
#[track_caller]
fn programs(check: impl Fn(Build, Binary)) {
    let why = if cfg!(simd_core_portable) {
        "the portable reader folds nothing"
    } else if cfg!(any(target_feature = "avx2", target_feature = "popcnt", target_feature = "dotprod")) {
        "the build decides on some targets"
    } else {
        ""
    };
    if !why.is_empty() {
        skip(format_args!("disassembly of trees: {why}"));
    } else if has_compiler() {
        for_each(some_of(&BUILDS, 2), |build| {
            check(**build, Binary::open(build.as_here().path(&CRATES)).expect("the program can be read"));
        });
    }
}

/// The clones of the function called `name` for each of `labels`, and those for each type if it is generic.
fn clones<'a>(binary: &Binary, name: &str, labels: &[&'a str]) -> Vec<(&'a str, Function)> {
    let mut all = Vec::new();
    for label in labels {
        let found = binary.functions(&format!("__{name}__{label}")).unwrap_or_else(|error| panic!("{error}"));
        all.extend(found.into_iter().map(|clone| (*label, clone)));
    }
    all
}

/// `core::slice::…`, `<core::iter::… as …>::…`
fn is_of_core(path: &str) -> bool {
    path.trim_start_matches('<').starts_with("core::")
}

/// The small helpers without the attribute.
fn is_plain(path: &str) -> bool {
    ["trees::shapes::glue", "field::reduced"].contains(&path)
}

/// Checks that the clone for `label` calls clones for the same target only, or parts of them that were compiled separately.
///
/// At level `z` LLVM leaves other functions separate as well: the standard library's adapters, which call the clone's closure,
/// and the helpers here that are not dispatched.
fn calls_only_clones(build: Build, label: &str, clone: &Function) {
    for call in clone.calls() {
        let path = match &call.callee {
            Callee::Function { path, .. } if build.opt_level == "z" && (is_of_core(path) || is_plain(path)) => {
                continue;
            }
            Callee::Function { path, .. } => path,
            Callee::Import(name) if ["memset", "memcpy", "memmove"].contains(&name.as_str()) => continue,
            callee => panic!("{} calls {callee:?}", clone.path()),
        };
        let suffix = format!("__{label}");
        let same = path.split("::").any(|part| part.starts_with("__") && part.ends_with(&suffix));
        assert!(same, "{} calls {path}:\n{}", clone.path(), clone.listing());
    }
}

#[test]
fn an_evaluation_over_a_field_of_another_crate() {
    programs(|build, binary| {
        for name in ["fold", "horner", "at_all"] {
            for (label, clone) in clones(&binary, name, FIELD) {
                println!("{build}: {}", clone.path());
                assert!(clone.path().contains("poly::"), "not the one that was meant");
                clone.assert().no_dispatch_in_callees().no_panics();
                calls_only_clones(build, label, &clone);
                // At levels 1 and z the closure remains a function of its own.
                if name != "at_all" && !["1", "z"].contains(&build.opt_level) {
                    clone.assert().at_least(MULTIPLY, 1).no_calls();
                }
            }
        }
    });
}

#[test]
fn trees_of_every_shape() {
    programs(|build, binary| {
        for name in ["level1", "glued", "recursive", "wider", "generic", "add_all", "twice"] {
            for (label, clone) in clones(&binary, name, COUNTS) {
                println!("{build}: {}", clone.path());
                clone.assert().no_dispatch();
                // At level z a helper without the attribute is inlined only if it has to be, and decides where it is not.
                if (build.opt_level, name) != ("z", "level1") {
                    clone.assert().no_dispatch_in_callees();
                }
                if build.opt_level != "z" {
                    clone.assert().no_panics();
                }
                calls_only_clones(build, label, &clone);
            }
        }
        for (_, clone) in clones(&binary, "dynamic", COUNTS) {
            // What it reaches through the table decides for itself; nothing does so here.
            clone.assert().no_dispatch();
        }
    });
}

/// What is compiled separately has the clone's features and knows what the clone knows.
#[test]
fn bodies_that_are_compiled_alone() {
    programs(|build, binary| {
        for (name, is_alone) in [
            ("sorted", true),
            ("spawned", false),
            ("caught", false),
            ("called_back", true),
            ("nested", false),
            ("awaits", true),
        ] {
            for (label, clone) in clones(&binary, name, COUNTS) {
                let parts = clone.nested();
                assert!(!is_alone || !parts.is_empty(), "{build}: nothing of {} is compiled separately", clone.path());
                for part in parts.iter().chain([&clone]) {
                    println!("{build}: {}", part.path());
                    part.assert().no_dispatch();
                    if cfg!(target_arch = "x86_64") {
                        part.assert().within_features(&label.replace('_', ","));
                    }
                }
            }
        }
    });
}

/// What the attribute leaves as it is in a clone: methods of a type that the body declares, which are ordinary functions,
/// and closures in the arguments of a macro, which may mean anything.
fn is_left_alone(path: &str) -> bool {
    let in_a_macro = path.contains("::in_macros::") || path.contains("::in_a_format::");
    path.contains("Local") || in_a_macro && path.contains("{closure")
}

/// Whatever stands between two calls, the second decides nothing: not in a clone, nor in the parts of it that are compiled separately.
#[test]
fn nothing_between_two_calls_loses_the_features() {
    programs(|build, binary| {
        // At level z too much is left of the standard library.
        if build.opt_level == "z" {
            return;
        }
        let mut deciding = String::new();
        let mut seen = 0;
        for part in ["calls", "closures", "futures"] {
            let clones = binary.clones_in(part).unwrap_or_else(|error| panic!("{error}"));
            for function in clones.iter().filter(|f| f.target() != Some(Target::Baseline) && !is_left_alone(f.path())) {
                seen += 1;
                if !function.dispatches().is_empty() {
                    deciding += &format!("{}\n{}", function.path(), function.listing());
                }
            }
        }
        assert!(deciding.is_empty(), "{build}: these decide:\n{deciding}");
        assert!(seen >= 50 * COUNTS.len(), "{build}: only {seen} functions");
    });
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
    let expected = run(&BUILDS[0].as_here().path(&CRATES), Some(""));
    for_each(some_of(&BUILDS, 2), |build| {
        let program = build.as_here().path(&CRATES);
        for limit in limits {
            assert_eq!(run(&program, *limit), expected, "SIMD_CORE_ONLY={limit:?}");
        }
    });
}
