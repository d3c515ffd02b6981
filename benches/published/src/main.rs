//! Published crates with the attribute, as a scoreboard.
//!
//! Each directory next to this one's has a `crate.toml`, an `annotate.patch` and a `bench.rs`: see `README.md`. Everything is
//! made in `target/published`.

mod annotate;
mod counts;
#[path = "../../src/machine.rs"]
mod machine;
mod page;
mod results;
mod subject;
mod tests;
mod times;
#[path = "../../../simd-core/cargo-dispatch/src/timing.rs"]
mod timing;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, bail};
use clap::{Parser, Subcommand};
use subject::{Subject, WHOLE, WRITTEN};

/// Published crates with the attribute: their own tests on every target, and their speed against the originals
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Get the sources, apply the patches, and compile
    Prepare { crates: Vec<String> },
    /// Write annotate.patch anew, after an edit in target/published/CRATE/annotated
    Diff { name: String },
    /// Run the crates' own tests: the original's, and the annotated crate's once for each target
    Test {
        crates: Vec<String>,
        /// Keep the outcome in the crates' results.json
        #[arg(long)]
        save: bool,
    },
    /// Build the benches, and check on each target that both crates give equal results
    Check { crates: Vec<String> },
    /// Time original and annotated, once for each target
    Bench {
        crates: Vec<String>,
        /// How long each row is measured on each target
        #[arg(long, default_value_t = 0.5)]
        seconds: f64,
        /// Only rows whose names contain this
        #[arg(long)]
        row: Option<String>,
        /// Keep the times in the crates' results.json
        #[arg(long, conflicts_with = "row")]
        save: bool,
        /// Print the results as JSON
        #[arg(long)]
        json: bool,
    },
    /// Count instructions of rows under valgrind, and compare with counts.txt
    Count {
        /// Write counts.txt
        #[arg(long)]
        save: bool,
    },
    /// Let `cargo dispatch bench` judge the list of one crate
    Advise {
        name: String,
        /// Keep the verdicts in the crate's results.json
        #[arg(long)]
        save: bool,
        /// For `cargo dispatch bench`
        #[arg(last = true)]
        arguments: Vec<String>,
    },
    /// Let `cargo dispatch tune` annotate the published sources of one crate
    Tune {
        name: String,
        /// For `cargo dispatch tune`
        #[arg(last = true)]
        arguments: Vec<String>,
    },
    /// Write the tables of README.md from the results.json of all crates
    Page,
}

fn main() -> ExitCode {
    match Arguments::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:?}");
            ExitCode::FAILURE
        }
    }
}

impl Task {
    fn run(self) -> Result<()> {
        match self {
            Task::Prepare { crates } => each(&crates, |subject| {
                subject.prepare()?;
                output(cargo(&subject.bench()).args(["check", "--quiet"])).map(drop)
            }),
            Task::Diff { name } => Subject::read(&name)?.diff(),
            Task::Test { crates, save } => each(&crates, |subject| {
                let tests = tests::run(subject)?;
                println!("{}: {tests}", subject.name);
                if save { results::change(subject, |results| results.tests = Some(tests)) } else { Ok(()) }
            }),
            Task::Check { crates } => each(&crates, times::check),
            Task::Bench { crates, seconds, row, save, json } => each(&crates, |subject| {
                let times = times::run(subject, seconds, row.as_deref())?;
                if json {
                    println!("{}", serde_json::to_string_pretty(&[&times])?);
                } else {
                    println!("{}", page::times(&times, subject.settings.compared));
                }
                if !save {
                    return Ok(());
                }
                results::change(subject, |results| results::keep(&mut results.times, times, |times| &times.cpu))
            }),
            Task::Count { save } => counts::run(save),
            Task::Advise { name, save, arguments } => {
                let subject = Subject::read(&name)?;
                if !save {
                    return succeed(&mut times::dispatch_bench(&subject, &[], &arguments)?);
                }
                let advice = times::advice(&subject, &arguments)?;
                print!("{}", page::advice(&subject.name, &advice));
                results::change(&subject, |results| results::keep(&mut results.advice, advice, |advice| &advice.cpu))
            }
            Task::Tune { name, arguments } => succeed(&mut times::tune(&Subject::read(&name)?, &arguments)?),
            Task::Page => {
                page::write(&subjects(&[])?)?;
                page::write_whole(&all_in(WHOLE)?)
            }
        }
    }
}

/// Goes on after a failure, and fails in the end.
fn each(crates: &[String], task: impl Fn(&Subject) -> Result<()>) -> Result<()> {
    let mut failed = Vec::new();
    for subject in subjects(crates)? {
        if let Err(error) = task(&subject) {
            eprintln!("{}: {error:?}", subject.name);
            failed.push(subject.name);
        }
    }
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

fn subjects(names: &[String]) -> Result<Vec<Subject>> {
    match names {
        [] => Ok([all_in("")?, all_in(WRITTEN)?].into_iter().flatten().collect()),
        [whole] if whole == WHOLE => all_in(WHOLE),
        names => names.iter().map(|name| Subject::read(name)).collect(),
    }
}

fn all_in(directory: &str) -> Result<Vec<Subject>> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(here().join(directory))? {
        let entry = entry?;
        if entry.path().join("crate.toml").exists() {
            all.push(format!("{directory}{}", entry.file_name().to_string_lossy()));
        }
    }
    all.sort();
    all.iter().map(|name| Subject::read(name)).collect()
}

/// `benches/published`.
fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn root() -> PathBuf {
    here().ancestors().nth(2).expect("the package lies two levels below the root").to_owned()
}

/// Cargo, with one directory for all that is built.
fn cargo(directory: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(directory).env("CARGO_TARGET_DIR", made("target")).env_remove("SIMD_CORE_ONLY");
    // Cargo sets these for programs that it runs.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            cargo.env_remove(name);
        }
    }
    cargo
}

/// A command of `cargo dispatch` in a directory.
fn dispatch(directory: &Path, name: &str) -> Result<Command> {
    output(cargo(&root()).env_remove("CARGO_TARGET_DIR").args(["build", "--quiet", "--package", "cargo-dispatch"]))?;
    let program = root().join("target/debug/cargo-dispatch").with_extension(std::env::consts::EXE_EXTENSION);
    let mut command = Command::new(program);
    command.args(["dispatch", name]).current_dir(directory);
    Ok(command)
}

/// A path in `target/published`.
fn made(name: &str) -> PathBuf {
    root().join("target/published").join(name)
}

/// Runs a command that has to succeed, and prints for itself.
fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status()?;
    if !status.success() {
        bail!("{command:?} ({status})");
    }
    Ok(())
}

/// Standard output of a command that has to succeed.
fn output(command: &mut Command) -> Result<String> {
    let shown = format!("{command:?}");
    let output = command.output().with_context(|| shown.clone())?;
    if !output.status.success() {
        let said = [&output.stdout[..], &output.stderr].concat();
        bail!("{shown} ({})\n{}", output.status, String::from_utf8_lossy(&said).trim_end());
    }
    Ok(String::from_utf8(output.stdout)?)
}
