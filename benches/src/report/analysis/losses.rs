//! Where ordinary loops with the attribute lose: against themselves without it, a native build, and other crates.

use crate::report::data::{Report, above};
use crate::report::facts::FACTS;
use crate::report::format::faster;
use benchmarks::{OURS, PEER, PLAIN};
use std::collections::BTreeSet;

const GROUP: &str = "loops";

/// From which ratio on it is a loss. Against other crates it is one at once.
const AT_MOST: f64 = 1.03;

/// What it can lose against.
pub(crate) const KINDS: [&str; 3] = ["the loop without the attribute", "the native build", "the best crate"];

/// For each kind the rows that lose, nothing where it was not measured.
pub(crate) fn all(report: &Report) -> [Option<Vec<String>>; 3] {
    let columns: BTreeSet<&str> = report.group(GROUP).map(|figure| figure.by.as_str()).collect();
    let ours =
        |by: &&&str| by.starts_with(OURS) && FACTS.variant.iter().all(|one| one.column != **by || one.build.is_none());
    let ours: Vec<&str> = columns.iter().filter(ours).copied().collect();
    let native = FACTS.text["native-column"].as_str();
    let kinds = [(PLAIN, ours.as_slice(), AT_MOST), (native, &[OURS], AT_MOST), (PEER, &[OURS], 1.0)];
    kinds.map(|(than, by, at_most)| columns.contains(than).then(|| losses(report, than, by, at_most)))
}

fn losses(report: &Report, than: &str, columns: &[&str], at_most: f64) -> Vec<String> {
    let rows = report.group(GROUP).filter(|figure| figure.by == OURS);
    let loss = |work: &str, by: &str| {
        let ratio = report.number(GROUP, work, by)? / report.number(GROUP, work, than)?;
        let column = by.strip_prefix(OURS).unwrap_or_default();
        above(ratio, at_most).then(|| format!("{work}{column} ({})", faster(ratio)))
    };
    rows.flat_map(|row| columns.iter().filter_map(|by| loss(&row.work, by)).collect::<Vec<_>>()).collect()
}
