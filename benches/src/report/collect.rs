//! The measurements.

mod builder;
mod worker;

mod generated;

mod foreign;

mod call_site;
mod costs;
mod machine;
mod measure;
mod openssl;

pub(crate) use foreign::Sources;
pub(crate) use worker::serve;

use super::data::{Run, hash};
use super::facts::FACTS;
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
pub(crate) fn build(only: &[String], peers: &Sources) -> Result<()> {
    let (bar, wanted) = (progress()?, |name: &str| is_wanted(only, name));
    measure::build(&bar, wanted, peers)?;
    bar.finish_and_clear();
    Ok(())
}

/// Measures what has a name with one of these texts in it, or everything.
pub(crate) fn all(only: &[String], peers: &Sources) -> Result<Run> {
    let (bar, wanted) = (progress()?, |name: &str| is_wanted(only, name));
    let mut run = Run { machine: machine::this()?, ..Run::default() };
    for section in &FACTS.section {
        run.sources.insert(section.group.clone(), hash(&section.sources)?);
    }
    measure::all(&bar, wanted, peers, &mut run)?;
    run.figures.extend(openssl::figures(&bar, wanted)?);
    if wanted("a call site") {
        run.figures.extend(call_site::all(&bar)?);
    }
    if wanted("costs") {
        run.figures.extend(costs::all(&bar)?);
    }
    bar.finish_and_clear();
    Ok(run)
}
