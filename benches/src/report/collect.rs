//! What is measured.

mod builder;
mod worker;

mod generated;
mod work;

mod foreign;

mod builds;
mod call_site;
mod clean_build;
mod instructions;
mod machine;
mod measure;
mod openssl;
mod start;

pub(crate) use foreign::Sources;
pub(crate) use worker::serve;

use super::data::Report;
use super::facts::FACTS;
use super::format::{fill, time};
use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

fn progress() -> Result<ProgressBar> {
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{spinner} {elapsed} [{bar:30}] {pos}/{len} {msg}")?);
    bar.enable_steady_tick(core::time::Duration::from_millis(200));
    Ok(bar)
}

/// Whether a name is asked for.
fn is_wanted(only: &[String], name: &str) -> bool {
    only.is_empty() || only.iter().any(|only| name.contains(only))
}

/// Builds ahead what [`all`] builds before it measures.
pub(crate) fn build(only: &[String], sources: &Sources) -> Result<()> {
    let (bar, wanted) = (progress()?, |name: &str| is_wanted(only, name));
    measure::build(&bar, wanted, sources)?;
    instructions::build(&bar, wanted);
    bar.finish_and_clear();
    Ok(())
}

/// Measures what has a name with one of these texts in it, or everything.
pub(crate) fn all(only: &[String], sources: &Sources) -> Result<Report> {
    let (bar, wanted) = (progress()?, |name: &str| is_wanted(only, name));
    let mut report = Report::default();
    measure::all(&bar, wanted, sources, &mut report)?;
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
        report.figures.extend(clean_build::all(&bar)?);
    }
    bar.finish_and_clear();
    report.machine = machine::this()?;
    Ok(report)
}
