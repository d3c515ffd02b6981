//! The bench of a crate: original and annotated in one process, one process for each target.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use crate::results::{Advice, Pair, Row, Times, Verdict};
use crate::subject::Subject;
use crate::timing::{ALIGNED, in_turns, median};
use crate::{cargo, dispatch, machine, made, output};

/// The value of `SIMD_CORE_ONLY` for a target.
pub(crate) fn only(target: &str) -> &str {
    if target == "baseline" { "" } else { target }
}

pub(crate) fn program(subject: &Subject) -> Result<PathBuf> {
    subject.prepare()?;
    output(cargo(&subject.bench()).args(["build", "--release", "--quiet"]).env("RUSTFLAGS", ALIGNED.join(" ")))?;
    let name = format!("{}{}", subject.bench_name(), std::env::consts::EXE_SUFFIX);
    Ok(made("target/release").join(name))
}

/// The targets of the list that this CPU has, and the baseline.
pub(crate) fn targets(subject: &Subject) -> Result<Vec<String>> {
    targets_of(&program(subject)?)
}

fn targets_of(program: &Path) -> Result<Vec<String>> {
    let listed = output(Command::new(program).arg("targets"))?;
    let here = |line: &&str| !line.contains("\tnot here") && !line.contains("\tleft out");
    let names = listed.lines().filter(here).filter_map(|line| Some(line.split_once('\t')?.0.to_owned()));
    Ok(names.collect())
}

/// Runs the bench for a target, and returns its lines behind the first, which names the target that was selected.
fn lines(program: &Path, target: &str, arguments: &[&str]) -> Result<Vec<String>> {
    let output = output(Command::new(program).args(arguments).env("SIMD_CORE_ONLY", only(target)))?;
    let mut lines = output.lines().map(str::to_owned);
    let selected = lines.next().context("the bench has printed nothing")?;
    if selected != target {
        bail!("SIMD_CORE_ONLY={} selects `{selected}`", only(target));
    }
    Ok(lines.collect())
}

pub(crate) fn check(subject: &Subject) -> Result<()> {
    let program = program(subject)?;
    let targets = targets_of(&program)?;
    for target in &targets {
        lines(&program, target, &["check"])?;
    }
    println!("{}: equal results on {}", subject.name, targets.join(" | "));
    Ok(())
}

/// Processes for each target. A process lays out its memory by chance, which can make one of the crates slower in it: the
/// median of five is not enough for that: it was 0.91 once for a function of `hex` that is the same in both.
const PROCESSES: u32 = 15;

pub(crate) fn run(subject: &Subject, seconds: f64, part: Option<&str>) -> Result<Times> {
    check(subject)?;
    let program = program(subject)?;
    let targets = targets_of(&program)?;
    let seconds = (seconds / f64::from(PROCESSES)).to_string();
    let arguments: Vec<&str> = ["time", &seconds].into_iter().chain(part).collect();
    let rows = in_turns(targets.len(), 0..PROCESSES as usize, |at, _| {
        lines(&program, &targets[at], &arguments)?.iter().map(|line| pair(line)).collect::<Result<Vec<_>>>()
    })?;
    let rows = rows.into_iter().map(|((name, bytes), pairs)| {
        let of = |pairs: &[Pair], value: fn(&Pair) -> f64| median(pairs.iter().map(value));
        let measured = targets.iter().zip(&pairs).filter(|(_, pairs)| !pairs.is_empty());
        let on = measured.map(|(target, pairs)| {
            let [original, annotated] = [of(pairs, |pair| pair.original), of(pairs, |pair| pair.annotated)];
            (target.clone(), Pair { original, annotated, ratio: of(pairs, |pair| pair.ratio) })
        });
        Row { on: on.collect(), name, bytes }
    });
    Ok(Times {
        cpu: machine::cpu(),
        rustc: machine::rustc()?,
        commit: machine::commit()?,
        rows: rows.collect(),
        targets,
    })
}

/// A line of the bench: a row with its bytes, and its times.
fn pair(line: &str) -> Result<((String, usize), Pair)> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [name, bytes, original, annotated, ratio] = cells[..] else { bail!("the bench has printed `{line}`") };
    let pair = Pair { original: rounded(original)?, annotated: rounded(annotated)?, ratio: rounded(ratio)? };
    Ok(((name.to_owned(), bytes.parse()?), pair))
}

/// To three decimals, which results.json keeps as they are.
fn rounded(number: &str) -> Result<f64> {
    Ok((number.parse::<f64>()? * 1000.0).round() / 1000.0)
}

/// The verdicts, to keep them.
pub(crate) fn advice(subject: &Subject, arguments: &[String]) -> Result<Advice> {
    #[derive(Deserialize)]
    struct Printed {
        verdicts: Vec<Verdict>,
    }
    let json = output(&mut dispatch_bench(subject, &["--json"], arguments)?)?;
    Ok(Advice { cpu: machine::cpu(), verdicts: serde_json::from_str::<Printed>(&json)?.verdicts })
}

/// `cargo dispatch bench` on the rows of the annotated crate.
pub(crate) fn dispatch_bench(subject: &Subject, options: &[&str], arguments: &[String]) -> Result<Command> {
    subject.prepare()?;
    let mut command = dispatch(&subject.bench(), "bench")?;
    command.args(options).args(arguments).env("CARGO_TARGET_DIR", made("target")).env("RUSTFLAGS", ALIGNED.join(" "));
    Ok(command)
}

/// `cargo dispatch tune` on the rows of the crate as it is published.
pub(crate) fn tune(subject: &Subject, arguments: &[String]) -> Result<Command> {
    let mut command = dispatch(&subject.tunable()?, "tune")?;
    command.args(["--package", "rows"]).args(arguments).env("CARGO_TARGET_DIR", made("tuned").join(&subject.name));
    Ok(command)
}
