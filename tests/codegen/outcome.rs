//! Rounds of random programs: how many there are, what they have counted, and what went wrong.

use std::env;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::Instant;

use integration_tests::report;

/// The number in an environment variable.
pub(crate) fn number(variable: &str, default: u64) -> u64 {
    match env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is `{text}`; expected a number")),
        Err(_) => default,
    }
}

/// Calls `work` for each round, on all cores.
pub(crate) fn side_by_side(rounds: u64, work: impl Fn(u64) + Sync) {
    let next = AtomicU64::new(0);
    let rounds = || core::iter::repeat_with(|| next.fetch_add(1, Relaxed)).take_while(|round| *round < rounds);
    std::thread::scope(|scope| {
        for _ in 0..available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| rounds().for_each(&work));
        }
    });
}

/// Counts by names, and faults.
pub(crate) struct Outcome<const N: usize> {
    counts: [(&'static str, AtomicU64); N],
    failures: Mutex<Vec<String>>,
    started: Instant,
}

impl<const N: usize> Outcome<N> {
    pub(crate) fn new(names: [&'static str; N]) -> Self {
        let counts = names.map(|name| (name, AtomicU64::new(0)));
        Self { counts, failures: Mutex::default(), started: Instant::now() }
    }

    pub(crate) fn add(&self, name: &str, more: usize) {
        let (_, count) = self.counts.iter().find(|(known, _)| *known == name).expect("a name that is counted");
        count.fetch_add(more as u64, Relaxed);
    }

    pub(crate) fn get(&self, name: &str) -> u64 {
        self.counts.iter().find(|(known, _)| *known == name).expect("a name that is counted").1.load(Relaxed)
    }

    pub(crate) fn fail(&self, failure: String) {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).push(failure);
    }

    pub(crate) fn report(&self) {
        let counts = self.counts.iter().map(|(name, count)| format!("{} {name}, ", count.load(Relaxed)));
        let failures = self.failures.lock().map_or(0, |failures| failures.len());
        let seconds = self.started.elapsed().as_secs();
        report(format_args!("{}{failures} failures, {seconds} s", counts.collect::<String>()));
    }

    /// Reports, and panics with the first failures.
    pub(crate) fn finish(self) {
        self.report();
        let failures = self.failures.into_inner().unwrap_or_else(PoisonError::into_inner);
        let first = &failures[..failures.len().min(5)];
        assert!(failures.is_empty(), "{} failures; the first are\n{}", failures.len(), first.join("\n"));
    }
}
