//! What the figures come to.

use super::first::machines;
use crate::report::data::Report;
use crate::report::facts::{FACTS, Summary};
use crate::report::format::{faster, table};

/// A few lines for the first page and the README.
pub(crate) fn short(reports: &[Report]) -> String {
    let reports = machines(reports);
    let lines = FACTS.summary.iter().filter(|facts| facts.first_page).map(|facts| {
        let count = reports.iter().filter_map(|report| ratios(report, facts)).map(|ratios| ratios.len()).max();
        let count = count.unwrap_or_default();
        let cells = reports.iter().map(|report| {
            ratios(report, facts).map_or_else(
                || "–".to_owned(),
                |ratios| {
                    let (best, worst) = (&ratios[0].0, &ratios[ratios.len() - 1].0);
                    let fewer =
                        if ratios.len() < count { format!(", {} of them", ratios.len()) } else { String::new() };
                    format!("**{}** ({} to {}){fewer}", faster(mean(&ratios)), faster(*worst), faster(*best))
                },
            )
        });
        let text = facts.text.replace("{rows}", &count.to_string());
        [text].into_iter().chain(cells).collect()
    });
    let calls = ["simd-core, nested", "simd-core, unannotated caller"].map(|by| {
        let cells = reports.iter().map(|report| {
            let number = |by| report.number("dispatch", "throughput", by);
            let more = number(by).zip(number("inlined in one function")).map(|(ns, inlined)| (ns - inlined).max(0.0));
            more.map_or_else(|| "–".to_owned(), |more| format!("{more:.1} ns"))
        });
        [FACTS.text[by].clone()].into_iter().chain(cells).collect()
    });
    let names: Vec<String> = reports.iter().map(|report| report.machine.short()).collect();
    let head: Vec<&str> = [""].into_iter().chain(names.iter().map(String::as_str)).collect();
    table(&head, lines.chain(calls))
}

/// Every line on every machine.
pub(crate) fn long(reports: &[Report]) -> String {
    let rows = FACTS.summary.iter().flat_map(|facts| {
        let rows = reports.iter().filter_map(move |report| Some((report, ratios(report, facts)?)));
        rows.map(move |(report, ratios)| {
            let (worst, row) = ratios.last().expect("at least one");
            let name = facts.text.replace("{rows} ", "");
            let mut cells = vec![name, report.machine.short(), faster(mean(&ratios)), faster(ratios[0].0)];
            cells.extend([faster(*worst), row.clone(), ratios.len().to_string()]);
            cells
        })
    });
    let head = ["", "CPU", "mean", "most", "least", "the row with the least", "rows"];
    format!("## Summary\n\n{}", table(&head, rows))
}

/// The geometric mean.
fn mean(ratios: &[(f64, String)]) -> f64 {
    (ratios.iter().map(|(ratio, _)| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

/// The time of ours divided by the other's in each row, with the row's name, the lowest first; nothing if there are few.
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
    // Figures that were taken from a page have the worst rows of some columns only.
    (ratios.len() * 3 > all).then_some(ratios)
}
