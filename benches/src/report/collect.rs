//! What is measured.

mod builder;
mod worker;

mod generated;

mod builds;
mod call_site;
mod instructions;
mod machine;
mod measure;
mod openssl;
mod start;

pub(crate) use worker::serve;

use super::data::Report;
use super::facts::FACTS;
use super::format::{fill, time};
use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

/// Measures what has a name with one of these texts in it, or everything.
pub(crate) fn all(only: &[String]) -> Result<Report> {
    let wanted = |name: &str| only.is_empty() || only.iter().any(|only| name.contains(only));
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{spinner} {elapsed} [{bar:30}] {pos}/{len} {msg}")?);
    bar.enable_steady_tick(core::time::Duration::from_millis(200));
    let mut report = Report { figures: measure::all(&bar, wanted)?, ..Report::default() };
    report.figures.extend(openssl::figures(&bar, wanted)?);
    instructions::all(&bar, wanted, &mut report)?;
    if wanted("start") {
        report.figures.extend(start::all(&bar)?);
        let note = |ns| ("Start of a program".to_owned(), fill(&FACTS.text["cpuid"], &[("time", &time(ns))]));
        report.notes.extend(start::cpuid().map(note));
    }
    if wanted("call site") {
        report.figures.extend(call_site::all(&bar)?);
    }
    if wanted("builds") {
        report.figures.extend(builds::all(&bar)?);
    }
    bar.finish_and_clear();
    report.machine = machine::this()?;
    Ok(report)
}
