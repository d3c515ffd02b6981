//! What the project holds itself to.

use crate::report::data::Report;
use crate::report::facts::FACTS;
use crate::report::format::{faster, fill, table};

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
        let mut cells = vec![goal.work.clone(), goal.against.clone(), faster(goal.at_most)];
        let measured = |report: &Report| report.goals[i].measured;
        cells.extend(reports.iter().map(|report| measured(report).map_or_else(|| "–".to_owned(), faster)));
        if many {
            let worst = reports.iter().filter_map(measured).max_by(f64::total_cmp);
            cells.push(worst.map_or_else(|| "–".to_owned(), faster));
        }
        let result = match met(i) {
            Some(true) => "met",
            Some(false) => "**missed**",
            None => "not measured",
        };
        cells.push(result.to_owned());
        cells
    });
    let names: Vec<String> = reports.iter().map(|report| report.machine.short()).collect();
    let mut head = vec!["work", "against", "at least"];
    head.extend(names.iter().map(|name| if many { name } else { "measured" }));
    head.extend(many.then_some("least"));
    head.push("");
    let mut text = format!("## Goals\n\n{text}\n\n{}", table(&head, rows));
    let mut limits: Vec<Vec<String>> = Vec::new();
    for (work, why) in reports.iter().flat_map(|report| &report.limits) {
        let line = vec![work.clone(), why.clone()];
        if !limits.contains(&line) {
            limits.push(line);
        }
    }
    if !limits.is_empty() {
        text += &table(&["missed", "what limits it, with the CPU on which it was found"], limits);
    }
    text
}
