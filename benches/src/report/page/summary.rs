//! What the figures come to, on one screen.

use crate::report::data::Report;
use crate::report::facts::{FACTS, Summary};
use crate::report::format::{digits, table};

pub(crate) fn write(reports: &[Report]) -> String {
    let many = reports.len() > 1;
    let rows = FACTS.summary.iter().flat_map(|facts| {
        let rows = reports.iter().filter_map(move |report| Some((report, ratios(report, facts)?)));
        rows.map(move |(report, ratios)| {
            let mean = (ratios.iter().map(|(ratio, _)| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
            let (worst, row) = ratios.last().expect("at least one");
            let mut cells = vec![facts.text.clone(), format!("{mean:.2}"), digits(ratios[0].0)];
            cells.extend([digits(*worst), row.clone(), ratios.len().to_string()]);
            if many {
                cells.insert(1, report.machine.cpu.clone());
            }
            cells
        })
    });
    let mut head = vec!["time of ours, divided by that of …", "mean", "best", "worst", "the worst row", "rows"];
    if many {
        head.insert(1, "CPU");
    }
    format!("## Summary\n\n{}\n\n{}", FACTS.text["summary"], table(&head, rows))
}

/// The ratio of each row and what it is called, the lowest first; nothing if there are few.
fn ratios(report: &Report, facts: &Summary) -> Option<Vec<(f64, String)>> {
    let in_group = |group: &String| {
        if facts.groups.is_empty() { !facts.not_groups.contains(group) } else { facts.groups.contains(group) }
    };
    let rows = report.figures.iter().filter(|figure| figure.by == facts.of && in_group(&figure.group));
    let ratio = |figure: &crate::report::data::Figure| {
        let than = report.number(&figure.group, &figure.work, &facts.than)?;
        let one_group = facts.groups.len() == 1;
        let name = if one_group { figure.work.clone() } else { format!("{}, {}", figure.group, figure.work) };
        Some((figure.value.number() / than, name))
    };
    let all = rows.clone().count();
    let mut ratios: Vec<_> = rows.filter_map(ratio).collect();
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Figures that were taken from a page have the worst rows of some columns alone.
    (ratios.len() * 3 > all).then_some(ratios)
}
