//! Our default build against the same source compiled for this CPU, row by row, and what makes the difference.

use crate::report::data::{Figure, Report, Value, above};
use crate::report::facts::FACTS;
use crate::report::format::{faster, fill};
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
    let mean = |of: &dyn Fn(&Row) -> Option<f64>| {
        let ratios: Vec<f64> = rows.iter().filter_map(of).collect();
        faster((ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp())
    };
    let dispatch_above = |row: &Row| row.dispatch.is_some_and(|ratio| above(ratio, at_most()));
    let slower = rows.iter().filter(|row| above(row.ratio, at_most())).count();
    let of_tuning = rows[..slower].iter().filter(|row| row.dispatch.is_some() && !dispatch_above(row));
    let of_dispatch = rows.iter().filter(|row| dispatch_above(row)).count();
    let (all, most) = (rows.len(), at_most());
    let mut text = FACTS.text["native"].clone();
    if rows.iter().any(|row| row.dispatch.is_some()) {
        text += &FACTS.text["native-parts"];
    }
    let mut text = fill(
        &text,
        &[
            ("all", &all),
            ("mean", &mean(&|row| Some(row.ratio))),
            ("dispatch-mean", &mean(&|row| row.dispatch)),
            ("above", &slower),
            ("most", &most),
            ("dispatch-above", &of_dispatch),
            ("tuning", &of_tuning.count()),
        ],
    );
    // The native build's own losses: rows that it takes longer for.
    let losses = rows.iter().rev().take_while(|row| above(1.0 / row.ratio, at_most()));
    let loss = |row: &Row| format!("{} ({})", row.work, faster(row.ratio));
    let losses: Vec<String> = losses.map(loss).collect();
    if let Some(worst) = losses.first() {
        text += &fill(&FACTS.text["native-losses"], &[("count", &losses.len()), ("worst", worst), ("most", &most)]);
    }
    // Those above the goal in one of the two ratios, and the worst of each in any case, for its goal.
    let worst = |of: fn(&Row) -> f64| rows.iter().map(of).fold(0.0, f64::max);
    let (worst_ratio, worst_dispatch) = (worst(|row| row.ratio), worst(|row| row.dispatch.unwrap_or(0.0)));
    let shown = |row: &&Row| {
        above(row.ratio, at_most())
            || dispatch_above(row)
            || row.ratio >= worst_ratio
            || row.dispatch.is_some_and(|ratio| ratio >= worst_dispatch)
    };
    for Row { work, ns, ratio, dispatch } in rows.iter().filter(shown) {
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
