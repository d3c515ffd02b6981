//! What detection adds to the start of a program: whole processes, with and without it.

use super::generated::{self, Generated};
use crate::report::data::{Figure, Value};
use crate::report::facts::FACTS;
use anyhow::{Result, ensure};
use benchmarks::timing::{median, turns};
use indicatif::ProgressBar;
use std::process::Command;
use std::time::Instant;

/// Processes of each program.
const PROCESSES: usize = 1000;

/// Starts processes of all programs, interleaved: from before a process is made until it has been waited for.
pub(crate) fn all(bar: &ProgressBar) -> Result<Vec<Figure>> {
    bar.set_message("starting programs");
    let mut programs = Vec::new();
    for (i, facts) in FACTS.start.iter().enumerate() {
        let generated = Generated::new(&format!("start-{i}"), if facts.ours { generated::OURS } else { "" })?;
        generated.write(&facts.text)?;
        generated.cargo(&["build", "--release"])?;
        programs.push((&facts.by, generated.program(), Vec::new()));
    }
    bar.set_length(PROCESSES as u64);
    bar.set_position(0);
    let count = programs.len();
    for round in 0..PROCESSES {
        for i in turns(count, round) {
            let (by, program, times) = &mut programs[i];
            let start = Instant::now();
            let status = Command::new(program).status()?;
            times.push(start.elapsed().as_nanos() as f64);
            ensure!(status.success(), "the program with {by} failed");
        }
        bar.inc(1);
    }
    let mut figures = Vec::new();
    let empty = programs[0].2.clone();
    for (by, _, times) in programs {
        // Of processes that ran one right after the other, since the machine's speed drifts.
        let above = median(times.iter().zip(&empty).map(|(time, empty)| time - empty));
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        for (work, ns) in [("median", median(times)), ("least", least), ("above the empty `main`", above)] {
            figures.push(Figure::new("Start of a program", work, by, Value::Ns(ns)));
        }
    }
    Ok(figures)
}

/// Nanoseconds of the instruction that detection is made of on x86, the least of many.
pub(crate) fn cpuid() -> Option<f64> {
    #[cfg(target_arch = "x86_64")]
    return (0..PROCESSES)
        .map(|_| {
            let start = Instant::now();
            #[allow(unused_unsafe, reason = "a safe function on newer toolchains")]
            // SAFETY: every x86-64 CPU has `cpuid`.
            core::hint::black_box(unsafe { core::arch::x86_64::__cpuid(1) });
            start.elapsed().as_nanos() as f64
        })
        .min_by(f64::total_cmp);
    #[cfg(not(target_arch = "x86_64"))]
    None
}
