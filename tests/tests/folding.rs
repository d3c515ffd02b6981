//! Random callers of random dispatched functions: the first call in a process and the second have to agree, and each has
//! to reach the clone that the CPU's features ask for.
//!
//! No hand-written program showed what was wrong with the first form of the folding (a clone concluded from a clear bit);
//! these did at once. So whatever is changed in `simd_core::known` or in the macro's dispatchers has to pass here.
//! `SIMD_CORE_FOLDING_ROUNDS` says how many programs are compiled with each profile, one by default; a long run takes
//! some hundreds. `SIMD_CORE_FOLDING_SEED` starts at another program.

#[path = "folding/features.rs"]
mod features;
#[path = "folding/generate.rs"]
mod generate;

use std::env;
use std::path::Path;
use std::process::Command;

use generate::Random;
use integration_tests::scratch::{self, Profile};
use integration_tests::{has_compiler, report, shown};

/// The callers of each program, of a few lines and of many.
const SMALL: usize = 24;
const LARGE: usize = 10;

fn number(variable: &str, default: u64) -> u64 {
    match env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is `{text}`; expected a number")),
        Err(_) => default,
    }
}

/// What went wrong in the process, if anything did.
fn failure(program: &Path, limit: Option<&str>, caller: &str, bits: usize) -> Option<String> {
    let mut command = Command::new(program);
    command.arg(caller).arg(bits.to_string()).env_remove("SIMD_CORE_ONLY");
    if let Some(limit) = limit {
        command.env("SIMD_CORE_ONLY", limit);
    }
    let output = command.output().expect("the program starts");
    (!output.status.success()).then(|| format!("SIMD_CORE_ONLY={limit:?} {command:?}: {}", shown(&output)))
}

#[test]
fn first_and_second_calls_agree() {
    if !has_compiler() {
        return;
    }
    if features::FEATURES.is_empty() {
        report(format_args!("skipped: no features are known here for the random programs to name"));
        return;
    }
    let (rounds, seed) = (number("SIMD_CORE_FOLDING_ROUNDS", 1), number("SIMD_CORE_FOLDING_SEED", 1));
    let (mut runs, mut failures) = (0, Vec::new());
    for round in 0..rounds {
        for (index, profile) in Profile::ALL.into_iter().enumerate() {
            let seed = (seed + round) * 100 + index as u64;
            let generate::Program { source, limits } = generate::program(seed, SMALL, LARGE);
            let directory = scratch::package("random-callers", &source);
            let program = profile.build(&directory, "random-callers", "random-callers");
            let mut random = Random::new(seed);
            let limits = limits.into_iter().chain([random.limit(), random.limit()]).map(Some).chain([None]);
            for limit in limits {
                for caller in (0..SMALL + LARGE).map(|caller| caller.to_string()).chain(["all".to_owned()]) {
                    for bits in [0, random.below(64), random.below(64)] {
                        runs += 1;
                        if let Some(failure) = failure(&program, limit.as_deref(), &caller, bits) {
                            failures.push(format!("seed {seed}, {profile}: {failure}"));
                        }
                    }
                }
            }
        }
    }
    let all = failures.len();
    failures.truncate(5);
    assert!(all == 0, "{all} of {runs} processes failed; the first are\n{}", failures.join("\n"));
    report(format_args!("{} callers in {runs} processes", rounds as usize * Profile::ALL.len() * (SMALL + LARGE)));
}
