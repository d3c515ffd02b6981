//! The libraries that benches are written with: their arguments, and where they leave the times.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use crate::built::Program;
use crate::cpu::ONLY;
use crate::timing::median;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framework {
    Criterion,
    Divan,
}

/// The part of criterion's `benchmark.json` that is read.
#[derive(Deserialize)]
struct Benchmark {
    full_id: String,
}

/// Criterion's `sample.json`: the iterations of each sample, and the nanoseconds that they took.
#[derive(Deserialize)]
struct Sample {
    iters: Vec<f64>,
    times: Vec<f64>,
}

impl Framework {
    /// The library of a program, by the name of a variable that it reads: some releases of criterion have no `--help`. The
    /// first eight letters are in one piece after optimisation at link time as well.
    pub(crate) fn of(program: &Program) -> Result<Self> {
        let bytes = fs::read(&program.path).with_context(|| program.path.display().to_string())?;
        let reads = |name: &str| bytes.windows(name.len()).any(|window| window == name.as_bytes());
        if reads("CRITERIO") {
            Ok(Self::Criterion)
        } else if reads("DIVAN_SA") {
            Ok(Self::Divan)
        } else {
            bail!(
                "`{}` is written neither with criterion nor with divan\nhelp: choose another one with --bench NAME, or run \
                 it yourself once for each target, with {ONLY}=TARGET",
                program.name
            )
        }
    }

    /// The benches of one process, and the times of each, with the features that `only` names.
    pub(crate) fn run(
        self,
        program: &Program,
        seconds: f64,
        only: &str,
        arguments: &[String],
    ) -> Result<Vec<(String, f64)>> {
        let Program { path, name, package } = program;
        let beside = path.parent().unwrap_or(Path::new("."));
        let scratch = tempfile::tempdir_in(beside).with_context(|| beside.display().to_string())?;
        let mut command = Command::new(path);
        self.prepare(&mut command, seconds, scratch.path());
        command.args(arguments).current_dir(package).env("CARGO_MANIFEST_DIR", package);
        command.env(ONLY, only).stdin(Stdio::null());
        let output = command.output().with_context(|| format!("`{name}` cannot be started"))?;
        if !output.status.success() {
            let said = [&output.stdout[..], &output.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            bail!(
                "`{name}` failed with {ONLY}={only} ({})\n{}{}",
                output.status,
                said.trim_end(),
                self.advice(&said, seconds)
            );
        }
        self.times(&String::from_utf8_lossy(&output.stdout), scratch.path())
    }

    /// The unit of a filter: a row of criterion, and of divan all rows of a function or module, since it has other names
    /// for their arguments.
    pub(crate) fn unit(self, row: &str) -> &str {
        match self {
            Self::Criterion => row,
            Self::Divan => row.split('/').next().unwrap_or(row),
        }
    }

    /// An argument that lets only such rows run, and others of their units.
    pub(crate) fn filter(self, rows: &[&str]) -> String {
        let units = rows.iter().map(|row| escaped(self.unit(row))).collect::<Vec<_>>().join("|");
        match self {
            Self::Criterion => format!("^({units})$"),
            Self::Divan => format!("(^|::)({units})($|::)"),
        }
    }

    /// The arguments for a process that is profiled while it runs a row.
    pub(crate) fn profile(self, command: &mut Command, row: &str, seconds: f64, directory: &Path) {
        let seconds = seconds.ceil().to_string();
        let filter = self.filter(&[row]);
        command.arg("--bench");
        match self {
            Self::Criterion => {
                command.args(["--profile-time", &seconds, &filter]);
                // Without it, criterion asks cargo for the directory.
                command.env("CRITERION_HOME", directory);
            }
            Self::Divan => _ = command.args(["--min-time", &seconds, "--max-time", &seconds, &filter]),
        }
    }

    /// The arguments for a process that measures each bench for so many seconds, with a directory for its files.
    fn prepare(self, command: &mut Command, seconds: f64, directory: &Path) {
        command.arg("--bench");
        match self {
            Self::Criterion => {
                // The analysis is not read, and as short as criterion takes it without a warning.
                command.args(["--noplot", "--color", "never", "--nresamples", "1001"]);
                command.args(["--sample-size", if seconds < 0.3 { "10" } else { "30" }]);
                command.args(["--warm-up-time", &(seconds / 3.0).to_string()]);
                command.args(["--measurement-time", &seconds.to_string()]);
                command.env("CRITERION_HOME", directory);
            }
            Self::Divan => {
                let seconds = seconds.to_string();
                command.args(["--color", "never", "--min-time", &seconds, "--max-time", &seconds]);
            }
        }
    }

    fn advice(self, said: &str, seconds: f64) -> &'static str {
        // Releases of criterion before 0.4 read the times as integers.
        let refuses = said.contains("isn't a valid value") || said.contains("invalid digit found in string");
        if self == Self::Criterion && refuses && (seconds.fract() != 0.0 || (seconds / 3.0).fract() != 0.0) {
            "\nhelp: this release of criterion takes whole seconds only: take 0.4 or later, or `bench --time 3`"
        } else {
            ""
        }
    }

    /// Each bench that ran, and the nanoseconds of its median sample.
    fn times(self, output: &str, directory: &Path) -> Result<Vec<(String, f64)>> {
        match self {
            Self::Criterion => {
                let mut times = Vec::new();
                criterion(directory, &mut times)?;
                times.sort_by(|(one, _), (other, _)| one.cmp(other));
                Ok(times)
            }
            Self::Divan => Ok(divan(output)),
        }
    }
}

/// The text as a regular expression for itself.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, c| {
        if r"\.+*?()|[]{}^$".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
        escaped
    })
}

/// Criterion's files of this run lie in directories called `new`.
fn criterion(directory: &Path, times: &mut Vec<(String, f64)>) -> Result<()> {
    let read = |name: &str| {
        let path = directory.join(name);
        fs::read(&path).with_context(|| path.display().to_string())
    };
    if directory.ends_with("new") && directory.join("sample.json").exists() {
        let Benchmark { full_id } = serde_json::from_slice(&read("benchmark.json")?)?;
        let sample: Sample = serde_json::from_slice(&read("sample.json")?)?;
        if !sample.times.is_empty() {
            times.push((full_id, median(sample.times.iter().zip(&sample.iters).map(|(time, count)| time / count))));
        }
        return Ok(());
    }
    for entry in fs::read_dir(directory).with_context(|| directory.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            criterion(&path, times)?;
        }
    }
    Ok(())
}

/// Reads divan's tables: a tree of names, and columns of which `fastest` is the first and `median` the third.
fn divan(output: &str) -> Vec<(String, f64)> {
    let mut times = Vec::new();
    let mut column = None;
    let mut path: Vec<String> = Vec::new();
    for line in output.lines() {
        if let Some(at) = line.find("fastest").filter(|_| line.contains("slowest")) {
            // Names are padded to a column, counted in characters as they are printed.
            column = Some(line[..at].chars().count());
            path.clear();
            continue;
        }
        let Some(column) = column else { continue };
        let is_tree = |c: char| matches!(c, '├' | '╰' | '─' | '│' | ' ');
        let depth = line.chars().take_while(|c| is_tree(*c)).count() / 3;
        let cell: String = line.chars().take(column).collect();
        let name = cell.trim_matches(is_tree);
        // The lines below a bench tell of bytes and items in each second.
        if name.is_empty() || depth == 0 {
            continue;
        }
        path.truncate(depth - 1);
        path.push(name.to_owned());
        let columns: String = line.chars().skip(column).collect();
        if let Some(time) = columns.split('│').nth(2).and_then(|median| duration(median.trim())) {
            times.push((path.join("/"), time));
        }
    }
    times
}

/// `1.25 µs` in nanoseconds.
fn duration(text: &str) -> Option<f64> {
    let (number, unit) = text.split_once(' ')?;
    let scale = match unit {
        "ps" => 1e-3,
        "ns" => 1.0,
        "µs" | "μs" | "us" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * scale)
}

#[cfg(test)]
mod tests;
