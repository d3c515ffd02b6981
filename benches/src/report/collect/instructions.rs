//! Instructions for each operation, counted by QEMU: they do not depend on what else the machine does, and there are
//! figures for CPUs that are not at hand.

use super::builder::{Builder, target_directory};
use crate::report::data::{Figure, Report, Value};
use anyhow::{Context, Result, ensure};
use benchmarks::case::Case;
use indicatif::ProgressBar;
use std::env;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The groups of which the instructions are counted.
const GROUPS: [&str; 4] = ["dispatch", STRATEGIES, "Haraka-512", "Haraka-256"];
const STRATEGIES: &str = "strategies";
/// Runs of a case.
const RUNS: u64 = 32;

/// Architectures: as rustc and as the page call them, and features for a build for the emulated CPU.
const OF: [[&str; 3]; 2] = [["x86_64", "x86-64", "+aes,+avx2,+pclmulqdq"], ["aarch64", "AArch64", "+aes"]];

/// Counts on this architecture and on the other of x86-64 and `AArch64`, as far as the tools are there.
pub(crate) fn all(bar: &ProgressBar, wanted: impl Fn(&str) -> bool, report: &mut Report) -> Result<()> {
    let cases = benchmarks::cases().into_iter();
    let cases: Vec<Case> = cases.filter(|case| GROUPS.contains(&case.group) && wanted(case.group)).collect();
    if cases.is_empty() {
        return Ok(());
    }
    let plugin = plugin()?;
    for of in OF {
        bar.set_message(format!("compiling for {}", of[0]));
        if let Err(error) = count(report, bar, &cases, of, &plugin) {
            let error = format!("{error:#}");
            let why = error.lines().next().unwrap_or_default();
            let note = format!("Not everything was counted for {}: {why}.", of[0]);
            report.notes.push(("Instructions".to_owned(), note));
        }
    }
    Ok(())
}

/// Counts all cases, and the root of the strategies in a build for the targets that the emulated CPU takes as well.
fn count(report: &mut Report, bar: &ProgressBar, cases: &[Case], of: [&str; 3], plugin: &Path) -> Result<()> {
    let [arch, name, features] = of;
    let (builder, here) = (Builder::of(arch), arch == env::consts::ARCH);
    let [default, with_features] = programs(&builder, arch, features)?;
    let root = cases.iter().filter(|case| case.group == STRATEGIES && case.by == "root");
    let all = cases.iter().map(|case| (case, case.by, &default));
    let all: Vec<_> = all.chain(root.map(|case| (case, "root, static", &with_features))).collect();
    bar.set_length(all.len() as u64);
    bar.set_position(0);
    let mut failed = Ok(());
    for (case, by, program) in all {
        bar.set_message(format!("counting, {arch}, {}", case.id()));
        bar.inc(1);
        let emulate = |runs| executed(&builder.emulator, plugin, program, &case.id(), runs);
        match (emulate(RUNS), emulate(2 * RUNS)) {
            (Ok(few), Ok(many)) => {
                let value = Value::Instructions((many - few) as f64 / (RUNS * case.operations) as f64);
                let all = format!("{}, {}: {by}", case.group, case.work);
                report.figures.push(Figure::new("Instructions", name, all, value));
                if case.group == STRATEGIES {
                    let work = format!("{}, {name}", case.work);
                    report.figures.push(Figure::new("Instructions of the strategies", work, by, value));
                }
            }
            // The contenders of `dispatch` are written for x86-64.
            _ if !here && case.group == "dispatch" => {}
            (Err(error), _) | (_, Err(error)) => failed = failed.and(Err(error)),
        }
    }
    failed
}

/// The default build, and one for the features of the emulated CPU.
fn programs(builder: &Builder, arch: &str, features: &str) -> Result<[PathBuf; 2]> {
    let default = if arch == env::consts::ARCH { env::current_exe()? } else { builder.build("other", "", None)? };
    let flags = format!("-C target-feature={features}");
    Ok([default, builder.build(&format!("static-{arch}"), &flags, None)?])
}

/// Builds what [`all`] needs, as far as the tools are there.
pub(crate) fn build(bar: &ProgressBar, wanted: impl Fn(&str) -> bool) {
    for [arch, name, features] in OF.into_iter().filter(|_| GROUPS.into_iter().any(&wanted)) {
        bar.set_message(format!("compiling for {name}"));
        // The run says why it cannot.
        let _ = programs(&Builder::of(arch), arch, features);
    }
}

fn plugin() -> Result<PathBuf> {
    let place = target_directory()?;
    std::fs::create_dir_all(&place)?;
    let (source, library) = (place.join("plugin.rs"), place.join("libcount.so"));
    std::fs::write(&source, include_str!("instructions/plugin.rs"))?;
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let options = ["-O", "--edition", "2024", "--crate-type", "cdylib", "-o"];
    let output = Command::new(rustc).args(options).arg(&library).arg(&source).output()?;
    ensure!(output.status.success(), "the counter does not compile:\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(library)
}

/// How many instructions a worker executes that runs a case once for so many times.
fn executed(emulator: &[String], plugin: &Path, program: &Path, id: &str, runs: u64) -> Result<u64> {
    let mut command = Command::new(&emulator[0]);
    command.args(&emulator[1..]).args(["-cpu", "max", "-plugin"]).arg(plugin).arg(program).arg("worker");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("could not start {}", emulator[0]))?;
    writeln!(child.stdin.take().context("no standard input")?, "{runs} {id}")?;
    let output = child.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{id} failed under {}: {text}", emulator[0]);
    let count = text.lines().find_map(|line| line.strip_prefix("executed ")).context("nothing counted")?;
    Ok(count.parse()?)
}
