//! What most users look for, on two machines side by side.

use crate::report::analysis::losses;
use crate::report::data::{Figure, Report};
use crate::report::facts::FACTS;
use crate::report::format::{faster, table};
use benchmarks::{OURS, PEER, PLAIN};

const LOOPS: &str = "loops";
const CALLS: &str = "dispatch";

/// The machines that stand side by side.
pub(crate) fn machines(reports: &[Report]) -> &[Report] {
    &reports[..reports.len().min(2)]
}

/// The rows in which ours loses.
pub(crate) fn losses(reports: &[Report]) -> String {
    let reports = machines(reports);
    let all: Vec<_> = reports.iter().map(losses::all).collect();
    let rows = (0..losses::KINDS.len()).map(|kind| {
        let cells = all.iter().map(|losses| match &losses[kind] {
            None => "–".to_owned(),
            Some(rows) if rows.is_empty() => "none".to_owned(),
            Some(rows) => rows.join("; "),
        });
        [losses::KINDS[kind].to_owned()].into_iter().chain(cells).collect()
    });
    let names: Vec<String> = reports.iter().map(|report| report.machine.short()).collect();
    let head: Vec<&str> = ["slower than"].into_iter().chain(names.iter().map(String::as_str)).collect();
    format!("## Where it loses\n\n{}\n\n{}", FACTS.text["losses"], table(&head, rows))
}

/// Loops without the attribute and with it, and against the best crate.
pub(crate) fn loops(reports: &[Report]) -> String {
    let reports = machines(reports);
    let cells = |report: &Report, work: &str| {
        let figure = |by: &str| report.figure(LOOPS, work, by);
        let compared = |theirs: &Figure, ours: &Figure| faster(ours.value.number() / theirs.value.number());
        let Some(ours) = figure(OURS) else { return [String::new(), String::new()] };
        let plain = figure(PLAIN)
            .map(|plain| format!("{} → {}, {}", plain.value.shown(), ours.value.shown(), compared(plain, ours)));
        [plain.unwrap_or_default(), figure(PEER).map_or_else(String::new, |peer| compared(peer, ours))]
    };
    let works = reports[0].group(LOOPS).filter(|figure| figure.by == OURS).map(|figure| figure.work.as_str());
    let rows = works.map(|work| {
        [work.to_owned()].into_iter().chain(reports.iter().flat_map(|report| cells(report, work))).collect()
    });
    let names: Vec<String> =
        reports.iter().flat_map(|report| [report.machine.short(), "the best crate".to_owned()]).collect();
    let head: Vec<&str> = [""].into_iter().chain(names.iter().map(String::as_str)).collect();
    format!("## Loops\n\n{}\n\n{}", FACTS.text["loops"], table(&head, rows))
}

/// What a call takes.
pub(crate) fn calls(reports: &[Report], page: &str) -> String {
    let (first, reports) = (&reports[0], machines(reports));
    let works = ["throughput", "latency"];
    let callers = first.group(CALLS).filter(|figure| figure.work == works[0]).map(|figure| figure.by.as_str());
    let rows = callers.map(|by| {
        let cell = |report: &Report, work| {
            report.figure(CALLS, work, by).map_or_else(String::new, |figure| figure.value.shown())
        };
        let cells = reports.iter().flat_map(|report| works.map(|work| cell(report, work)));
        [by.to_owned()].into_iter().chain(cells).collect()
    });
    let names: Vec<String> =
        reports.iter().flat_map(|report| works.map(|work| format!("{}: {work}", report.machine.short()))).collect();
    let head: Vec<&str> = [""].into_iter().chain(names.iter().map(String::as_str)).collect();
    let table = table(&head, rows);
    format!("## Calls\n\n{}\n\n{table}![dispatch]({page}/dispatch.svg)\n\n", FACTS.text["calls"])
}
