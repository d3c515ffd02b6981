//! Instructions for each operation, counted by QEMU: they do not depend on what else the machine does, and there are
//! figures for CPUs that are not at hand.

use super::cross;
use super::worker::{build, build_for, target_directory};
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
/// The strategy that is counted in a static build as well.
pub(super) const ROOT: &str = "root";
/// Its name there.
pub(super) const STATIC: &str = "root, static";

/// Runs one case so many times, and nothing else.
pub(crate) fn run(id: &str, runs: u64) -> Result<()> {
    let cases = benchmarks::cases();
    let case = cases.iter().find(|case| case.id() == id).with_context(|| format!("no case {id}"))?;
    case.prepare()(runs);
    Ok(())
}

/// What was counted.
#[derive(Default, Serialize)]
pub(crate) struct Counts {
    pub(super) counts: Vec<Count>,
    /// Why there is nothing of an architecture.
    pub(super) missing: Vec<String>,
}

/// Counts on this architecture and on the other of x86-64 and `AArch64`, as far as the tools are there.
pub(super) fn all(bar: &ProgressBar, wanted: impl Fn(&str) -> bool) -> Result<Counts> {
    let cases: Vec<Case> =
        benchmarks::cases().into_iter().filter(|case| GROUPS.contains(&case.group) && wanted(case.group)).collect();
    let mut counts = Counts::default();
    if cases.is_empty() {
        return Ok(counts);
    }
    let plugin = plugin()?;
    for (arch, features) in [("x86_64", "+aes,+avx2,+pclmulqdq"), ("aarch64", "+aes")] {
        match programs(arch, features, bar)? {
            Ok(programs) => count(&mut counts, bar, &cases, arch, &plugin, &programs),
            Err(why) => counts.missing.push(format!("Nothing was counted for {arch}: {why}.")),
        }
    }
    Ok(counts)
}

/// This program for an architecture.
struct Programs {
    /// The emulator with its arguments.
    emulator: Vec<String>,
    default: PathBuf,
    /// Compiled with the features of the targets that the emulated CPU takes.
    with_features: PathBuf,
}

/// The programs for `arch`, or why there are none.
fn programs(arch: &'static str, features: &str, bar: &ProgressBar) -> Result<Result<Programs, String>> {
    let flags = format!("-C target-feature={features}");
    bar.set_message(format!("compiling for {arch}"));
    if arch == env::consts::ARCH {
        let emulator = format!("qemu-{arch}");
        let has = Command::new(&emulator).arg("--version").output().is_ok_and(|output| output.status.success());
        return Ok(if has {
            let with_features = build("static", &flags)?;
            Ok(Programs { emulator: vec![emulator], default: env::current_exe()?, with_features })
        } else {
            Err(format!("there is no emulator `{emulator}`"))
        });
    }
    match cross::find(arch) {
        Ok(cross) => {
            let default = build_for(&cross, "other", "")?;
            let with_features = build_for(&cross, "other-static", &flags)?;
            Ok(Ok(Programs { emulator: cross.emulator, default, with_features }))
        }
        Err(missing) => Ok(Err(missing)),
    }
}

fn count(
    counts: &mut Counts,
    bar: &ProgressBar,
    cases: &[Case],
    arch: &'static str,
    plugin: &Path,
    programs: &Programs,
) {
    let root = cases.iter().filter(|case| case.group == "strategies" && case.by == ROOT);
    let all = cases.iter().map(|case| (case, case.by, &programs.default));
    let all: Vec<_> = all.chain(root.map(|case| (case, STATIC, &programs.with_features))).collect();
    bar.set_length(all.len() as u64);
    bar.set_position(0);
    let mut failed = Vec::new();
    for (case, by, program) in all {
        bar.set_message(format!("counting, {arch}, {}", case.id()));
        bar.inc(1);
        let emulate = |runs| executed(&programs.emulator, plugin, program, &case.id(), runs);
        match (emulate(RUNS), emulate(2 * RUNS)) {
            (Ok(few), Ok(many)) => {
                let instructions = (many - few) as f64 / (RUNS * case.operations) as f64;
                let (group, work) = (case.group, case.work.clone());
                counts.counts.push(Count { arch, group, work, by, instructions });
            }
            // The contenders of `dispatch` are written for x86-64.
            _ if arch != env::consts::ARCH && case.group == "dispatch" => {}
            (Err(error), _) | (_, Err(error)) => failed.push(format!("{error:#}")),
        }
    }
    if let Some(first) = failed.first() {
        counts.missing.push(format!("{} counts for {arch} failed, the first for this reason: {first}", failed.len()));
    }
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

fn executed(emulator: &[String], plugin: &Path, program: &Path, id: &str, runs: u64) -> Result<u64> {
    let mut command = Command::new(&emulator[0]);
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
