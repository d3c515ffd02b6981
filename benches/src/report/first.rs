//! The first call in a process, which detects the CPU's features, alone and in many threads at once.

use anyhow::{Context, Result, bail, ensure};
use core::hint::black_box;
use core::time::Duration;
use indicatif::ProgressBar;
use serde::Serialize;
use std::env;
use std::process::Command;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

/// Processes for each figure.
const PROCESSES: usize = 31;

/// What the first call takes, and the second.
#[derive(Serialize)]
pub(crate) struct FirstCall {
    pub(super) by: &'static str,
    pub(super) threads: usize,
    /// Nanoseconds, the median over processes; of the slowest thread where there are several.
    pub(super) first: f64,
    /// Nanoseconds of the second call in the same thread.
    pub(super) second: f64,
}

mod contenders {
    use super::black_box;

    #[simd_core::dispatch(targets = "avx2 | neon")]
    pub(super) fn ours(values: &mut [f32; 64]) {
        for value in values {
            *value *= *value;
        }
    }

    #[multiversion::multiversion(targets("x86_64+avx2", "aarch64+neon"))]
    pub(super) fn multiversion(values: &mut [f32; 64]) {
        for value in values {
            *value *= *value;
        }
    }

    #[archmage::autoversion(v3, neon)]
    pub(super) fn archmage(values: &mut [f32; 64]) {
        for value in values {
            *value *= *value;
        }
    }

    pub(super) fn std_macro(values: &mut [f32; 64]) {
        #[cfg(target_arch = "x86_64")]
        black_box(std::arch::is_x86_feature_detected!("avx2"));
        #[cfg(target_arch = "aarch64")]
        black_box(std::arch::is_aarch64_feature_detected!("sve"));
        for value in values {
            *value *= *value;
        }
    }
}

type Contender = fn(&mut [f32; 64]);

const CONTENDERS: [(&str, Contender); 4] = [
    ("simd-core", contenders::ours),
    ("multiversion", contenders::multiversion),
    ("archmage", contenders::archmage),
    ("std macro", contenders::std_macro),
];

/// Makes the first calls of this process and prints the time of the slowest first and second one in nanoseconds.
pub(crate) fn run(by: &str, threads: usize) -> Result<()> {
    let Some((_, call)) = CONTENDERS.into_iter().find(|(name, _)| *name == by) else { bail!("no contender {by}") };
    let barrier = Barrier::new(threads);
    let once = || {
        let mut values = black_box([1.0; 64]);
        barrier.wait();
        let start = Instant::now();
        call(&mut values);
        let first = start.elapsed();
        call(&mut values);
        let both = start.elapsed();
        black_box(values);
        (first, both.checked_sub(first).unwrap())
    };
    let times: Vec<(Duration, Duration)> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(once)).collect();
        let mine = once();
        others.into_iter().map(|thread| thread.join().expect("no contender panics")).chain([mine]).collect()
    });
    let first = times.iter().map(|(first, _)| first).max().context("no threads")?;
    let second = times.iter().map(|(_, second)| second).max().context("no threads")?;
    println!("{} {}", first.as_nanos(), second.as_nanos());
    Ok(())
}

/// Starts processes by turns and takes the medians.
pub(super) fn all(bar: &ProgressBar) -> Result<Vec<FirstCall>> {
    let mut found = Vec::new();
    for threads in [1, 16] {
        bar.set_message(format!("first calls, {threads} threads"));
        let mut samples: Vec<(&str, Vec<f64>, Vec<f64>)> =
            CONTENDERS.iter().map(|(by, _)| (*by, Vec::new(), Vec::new())).collect();
        for _ in 0..PROCESSES {
            for (by, first, second) in &mut samples {
                let arguments = ["first-call", by, &threads.to_string()];
                let output = Command::new(env::current_exe()?).args(arguments).output()?;
                ensure!(output.status.success(), "the first call of {by} failed");
                let text = String::from_utf8(output.stdout)?;
                let (a, b) = text.trim().split_once(' ').context("no two times")?;
                first.push(a.parse()?);
                second.push(b.parse()?);
            }
        }
        for (by, mut first, mut second) in samples {
            first.sort_by(f64::total_cmp);
            second.sort_by(f64::total_cmp);
            found.push(FirstCall { by, threads, first: first[PROCESSES / 2], second: second[PROCESSES / 2] });
        }
    }
    Ok(found)
}
