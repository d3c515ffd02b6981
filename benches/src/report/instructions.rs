//! Instructions for each operation, counted by QEMU: they do not depend on what else the machine does, and there are
//! figures for CPUs that are not at hand.

use super::worker::{build_for, target_directory};
use anyhow::{Context, Result, bail};
use benchmarks::case::Case;
use indicatif::ProgressBar;
use serde::Serialize;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many instructions one operation takes.
#[derive(Serialize)]
pub(crate) struct Count {
    pub(super) arch: &'static str,
    pub(super) group: &'static str,
    pub(super) work: String,
    pub(super) by: &'static str,
    pub(super) instructions: f64,
}

/// The groups of which the instructions are counted.
const GROUPS: [&str; 4] = ["dispatch", "strategies", "Haraka-512", "Haraka-256"];
/// Runs of a case.
const RUNS: u64 = 32;

/// Runs one case so many times, and nothing else.
pub(crate) fn run(id: &str, runs: u64) -> Result<()> {
    let cases = benchmarks::cases();
    let case = cases.iter().find(|case| case.id() == id).with_context(|| format!("no case {id}"))?;
    case.prepare()(runs);
    Ok(())
}

/// Counts on this architecture, and on `AArch64` where there is a linker for it. Nothing where there is no QEMU.
pub(super) fn all(bar: &ProgressBar, wanted: impl Fn(&str) -> bool) -> Result<Vec<Count>> {
    let cases: Vec<Case> =
        benchmarks::cases().into_iter().filter(|case| GROUPS.contains(&case.group) && wanted(case.group)).collect();
    let mut counts = Vec::new();
    if cases.is_empty() {
        return Ok(counts);
    }
    for arch in ["x86_64", "aarch64"] {
        let triple = format!("{arch}-unknown-linux-gnu");
        let emulator = if arch == env::consts::ARCH {
            format!("qemu-{arch}")
        } else {
            // With the libraries of that architecture.
            env::var(format!("CARGO_TARGET_{}_RUNNER", triple.to_uppercase().replace('-', "_"))).unwrap_or_default()
        };
        let emulator: Vec<&str> = emulator.split_whitespace().collect();
        let Some(has) = emulator.first().map(|program| Command::new(program).arg("--version").output()) else {
            continue;
        };
        if !has.is_ok_and(|output| output.status.success()) {
            continue;
        }
        let plugin = plugin()?;
        bar.set_message(format!("compiling for {arch}"));
        let program = if arch == env::consts::ARCH { env::current_exe()? } else { build_for(&triple)? };
        bar.set_length(cases.len() as u64);
        bar.set_position(0);
        for case in &cases {
            bar.set_message(format!("counting, {arch}, {}", case.id()));
            bar.inc(1);
            let emulate = |runs| executed(&emulator, &plugin, &program, &case.id(), runs);
            // On another architecture not all cases exist.
            let (Ok(few), Ok(many)) = (emulate(RUNS), emulate(2 * RUNS)) else { continue };
            let instructions = (many - few) as f64 / (RUNS * case.operations) as f64;
            counts.push(Count { arch, group: case.group, work: case.work.clone(), by: case.by, instructions });
        }
    }
    Ok(counts)
}

fn plugin() -> Result<PathBuf> {
    let place = target_directory()?;
    std::fs::create_dir_all(&place)?;
    let (source, library) = (place.join("plugin.rs"), place.join("libcount.so"));
    std::fs::write(&source, include_str!("instructions/plugin.rs"))?;
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["-O", "--edition", "2024", "--crate-type", "cdylib", "-o"])
        .arg(&library)
        .arg(&source)
        .output()?;
    if !output.status.success() {
        bail!("the counter does not compile:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(library)
}

fn executed(emulator: &[&str], plugin: &Path, program: &Path, id: &str, runs: u64) -> Result<u64> {
    let mut command = Command::new(emulator[0]);
    command.args(&emulator[1..]).args(["-cpu", "max", "-plugin"]).arg(plugin).arg(program).args([
        "run",
        id,
        &runs.to_string(),
    ]);
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{id} failed under {}: {text}", emulator[0]);
    }
    let count = text.lines().find_map(|line| line.strip_prefix("executed ")).context("nothing counted")?;
    Ok(count.parse()?)
}
