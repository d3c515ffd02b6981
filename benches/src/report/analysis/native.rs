//! Our default build against the same source compiled for this CPU, row by row, and what makes the difference.

use crate::report::data::{Figure, Report, Value, above};
use crate::report::facts::FACTS;
use crate::report::format::fill;
use benchmarks::OURS;

pub(crate) const GROUP: &str = "Against a native build";

/// What the default build may take longer.
fn at_most() -> f64 {
    FACTS.goals.iter().find(|goal| goal.group == GROUP).map_or(1.0, |goal| goal.at_most)
}

/// A row of a kernel.
struct Row {
    work: String,
    /// The time of the default build.
    ns: f64,
    /// How many times as long that takes as the build for this CPU.
    ratio: f64,
    /// The part of the ratio that would not be there if the features were known at compile time, where that was measured.
    dispatch: Option<f64>,
}

/// Each row of a kernel. Small kernels are called from code with the attribute.
fn rows(report: &Report) -> Vec<Row> {
    let row = |figure: &Figure| {
        let ns = figure.value.number();
        let over = |by: &str| Some(ns / report.number(&figure.group, &figure.work, by)?);
        let (ratio, dispatch) = (over(&FACTS.text["native-column"])?, over(&FACTS.text["native-features"]));
        Some(Row { work: format!("{}, {}", figure.group, figure.work), ns, ratio, dispatch })
    };
    report.figures.iter().filter(|figure| figure.by == OURS && figure.group != "limits").filter_map(row).collect()
}

/// Adds a table of the rows that are above the goal.
pub(crate) fn add(report: &mut Report) {
    report.figures.retain(|figure| figure.group != GROUP);
    report.notes.retain(|(group, _)| group != GROUP);
    let mut rows = rows(report);
    if rows.is_empty() {
        return;
    }
    rows.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
    let mean = (rows.iter().map(|row| row.ratio.ln()).sum::<f64>() / rows.len() as f64).exp();
    let slower = rows.iter().filter(|row| above(row.ratio, at_most())).count();
    let of_tuning = rows[..slower].iter().filter(|row| row.dispatch.is_some_and(|ratio| !above(ratio, at_most())));
    let (all, mean, most, tuning) = (rows.len(), format!("{mean:.3}"), at_most(), of_tuning.count());
    let mut text = FACTS.text["native"].clone();
    if rows.iter().any(|row| row.dispatch.is_some()) {
        text += &FACTS.text["native-parts"];
    }
    let text = fill(&text, &[("all", &all), ("mean", &mean), ("above", &slower), ("most", &most), ("tuning", &tuning)]);
    // The worst row is there in any case, for its goal.
    for Row { work, ns, ratio, dispatch } in &rows[..slower.max(1)] {
        let mut add = |by: &str, value| report.figures.push(Figure::new(GROUP, work, by, value));
        add(OURS, Value::Ns(*ns));
        add("native", Value::Ns(ns / ratio));
        add("ratio", Value::Ratio(*ratio));
        if let Some(dispatch) = dispatch {
            add("dispatch", Value::Ratio(*dispatch));
            add("tuning", Value::Ratio(ratio / dispatch));
        }
    }
    report.notes.push((GROUP.to_owned(), text));
}
