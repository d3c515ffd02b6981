//! Trees of dispatched functions in the machine code: below a clone nothing is decided again.
//!
//! The program `trees` of `fixtures` is built at several levels of optimisation and disassembled.
#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]

use std::path::Path;
use std::process::Command;

use integration_tests::scratch::{Profile, some_of, workspace};
use integration_tests::{has_compiler, shown, skip};
use simd_core::asm::{Binary, Callee, Function, Target};

/// A plain run takes the first two.
const PROFILES: [Profile; 5] = [
    Profile::new("3", false),
    Profile::new("s", false).units(1),
    Profile::new("1", false),
    Profile::new("2", false).units(1),
    Profile::new("z", false),
];

/// The targets of the evaluation, as names of clones end with them.
const FIELD: &[&str] = if cfg!(target_arch = "aarch64") { &["aes"] } else { &["avx2_pclmulqdq", "pclmulqdq"] };
/// The targets of everything else.
const COUNTS: &[&str] = if cfg!(target_arch = "aarch64") { &["dotprod"] } else { &["avx2_popcnt", "popcnt"] };
/// What multiplies in the field.
const MULTIPLY: &str = if cfg!(target_arch = "aarch64") { "pmull*" } else { "*pclmul*" };

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
        skip(format_args!("disassembly of trees: {why}"));
        return Vec::new();
    }
    if !has_compiler() {
        return Vec::new();
    }
    let program = |profile: Profile| {
        let file = profile.build(&workspace(), "trees", "trees");
        (profile, Binary::open(file).expect("the program can be read"))
    };
    some_of(&PROFILES, 2).iter().copied().map(program).collect()
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
fn calls_only_clones(profile: Profile, label: &str, clone: &Function) {
    for call in clone.calls() {
        let path = match &call.callee {
            Callee::Function { path, .. } if profile.opt_level == "z" && (is_of_core(path) || is_plain(path)) => {
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
    for (profile, binary) in programs() {
        for name in ["fold", "horner", "at_all"] {
            for (label, clone) in clones(&binary, name, FIELD) {
                println!("{profile}: {}", clone.path());
                assert!(clone.path().contains("poly::"), "not the one that was meant");
                clone.assert().no_dispatch_in_callees().no_panics();
                calls_only_clones(profile, label, &clone);
                // At levels 1 and z the closure remains a function of its own.
                if name != "at_all" && !["1", "z"].contains(&profile.opt_level) {
                    clone.assert().at_least(MULTIPLY, 1).no_calls();
                }
            }
        }
    }
}

#[test]
fn trees_of_every_shape() {
    for (profile, binary) in programs() {
        for name in ["level1", "glued", "recursive", "wider", "generic", "add_all", "twice"] {
            for (label, clone) in clones(&binary, name, COUNTS) {
                println!("{profile}: {}", clone.path());
                clone.assert().no_dispatch();
                // At level z a helper without the attribute is inlined only if it has to be, and decides where it is not.
                if (profile.opt_level, name) != ("z", "level1") {
                    clone.assert().no_dispatch_in_callees();
                }
                if profile.opt_level != "z" {
                    clone.assert().no_panics();
                }
                calls_only_clones(profile, label, &clone);
            }
        }
        for (_, clone) in clones(&binary, "dynamic", COUNTS) {
            // What it reaches through the table decides for itself; nothing does so here.
            clone.assert().no_dispatch();
        }
    }
}

/// What is compiled separately has the clone's features and knows what the clone knows.
#[test]
fn bodies_that_are_compiled_alone() {
    for (profile, binary) in programs() {
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
                assert!(
                    !is_alone || !parts.is_empty(),
                    "{profile}: nothing of {} is compiled separately",
                    clone.path()
                );
                for part in parts.iter().chain([&clone]) {
                    println!("{profile}: {}", part.path());
                    part.assert().no_dispatch();
                    if cfg!(target_arch = "x86_64") {
                        part.assert().within_features(&label.replace('_', ","));
                    }
                }
            }
        }
    }
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
    for (profile, binary) in programs() {
        // At level z too much is left of the standard library.
        if profile.opt_level == "z" {
            continue;
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
        assert!(deciding.is_empty(), "{profile}: these decide:\n{deciding}");
        assert!(seen >= 50 * COUNTS.len(), "{profile}: only {seen} functions");
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
    for profile in some_of(&PROFILES, 2) {
        let program = profile.build(&workspace(), "trees", "trees");
        for limit in limits {
            let output = run(&program, *limit);
            assert_eq!(*first.get_or_insert_with(|| output.clone()), output, "{profile}, SIMD_CORE_ONLY={limit:?}");
        }
    }
}
