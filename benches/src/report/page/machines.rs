//! On what the runs were made, and their rows side by side.

use crate::report::analysis::native;
use crate::report::data::{Figure, Report};
use crate::report::facts::FACTS;
use crate::report::format::{faster, fill, table};
use benchmarks::{OURS, PLAIN};
use core::fmt::Write as _;

/// The machines, and the kinds of CPUs of which there is no run.
pub(crate) fn list(reports: &[Report]) -> String {
    let mut text = String::new();
    for Report { machine, .. } in reports {
        let values: [(&str, &dyn core::fmt::Display); 6] = [
            ("cpu", &machine.cpu),
            ("features", &machine.features.join(", ")),
            ("gigahertz", &format!("{:.2}", machine.gigahertz)),
            ("rustc", &machine.rustc),
            ("flags", &machine.flags),
            ("system", &machine.system),
        ];
        let _ = writeln!(text, "{}", fill(&FACTS.text["machine"], &values));
    }
    let known = |by: &str| {
        reports.iter().any(|Report { machine, .. }| format!("{} {}", machine.cpu, machine.system).contains(by))
    };
    let missing = FACTS.cpu.iter().filter(|cpu| !known(&cpu.known_by));
    let missing: Vec<&str> = missing.map(|cpu| cpu.name.as_str()).collect();
    if !missing.is_empty() {
        let _ = writeln!(text, "{}", fill(&FACTS.text["missing-machines"], &[("missing", &missing.join(", "))]));
    }
    text + "\n"
}

/// Each row of ours on each machine, where there are several: how much faster it is than other columns, and the least of each.
pub(crate) fn side_by_side(reports: &[Report]) -> String {
    if reports.len() < 2 {
        return String::new();
    }
    let others = ["native-features", "native-column"].map(|text| FACTS.text[text].as_str());
    let figures = reports.iter().flat_map(|report| &report.figures);
    let mut rows: Vec<(&str, &str)> = Vec::new();
    for figure in figures.filter(|figure| figure.by == OURS && figure.group != native::GROUP) {
        let row = (figure.group.as_str(), figure.work.as_str());
        let compared = reports.iter().any(|report| ratios(report, row, others).iter().any(Option::is_some));
        if compared && !rows.contains(&row) {
            rows.push(row);
        }
    }
    let shown = |ratios: [Option<f64>; 3]| ratios.map(|ratio| ratio.map_or_else(|| "–".to_owned(), faster)).join(" / ");
    let lines = rows.iter().map(|row| {
        let all: Vec<_> = reports.iter().map(|report| ratios(report, *row, others)).collect();
        let worst = core::array::from_fn(|i| all.iter().filter_map(|ratios| ratios[i]).max_by(f64::total_cmp));
        let cells = [format!("{}, {}", row.0, row.1)].into_iter().chain(all.iter().map(|ratios| shown(*ratios)));
        cells.chain([shown(worst)]).collect()
    });
    let names: Vec<String> = reports.iter().map(|report| report.machine.short()).collect();
    let head = names.iter().map(String::as_str);
    let head: Vec<&str> = ["work"].into_iter().chain(head).chain(["least"]).collect();
    format!("## Side by side\n\n{}\n\n{}", FACTS.text["side-by-side"], table(&head, lines))
}

/// The ratios of a row to two columns, and to the best of other projects.
fn ratios(report: &Report, (group, work): (&str, &str), others: [&str; 2]) -> [Option<f64>; 3] {
    let number = |figure: &Figure| figure.value.number();
    let ours = report.figure(group, work, OURS).map(number);
    let over = |other: Option<f64>| Some(ours? / other?);
    let peer = report.best(group, work, |by| !by.starts_with(OURS) && by != PLAIN).map(number);
    [over(report.number(group, work, others[0])), over(report.number(group, work, others[1])), over(peer)]
}
