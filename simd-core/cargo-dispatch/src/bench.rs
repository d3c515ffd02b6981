//! `cargo dispatch bench`: a package's benches, once for each target, and what does not pay.

pub(crate) mod framework;
mod verdict;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde_json::json;
use simd_core_asm::{Binary, Error};

use crate::built::{Kind, Options, Program};
use crate::columns::{say, show, wrapped};
use crate::cpu::{Cpu, ONLY, Wanted};
use crate::report::advice;
use crate::timing::{ERROR, Spread, in_turns, median};
use framework::Framework;
use verdict::Verdict;

/// Run the package's benches once for each target, and find targets that do not pay
///
/// The benches are those of criterion or divan, as they are. Each round runs them in one process for each target and one
/// for the baseline; the time of a bench in a process is that of its median sample. A speed is the median over the
/// rounds, followed by the interval that holds the true median with a probability of 98 %. A verdict takes a wider
/// interval that does not hold 1: all verdicts together are right with a probability of 95 %.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  cargo dispatch bench --bench kernels -- to_slice",
    override_usage = "cargo dispatch bench [OPTIONS] [-- ARGUMENTS]"
)]
pub(crate) struct Bench {
    /// The benchmark; without it, all of the package
    #[arg(long = "bench", value_name = "NAME")]
    name: Option<String>,
    /// The number of processes for each target
    #[arg(long, value_name = "NUMBER", default_value_t = 15, value_parser = clap::value_parser!(u32).range(7..))]
    rounds: u32,
    /// How long a process measures each bench
    #[arg(long, value_name = "SECONDS", default_value_t = 0.3, value_parser = seconds)]
    time: f64,
    /// Differences that are too small for a verdict, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 3.0, value_parser = percent)]
    ignore: f64,
    /// Print the speeds and verdicts as JSON
    #[arg(long)]
    json: bool,
    /// For the benches: a part of their names, for instance
    #[arg(last = true)]
    arguments: Vec<String>,
    #[command(flatten)]
    options: Options,
}

fn seconds(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|seconds| (0.01..=3600.0).contains(seconds)).ok_or_else(|| "from 0.01 to 3600".into())
}

fn percent(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|percent| (0.0..=50.0).contains(percent)).ok_or_else(|| "from 0 to 50".into())
}

struct Measured {
    program: Program,
    framework: Framework,
    cpu: Cpu,
    targets: Vec<Wanted>,
    /// The targets that this CPU lacks, each with what is missing.
    absent: Vec<String>,
}

/// Nanoseconds of a bench in each round, for the baseline and then for each target.
type Times = Vec<Vec<f64>>;

/// A bench, and its speed with each target as a ratio to the baseline's.
#[derive(Serialize)]
struct Row {
    program: String,
    bench: String,
    baseline_ns: f64,
    targets: Vec<Speed>,
    #[serde(skip)]
    times: Times,
}

#[derive(Serialize)]
struct Speed {
    target: String,
    #[serde(flatten, with = "SpreadDef")]
    spread: Spread,
}

#[derive(Serialize)]
#[serde(remote = "Spread")]
struct SpreadDef {
    median: f64,
    low: f64,
    high: f64,
}

impl Bench {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let features = self.options.testing()?;
        let programs = self.options.build(Kind::Bench, self.name.as_deref(), &features)?;
        let mut measured = Vec::new();
        for program in programs {
            measured.extend(Measured::new(program)?);
        }
        if measured.is_empty() {
            bail!("no bench has clones of dispatched functions for this CPU");
        }
        let progress = self.progress(&measured);
        let (mut rows, mut verdicts, mut absent) = (Vec::new(), Vec::new(), Vec::new());
        for measured in &measured {
            let first = rows.len();
            rows.extend(self.measure(measured, &progress)?);
            let names: Vec<String> = measured.targets.iter().map(Wanted::name).collect();
            let lower = measured
                .targets
                .iter()
                .map(|target| (0..names.len()).filter(|other| target.implies(&measured.targets[*other])).collect());
            verdicts.extend(Verdict::all(&rows[first..], &names, &lower.collect::<Vec<_>>(), self.ignore / 100.0));
            absent.extend(measured.absent.iter().cloned());
        }
        progress.finish_and_clear();
        absent.sort();
        absent.dedup();
        if self.json {
            let json = json!({ "rounds": self.rounds, "benches": rows, "verdicts": verdicts, "not_here": absent });
            show(serde_json::to_string_pretty(&json)? + "\n")?;
            return Ok(ExitCode::SUCCESS);
        }
        show(wrapped("this CPU:", measured[0].cpu.features()))?;
        show(format_args!("speed as a ratio to the baseline's, in {} rounds; above 1 is faster\n", self.rounds))?;
        for row in &rows {
            show(row)?;
        }
        show("\nverdict\n")?;
        for verdict in &verdicts {
            show(verdict)?;
        }
        for target in &absent {
            show(format_args!("  {target}\n"))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn progress(&self, measured: &[Measured]) -> ProgressBar {
        let processes: usize = measured.iter().map(|measured| measured.targets.len() + 1).sum();
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len} processes, {eta} left: {msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let progress = ProgressBar::new(processes as u64 * u64::from(self.rounds)).with_style(style);
        progress.enable_steady_tick(core::time::Duration::from_millis(500));
        progress
    }

    fn measure(&self, measured: &Measured, progress: &ProgressBar) -> Result<Vec<Row>> {
        let names: Vec<String> =
            core::iter::once(String::new()).chain(measured.targets.iter().map(Wanted::name)).collect();
        let processes = u32::try_from(names.len())? * self.rounds;
        let mut is_first = true;
        let benches = in_turns(names.len(), 0..self.rounds as usize, |at, _| {
            let (target, start) = (&names[at], Instant::now());
            let shown = if target.is_empty() { "baseline" } else { target };
            progress.set_message(format!("{}, {shown}", measured.program.name));
            progress.inc(1);
            let times = measured.framework.run(&measured.program, self.time, target, &self.arguments);
            if core::mem::take(&mut is_first) {
                let (name, seconds) = (&measured.program.name, (start.elapsed() * processes).as_secs_f64().ceil());
                progress.suspend(|| say(format_args!("{name}: {processes} processes, about {seconds} s")));
            }
            times
        })?;
        if benches.is_empty() {
            bail!("`{}` has run no bench\nhelp: look at the arguments behind `--`", measured.program.name);
        }
        let rows = benches.into_iter().map(|(bench, times)| {
            if times.iter().any(|times| times.len() != self.rounds as usize) {
                bail!("`{bench}` has not run once in each process, so its times cannot be compared");
            }
            let targets = names
                .iter()
                .zip(&times)
                .skip(1)
                .map(|(name, own)| Speed { target: name.clone(), spread: Spread::of_ratios(&times[0], own, ERROR) });
            Ok(Row {
                program: measured.program.name.clone(),
                baseline_ns: median(times[0].iter().copied()),
                targets: targets.collect(),
                bench,
                times,
            })
        });
        rows.collect()
    }
}

impl Measured {
    /// The targets to measure, if the program has clones.
    fn new(program: Program) -> Result<Option<Self>> {
        let binary = Binary::open(&program.path).map_err(|error| advice(&error, &program.path))?;
        let clones = match binary.clones_in("") {
            Err(Error::NotFound { .. }) => return Ok(None),
            clones => clones?,
        };
        let cpu = Cpu::of(&program.path)?;
        if !cpu.reads_variables {
            bail!(
                "`{}` cannot be run for each target, since it does not read {ONLY}\nhelp: its package needs\n    \
                 [dev-dependencies]\n    simd-core = {{ version = \"0.1\", features = [\"testing\"] }}",
                program.name
            );
        }
        let mut targets: Vec<Wanted> = Vec::new();
        for target in clones.iter().map(Wanted::of).filter(|target| !target.is_baseline()) {
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
        let (mut here, absent): (Vec<Wanted>, Vec<Wanted>) =
            targets.into_iter().partition(|target| cpu.lacks(target).is_empty());
        if here.is_empty() {
            return Ok(None);
        }
        // Those with most features first.
        let all = here.clone();
        here.sort_by_key(|one| {
            let below = all.iter().filter(|other| one.implies(other)).count();
            (core::cmp::Reverse(below), one.name())
        });
        let absent = absent
            .iter()
            .map(|target| format!("{}: not measured, this CPU lacks {}", target.name(), cpu.lacks(target).join(", ")));
        let (absent, framework) = (absent.collect(), Framework::of(&program)?);
        Ok(Some(Self { absent, targets: here, framework, cpu, program }))
    }
}

impl core::fmt::Display for Row {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        writeln!(f, "\n{}: {}, baseline {}", self.program, self.bench, time(self.baseline_ns))?;
        let width = self.targets.iter().map(|speed| speed.target.len()).max().unwrap_or_default();
        self.targets.iter().try_for_each(|speed| writeln!(f, "  {:width$}  {}", speed.target, speed.spread))
    }
}

pub(crate) fn time(nanoseconds: f64) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")];
    let (scale, unit) = units.into_iter().find(|(scale, _)| nanoseconds >= *scale).unwrap_or((1.0, "ns"));
    format!("{:.3} {unit}", nanoseconds / scale)
}

#[test]
fn units() {
    assert_eq!([0.5, 999.0, 1e3, 2.5e6, 3e9].map(time), ["0.500 ns", "999.000 ns", "1.000 µs", "2.500 ms", "3.000 s"]);
}
