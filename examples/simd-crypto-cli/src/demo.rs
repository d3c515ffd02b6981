//! `demo`: every algorithm against its reference vector, with the time it takes on the best instructions and on the baseline.
mod algorithms;
#[cfg_attr(feature = "baseline", path = "demo/baseline.rs")]
#[cfg_attr(not(feature = "baseline"), path = "demo/no_baseline.rs")]
mod baseline;

use super::failure::Failure;
use super::standard;
use algorithms::Algorithm;
use baseline::{NO_BASELINE, is_bare, measure_in_child};
use clap::Args;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Check every algorithm against its reference vector and time it, dispatched and on the baseline
///
/// Exits with 0 if all vectors match and with 1 if one does not. In builds with the cargo feature `baseline`, the baseline runs in
/// a second process, in which all optional features of the CPU are disabled.
#[derive(Args)]
pub(crate) struct Demo {
    /// Print the measurements of this process only, one algorithm a line: target, nanoseconds
    #[arg(long, hide = true)]
    measure: bool,
}

struct Measurement {
    target: String,
    /// The fault of the result, if it has one.
    mismatch: Option<String>,
    /// Nanoseconds for one unit of work.
    time: f64,
}

impl Demo {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut out = io::BufWriter::new(standard::output()?);
        if self.measure {
            return measure_for_parent(&mut out).map_err(|error| Failure::standard_output(&error));
        }
        let dispatched: Vec<Measurement> = algorithms::all().map(measure).collect();
        let in_child;
        let baseline = if is_bare() || dispatched.iter().all(|measurement| measurement.target == "baseline") {
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
        writeln!(out, "{NO_BASELINE}")?;
    }
    writeln!(out, "{wrong}")?;
    Ok(all_match)
}
