//! Random callers of random dispatched functions, each held against a twin of itself without the attribute: the first
//! call and the second have to agree with it, so that each reaches the clone that the CPU's features ask for.
//!
//! No hand-written program showed what was wrong with earlier forms of the folding; these did at once. So whatever is
//! changed in `simd_core::known`, or in what the macro writes, has to pass here. `SIMD_CORE_FOLDING_ROUNDS` says how many
//! programs are compiled with each profile. A long run takes some dozens, and compiles a part of them with the nightly compiler
//! if there is one. A plain run has two programs. `SIMD_CORE_FOLDING_SEED` starts at another program.

mod asynchronous;
mod callers;
mod features;
mod functions;
mod futures;
mod generate;
mod items;
mod print;
pub(crate) mod random;
mod statements;

use std::process::Command;
use std::{env, fs};

use super::outcome::{Outcome, number, run};
use integration_tests::build::{Build, Crate, INLINES_MORE, RELEASE, scratch_directory};
use integration_tests::{asks_for_all, skip};
use random::Random;

/// The callers of each program, of a few lines and of many.
const SMALL: usize = 16;
const LARGE: usize = 12;

/// Every optimisation level, and the highest with debug assertions too, which check each `assert_unchecked`. What shares a
/// codegen unit can be inlined, and what is inlined shares its reads, so that few and many of each show something.
const BUILDS: [Build; 10] = [
    Build { debug_assertions: true, ..INLINING },
    Build { debug_assertions: true, ..RELEASE },
    Build { opt_level: "1", debug_assertions: true, ..INLINING },
    Build { opt_level: "0", ..RELEASE },
    Build { opt_level: "1", ..RELEASE },
    Build { opt_level: "2", ..INLINING },
    RELEASE,
    Build { opt_level: "s", codegen_units: 1, ..RELEASE },
    Build { lto: "thin", ..RELEASE },
    Build { codegen_units: 1, lto: "fat", ..RELEASE },
];
const INLINING: Build = Build { codegen_units: 1, flags: INLINES_MORE, ..RELEASE };

fn nightly() -> Option<&'static str> {
    let output = Command::new("rustup").args(["which", "rustc", "--toolchain", "nightly"]).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| path.leak().trim())
}

/// Compiles the program of `seed`, and runs it under some sets of features.
fn check(outcome: &Outcome, seed: u64, build: Build) {
    let generate::Program { crates, features, limits } = generate::program(seed, SMALL, LARGE, seed % 2 == 0);
    let flags = features.map(|names| {
        let names: Vec<String> = names.iter().map(|name| format!("+{name}")).collect();
        format!("-Ctarget-feature={}", names.join(","))
    });
    let flags = flags.each_ref().map(|flags| [&**flags]);
    let crates = crates.iter().zip(&flags[2 - crates.len()..]);
    let crates = crates.map(|((name, kind, source), flags)| Crate::library(name, source).kind(kind).flags(flags));
    outcome.add("programs", 1);
    let directory = scratch_directory(&format!("callers-{seed}"));
    let path = match build.compile_in(&directory, &crates.collect::<Vec<_>>()) {
        Ok(built) => built.path,
        Err(error) => return outcome.fail(format!("seed {seed}, {build}: does not compile\n{error}")),
    };
    let mut random = Random::new(seed);
    let limits = limits.into_iter().chain([random.limit(), random.limit()]).map(Some).chain([None]);
    let mut failures = String::new();
    for limit in limits {
        let arguments = [0, random.below(64), random.below(64), random.below(64)].map(|argument| argument.to_string());
        outcome.add("results", 2 * arguments.len() * (SMALL + LARGE));
        let of = |callers: String| run(&path, limit.as_deref(), &[&[callers][..], &arguments].concat()).err();
        let Some(all) = of("all".to_owned()) else { continue };
        // One that does not return hides the others.
        let culprits: String = (0..SMALL + LARGE).filter_map(|caller| of(caller.to_string())).collect();
        failures += if culprits.is_empty() { &all } else { &culprits };
    }
    if failures.is_empty() {
        let _ = fs::remove_dir_all(directory);
    } else {
        outcome.fail(format!("seed {seed}, {build}: {failures}"));
    }
}

#[test]
fn callers_agree_with_their_twins() {
    if features::FEATURES.is_empty() {
        return skip("no features are known here for the random programs to name");
    }
    let step = if asks_for_all() || env::var_os("SIMD_CORE_FOLDING_ROUNDS").is_some() { 1 } else { 6 };
    let (rounds, first) = (number("FOLDING_ROUNDS", 1), number("FOLDING_SEED", 1));
    let nightly = if rounds > 1 { nightly() } else { None };
    let builds = BUILDS.len().div_ceil(step) as u64;
    let outcome = Outcome::of(rounds * builds, builds, |outcome, number| {
        let (round, index) = (number / builds, number as usize % builds as usize * step);
        let rustc = nightly.filter(|_| round % 4 == 3).unwrap_or_default();
        let build = Build { rustc, ..BUILDS[index] };
        check(outcome, (first + round) * 101 + index as u64, build.as_here());
    });
    outcome.finish();
}
