//! `cargo dispatch audit`: what can run on a CPU that lacks it.

mod baseline;
mod trust;

use core::fmt::Write as _;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use console::truncate_str;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use simd_core_asm::{self as asm, Above, Architecture, Binary, Finding};

use crate::columns::show;
use crate::report::advice;
use trust::{Stale, Trusted};

/// Find instructions that can run on a CPU which lacks them
///
/// Reads programs and shared libraries, for this platform or another. An instruction above the baseline has to be in a clone for
/// a target that has it, or behind a test of the CPU.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo dispatch audit target/release/app --baseline x86-64-v2")]
pub(crate) struct Audit {
    /// The minimum CPU: a level (x86-64-v2, armv8.2-a) or one of rustc's CPU names, and
    /// features after `+`. Without it: the minimum CPU of the program's system
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// A TOML file of functions that run on CPUs with some features only, with reasons
    #[arg(long, value_name = "FILE")]
    allow: Vec<PathBuf>,
    /// Write entries for the findings to a new file, with reasons to fill in
    #[arg(long, value_name = "FILE")]
    write_allow: Option<PathBuf>,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
    /// The programs. An entry of FILE that none of them needs is an error
    #[arg(value_name = "PATH", required = true)]
    programs: Vec<PathBuf>,
}

struct Report {
    programs: Vec<Program>,
    stale: Vec<Stale>,
}

struct Program {
    file: PathBuf,
    format: String,
    architecture: &'static str,
    baseline: String,
    audit: asm::Audit,
}

fn name(architecture: Architecture) -> &'static str {
    match architecture {
        Architecture::X86 => "x86",
        Architecture::X86_64 => "x86_64",
        Architecture::Aarch64 => "aarch64",
        _ => "another architecture",
    }
}

impl Audit {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let mut trusted = Trusted::read(&self.allow)?;
        let mut programs = Vec::new();
        for file in &self.programs {
            programs.push(self.program(file.clone(), &mut trusted)?);
        }
        let report = Report { programs, stale: trusted.stale() };
        if let Some(file) = &self.write_allow {
            let findings = report.programs.iter().flat_map(Program::errors);
            trust::draft(file, findings.map(|found| (&found.path, &found.symbol, &found.needs)))
                .with_context(|| format!("cannot write `{}`", file.display()))?;
        }
        if self.json {
            show(serde_json::to_string_pretty(&report.json())? + "\n")?;
        } else {
            show(report.text())?;
        }
        let clean = report.stale.is_empty() && report.programs.iter().all(|program| program.errors().next().is_none());
        Ok(if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn program(&self, file: PathBuf, trusted: &mut Trusted) -> Result<Program> {
        let binary = Binary::open(&file).map_err(|error| advice(&error, &file))?;
        let architecture = binary.architecture();
        let (name_of_baseline, baseline) = match &self.baseline {
            Some(name) => (name.clone(), baseline::parse(architecture, name)?),
            None => baseline::of(&binary)?,
        };
        let progress = ProgressBar::new(0).with_message(file.display().to_string());
        progress.set_style(ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} functions")?);
        let audit = binary.audit_with(&baseline, &trusted.trust, &|done, all| {
            progress.set_length(all as u64);
            progress.set_position(done as u64);
        });
        progress.finish_and_clear();
        let mut audit = audit.context("in an entry `needs`")?;
        trusted.used(&audit);
        for Finding { path, symbol, .. } in &mut audit.findings {
            let of_c = cpp_demangle::Symbol::new(&*symbol).ok().filter(|_| path == symbol);
            if let Some(of_c) = of_c.and_then(|of_c| of_c.demangle().ok()) {
                *path = of_c;
            }
        }
        let format = binary.format().to_string();
        Ok(Program { file, format, architecture: name(architecture), baseline: name_of_baseline, audit })
    }
}

fn write(found: &Finding, out: &mut String) {
    const INSTRUCTIONS: usize = 3;
    _ = writeln!(out, "\nerror: {}", found.path);
    let count = found.instructions.len();
    let plural = if count == 1 { "" } else { "s" };
    _ = writeln!(out, "  {count} instruction{plural} above the baseline: {}", found.needs.join(", "));
    for above in found.instructions.iter().take(INSTRUCTIONS) {
        _ = writeln!(out, "    {:>8x}  {}", above.address, truncate_str(&above.text, 66, "…"));
    }
    if count > INSTRUCTIONS {
        _ = writeln!(out, "              … {} more", count - INSTRUCTIONS);
    }
    let [way @ .., _] = &found.reached[..] else { return };
    if way.is_empty() {
        _ = writeln!(out, "  exported, or nothing in this file leads to it");
        return;
    }
    _ = writeln!(out, "  reached without a test of the CPU:");
    let hidden = way.len().saturating_sub(WAY);
    for (at, step) in way.iter().enumerate() {
        if hidden > 0 && at == WAY / 2 {
            _ = writeln!(out, "    … {hidden} more");
        }
        if at < WAY / 2 || at >= WAY / 2 + hidden {
            _ = writeln!(out, "    {}", truncate_str(step, 76, "…"));
        }
    }
}

/// How many functions are shown on the way to a finding.
const WAY: usize = 8;

impl Report {
    fn json(&self) -> Value {
        let instruction = |above: &Above| json!({ "address": above.address, "text": above.text, "needs": above.needs });
        let finding = |found: &Finding| {
            json!({
                "function": found.path,
                "symbol": found.symbol,
                "address": found.address,
                "needs": found.needs,
                "instructions": found.instructions.iter().map(instruction).collect::<Vec<_>>(),
                "reached": found.reached,
                "family": found.family,
            })
        };
        let program = |Program { file, format, architecture, baseline, audit }: &Program| {
            json!({
                "file": file,
                "format": format,
                "architecture": architecture,
                "baseline": baseline,
                "functions": audit.functions,
                "clones": audit.clones,
                "tested": audit.tested,
                "allowed": audit.allowed,
                "findings": audit.findings.iter().map(finding).collect::<Vec<_>>(),
            })
        };
        json!({ "programs": self.programs.iter().map(program).collect::<Vec<_>>(), "stale": self.stale })
    }

    fn text(&self) -> String {
        let mut out = String::new();
        for program in &self.programs {
            program.text(&mut out);
        }
        for Stale { file, entry } in &self.stale {
            _ = writeln!(out, "\nerror: `{entry}` in {} is not needed", file.display());
        }
        let findings: usize = self.programs.iter().map(|program| program.errors().count()).sum();
        if findings > 0 {
            out.push_str(
                "\nhelp: call the function behind a test of the CPU, such as a dispatcher or\n      \
                 `is_x86_feature_detected!`; if there is a test that the audit does not\n      \
                 follow, name the function in a file for --allow; --write-allow drafts one\n",
            );
        }
        if !self.stale.is_empty() {
            out.push_str("\nhelp: remove the entries that are not needed\n");
        }
        out
    }
}

/// The crates of the findings, with the number of functions that need each feature.
fn by_crate<'a>(findings: impl Iterator<Item = &'a Finding>) -> BTreeMap<&'a str, BTreeMap<&'a str, usize>> {
    let mut crates: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for found in findings {
        let path = found.path.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '_');
        let end = path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len());
        let of_rust = path[end..].starts_with("::");
        let features = crates.entry(if of_rust { &path[..end] } else { "C and assembly" }).or_default();
        found.needs.iter().for_each(|name| *features.entry(name).or_default() += 1);
    }
    crates
}

impl Program {
    /// Those that count.
    fn errors(&self) -> impl Iterator<Item = &Finding> {
        self.audit.findings.iter().filter(|found| found.family.is_none())
    }

    fn text(&self, out: &mut String) {
        let Self { file, format, architecture, baseline, audit } = self;
        _ = writeln!(out, "{}: {format}, {architecture}, {} functions", file.display(), audit.functions);
        _ = writeln!(out, "functions with instructions above the baseline {baseline}:");
        for (count, what) in [
            (audit.clones, "clones of dispatched functions"),
            (audit.tested, "reached behind a test of the CPU"),
            (audit.allowed, "allowed by name"),
            (self.errors().count(), "reached without a test"),
        ] {
            _ = writeln!(out, "  {count:>6}  {what}");
        }
        for (crate_, features) in by_crate(self.errors()) {
            let features: Vec<String> = features.iter().map(|(name, count)| format!("{name} {count}")).collect();
            let line = format!("          {crate_}: {}", features.join(", "));
            _ = writeln!(out, "{}", truncate_str(&line, 79, "…"));
        }
        let mut families: BTreeMap<&str, usize> = BTreeMap::new();
        for family in audit.findings.iter().filter_map(|found| found.family) {
            *families.entry(family).or_default() += 1;
        }
        for (family, count) in families {
            _ = writeln!(out, "  {count:>6}  no finding, {family}");
        }
        for finding in self.errors() {
            write(finding, out);
        }
    }
}
