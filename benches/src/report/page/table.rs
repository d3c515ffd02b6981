//! Sections with tables.

use crate::report::data::{Figure, Report, Value};
use crate::report::facts::{FACTS, Section};
use crate::report::format::{faster, rate, table};
use anyhow::{Result, bail};
use benchmarks::{FROM_PLAIN_CODE, OURS};
use core::fmt::Write as _;
use std::collections::BTreeSet;

/// Nothing where there are neither figures nor notes. `page` is the name of the first page and the plots' directory.
pub(crate) fn section(report: &Report, facts: &Section, page: &str) -> String {
    let group = facts.group.as_str();
    let shown = |figure: &&Figure| figure.by != FACTS.text["native-features"];
    let figures: Vec<&Figure> = report.group(group).filter(shown).collect();
    let notes = report.notes.iter().filter(|(of, _)| of == group).map(|(_, text)| text);
    let text: Vec<&String> = [&facts.text].into_iter().filter(|text| !text.is_empty()).chain(notes).collect();
    if figures.is_empty() && text.len() == usize::from(!facts.text.is_empty()) {
        return String::new();
    }
    let distinct = |of: fn(&Figure) -> &str| -> Vec<&str> {
        let mut seen = BTreeSet::new();
        figures.iter().map(|figure| of(figure)).filter(|name| seen.insert(*name)).collect()
    };
    let (mut contenders, work) = (distinct(|figure| &figure.by), distinct(|figure| &figure.work));
    if facts.columns.is_none() {
        contenders.sort_by_key(|name| FACTS.columns.iter().position(|[column, _]| column == name));
    }
    // Many contenders of few kinds of work read better below each other.
    let down = facts.down.unwrap_or(contenders.len() > work.len());
    let (across, lines) = if down { (&work, &contenders) } else { (&contenders, &work) };
    let cell = |line, column| {
        let (work, by) = if down { (column, line) } else { (line, column) };
        let base = report.figure(group, work, facts.base.as_deref().unwrap_or(OURS));
        let base = base.or_else(|| report.figure(group, work, contenders[0]).filter(|_| facts.base.is_none()));
        report.figure(group, work, by).map_or_else(String::new, |figure| cell(figure, base))
    };
    let rows = lines
        .iter()
        .map(|line| [(*line).to_owned()].into_iter().chain(across.iter().map(|column| cell(*line, *column))).collect());
    let head: Vec<&str> = [""].iter().chain(across).copied().collect();
    let text: Vec<&str> = text.into_iter().map(String::as_str).collect();
    let mut section = format!("## {}\n\n{}\n\n", capitalized(group), text.join(" ").replace(" \n", "\n"));
    if !figures.is_empty() {
        if let Some(columns) = facts.columns.as_ref().filter(|columns| !columns.is_empty()) {
            let _ = write!(section, "{columns}\n\n");
        }
        section += &table(&head, rows);
    }
    if let Some(name) = &facts.plot {
        let _ = write!(section, "![{group}]({page}/{name}.svg)\n\n");
        for plot in FACTS.plot.iter().filter(|plot| plot.file == *name) {
            let without = plot.without.iter().filter_map(|by| report.best(group, &plot.work, |other| other == by));
            let without = without.map(|figure| format!("{} ({})", figure.by, figure.value.shown()));
            // Lines would hardly differ from ours.
            let calls = contenders.iter().filter(|by| plot.x.is_some() && **by == FROM_PLAIN_CODE);
            let left_out: Vec<String> = without.chain(calls.map(|by| (*by).to_owned())).collect();
            if !left_out.is_empty() {
                let _ = write!(section, "The plot leaves out: {}.\n\n", left_out.join("; "));
            }
        }
    }
    section
}

/// What the contenders of all tables are, of those that explain none themselves.
pub(crate) fn columns(report: &Report) -> Result<String> {
    let explained =
        |group: &str| FACTS.section.iter().any(|section| section.group == group && section.columns.is_none());
    let used =
        report.figures.iter().filter(|figure| explained(&figure.group) && figure.by != FACTS.text["native-features"]);
    let used: BTreeSet<&str> = used.map(|figure| figure.by.as_str()).collect();
    if let Some(unknown) = used.iter().find(|by| FACTS.columns.iter().all(|[column, _]| column != **by)) {
        bail!("report.toml does not explain the column {unknown}");
    }
    let known = FACTS.columns.iter().filter(|[column, _]| used.contains(&**column));
    let rows = known.map(|[column, text]| vec![format!("`{column}`"), text.clone()]);
    Ok(format!("## Columns\n\n{}", table(&["column", "what it is"], rows)))
}

/// Where throughput stops to grow with the size of the work.
pub(crate) fn scaling(report: &Report) -> String {
    if report.scaling.is_empty() {
        return String::new();
    }
    let rows = report.scaling.iter();
    let rows = rows.map(|knee| [&knee.work, &knee.at, &knee.best, &knee.overhead, &knee.why].map(String::clone).into());
    let table = table(&["work", "knee", "best", "cost of a call", "why"], rows);
    format!("## Scaling\n\n{}\n\n{table}", FACTS.text["scaling"])
}

fn cell(figure: &Figure, base: Option<&Figure>) -> String {
    let mut cell = figure.value.shown();
    let number = figure.value.number();
    if let Some(bytes) = figure.bytes.filter(|bytes| *bytes >= 1024) {
        let _ = write!(cell, ", {}", rate(bytes as f64 / number));
    }
    if let (Some(base), false) = (base.filter(|base| base.by != figure.by), matches!(figure.value, Value::Ratio(_))) {
        let _ = write!(cell, " ({})", faster(base.value.number() / number));
    }
    cell
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
