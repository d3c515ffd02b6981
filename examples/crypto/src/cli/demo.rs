//! `demo`: every algorithm against its reference vector, with the time it takes on the best instructions and on the baseline.
mod algorithms;

use super::failure::Failure;
use algorithms::Algorithm;
use clap::Args;
use simd_core::testing::this_program;
use std::env;
use std::io::{self, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Check every algorithm against its reference vector and time it, dispatched and on the baseline
///
/// Exits with 0 if all vectors match and with 1 if one does not. The baseline runs in a second process that sees none of the CPU's
/// optional features, unless the first one finds none either.
#[derive(Args)]
pub(crate) struct Demo {
    /// Print the measurements of this process alone, one algorithm a line: target, nanoseconds
    #[arg(long, hide = true)]
    measure: bool,
}

/// Leaves a process the features it lists; see `simd-core`.
const ONLY: &str = "SIMD_CORE_ONLY";

/// How one process runs one algorithm.
struct Measurement {
    target: String,
    /// What is wrong with the result, if anything.
    mismatch: Option<String>,
    /// Nanoseconds for one unit of work.
    time: f64,
}

impl Demo {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        if self.measure {
            return measure_for_parent(&mut out).map_err(|error| Failure::standard_output(&error));
        }
        let dispatched: Vec<Measurement> = algorithms::all().map(measure).collect();
        // A process that is left no features already is what its child would be.
        let bare = env::var_os(ONLY).is_some_and(|features| features.is_empty());
        let in_child;
        let baseline = if bare || dispatched.iter().all(|measurement| measurement.target == "baseline") {
            Some(&dispatched[..])
        } else {
            in_child = measure_in_child().map_err(Failure::general)?;
            in_child.as_deref()
        };
        let all_match = report(&mut out, baseline, &dispatched).and_then(|all_match| out.flush().map(|()| all_match));
        match all_match {
            Ok(true) => Ok(()),
            Ok(false) => Err(Failure::general("there are results that do not match")),
            Err(error) => Err(Failure::standard_output(&error)),
        }
    }
}

/// The child's side: one line for each algorithm, with tabs between the fields.
fn measure_for_parent(out: &mut impl Write) -> io::Result<()> {
    for Measurement { target, mismatch, time } in algorithms::all().map(measure) {
        writeln!(out, "{target}\t{time}\t{}", mismatch.unwrap_or_default())?;
    }
    out.flush()
}

/// The same measurements by a process whose CPU has no optional features, as far as it can see; `None` if it cannot be started,
/// as happens to emulated programs.
fn measure_in_child() -> Result<Option<Vec<Measurement>>, String> {
    let mut command = this_program();
    let Ok(child) = command
        .args(["demo", "--measure"])
        .env(ONLY, "")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
    else {
        return Ok(None);
    };
    let output = child.wait_with_output().map_err(|error| format!("the process for the baseline was lost: {error}"))?;
    if !output.status.success() {
        return Err(format!("the process for the baseline failed: {}", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let measurements: Option<Vec<Measurement>> = text.lines().map(parse).collect();
    match measurements {
        Some(measurements) if measurements.len() == algorithms::all().count() => Ok(Some(measurements)),
        _ => Err("the process for the baseline printed something else than its measurements".to_owned()),
    }
}

fn parse(line: &str) -> Option<Measurement> {
    let mut fields = line.split('\t');
    let (target, time, mismatch) = (fields.next()?, fields.next()?, fields.next()?);
    let mismatch = (!mismatch.is_empty()).then(|| mismatch.to_owned());
    Some(Measurement { target: target.to_owned(), mismatch, time: time.parse().ok()? })
}

fn measure(algorithm: &Algorithm) -> Measurement {
    Measurement {
        target: (algorithm.target)().to_owned(),
        mismatch: (algorithm.check)().err(),
        time: time(algorithm.work),
    }
}

/// The median of several runs, in nanoseconds for one unit.
fn time(work: fn(u32)) -> f64 {
    const RUNS: usize = 15;
    const RUN: Duration = Duration::from_millis(2);
    let run = |units| {
        let start = Instant::now();
        work(units);
        start.elapsed()
    };
    let mut units = 1;
    while run(units) < RUN {
        units *= 2;
    }
    let mut times = [(); RUNS].map(|()| run(units));
    times.sort_unstable();
    times[RUNS / 2].as_secs_f64() * 1e9 / f64::from(units)
}

/// Prints the table. Returns whether all results are right.
fn report(out: &mut impl Write, baseline: Option<&[Measurement]>, dispatched: &[Measurement]) -> io::Result<bool> {
    let mut all_match = true;
    writeln!(
        out,
        "{:<35}{:<38}{:<10}{:>14}{:>14}{:>9}  vector from",
        "algorithm", "target", "vector", "baseline", "dispatched", "gain"
    )?;
    for (i, (algorithm, dispatched)) in algorithms::all().zip(dispatched).enumerate() {
        let baseline = baseline.map(|baseline| &baseline[i]);
        let measurements = [("baseline", baseline), ("dispatched", Some(dispatched))];
        let measurements = measurements.into_iter().filter_map(|(which, measurement)| Some((which, measurement?)));
        let matches = measurements.clone().all(|(_, measurement)| measurement.mismatch.is_none());
        all_match &= matches;
        let (time, gain) = baseline.map_or_else(
            || ("-".to_owned(), "-".to_owned()),
            |baseline| (format!("{:.2} ns", baseline.time), format!("{:.1}x", baseline.time / dispatched.time)),
        );
        writeln!(
            out,
            "{:<35}{:<38}{:<10}{time:>14}{:>11.2} ns{gain:>9}  {}",
            algorithm.name,
            dispatched.target,
            if matches { "matches" } else { "DIFFERS" },
            dispatched.time,
            algorithm.source,
        )?;
        for (which, measurement) in measurements {
            if let Some(mismatch) = &measurement.mismatch {
                writeln!(out, "    {which} ({}): {mismatch}", measurement.target)?;
            }
        }
        if let Some(baseline) = baseline.filter(|baseline| baseline.target != "baseline") {
            writeln!(out, "    the build itself enables `{}`: there is no baseline in it", baseline.target)?;
        }
    }
    let wrong = if all_match { "all results match" } else { "there are results that do not match" };
    writeln!(out, "\ntimes are for one operation; of AES, for one block of 16 bytes")?;
    if baseline.is_none() {
        writeln!(out, "the process for the baseline could not be started here: no baseline was checked")?;
    }
    writeln!(out, "{wrong}")?;
    Ok(all_match)
}
