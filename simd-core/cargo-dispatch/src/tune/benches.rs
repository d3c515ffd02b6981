//! Builds the copy, and times its programs.

use core::ops::RangeInclusive;
use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow, bail};
use cargo_metadata::Artifact;

use super::copy::normal;
use super::flags::Flags;
use crate::bench::framework::Framework;
use crate::built::{Fault, Kind, Program, build_copy, cargo, described};
use crate::columns::say;
use crate::cpu::ONLY;
use crate::timing::{ALIGNED, in_turns};

/// How long a process measures a row.
const SECONDS: f64 = 0.01;

/// As a filter, it lets none run.
pub(crate) const NO_ROW: &str = "no row";

/// The milliseconds that a process may take before its first row, for each of its rows.
const START: u128 = 50;

/// How long a round of a row may take: longer ones are fewer.
const ROUND: Duration = Duration::from_millis(500);

pub(super) struct Benches {
    pub(super) root: PathBuf,
    pub(super) build: PathBuf,
    /// For cargo: packages and features.
    pub(super) options: Vec<OsString>,
    pub(super) what: What,
    /// Whether the user has named benches, which then have to be of a framework.
    pub(super) named: bool,
    pub(super) flags: Flags,
}

pub(super) enum What {
    Benches(Vec<String>),
    /// A command whose first word is a program of the package.
    Command(Vec<String>),
}

pub(super) struct Timed {
    program: Program,
    /// None for a command, which is one row.
    framework: Option<Framework>,
}

/// Nanoseconds of each row in each round, for each contender.
pub(super) type Times = BTreeMap<String, Vec<Vec<f64>>>;

impl Benches {
    pub(super) fn cargo(&self, verb: &[&str]) -> Command {
        let mut command = cargo();
        // In the user's directory, whose configuration and toolchain apply.
        command.args(verb).args(&self.options).arg("--target-dir").arg(&self.build);
        command.arg("--manifest-path").arg(self.root.join("Cargo.toml"));
        for profile in ["BENCH", "RELEASE"] {
            command.env(format!("CARGO_PROFILE_{profile}_DEBUG"), "line-tables-only");
            command.env(format!("CARGO_PROFILE_{profile}_STRIP"), "none");
        }
        if cfg!(target_arch = "x86_64") {
            self.flags.with(&ALIGNED, &mut command);
        }
        command
    }

    pub(super) fn build(&self) -> Result<Result<Vec<Timed>, Vec<Fault>>> {
        let mut cargo = match &self.what {
            What::Benches(names) => {
                let names = names.iter().flat_map(|name| ["--bench", name.as_str()]);
                self.cargo(&["bench", "--no-run"].into_iter().chain(names).collect::<Vec<_>>())
            }
            What::Command(_) => self.cargo(&["build", "--release", "--bins"]),
        };
        match build_copy(&mut cargo)? {
            Ok(artifacts) => self.timed(artifacts).map(Ok),
            Err(faults) => Ok(Err(faults)),
        }
    }

    fn timed(&self, artifacts: Vec<Artifact>) -> Result<Vec<Timed>> {
        let kind = if matches!(self.what, What::Benches(_)) { Kind::Bench } else { Kind::Bin };
        let mut timed = Vec::new();
        for program in artifacts.into_iter().filter_map(|artifact| Program::of(artifact, kind)) {
            match &self.what {
                What::Command(words) if words.first() == Some(&program.name) => {
                    timed.push(Timed { program, framework: None });
                }
                What::Command(_) => {}
                What::Benches(_) => match Framework::of(&program) {
                    Ok(framework) => timed.push(Timed { program, framework: Some(framework) }),
                    Err(error) if self.named => return Err(error),
                    Err(_) => {
                        let name = &program.name;
                        say(format_args!("left out: `{name}` is written neither with criterion nor with divan"));
                    }
                },
            }
        }
        // In the order in which they are built, which differs from build to build.
        timed.sort_by_cached_key(|one| (one.program.name.clone(), one.program.package.clone()));
        match &self.what {
            What::Command(words) if timed.is_empty() => bail!("the package has no program `{}`", words.join(" ")),
            What::Benches(_) if timed.is_empty() => bail!(
                "the package has no bench of criterion or divan\nhelp: write one, or give a run of a program (`--command`)"
            ),
            _ => Ok(timed),
        }
    }

    /// Keeps the programs that are built next to those that are built later.
    pub(super) fn keep(timed: Vec<Timed>, directory: &Path) -> Result<Vec<Timed>> {
        fs::create_dir_all(directory)?;
        let kept = timed.into_iter().map(|mut one| {
            let path = directory.join(one.program.path.file_name().unwrap_or_default());
            fs::copy(&one.program.path, &path).with_context(|| path.display().to_string())?;
            one.program.path = path;
            Ok(one)
        });
        kept.collect()
    }

    /// The files of the benches themselves, as the compiler lists them.
    pub(super) fn harness(&self, timed: &[Timed]) -> BTreeSet<PathBuf> {
        let benches = timed.iter().filter(|one| one.has_rows());
        let lists = benches.filter_map(|one| fs::read_to_string(one.path().with_extension("d")).ok());
        let files = |list: String| -> Vec<PathBuf> {
            let names = list.lines().filter_map(|line| line.strip_suffix(':'));
            let paths = names.map(|name| normal(&self.root.join(name.replace("\\ ", " "))));
            paths.filter_map(|path| Some(path.strip_prefix(&self.root).ok()?.to_owned())).collect()
        };
        lists.flat_map(files).collect()
    }

    /// The time of each row, or of those named, with the features that `only` names, in one process.
    fn once(&self, timed: &Timed, only: &str, rows: Option<&[&str]>) -> Result<Vec<(String, f64)>> {
        match timed.framework {
            Some(framework) => {
                let arguments: Vec<String> = rows.map(|rows| framework.filter(rows)).into_iter().collect();
                let own = framework.run(&timed.program, SECONDS, only, &arguments)?;
                Ok(own.into_iter().map(|(row, time)| (format!("{}: {row}", timed.program.name), time)).collect())
            }
            None => {
                let start = Instant::now();
                let output = self.command(timed).env(ONLY, only).stdin(Stdio::null()).output()?;
                if !output.status.success() {
                    bail!(
                        "`{}` failed ({})\n{}",
                        timed.program.name,
                        output.status,
                        String::from_utf8_lossy(&output.stderr)
                    );
                }
                Ok(vec![(timed.program.name.clone(), 1e9 * start.elapsed().as_secs_f64())])
            }
        }
    }

    /// A process to be profiled while it runs a row.
    pub(super) fn profiled(&self, timed: &Timed, row: &str, seconds: f64) -> Command {
        let Some(framework) = timed.framework else { return self.command(timed) };
        let mut command = Command::new(&timed.program.path);
        framework.profile(&mut command, row, seconds, &self.build.join("criterion"));
        command.current_dir(&timed.program.package).env("CARGO_MANIFEST_DIR", &timed.program.package);
        command
    }

    fn command(&self, timed: &Timed) -> Command {
        let mut command = Command::new(&timed.program.path);
        if let What::Command(words) = &self.what {
            command.args(&words[1..]);
        }
        command.current_dir(&self.root);
        command
    }

    /// The tests of packages that fail with the features that `only` names, in optimised builds.
    pub(super) fn tests(&self, packages: &[String], only: &str) -> Result<BTreeSet<String>> {
        let mut cargo = self.cargo(&["test", "--release", "--tests", "--no-fail-fast"]);
        cargo.args(packages.iter().flat_map(|package| ["--package", package.as_str()])).env(ONLY, only);
        let output = cargo.stdin(Stdio::null()).output().context("cargo cannot be started")?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let failed =
            said.lines().filter_map(|line| Some(line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?.to_owned()));
        let mut failed: BTreeSet<String> = failed.collect();
        if !output.status.success() && failed.is_empty() {
            failed.insert("the test programs, which do not build or end early".to_owned());
        }
        Ok(failed)
    }

    pub(super) fn rows(&self, programs: &[Timed]) -> Result<BTreeMap<String, f64>> {
        let all = programs.iter().map(|timed| self.once(timed, "", None));
        Ok(all.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// Contenders, interleaved: the programs to run, and the features of each. What is compared runs at nearly the same time, since other
    /// users of a CPU may slow it down to the half: each row has short processes of its own, unless they take long to start.
    pub(super) fn times(
        &self,
        contenders: &[(&[Timed], &str)],
        rounds: RangeInclusive<usize>,
        rows: &[String],
        mut step: impl FnMut(usize),
    ) -> Result<Times> {
        let (mut times, mut done) = (Times::new(), 0);
        let programs = contenders.first().map_or(&[][..], |(programs, _)| programs);
        for (which, timed) in programs.iter().enumerate() {
            let own: Vec<&str> = rows.iter().filter_map(|row| timed.own(row)).collect();
            let units: Vec<&[&str]> = own.chunk_by(|one, other| timed.unit(one) == timed.unit(other)).collect();
            if units.is_empty() {
                continue;
            }
            let start = Instant::now();
            if timed.has_rows() {
                self.once(timed, "", Some(&[NO_ROW]))?;
            }
            let together = 1 + (start.elapsed().as_millis() / START) as usize;
            for part in units.chunks(together) {
                let (part, start) = (part.concat(), Instant::now());
                let limit = ROUND * (rounds.end() * part.len()) as u32;
                let rounds = (0..*rounds.end()).take_while(|round| round < rounds.start() || start.elapsed() <= limit);
                times.extend(in_turns(contenders.len(), rounds, |at, _| {
                    let (programs, only) = contenders[at];
                    self.once(&programs[which], only, Some(&part))
                })?);
                done += part.len();
                step(done);
            }
        }
        // A filter may have let others through.
        times.retain(|row, times| rows.contains(row) && times.iter().all(|own| own.len() == times[0].len()));
        if let (true, Some(row)) = (times.is_empty(), rows.first()) {
            bail!("`{row}` has not run once in each process, so its times cannot be compared");
        }
        Ok(times)
    }
}

impl Timed {
    pub(super) fn name(&self) -> &str {
        &self.program.name
    }

    pub(super) fn path(&self) -> &Path {
        &self.program.path
    }

    fn unit<'a>(&self, row: &'a str) -> &'a str {
        self.framework.map_or(row, |framework| framework.unit(row))
    }

    pub(super) fn has_rows(&self) -> bool {
        self.framework.is_some()
    }

    /// A row's name in the program.
    pub(super) fn own<'a>(&self, row: &'a str) -> Option<&'a str> {
        match self.framework {
            Some(_) => row.strip_prefix(&self.program.name)?.strip_prefix(": "),
            None => (row == self.program.name).then_some(row),
        }
    }
}

pub(super) fn broken(faults: &[Fault]) -> anyhow::Error {
    let messages: Vec<String> = faults.iter().map(described).collect();
    anyhow!("the copy does not compile:\n{}", messages.join("\n"))
}

#[cfg(test)]
mod tests;
