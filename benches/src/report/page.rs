//! The pages: the first, with what most users look for, the details, and the tables of the README.

mod costs;
mod first;
mod goals;
mod machines;
mod summary;
mod table;

use super::data::Report;
use super::facts::FACTS;
use super::format::fill;
use anyhow::{Context as _, Result, ensure};

/// How long the first page may be.
const LINES: usize = 120;

pub(crate) struct Pages {
    pub(crate) first: String,
    pub(crate) details: String,
    /// Tables of the README by their names.
    pub(crate) tables: [(&'static str, String); 2],
}

/// The pages of the runs on one or more machines, the first one under this name. Tables of the details that have one are of the first.
pub(crate) fn write(reports: &[Report], name: &str) -> Result<Pages> {
    let report = &reports[0];
    for figure in &report.figures {
        let has_section = FACTS.section.iter().any(|section| section.group == figure.group);
        ensure!(has_section, "report.toml has no section for {}", figure.group);
    }
    let head = |text: &str| fill(&FACTS.text[text], &[("page", &name), ("cpu", &report.machine.cpu)]);
    let (summary, costs) = (summary::short(reports), costs::table_of(reports));
    let first = [
        head("head"),
        machines::list(reports),
        format!("## Summary\n\n{}\n\n{summary}", FACTS.text["summary"]),
        first::losses(reports),
        first::loops(reports),
        first::calls(reports, name),
        format!("## Costs\n\n{}\n\n{costs}", FACTS.text["costs"]),
        head("foot"),
    ];
    let first = first.concat();
    let lines = first.lines().count();
    ensure!(lines <= LINES, "the first page has {lines} lines, and may have {LINES}");
    let sections = FACTS.section.iter().map(|facts| table::section(report, facts, name));
    let details = [
        head("details-head"),
        summary::long(reports),
        machines::side_by_side(reports),
        sections.collect(),
        table::scaling(report),
        goals::write(reports),
        table::columns(report)?,
    ];
    Ok(Pages { first, details: details.concat(), tables: [("summary", summary), ("costs", costs)] })
}

/// `text` with the tables between its marks.
pub(crate) fn insert(text: &str, tables: &[(&str, String)]) -> Result<String> {
    tables.iter().try_fold(text.to_owned(), |text, (name, table)| {
        let mark = format!("<!-- report: {name} -->\n");
        let (before, after) = text.split_once(&mark).with_context(|| format!("no mark for the table {name}"))?;
        let (_, after) = after.split_once("<!-- end -->").with_context(|| format!("no end of the table {name}"))?;
        Ok(format!("{before}{mark}{}\n<!-- end -->{after}", table.trim_end()))
    })
}
