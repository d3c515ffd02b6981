//! Rounds of random programs: how many there are, what they have counted, and what went wrong.

use std::collections::BTreeMap;
use std::env;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;
use std::time::Instant;

use integration_tests::{report, shown};

pub(crate) fn number(name: &str, default: u64) -> u64 {
    let variable = format!("SIMD_CORE_{name}");
    match env::var(&variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is `{text}`; expected a number")),
        Err(_) => default,
    }
}

/// The lines that `program` prints where `SIMD_CORE_ONLY` is `limit`.
pub(crate) fn run(program: &Path, limit: Option<&str>, arguments: &[String]) -> Result<Vec<String>, String> {
    let mut command = Command::new(program);
    command.args(arguments).env_remove("SIMD_CORE_ONLY").env_remove("SIMD_CORE_WITHOUT");
    command.envs(limit.map(|limit| ("SIMD_CORE_ONLY", limit)));
    let output = command.output().expect("the program starts");
    if !output.status.success() {
        return Err(format!("SIMD_CORE_ONLY={limit:?} {command:?}: {}\n{}", output.status, shown(&output)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// Counts by names, and faults.
pub(crate) struct Outcome {
    counts: Mutex<BTreeMap<String, u64>>,
    failures: Mutex<Vec<String>>,
    started: Instant,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Outcome {
    /// Calls `check` for so many rounds, on all cores; reports now and then.
    pub(crate) fn of(rounds: u64, report_after: u64, check: impl Fn(&Self, u64) + Sync) -> Self {
        let outcome = Self { counts: Mutex::default(), failures: Mutex::default(), started: Instant::now() };
        let next = AtomicU64::new(0);
        let numbers = || core::iter::repeat_with(|| next.fetch_add(1, Relaxed)).take_while(|round| *round < rounds);
        let work = |round| {
            check(&outcome, round);
            if (round + 1).is_multiple_of(report_after) {
                outcome.report();
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| numbers().for_each(work));
            }
        });
        outcome
    }

    pub(crate) fn add(&self, name: &str, more: usize) {
        *lock(&self.counts).entry(name.to_owned()).or_default() += more as u64;
    }

    /// How much was counted under names that begin with `name`.
    pub(crate) fn get(&self, name: &str) -> u64 {
        lock(&self.counts).iter().filter(|(counted, _)| counted.starts_with(name)).map(|(_, count)| count).sum()
    }

    pub(crate) fn fail(&self, failure: String) {
        self.add("failures", 1);
        lock(&self.failures).push(failure);
    }

    fn report(&self) {
        for (name, count) in &*lock(&self.counts) {
            report(format_args!("{count:6} {name}"));
        }
        report(format_args!("{:6} s", self.started.elapsed().as_secs()));
    }

    /// Reports, and panics with the first failures.
    pub(crate) fn finish(&self) {
        self.report();
        let failures = lock(&self.failures);
        let first = &failures[..failures.len().min(5)];
        assert!(failures.is_empty(), "{} failures; the first are\n{}", failures.len(), first.join("\n"));
    }
}
