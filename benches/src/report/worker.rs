//! Processes that time cases when asked: this program, and others of it that were compiled or started in another way.
//!
//! A request is a line with a number of runs and the name of a case; the answer is a line with nanoseconds.

use super::cross::Cross;
use anyhow::{Context, Result, bail, ensure};
use benchmarks::case::{Case, Runner};
use core::time::Duration;
use std::collections::HashMap;
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Answers requests until its standard input ends.
pub(crate) fn serve() -> Result<()> {
    let cases: HashMap<String, Case> = benchmarks::cases().into_iter().map(|case| (case.id(), case)).collect();
    let mut current: Option<(String, Runner)> = None;
    for line in std::io::stdin().lines() {
        let line = line?;
        let (times, id) = line.split_once(' ').context("a request without a case")?;
        if current.as_ref().is_none_or(|(current, _)| current != id) {
            let case = cases.get(id).with_context(|| format!("no case {id}"))?;
            current = Some((id.to_owned(), case.prepare()));
        }
        let (_, run) = current.as_mut().expect("just made");
        println!("{}", run(times.parse()?).as_nanos());
    }
    Ok(())
}

/// A process that times cases.
pub(crate) struct Worker {
    program: PathBuf,
    environment: Vec<(String, String)>,
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Worker {
    /// Starts a program, which is this one or another build of it.
    pub(crate) fn start(program: &Path, environment: &[(&str, &str)]) -> Result<Self> {
        let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        Self::of(program.to_owned(), environment.iter().map(own).collect())
    }

    fn of(program: PathBuf, environment: Vec<(String, String)>) -> Result<Self> {
        let mut command = Command::new(&program);
        let variables = environment.iter().map(|(name, value)| (name, value));
        command.arg("worker").envs(variables).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("could not start {}", program.display()))?;
        let requests = child.stdin.take().context("no standard input")?;
        let answers = BufReader::new(child.stdout.take().context("no standard output")?);
        Ok(Self { program, environment, child, requests, answers })
    }

    /// Goes on in a new process, where everything is in other places of memory.
    pub(crate) fn restart(&mut self) -> Result<()> {
        *self = Self::of(self.program.clone(), self.environment.clone())?;
        Ok(())
    }

    /// How long so many runs of a case take.
    pub(crate) fn time(&mut self, id: &str, times: u64) -> Result<Duration> {
        writeln!(self.requests, "{times} {id}")?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        ensure!(!answer.is_empty(), "the process that times {id} has stopped");
        Ok(Duration::from_nanos(answer.trim().parse()?))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It would end by itself with its standard input, which is closed only after this.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Builds this program with other flags, into a directory of its own.
pub(crate) fn build(name: &str, flags: &str) -> Result<PathBuf> {
    let cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo_build(cargo, name, None, flags, None)
}

/// The build of the same name and flags, linked with its functions in the order that `seed` makes of them. `None` where
/// the linker cannot do that.
pub(crate) fn build_shuffled(name: &str, flags: &str, seed: u32) -> Result<Option<PathBuf>> {
    let cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let argument = format!("-Clink-arg=-Wl,--shuffle-sections=*={seed}");
    let Ok(program) = cargo_build(cargo, name, None, flags, Some(&argument)) else { return Ok(None) };
    let copy = program.with_file_name(format!("benchmarks-{seed}{}", env::consts::EXE_SUFFIX));
    std::fs::copy(&program, &copy).with_context(|| format!("could not write {}", copy.display()))?;
    Ok(Some(copy))
}

/// Builds this program for another architecture.
pub(crate) fn build_for(cross: &Cross, name: &str, flags: &str) -> Result<PathBuf> {
    cargo_build(cross.cargo(), name, Some(&cross.triple), flags, None)
}

/// `last` is an argument for the compiler of the program alone, not of what it depends on.
fn cargo_build(
    mut cargo: Command,
    name: &str,
    triple: Option<&str>,
    flags: &str,
    last: Option<&str>,
) -> Result<PathBuf> {
    let target = target_directory()?.join(name);
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let output = cargo
        .args(["rustc", "--release", "--quiet", "--manifest-path", manifest, "--bin", "benchmarks", "--target-dir"])
        .arg(&target)
        .args(triple.iter().flat_map(|triple| ["--target", triple]))
        .args(last.iter().flat_map(|last| ["--", last]))
        .env("RUSTFLAGS", flags)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .output()
        .context("could not start cargo")?;
    if !output.status.success() {
        bail!("building {name} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let directory = triple.map_or_else(|| target.clone(), |triple| target.join(triple));
    Ok(directory.join("release").join(format!("benchmarks{}", env::consts::EXE_SUFFIX)))
}

/// Where generated crates and other builds go: beside the profile's directory that holds this program.
pub(crate) fn target_directory() -> Result<PathBuf> {
    let program = env::current_exe()?;
    let target = program.ancestors().nth(2).context("this program is not in a target directory")?;
    Ok(target.join("report"))
}
