//! Our default build against the same source compiled for this CPU, row by row, and what makes the difference.

use super::Report;
use super::measure::{FEATURES, Figure, NATIVE};
use super::page::digits;
use benchmarks::{FROM_PLAIN_CODE, OURS};
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
    /// Of the default build when the caller has no attribute, where that was timed.
    plain: Option<f64>,
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
        Some(Row { work, ns: figure.ns, native: of(NATIVE)?, features: of(FEATURES), plain: of(FROM_PLAIN_CODE) })
    };
    report.figures.iter().filter(|figure| figure.by == OURS && figure.group != "limits").filter_map(row).collect()
}

/// Rounded to the digits that the page shows.
fn above(ratio: f64) -> bool {
    (ratio * 100.0).round() > AT_MOST * 100.0
}

pub(super) fn section(page: &mut String, report: &Report) {
    let mut rows = rows(report);
    if rows.is_empty() {
        return;
    }
    rows.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
    let slower: Vec<&Row> = rows.iter().filter(|row| above(row.ratio())).collect();
    let mean = (rows.iter().map(|row| row.ratio().ln()).sum::<f64>() / rows.len() as f64).exp();
    let _ = write!(
        page,
        "## Against a native build\n\nThe geometric mean of all {} rows of kernels is {mean:.3} times the time of the same source with \
         `-C target-cpu=native`; {} of them are above {AT_MOST}. That ratio is the product of two: dispatch is the ratio to a build \
         with the same CPU features for every function, for no CPU in particular; tuning is the ratio of that build to the native \
         one, which knows the CPU's latencies and ports, orders its instructions by them, and unrolls other loops. A function \
         cannot ask for tuning, nor can a build for many CPUs.\n\n",
        rows.len(),
        slower.len(),
    );
    if !slower.is_empty() {
        page.push_str("| | simd-core | native | ratio | dispatch | tuning |\n|---|---|---|---|---|---|\n");
        for row in slower {
            let part = |ratio: Option<f64>| ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
            let _ = writeln!(
                page,
                "| {} | {} ns | {} ns | {:.2} | {} | {} |",
                row.work,
                digits(row.ns),
                digits(row.native),
                row.ratio(),
                part(row.dispatch()),
                part(row.tuning())
            );
        }
        page.push('\n');
    }
    let calls: Vec<(&Row, f64)> = rows.iter().filter_map(|row| Some((row, row.plain?))).collect();
    if calls.is_empty() {
        return;
    }
    page.push_str(
        "What a caller without the attribute adds, for it asks and calls each time, and what a native build inlines goes through \
         memory:\n\n| | annotated caller | un-annotated caller | more |\n|---|---|---|---|\n",
    );
    for (row, plain) in calls {
        let more = (plain - row.ns).max(0.0);
        let _ = writeln!(page, "| {} | {} ns | {} ns | {} ns |", row.work, digits(row.ns), digits(plain), digits(more));
    }
    page.push('\n');
}

/// What the rows above the goal have in common, in a sentence or two.
pub(super) fn limit(report: &Report) -> String {
    let rows = rows(report);
    let slower: Vec<&Row> = rows.iter().filter(|row| above(row.ratio())).collect();
    let (tuning, others): (Vec<&Row>, Vec<&Row>) =
        slower.iter().partition(|row| row.dispatch().is_some_and(|ratio| !above(ratio)));
    let mut text = format!("{} of {} rows are above {AT_MOST}.", slower.len(), rows.len());
    if !tuning.is_empty() {
        let _ = write!(
            text,
            " {} of these are as slow with the CPU's features known at compile time: what they lack is the compiler's model of this \
             CPU (see \"Against a native build\").",
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
