//! The report.

mod builds;
mod call_site;
mod cross;
mod generated;
mod goals;
mod instructions;
mod limits;
mod machine;
mod measure;
mod native;
mod openssl;
mod page;
mod plot;
mod scaling;
mod start;
mod strategies;
mod worker;

pub(crate) use instructions::run as run_case;
pub(crate) use worker::serve;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use measure::Figure;
use serde::Serialize;
use std::{fs, path::Path};

/// Everything that was seen in one run.
#[derive(Serialize)]
pub(crate) struct Report {
    machine: machine::Machine,
    figures: Vec<Figure>,
    instructions: instructions::Counts,
    starts: Vec<start::Start>,
    /// Nanoseconds of one `cpuid`, on x86.
    cpuid: Option<f64>,
    call_sites: Vec<call_site::CallSite>,
    builds: Vec<builds::Build>,
    large_module: Option<builds::LargeModule>,
    goals: Vec<goals::Goal>,
    /// What holds the goals that are not met.
    limits: Vec<limits::Limit>,
    scaling: Vec<scaling::Knee>,
}

impl Report {
    /// The figures of contenders: not what only tells what ours are made of.
    fn contenders(&self) -> impl Iterator<Item = &Figure> {
        self.figures.iter().filter(|figure| figure.by != measure::FEATURES)
    }

    /// The figure of one contender.
    fn figure(&self, group: &str, work: &str, by: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.group == group && figure.work == work && figure.by == by)
    }
}

/// Measures, and writes the page, its plots and the data.
pub(crate) fn run(out: &Path, json: Option<&Path>, only: &[String]) -> Result<()> {
    let wanted = |name: &str| only.is_empty() || only.iter().any(|only| name.contains(only));
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{spinner} {elapsed} [{bar:30}] {pos}/{len} {msg}")?);
    bar.enable_steady_tick(core::time::Duration::from_millis(200));
    let mut figures = measure::all(&bar, wanted)?;
    figures.extend(openssl::figures(&bar, wanted)?);
    let instructions = instructions::all(&bar, wanted)?;
    let starts = if wanted("start") { start::all(&bar)? } else { Vec::new() };
    let cpuid = if wanted("start") { start::cpuid() } else { None };
    let call_sites = if wanted("call site") { call_site::all(&bar)? } else { Vec::new() };
    let builds = if wanted("builds") { builds::all(&bar)? } else { Vec::new() };
    let large_module = if wanted("builds") { Some(builds::large_module(&bar)?) } else { None };
    bar.finish_and_clear();
    let mut report = Report {
        machine: machine::this()?,
        figures,
        instructions,
        starts,
        cpuid,
        call_sites,
        builds,
        large_module,
        goals: Vec::new(),
        limits: Vec::new(),
        scaling: Vec::new(),
    };
    report.goals = goals::all(&report);
    report.limits = limits::all(&report);
    report.scaling = scaling::all(&report);
    if let Some(json) = json {
        fs::write(json, serde_json::to_string_pretty(&report)?)
            .with_context(|| format!("could not write {}", json.display()))?;
    }
    let page = page::write(&report);
    if !only.is_empty() {
        println!("{page}");
        return Ok(());
    }
    let plots = out.with_extension("");
    fs::create_dir_all(&plots).with_context(|| format!("could not make {}", plots.display()))?;
    plot::all(&report, &plots)?;
    fs::write(out, page).with_context(|| format!("could not write {}", out.display()))?;
    println!("wrote {} and {} plots", out.display(), fs::read_dir(&plots)?.count());
    Ok(())
}
