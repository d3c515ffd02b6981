//! The tables of `README.md`.

use core::fmt::Write as _;
use std::fs;

use anyhow::{Context as _, Result};

use crate::here;
use crate::results::{Results, Row, Tests, Times, read};
use crate::subject::Subject;

/// What is behind it is written by the program.
const MARK: &str = "<!-- Written by `cargo run -p published -- page`. -->\n";

pub(crate) fn write(subjects: &[Subject]) -> Result<()> {
    let path = here().join("README.md");
    let text = fs::read_to_string(&path)?;
    let (before, _) = text.split_once(MARK).context("README.md has no mark")?;
    let results: Vec<Results> = subjects.iter().map(read).collect::<Result<_>>()?;
    let mut page = format!("{before}{MARK}\n");
    write!(page, "## Scores\n\n| crate | tests | slowest row | fastest row |\n|---|---|---|---|\n")?;
    for (subject, Results { tests, times }) in subjects.iter().zip(&results) {
        let rows = times.iter().flat_map(|times| times.rows.iter().map(|row| (row, selected(times, row))));
        let mut rows: Vec<(&Row, f64)> = rows.collect();
        rows.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        let shown = |row: Option<&(&Row, f64)>| {
            row.map_or("not timed".to_owned(), |(row, ratio)| format!("{ratio:.2}, {}", row.name))
        };
        let tests = tests.as_ref().map_or("not run".to_owned(), |tests| tests.passed.to_string());
        let (mut slowest, fastest) = (shown(rows.first()), shown(rows.last()));
        if leaves_alone(subject) {
            slowest.push_str("; no target pays");
        }
        writeln!(page, "| `{}` {} | {tests} | {slowest} | {fastest} |", subject.name, subject.settings.version)?;
    }
    for (subject, Results { tests, times }) in subjects.iter().zip(&results) {
        write!(page, "\n{}", section(subject, tests.as_ref(), times.as_ref()))?;
    }
    fs::write(&path, page).with_context(|| path.display().to_string())
}

fn leaves_alone(subject: &Subject) -> bool {
    subject.settings.pay.as_deref() == Some("")
}

/// The ratio with the target that the CPU selects.
fn selected(times: &Times, row: &Row) -> f64 {
    times.targets.first().and_then(|target| row.on.get(target)).map_or(f64::NAN, |pair| pair.ratio)
}

/// What is shown of a crate.
pub(crate) fn section(subject: &Subject, tests: Option<&Tests>, times: Option<&Times>) -> String {
    let settings = &subject.settings;
    let mut text = format!("### {} {}\n\n{}", subject.name, settings.version, settings.annotated.trim_end());
    let _ = write!(text, " Targets: `{}`.", settings.targets);
    match settings.pay.as_deref() {
        Some("") => text.push_str(" None of them pays: leave the crate as it is published."),
        Some(pay) => {
            let _ = write!(text, " Those that pay: `{pay}`.");
        }
        None => {}
    }
    if let Some(tests) = tests {
        let _ = write!(text, " Its own tests: {} pass with each target, as in the original", tests.passed);
        if !tests.failed.is_empty() {
            let _ = write!(text, " ({} fails in both)", tests.failed.join(", "));
        }
        let _ = write!(text, "; {} clones ran.", tests.clones);
    }
    if !settings.remarks.is_empty() {
        let _ = write!(text, " {}", settings.remarks.trim_end());
    }
    text.push('\n');
    if let Some(times) = times {
        let _ = write!(text, "\n{}. {}.\n\n| row | original |", times.cpu, times.rustc);
        for target in &times.targets {
            let _ = write!(text, " {target} |");
        }
        text.push_str("\n|---|---|");
        text.push_str(&"---|".repeat(times.targets.len()));
        text.push('\n');
        for row in &times.rows {
            let first = times.targets.first().and_then(|target| row.on.get(target));
            let _ = write!(text, "| {} | {} |", row.name, first.map_or_else(String::new, |pair| time(pair.original)));
            for target in &times.targets {
                match row.on.get(target) {
                    Some(pair) => {
                        let _ = write!(text, " {}, **{:.2}** |", time(pair.annotated), pair.ratio);
                    }
                    None => text.push_str(" |"),
                }
            }
            text.push('\n');
        }
    }
    text
}

/// Nanoseconds with a unit, to three digits.
fn time(nanoseconds: f64) -> String {
    let units = [(1e6, "ms"), (1e3, "µs"), (1.0, "ns")];
    let (scale, unit) = units.into_iter().find(|(scale, _)| nanoseconds >= *scale).unwrap_or((1.0, "ns"));
    let value = nanoseconds / scale;
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}
