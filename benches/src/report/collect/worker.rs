//! Processes that time cases when asked: this program, and others of it that were compiled or started in another way.
//!
//! A request is a line with a number of runs and the name of a case; the answer is a line with nanoseconds.

use anyhow::{Context, Result, ensure};
use benches::case::{Case, Runner};
use core::time::Duration;
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Answers requests until its standard input ends.
pub(crate) fn serve() -> Result<()> {
    let cases: HashMap<String, Case> = benches::cases().into_iter().map(|case| (case.id(), case)).collect();
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
    /// Links of one program; the first is running.
    programs: Vec<PathBuf>,
    environment: BTreeMap<String, String>,
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Worker {
    /// Starts the first of some links of a program, which is this one or another build of it.
    pub(crate) fn start(programs: Vec<PathBuf>, environment: BTreeMap<String, String>) -> Result<Self> {
        let program = programs.first().context("no program")?;
        let mut command = Command::new(program);
        command.arg("worker").envs(&environment).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("could not start {}", program.display()))?;
        let requests = child.stdin.take().context("no standard input")?;
        let answers = BufReader::new(child.stdout.take().context("no standard output")?);
        Ok(Self { programs, environment, child, requests, answers })
    }

    /// Goes on in a new process of the next link, where everything is in other places of memory.
    pub(crate) fn restart(&mut self) -> Result<()> {
        let mut programs = self.programs.clone();
        programs.rotate_left(1);
        *self = Self::start(programs, self.environment.clone())?;
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
