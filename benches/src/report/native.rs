//! Our default build against the same source compiled for this CPU, row by row, and what makes the difference.

use super::Report;
use super::goals::above;
use super::measure::{FEATURES, Figure, NATIVE};
use super::page::digits;
use benchmarks::OURS;
use core::fmt::Write as _;

/// What the default build may take longer.
pub(super) const AT_MOST: f64 = 1.03;

/// A row of a kernel.
pub(super) struct Row {
    pub(super) work: String,
    /// Times in nanoseconds: of the default build, and of the one for this CPU.
    ns: f64,
    native: f64,
    /// Of a build for this CPU's features and no CPU in particular, where there is one.
    features: Option<f64>,
}

impl Row {
    /// How many times as long the default build takes.
    pub(super) fn ratio(&self) -> f64 {
        self.ns / self.native
    }

    /// The part of the ratio that would not be there if the features were known at compile time.
    fn dispatch(&self) -> Option<f64> {
        Some(self.ns / self.features?)
    }

    /// The part of the ratio that the compiler's model of the CPU makes.
    fn tuning(&self) -> Option<f64> {
        Some(self.features? / self.native)
    }
}

/// Each row of a kernel. Small kernels are called from code with the attribute.
pub(super) fn rows(report: &Report) -> Vec<Row> {
    let row = |figure: &Figure| {
        let of = |by: &str| report.figure(&figure.group, &figure.work, by).map(|figure| figure.ns);
        let work = format!("{}, {}", figure.group, figure.work);
        Some(Row { work, ns: figure.ns, native: of(NATIVE)?, features: of(FEATURES) })
    };
    report.figures.iter().filter(|figure| figure.by == OURS && figure.group != "limits").filter_map(row).collect()
}

pub(super) fn section(page: &mut String, report: &Report) {
    let mut rows = rows(report);
    if rows.is_empty() {
        return;
    }
    rows.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
    let slower: Vec<&Row> = rows.iter().filter(|row| above(row.ratio(), AT_MOST)).collect();
    let mean = (rows.iter().map(|row| row.ratio().ln()).sum::<f64>() / rows.len() as f64).exp();
    let _ = write!(
        page,
        "## Against a native build\n\nThe geometric mean of all {} rows of kernels is {mean:.3} times the time of the same source with \
         `-C target-cpu=native`; {} of them are above {AT_MOST}. Haraka, the universal hash, slices, operations in fields and recovery \
         from shares are called from code with the attribute; ChaCha20, AES and splitting are not.",
        rows.len(),
        slower.len(),
    );
    let parts = rows.iter().any(|row| row.features.is_some());
    if parts {
        page.push_str(
            " The ratio is the product of two: dispatch is the ratio to a build with all of that CPU's features for every function, for no \
             CPU in particular; tuning is the ratio of that build to the native one, which knows the CPU's latencies and ports, orders its \
             instructions by them, and unrolls other loops. A function cannot ask for tuning, nor can a build for many CPUs.",
        );
    }
    page.push_str("\n\n");
    if !slower.is_empty() {
        let (head, line) = if parts { (" dispatch | tuning |", "---|---|") } else { ("", "") };
        let _ = writeln!(page, "| | simd-core | native | ratio |{head}\n|---|---|---|---|{line}");
        for row in slower {
            let (ns, native) = (digits(row.ns), digits(row.native));
            let _ = write!(page, "| {} | {ns} ns | {native} ns | {:.2} |", row.work, row.ratio());
            if let (Some(dispatch), Some(tuning)) = (row.dispatch(), row.tuning()) {
                let _ = write!(page, " {dispatch:.2} | {tuning:.2} |");
            }
            page.push('\n');
        }
        page.push('\n');
    }
}

/// What the rows above the goal have in common, in a sentence or two.
pub(super) fn limit(report: &Report) -> String {
    let rows = rows(report);
    let slower: Vec<&Row> = rows.iter().filter(|row| above(row.ratio(), AT_MOST)).collect();
    let (tuning, others): (Vec<&Row>, Vec<&Row>) =
        slower.iter().partition(|row| row.dispatch().is_some_and(|ratio| !above(ratio, AT_MOST)));
    let mut text = format!("{} of {} rows are above {AT_MOST}.", slower.len(), rows.len());
    if !tuning.is_empty() {
        let _ = write!(
            text,
            " {} of these are within {AT_MOST} of a build with the CPU's features for every function: what they lack is the compiler's \
             model of this CPU (see \"Against a native build\").",
            tuning.len()
        );
    }
    if !others.is_empty() {
        let name = |row: &&Row| match row.dispatch() {
            Some(ratio) => format!("{} ({ratio:.2} for dispatch)", row.work),
            None => format!("{} ({:.2})", row.work, row.ratio()),
        };
        let _ = write!(text, " The others: {}.", others.iter().map(name).collect::<Vec<_>>().join("; "));
    }
    text
}
