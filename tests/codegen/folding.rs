//! Random callers of random dispatched functions, each held against a twin of itself without the attribute: the first
//! call and the second have to agree with it, so that each reaches the clone that the CPU's features ask for.
//!
//! No hand-written program showed what was wrong with earlier forms of the folding; these did at once. So whatever is
//! changed in `simd_core::known`, or in what the macro writes, has to pass here. `SIMD_CORE_FOLDING_ROUNDS` says how many
//! programs are compiled with each profile. A long run takes some dozens, and compiles a part of them with the nightly compiler
//! if there is one. A plain run has one program for every fourth profile. `SIMD_CORE_FOLDING_SEED` starts at another program.

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
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use integration_tests::crates::{self, Compiler};
use integration_tests::scratch::{Profile, asks_for_all};
use integration_tests::{has_compiler, report, shown, skip};
use random::Random;

/// The callers of each program, of a few lines and of many.
const SMALL: usize = 16;
const LARGE: usize = 12;

/// Every optimisation level, and the highest with debug assertions too, which check each `assert_unchecked`. What shares a
/// codegen unit can be inlined, and what is inlined shares its reads, so that few and many of each show something.
const PROFILES: [Profile; 10] = [
    Profile::new("3", true).units(1).inlining_more(),
    Profile::new("3", true),
    Profile::new("1", true).units(1).inlining_more(),
    Profile::new("0", false),
    Profile::new("1", false),
    Profile::new("2", false).units(1).inlining_more(),
    Profile::new("3", false),
    Profile::new("s", false).units(1),
    Profile::new("3", false).lto("thin"),
    Profile::new("3", false).units(1).lto("fat"),
];

pub(crate) fn number(variable: &str, default: u64) -> u64 {
    match env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is `{text}`; expected a number")),
        Err(_) => default,
    }
}

/// A compiler, with `simd_core` for profiles without and with debug assertions.
type Compilers = [Compiler; 2];

fn compilers(rustc: Option<&Path>, name: &str) -> Compilers {
    [false, true].map(|debug_assertions| Compiler::new(rustc, name, debug_assertions))
}

/// The nightly compiler, if rustup has one.
fn nightly() -> Option<PathBuf> {
    let output = Command::new("rustup").args(["which", "rustc", "--toolchain", "nightly"]).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| PathBuf::from(path.trim()))
}

/// What went wrong so far, and how much was done.
#[derive(Default)]
struct Outcome {
    programs: AtomicUsize,
    processes: AtomicUsize,
    results: AtomicUsize,
    failures: Mutex<Vec<String>>,
}

impl Outcome {
    fn fail(&self, failure: String) {
        self.failures.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(failure);
    }

    /// Runs callers with each of `arguments`; returns what went wrong, if anything did.
    fn run(&self, program: &Path, limit: Option<&str>, caller: &str, arguments: &[usize]) -> Option<String> {
        let mut command = Command::new(program);
        command.arg(caller).args(arguments.iter().map(usize::to_string));
        command.env_remove("SIMD_CORE_ONLY").env_remove("SIMD_CORE_WITHOUT");
        if let Some(limit) = limit {
            command.env("SIMD_CORE_ONLY", limit);
        }
        let output = command.output().expect("the program starts");
        self.processes.fetch_add(1, Relaxed);
        let failed = || format!("SIMD_CORE_ONLY={limit:?} {command:?}: {}\n{}", output.status, shown(&output));
        (!output.status.success()).then(failed)
    }

    /// Compiles the program of `seed`, and runs it under some sets of features.
    fn program(&self, seed: u64, profile: Profile, compilers: &Compilers) {
        let generate::Program { library, program, limits } = generate::program(seed, SMALL, LARGE, seed % 2 == 0);
        let flags = |part: &generate::Crate| -> Vec<String> {
            let all: Vec<String> = part.features.iter().map(|name| format!("+{name}")).collect();
            if all.is_empty() { Vec::new() } else { vec![format!("-Ctarget-feature={}", all.join(","))] }
        };
        let parts = library.iter().map(|library| (generate::LIBRARY, library)).chain([("random_callers", &program)]);
        let parts: Vec<_> = parts.map(|(name, part)| (name, part, flags(part))).collect();
        let crates: Vec<crates::Crate<'_>> =
            parts.iter().map(|(name, part, flags)| crates::Crate { name, source: &part.source, flags }).collect();
        let name = format!("seed {seed}, {profile}");
        self.programs.fetch_add(1, Relaxed);
        let path = match compilers[usize::from(profile.debug_assertions)].compile(profile, &crates) {
            Ok(path) => path,
            Err(error) => return self.fail(format!("{name}: does not compile\n{error}")),
        };
        let mut random = Random::new(seed);
        let limits = limits.into_iter().chain([random.limit(), random.limit()]).map(Some).chain([None]);
        for limit in limits {
            let arguments = [0, random.below(64), random.below(64), random.below(64)];
            self.results.fetch_add(2 * arguments.len() * (SMALL + LARGE), Relaxed);
            let Some(all) = self.run(&path, limit.as_deref(), "all", &arguments) else { continue };
            // One that does not return hides the others.
            let alone = |caller: usize| self.run(&path, limit.as_deref(), &caller.to_string(), &arguments);
            let culprits: Vec<String> = (0..SMALL + LARGE).filter_map(alone).collect();
            self.fail(format!("{name}: {}", if culprits.is_empty() { all } else { culprits.concat() }));
        }
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
    let step = if asks_for_all() || env::var_os("SIMD_CORE_FOLDING_ROUNDS").is_some() { 1 } else { 4 };
    let (rounds, first) = (number("SIMD_CORE_FOLDING_ROUNDS", 1), number("SIMD_CORE_FOLDING_SEED", 1));
    let stable = compilers(None, "stable");
    let nightly = if rounds > 1 { nightly().map(|rustc| compilers(Some(&rustc), "nightly")) } else { None };
    let outcome = Outcome::default();
    let started = Instant::now();
    for round in 0..rounds {
        let next = AtomicUsize::new(0);
        let compilers = nightly.as_ref().filter(|_| round % 4 == 3).unwrap_or(&stable);
        let work = || {
            loop {
                let index = next.fetch_add(step, Relaxed);
                let Some(&profile) = PROFILES.get(index) else { return };
                outcome.program((first + round) * 101 + index as u64, profile, compilers);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..available_parallelism().map_or(1, usize::from).min(PROFILES.len()) {
                scope.spawn(work);
            }
        });
        if rounds > 1 {
            outcome.report(started.elapsed());
        }
    }
    outcome.report(started.elapsed());
    let mut failures = outcome.failures.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let all = failures.len();
    failures.truncate(5);
    assert!(all == 0, "{all} failures; the first are\n{}", failures.join("\n"));
}

impl Outcome {
    fn report(&self, time: Duration) {
        let [programs, processes, results] =
            [&self.programs, &self.processes, &self.results].map(|count| count.load(Relaxed));
        let callers = programs * (SMALL + LARGE);
        let failures = self.failures.lock().map_or(0, |failures| failures.len());
        report(format_args!(
            "{programs} programs, {callers} callers, {processes} processes, {results} results, {failures} failures, {} s",
            time.as_secs()
        ));
    }
}
