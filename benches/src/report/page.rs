//! The page.

use super::data::{Figure, Report};
use super::facts::{FACTS, Section};
use super::format::{digits, fill, rate, table};
use benchmarks::OURS;
use core::fmt::Write as _;
use std::collections::BTreeSet;

pub(crate) fn write(report: &Report) -> String {
    let machine = &report.machine;
    let head = fill(
        &FACTS.text["head"],
        &[
            ("cpu", &machine.cpu),
            ("features", &machine.features.join(", ")),
            ("gigahertz", &format!("{:.2}", machine.gigahertz)),
            ("rustc", &machine.rustc),
            ("flags", &machine.flags),
            ("system", &machine.system),
        ],
    );
    let sections = FACTS.section.iter().map(|facts| match facts.group.as_str() {
        "Scaling" => scaling(report),
        _ => section(report, facts),
    });
    format!("{head}\n{}{}", goals(report), sections.collect::<String>())
}

fn goals(report: &Report) -> String {
    if report.goals.is_empty() {
        return String::new();
    }
    let met = report.goals.iter().filter(|goal| goal.met()).count();
    let text = fill(&FACTS.text["goals"], &[("met", &met), ("all", &report.goals.len())]);
    let rows = report.goals.iter().map(|goal| {
        let met = if goal.met() { "met" } else { "**not met**" };
        let (work, against) = (goal.work.clone(), goal.against.clone());
        vec![work, against, digits(goal.at_most), digits(goal.measured), met.to_owned()]
    });
    let mut goals = format!("## Goals\n\n{text}\n\n{}", table(&["work", "against", "at most", "measured", ""], rows));
    if !report.limits.is_empty() {
        let limits: Vec<String> = report.limits.iter().map(|(work, text)| format!("- {work}: {text}")).collect();
        let _ = write!(goals, "What holds the rest:\n\n{}\n\n", limits.join("\n"));
    }
    goals
}

fn scaling(report: &Report) -> String {
    if report.scaling.is_empty() {
        return String::new();
    }
    let rows = report.scaling.iter();
    let rows = rows.map(|knee| [&knee.work, &knee.at, &knee.best, &knee.overhead, &knee.why].map(String::clone).into());
    let table = table(&["work", "knee", "best", "cost of a call", "why"], rows);
    format!("## Scaling\n\n{}\n\n{table}", FACTS.text["scaling"])
}

fn section(report: &Report, facts: &Section) -> String {
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
    let (contenders, work) = (distinct(|figure| &figure.by), distinct(|figure| &figure.work));
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
    let mut section = format!("## {group}\n\n{}\n\n", text.join(" "));
    if !figures.is_empty() {
        section += &table(&head, rows);
    }
    if let Some(plot) = &facts.plot {
        let _ = write!(section, "![{group}](performance/{plot}.svg)\n\n");
    }
    section
}

fn cell(figure: &Figure, base: Option<&Figure>) -> String {
    let mut cell = figure.value.shown();
    let number = figure.value.number();
    if let Some(bytes) = figure.bytes.filter(|bytes| *bytes >= 1024) {
        let _ = write!(cell, ", {}", rate(bytes as f64 / number));
    }
    if let Some(base) = base.filter(|base| base.by != figure.by) {
        let _ = write!(cell, " ({}x)", digits(number / base.value.number()));
    }
    cell
}
