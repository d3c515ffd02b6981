//! What detection adds to the start of a program: whole processes, with and without it.

use super::generated::{self, Generated};
use super::measure::median;
use anyhow::{Result, ensure};
use benchmarks::OURS;
use indicatif::ProgressBar;
use serde::Serialize;
use std::process::Command;
use std::time::Instant;

/// Processes of each program.
const PROCESSES: usize = 1000;

pub(super) const EMPTY: &str = "an empty `main`";
pub(super) const STANDARD: &str = "the standard library's macro";

/// A program that exits at once.
#[derive(Serialize)]
pub(crate) struct Start {
    pub(super) by: &'static str,
    /// Nanoseconds from before the process is made until it has been waited for.
    pub(super) median: f64,
    pub(super) least: f64,
}

/// The programs, and how their crates depend on others.
const PROGRAMS: [(&str, &str, &str); 3] = [
    (EMPTY, "", "fn main() {}"),
    (
        OURS,
        generated::OURS,
        "#[simd_core::dispatch(targets = \"avx2 | dotprod\")]\nfn square(values: &mut [f32]) { for value in values { *value *= *value; } }\n\
         fn main() { square(std::hint::black_box(&mut [1.0; 64])); }",
    ),
    (
        STANDARD,
        "",
        "fn main() {\n#[cfg(target_arch = \"x86_64\")] std::hint::black_box(std::arch::is_x86_feature_detected!(\"avx2\"));\n\
         #[cfg(target_arch = \"aarch64\")] std::hint::black_box(std::arch::is_aarch64_feature_detected!(\"dotprod\"));\n}",
    ),
];

/// Starts processes of all programs, interleaved.
pub(super) fn all(bar: &ProgressBar) -> Result<Vec<Start>> {
    bar.set_message("starting programs");
    let mut programs = Vec::new();
    for (by, dependency, text) in PROGRAMS {
        let generated = Generated::new(&format!("start-{}", programs.len()), dependency)?;
        generated.write(text)?;
        generated.cargo(&["build", "--release"])?;
        programs.push((by, generated.program(), Vec::new()));
    }
    bar.set_length(PROCESSES as u64);
    bar.set_position(0);
    for round in 0..PROCESSES {
        for i in (0..programs.len()).map(|i| (i + round) % PROGRAMS.len()) {
            let (by, program, times) = &mut programs[i];
            let start = Instant::now();
            let status = Command::new(program).status()?;
            times.push(start.elapsed().as_nanos() as f64);
            ensure!(status.success(), "the program with {by} failed");
        }
        bar.inc(1);
    }
    let start = |(by, _, times): (_, _, Vec<f64>)| {
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        Start { by, median: median(times), least }
    };
    Ok(programs.into_iter().map(start).collect())
}

/// Nanoseconds of the instruction that detection is made of on x86, the least of many.
pub(super) fn cpuid() -> Option<f64> {
    #[cfg(target_arch = "x86_64")]
    {
        let once = || {
            let start = Instant::now();
            #[allow(unused_unsafe, reason = "a safe function on newer toolchains")]
            // SAFETY: every x86-64 CPU has `cpuid`.
            core::hint::black_box(unsafe { core::arch::x86_64::__cpuid(1) });
            start.elapsed().as_nanos() as f64
        };
        (0..PROCESSES).map(|_| once()).min_by(f64::total_cmp)
    }
    #[cfg(not(target_arch = "x86_64"))]
    None
}
