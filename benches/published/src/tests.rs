//! A crate's own tests: once as published, and once for each target with the attribute.

use core::fmt;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::results::Tests;
use crate::subject::Subject;
use crate::{cargo, dispatch, made, output, root, times};

/// A test's name, and what became of it.
type Outcome = (String, String);

pub(crate) fn run(subject: &Subject) -> Result<Tests> {
    subject.prepare()?;
    let targets = times::targets(subject)?;
    let original = outcomes(cargo(&subject.original()), subject, &[])?;
    if !original.iter().any(|(_, outcome)| outcome == "ok") {
        bail!("no test of the original passes");
    }
    // Records which clones run, to see that the tests reach them.
    let ledger = made(&subject.name).join("ledger");
    if ledger.exists() {
        fs::remove_dir_all(&ledger)?;
    }
    fs::create_dir_all(&ledger)?;
    for target in &targets {
        let mut cargo = cargo(&subject.annotated());
        cargo.env("SIMD_CORE_ONLY", times::only(target)).env("SIMD_CORE_LEDGER", &ledger);
        cargo.env("RUSTFLAGS", "--cfg simd_core_ledger");
        let annotated = outcomes(cargo, subject, &["simd-core/testing"])?;
        same(&original, &annotated).with_context(|| format!("with the target {target}"))?;
    }
    let outcome = |wanted: &'static str| original.iter().filter(move |(_, outcome)| outcome == wanted);
    Ok(Tests {
        passed: outcome("ok").count(),
        failed: outcome("FAILED").map(|(name, _)| name.clone()).collect(),
        ignored: outcome("ignored").count(),
        targets,
        clones: clones(&ledger)?,
    })
}

/// Runs `cargo test`, whose failures are outcomes.
fn outcomes(mut cargo: Command, subject: &Subject, features: &[&str]) -> Result<Vec<Outcome>> {
    let test = &subject.settings.test;
    let features: Vec<&str> = test.features.iter().map(String::as_str).chain(features.iter().copied()).collect();
    cargo
        .args(["test", "--no-fail-fast", "--features", &features.join(",")])
        .args(&test.arguments)
        .envs(&test.environment);
    cargo.stdin(Stdio::null());
    let shown = format!("{cargo:?}");
    let output = cargo.output().with_context(|| shown.clone())?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let outcomes = parse(&stdout);
    // 101: tests failed, or they did not compile.
    if !output.status.success() && !outcomes.iter().any(|(_, outcome)| outcome == "FAILED") {
        bail!("{shown} ({})\n{stdout}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(outcomes)
}

/// The lines `test NAME ... ok` of libtest.
fn parse(output: &str) -> Vec<Outcome> {
    let mut outcomes: Vec<Outcome> = output
        .lines()
        .filter_map(|line| line.strip_prefix("test ")?.rsplit_once(" ... "))
        .map(|(name, outcome)| {
            // Attributes move the lines that doctests are named after.
            let (before, after) = name.split_once(" (line ").unwrap_or((name, ")"));
            let after = after.split_once(')').map_or("", |(_, after)| after);
            (format!("{before}{after}"), outcome.split(',').next().unwrap_or(outcome).to_owned())
        })
        .collect();
    outcomes.sort();
    outcomes
}

fn same(original: &[Outcome], annotated: &[Outcome]) -> Result<()> {
    let missing = |these: &[Outcome], those: &[Outcome]| -> Vec<String> {
        these.iter().filter(|one| !those.contains(one)).map(|(name, outcome)| format!("{name}: {outcome}")).collect()
    };
    if original == annotated {
        return Ok(());
    }
    bail!(
        "the tests' outcomes differ\noriginal:\n    {}\nannotated:\n    {}",
        missing(original, annotated).join("\n    "),
        missing(annotated, original).join("\n    ")
    )
}

/// `12 of 12`, from the ledger.
fn clones(ledger: &Path) -> Result<String> {
    let report = output(dispatch(&root(), "ledger")?.arg(ledger))?;
    let line = report.lines().find_map(|line| line.split_once(" clones of ")).context(report.clone())?;
    println!("{}", report.trim_end());
    Ok(line.0.to_owned())
}

impl fmt::Display for Tests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tests pass on {}; {} clones ran", self.passed, self.targets.join(" | "), self.clones)?;
        if !self.failed.is_empty() {
            write!(f, "; fail in the original too: {}", self.failed.join(", "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod of_this {
    use super::{parse, same};

    const OUTPUT: &str = "running 3 tests\ntest a::b ... ok\ntest src/lib.rs - c (line 12) - compile ... FAILED\ntest d ... \
                          ignored, slow\n\ntest result: FAILED.";

    #[test]
    fn lines_of_doctests_are_no_part_of_their_names() {
        let outcomes = parse(OUTPUT);
        let found: Vec<(&str, &str)> = outcomes.iter().map(|(name, outcome)| (&**name, &**outcome)).collect();
        assert_eq!(found, [("a::b", "ok"), ("d", "ignored"), ("src/lib.rs - c - compile", "FAILED")]);
    }

    #[test]
    fn a_test_that_fails_or_is_missing_is_a_difference() {
        let outcomes = parse(OUTPUT);
        assert!(same(&outcomes, &parse(&OUTPUT.replace("line 12", "line 13"))).is_ok());
        assert!(same(&outcomes, &parse(&OUTPUT.replace("b ... ok", "b ... FAILED"))).is_err());
        assert!(same(&outcomes, &outcomes[1..]).is_err());
    }
}
