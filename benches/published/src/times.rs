//! The bench of a crate: original and annotated in one process, one process for each target.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use crate::results::{Advice, Pair, Row, Times, Verdict};
use crate::subject::Subject;
use crate::timing::{ALIGNED, median, turns};
use crate::{cargo, made, output, root};

/// What `SIMD_CORE_ONLY` takes for a target.
pub(crate) fn only(target: &str) -> &str {
    if target == "baseline" { "" } else { target }
}

/// Builds the bench.
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
    let mut rows: Vec<Row> = Vec::new();
    let mut measured: BTreeMap<(String, &str), Vec<Pair>> = BTreeMap::new();
    for target in (0..PROCESSES as usize).flat_map(|round| turns(targets.len(), round)).map(|at| targets[at].as_str()) {
        for line in lines(&program, target, &arguments)? {
            let cells: Vec<&str> = line.split('\t').collect();
            let [name, bytes, original, annotated, ratio] = cells[..] else { bail!("the bench has printed `{line}`") };
            let pair = Pair { original: rounded(original)?, annotated: rounded(annotated)?, ratio: rounded(ratio)? };
            measured.entry((name.to_owned(), target)).or_default().push(pair);
            if !rows.iter().any(|row| row.name == name) {
                rows.push(Row { name: name.to_owned(), bytes: bytes.parse()?, on: BTreeMap::new() });
            }
        }
    }
    for row in &mut rows {
        for target in &targets {
            let Some(pairs) = measured.get(&(row.name.clone(), target.as_str())) else { continue };
            let of = |value: fn(&Pair) -> f64| median(pairs.iter().map(value));
            let pair = Pair { original: of(|p| p.original), annotated: of(|p| p.annotated), ratio: of(|p| p.ratio) };
            row.on.insert(target.clone(), pair);
        }
    }
    Ok(Times { cpu: cpu(), rustc: rustc()?, targets, rows })
}

/// To three decimals, which results.json keeps as they are.
fn rounded(number: &str) -> Result<f64> {
    Ok((number.parse::<f64>()? * 1000.0).round() / 1000.0)
}

/// Has `cargo dispatch bench` run the rows of the annotated crate.
pub(crate) fn advise(subject: &Subject, arguments: &[String]) -> Result<()> {
    let status = dispatch_bench(subject, &[], arguments)?.status()?;
    if !status.success() {
        bail!("cargo dispatch bench: {status}");
    }
    Ok(())
}

/// The verdicts, to keep them.
pub(crate) fn advice(subject: &Subject, arguments: &[String]) -> Result<Advice> {
    #[derive(Deserialize)]
    struct Printed {
        verdicts: Vec<Verdict>,
    }
    let json = output(&mut dispatch_bench(subject, &["--json"], arguments)?)?;
    Ok(Advice { cpu: cpu(), verdicts: serde_json::from_str::<Printed>(&json)?.verdicts })
}

fn dispatch_bench(subject: &Subject, options: &[&str], arguments: &[String]) -> Result<Command> {
    subject.prepare()?;
    let mut command = Command::new(tool()?);
    command.args(["dispatch", "bench"]).args(options).args(arguments).current_dir(subject.bench());
    command.env("CARGO_TARGET_DIR", made("target")).env("RUSTFLAGS", ALIGNED.join(" "));
    Ok(command)
}

/// `cargo dispatch`.
pub(crate) fn tool() -> Result<PathBuf> {
    let build = ["build", "--quiet", "--package", "cargo-dispatch"];
    output(cargo(&root()).env_remove("CARGO_TARGET_DIR").args(build))?;
    Ok(root().join("target/debug/cargo-dispatch").with_extension(std::env::consts::EXE_EXTENSION))
}

/// The name of the CPU, with its family and model, since virtual machines hide the name.
pub(crate) fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name));
        line.and_then(|line| Some(line.split_once(':')?.1.trim()))
    };
    match (field("model name"), field("cpu family"), field("model")) {
        (Some(name), Some(family), Some(model)) => format!("{name}, family {family}, model {model}"),
        _ => format!("unknown, {}", std::env::consts::ARCH),
    }
}

pub(crate) fn rustc() -> Result<String> {
    Ok(output(Command::new(env::var_os("RUSTC").unwrap_or("rustc".into())).arg("--version"))?.trim().to_owned())
}
