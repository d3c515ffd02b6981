//! What the project holds itself to.

use crate::report::data::Report;
use crate::report::facts::FACTS;
use crate::report::format::{digits, fill, table};
use core::fmt::Write as _;

pub(crate) fn write(reports: &[Report]) -> String {
    let met = |i: usize| {
        let each: Vec<bool> = reports.iter().filter_map(|report| report.goals[i].met()).collect();
        (!each.is_empty()).then(|| each.iter().all(|met| *met))
    };
    let (many, goals) = (reports.len() > 1, &reports[0].goals);
    let count = |wanted: Option<bool>| (0..goals.len()).filter(|i| met(*i) == wanted).count();
    let (all, met_goals, missing) = (goals.len(), count(Some(true)), count(None));
    let text = fill(&FACTS.text["goals"], &[("met", &met_goals), ("all", &all), ("missing", &missing)]);
    let rows = goals.iter().enumerate().map(|(i, goal)| {
        let mut cells = vec![goal.work.clone(), goal.against.clone(), digits(goal.at_most)];
        let measured = |report: &Report| report.goals[i].measured;
        cells.extend(reports.iter().map(|report| measured(report).map_or_else(|| "–".to_owned(), digits)));
        if many {
            let worst = reports.iter().filter_map(measured).max_by(f64::total_cmp);
            cells.push(worst.map_or_else(|| "–".to_owned(), digits));
        }
        let result = match met(i) {
            Some(true) => "met",
            Some(false) => "**missed**",
            None => "not measured",
        };
        cells.push(result.to_owned());
        cells
    });
    let mut head = vec!["work", "against", "at most"];
    head.extend(reports.iter().map(|report| if many { report.machine.cpu.as_str() } else { "measured" }));
    head.extend(many.then_some("worst"));
    head.push("");
    let mut text = format!("## Goals\n\n{text}\n\n{}", table(&head, rows));
    let mut limits: Vec<String> = Vec::new();
    for (work, why) in reports.iter().flat_map(|report| &report.limits) {
        let line = format!("- {work}: {why}");
        if !limits.contains(&line) {
            limits.push(line);
        }
    }
    if !limits.is_empty() {
        let _ = write!(
            text,
            "What limits the missed ones, with the CPU on which it was found:\n\n{}\n\n",
            limits.join("\n")
        );
    }
    text
}
