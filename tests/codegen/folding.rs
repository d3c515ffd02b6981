//! Random callers of random dispatched functions, each held against a twin of itself without the attribute: the first
//! call and the second have to agree with it, so that each reaches the clone that the CPU's features ask for.
//!
//! No hand-written program showed what was wrong with earlier forms of the folding; these did at once. So whatever is
//! changed in `simd_core::known`, or in what the macro writes, has to pass here. `SIMD_CORE_FOLDING_ROUNDS` says how many
//! programs are compiled with each profile. A long run takes some dozens, and compiles a part of them with the nightly compiler
//! if there is one. A plain run has two programs. `SIMD_CORE_FOLDING_SEED` starts at another program.

mod asynchronous;
mod callers;
mod early;
mod features;
mod functions;
mod futures;
mod generate;
mod items;
mod modules;
mod print;
pub(crate) mod random;
mod statements;
mod unwinding;

use std::env;
use std::path::Path;
use std::process::Command;

use super::outcome::{Outcome, number, side_by_side};
use integration_tests::build::{Build, Crate, INLINES_MORE, RELEASE, scratch_directory};
use integration_tests::{asks_for_all, has_compiler, shown, skip};
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

/// The nightly compiler, if rustup has one.
fn nightly() -> Option<&'static str> {
    let output = Command::new("rustup").args(["which", "rustc", "--toolchain", "nightly"]).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| path.leak().trim())
}

type Counts = Outcome<3>;

/// Runs callers with each of `arguments`; returns what went wrong, if anything did.
fn run(counts: &Counts, program: &Path, limit: Option<&str>, caller: &str, arguments: &[usize]) -> Option<String> {
    let mut command = Command::new(program);
    command.arg(caller).args(arguments.iter().map(usize::to_string));
    command.env_remove("SIMD_CORE_ONLY").env_remove("SIMD_CORE_WITHOUT");
    if let Some(limit) = limit {
        command.env("SIMD_CORE_ONLY", limit);
    }
    let output = command.output().expect("the program starts");
    counts.add("processes", 1);
    let failed = || format!("SIMD_CORE_ONLY={limit:?} {command:?}: {}\n{}", output.status, shown(&output));
    (!output.status.success()).then(failed)
}

/// Compiles the program of `seed`, and runs it under some sets of features.
fn check(counts: &Counts, seed: u64, build: Build) {
    let generate::Program { library, program, limits } = generate::program(seed, SMALL, LARGE, seed % 2 == 0);
    let flag = |part: &generate::Crate| {
        let all: Vec<String> = part.features.iter().map(|name| format!("+{name}")).collect();
        format!("-Ctarget-feature={}", all.join(","))
    };
    let parts = library.iter().map(|library| (generate::LIBRARY, "rlib", library));
    let parts: Vec<_> = parts.chain([("random_callers", "bin", &program)]).collect();
    let flags: Vec<String> = parts.iter().map(|(.., part)| flag(part)).collect();
    let flags: Vec<[&str; 1]> = flags.iter().map(|flag| [&**flag]).collect();
    let crates: Vec<Crate<'_>> = parts
        .iter()
        .zip(&flags)
        .map(|((name, kind, part), flags)| Crate::library(name, &part.source).kind(kind).flags(flags))
        .collect();
    counts.add("programs", 1);
    let directory = scratch_directory(&format!("callers-{}", seed % 16));
    let path = match build.compile_in(&directory, &crates) {
        Ok(built) => built.path,
        Err(error) => return counts.fail(format!("seed {seed}, {build}: does not compile\n{error}")),
    };
    let mut random = Random::new(seed);
    let limits = limits.into_iter().chain([random.limit(), random.limit()]).map(Some).chain([None]);
    for limit in limits {
        let arguments = [0, random.below(64), random.below(64), random.below(64)];
        counts.add("results", 2 * arguments.len() * (SMALL + LARGE));
        let Some(all) = run(counts, &path, limit.as_deref(), "all", &arguments) else { continue };
        // One that does not return hides the others.
        let alone = |caller: usize| run(counts, &path, limit.as_deref(), &caller.to_string(), &arguments);
        let culprits: Vec<String> = (0..SMALL + LARGE).filter_map(alone).collect();
        counts.fail(format!("seed {seed}, {build}: {}", if culprits.is_empty() { all } else { culprits.concat() }));
    }
}

#[test]
fn callers_agree_with_their_twins() {
    if !has_compiler() {
        return;
    }
    if features::FEATURES.is_empty() {
        skip("no features are known here for the random programs to name");
        return;
    }
    let step = if asks_for_all() || env::var_os("SIMD_CORE_FOLDING_ROUNDS").is_some() { 1 } else { 6 };
    let (rounds, first) = (number("SIMD_CORE_FOLDING_ROUNDS", 1), number("SIMD_CORE_FOLDING_SEED", 1));
    let nightly = if rounds > 1 { nightly() } else { None };
    let counts = Outcome::new(["programs", "processes", "results"]);
    for round in 0..rounds {
        let rustc = nightly.filter(|_| round % 4 == 3).unwrap_or_default();
        side_by_side((BUILDS.len() as u64).div_ceil(step), |index| {
            let index = index * step;
            let build = Build { rustc, ..BUILDS[index as usize] };
            check(&counts, (first + round) * 101 + index, build.as_here());
        });
        if rounds > 1 {
            counts.report();
        }
    }
    counts.finish();
}
