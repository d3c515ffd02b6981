//! Where ordinary loops with the attribute lose: against themselves without it, a native build, and other crates.

use crate::report::data::{Report, above};
use crate::report::facts::FACTS;
use benchmarks::{OURS, PEER, PLAIN};
use std::collections::BTreeSet;

const GROUP: &str = "ordinary code";

/// From which ratio on it is a loss. Against other crates it is one at once.
const AT_MOST: f64 = 1.03;

/// Adds a note that names all losses.
pub(crate) fn add(report: &mut Report) {
    let columns: BTreeSet<&str> = report.group(GROUP).map(|figure| figure.by.as_str()).collect();
    let ours =
        |by: &&&str| by.starts_with(OURS) && FACTS.variant.iter().all(|one| one.column != **by || one.build.is_none());
    let ours: Vec<&str> = columns.iter().filter(ours).copied().collect();
    let native = FACTS.text["native-column"].as_str();
    let kinds = [
        ("Slower than the plain loop", PLAIN, ours.as_slice(), AT_MOST),
        ("Slower than the native build", native, &[OURS], AT_MOST),
        ("Slower than the best crate", PEER, &[OURS], 1.0),
    ];
    let measured = kinds.into_iter().filter(|(_, than, ..)| columns.contains(than));
    let losses = measured.map(|(what, than, columns, at_most)| {
        let losses = losses(report, than, columns, at_most);
        format!("- {what}: {}.", if losses.is_empty() { "none".to_owned() } else { losses.join("; ") })
    });
    let losses: Vec<String> = losses.collect();
    if report.group(GROUP).next().is_some() {
        let note = format!("\n\nLosses of this run:\n\n{}", losses.join("\n"));
        report.notes.retain(|(group, _)| group != GROUP);
        report.notes.push((GROUP.to_owned(), note));
    }
}

fn losses(report: &Report, than: &str, columns: &[&str], at_most: f64) -> Vec<String> {
    let rows = report.group(GROUP).filter(|figure| figure.by == OURS);
    let loss = |work: &str, by: &str| {
        let ratio = report.number(GROUP, work, by)? / report.number(GROUP, work, than)?;
        let column = by.strip_prefix(OURS).unwrap_or_default();
        above(ratio, at_most).then(|| format!("{work}{column} ({ratio:.2})"))
    };
    rows.flat_map(|row| columns.iter().filter_map(|by| loss(&row.work, by)).collect::<Vec<_>>()).collect()
}
