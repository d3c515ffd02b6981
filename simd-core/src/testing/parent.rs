//! The side of the process that the test harness runs: it starts one process for each target.

use core::hash::{BuildHasher, Hasher};
use std::borrow::ToOwned;
use std::hash::RandomState;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{self, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::string::{String, ToString};
use std::thread::{self, JoinHandle};
use std::vec::Vec;
use std::{env, format, println};

use super::{CHILD, MARK, child, report, this_program};
use crate::mask::Mask;
use crate::targets::{Status, Target, Targets};
use crate::{known, limit};

const SEED: &str = "PROPTEST_RNG_SEED";

/// Runs the test called `name` once for each of `targets`. Returns false if no processes can be started, and the test
/// has to run here.
///
/// # Panics
///
/// If the test fails for a target.
#[track_caller]
pub(super) fn runs_each(targets: Targets, name: &str) -> bool {
    let (mut planned, mut failures): (Vec<Target>, Vec<String>) = (Vec::new(), Vec::new());
    for target in targets.iter() {
        match why_not(targets, &target) {
            None => planned.push(target),
            Some(reason) => failures.extend(skip(name, &target, &reason)),
        }
    }
    let seed = env::var(SEED).unwrap_or_else(|_| RandomState::new().build_hasher().finish().to_string());
    let run = Run { name, seed: &seed, reference: planned.last().copied() };
    for target in &planned {
        match run.target(target) {
            Ok(None) => println!("{name}: passed for {}", target.name()),
            Ok(Some(failure)) => failures.push(failure),
            Err(error) if cfg!(miri) || error.kind() == ErrorKind::Unsupported => {
                let others = planned.iter().filter(|target| target.status() != Status::Runs);
                failures.extend(others.filter_map(|target| skip(name, target, "no process can be started here")));
                assert!(failures.is_empty(), "\n{}", failures.concat());
                child::alone();
                return false;
            }
            Err(error) => panic!(
                "`{name}` cannot be started again for the target `{}`: {error}\nIf this program needs a runner, set \
                 SIMD_CORE_RUNNER",
                target.name()
            ),
        }
    }
    assert!(failures.is_empty(), "\n{}({SEED}={seed})", failures.concat());
    true
}

/// Reports that a test does not run for a target, and returns the failure if it may not be skipped.
fn skip(name: &str, target: &Target, reason: &str) -> Option<String> {
    report(format_args!("{name}: skipped for {}: {reason}", target.name()));
    limit::requires(target.set(), known::found()).then(|| {
        let target = target.name();
        format!("`{name}` was skipped for `{target}`, which SIMD_CORE_REQUIRE does not allow: {reason}\n\n")
    })
}

/// Why `target` cannot run here.
fn why_not(targets: Targets, target: &Target) -> Option<String> {
    match target.status() {
        Status::Lacks(features) => {
            let limited = if limit::limited() { ", or the environment disables it" } else { "" };
            return Some(format!("this CPU lacks {features}{limited}"));
        }
        Status::Runs | Status::Outranked => {}
        other => return Some(other.to_string()),
    }
    let left = limit::only(Mask::ALL, target.set());
    // Features that the build enables cannot be disabled.
    (!targets.runs_in(target, left)).then(|| "the build enables a better target".to_owned())
}

/// One test for all of its targets.
struct Run<'a> {
    name: &'a str,
    seed: &'a str,
    /// The reference for the other targets' results: the baseline, if the build has one.
    reference: Option<Target>,
}

impl Run<'_> {
    /// Runs the test for `target`; returns the message if it fails.
    fn target(&self, target: &Target) -> io::Result<Option<String>> {
        let mut this = self.start(target)?;
        let mut reference: Option<Process> = None;
        while let Some(result) = this.result() {
            let Some(other) = self.reference.filter(|other| other.name() != target.name()) else {
                this.answer("same");
                continue;
            };
            let reference = match &mut reference {
                Some(reference) => reference,
                none => none.insert(self.start(&other)?),
            };
            match reference.result() {
                Some(expected) if expected == result => {
                    this.answer("same");
                    reference.answer("same");
                }
                Some(expected) => {
                    this.answer(&format!("differs {} {expected}", other.name()));
                    reference.answer(&format!("differs {} {result}", target.name()));
                }
                None => this.answer(&format!("differs {} it has already ended", other.name())),
            }
        }
        let (begun, status, output) = this.end()?;
        let mut fault = String::new();
        if !begun {
            fault = format!(", did not run: is there a test with exactly the name `{}`?", self.name);
        } else if !status.success() {
            fault = format!(", fails ({status})");
        } else if reference.as_mut().and_then(Process::result).is_some() {
            let reference = self.reference.map_or("", |reference| reference.name());
            let ended = target.name();
            fault = format!(": `{reference}` continues after `{ended}` has ended: do both have the same inputs?");
        }
        Ok((!fault.is_empty()).then(|| {
            let output = output.trim_matches('\n');
            format!("`{}`, for the target `{}`{fault}\n{output}\n\n", self.name, target.name())
        }))
    }

    fn start(&self, target: &Target) -> io::Result<Process> {
        if cfg!(miri) {
            return Err(ErrorKind::Unsupported.into());
        }
        let only = if target.set().leaf.is_empty() { "" } else { target.name() };
        let mut command = this_program();
        command
            .args(["--exact", self.name, "--nocapture", "--include-ignored"])
            .env("SIMD_CORE_ONLY", only)
            .env(CHILD, target.name())
            .env(SEED, self.seed)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut process = command.spawn()?;
        let errors = process.stderr.take().map(|mut errors| {
            thread::spawn(move || {
                let mut text = Vec::new();
                let _ = errors.read_to_end(&mut text);
                text
            })
        });
        let output = process.stdout.take().map(BufReader::new);
        let answers = process.stdin.take();
        Ok(Process { process, answers, output, errors, begun: false, shown: Vec::new() })
    }
}

/// A process for one target.
struct Process {
    process: process::Child,
    answers: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
    errors: Option<JoinHandle<Vec<u8>>>,
    /// Whether the test has begun.
    begun: bool,
    /// The output for the user.
    shown: Vec<u8>,
}

impl Process {
    /// The next result to compare; `None` when its output has ended.
    fn result(&mut self) -> Option<String> {
        let output = self.output.as_mut()?;
        loop {
            let mut line = Vec::new();
            if output.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                let text = String::from_utf8_lossy(&line);
                let Some(said) = text.trim_end_matches(['\n', '\r']).strip_prefix(MARK) else {
                    self.shown.extend(line);
                    continue;
                };
                // The line was begun for the message.
                self.shown.pop_if(|last| *last == b'\n');
                match said.strip_prefix("result ") {
                    Some(result) => return Some(result.to_owned()),
                    None => self.begun = true,
                }
            } else {
                self.output = None;
                return None;
            }
        }
    }

    fn answer(&mut self, text: &str) {
        if let Some(answers) = &mut self.answers {
            // A process that has ended needs no answer.
            let _ = answers.write_all(format!("{text}\n").as_bytes()).and_then(|()| answers.flush());
        }
    }

    /// Waits for the end. Returns whether the test has begun, how it ended and everything that it printed.
    fn end(mut self) -> io::Result<(bool, ExitStatus, String)> {
        self.answers = None;
        let status = self.process.wait()?;
        let errors = self.errors.take().and_then(|errors| errors.join().ok()).unwrap_or_default();
        let text = format!("{}{}", String::from_utf8_lossy(&self.shown), String::from_utf8_lossy(&errors));
        Ok((self.begun, status, text))
    }
}

/// A process that is no longer needed may still wait for an answer.
impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
