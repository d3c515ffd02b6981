//! The pages: the first, with the summary, the goals and what most users look for, and the details.

mod goals;
mod machines;
mod summary;
mod table;

use super::data::Report;
use super::facts::FACTS;
use super::format::fill;
use anyhow::{Result, ensure};

/// How long the first page may be.
const LINES: usize = 200;

/// Both pages, the first one under this name, of the runs on one or more machines. Tables that have one are of the first.
pub(crate) fn write(reports: &[Report], name: &str) -> Result<(String, String)> {
    let report = &reports[0];
    for figure in &report.figures {
        let has_section = FACTS.section.iter().any(|section| section.group == figure.group);
        ensure!(has_section, "report.toml has no section for {}", figure.group);
    }
    let sections = |first: bool| -> Result<String> {
        let sections = FACTS.section.iter().filter(|section| section.first_page == first);
        sections.map(|facts| table::section(report, facts, name)).collect()
    };
    let head = |text: &str| fill(&FACTS.text[text], &[("page", &name), ("cpu", &report.machine.cpu)]);
    let first = [
        head("head"),
        machines::list(reports),
        summary::write(reports),
        sections(true)?,
        goals::write(reports),
        head("foot"),
    ];
    let first = first.concat();
    let lines = first.lines().count();
    ensure!(lines <= LINES, "the first page has {lines} lines, and may have {LINES}");
    let details = [head("details-head"), machines::side_by_side(reports), sections(false)?, table::scaling(report)];
    Ok((first, details.concat()))
}
