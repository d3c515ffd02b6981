//! What the attribute costs its users.

use crate::report::data::Report;
use crate::report::facts::FACTS;
use crate::report::format::{faster, table};

/// Builds with the attribute and with others, of the first run that has them.
pub(crate) fn table_of(reports: &[Report]) -> String {
    let rows = FACTS.cost.iter().filter_map(|cost| {
        let ours = |report: &Report| report.number(&cost.group, &cost.of, &cost.by[0]);
        let (report, ours) = reports.iter().find_map(|report| Some((report, ours(report)?)))?;
        let cell = |(at, by): (usize, &String)| {
            let figure = report.figure(&cost.group, &cost.of, by);
            figure.map_or_else(String::new, |figure| {
                let compared =
                    if at == 0 { String::new() } else { format!(", {}", faster(ours / figure.value.number())) };
                figure.value.shown() + &compared
            })
        };
        Some([cost.text.clone()].into_iter().chain(cost.by.iter().enumerate().map(cell)).collect())
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let timed = |report: &&Report| FACTS.cost.first().is_some_and(|cost| report.group(&cost.group).next().is_some());
    let cpu = reports.iter().find(timed).map(|report| report.machine.short()).unwrap_or_default();
    let head: Vec<&str> = [cpu.as_str()].into_iter().chain(FACTS.cost_columns.iter().map(String::as_str)).collect();
    table(&head, rows)
}
