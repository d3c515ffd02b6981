//! What dispatch at each place costs in instructions, on both architectures.

use super::Report;
use super::instructions::{ROOT, STATIC};
use super::page::digits;
use core::fmt::Write as _;

/// The same code with no attribute of its own, with one at more and more places, as the cases are called, and compiled
/// for the features of the target.
const PLACES: [&str; 5] = ["leaf of simd-crypto alone", "leaf", "round", ROOT, STATIC];

/// A table of instructions, with ratios to the attribute at the root, and what there is to say of it.
pub(super) fn table(report: &Report) -> String {
    let mut rows = String::new();
    let mut plain = Vec::new();
    for work in ["Haraka-512, chained", "Haraka-512, independent", "Shamir, 64 KiB, 3 of 5"] {
        for (arch, name) in [("x86_64", "x86-64"), ("aarch64", "AArch64")] {
            let counts = PLACES.map(|by| {
                let mut counts = report.instructions.counts.iter();
                let same = |of: &str, group: &str| of == arch && group == "strategies";
                let found = counts.find(|count| same(count.arch, count.group) && count.work == work && count.by == by);
                found.map(|count| count.instructions)
            });
            let [Some(without), _, _, Some(root), _] = counts else { continue };
            let _ = write!(rows, "| {work}, {name} |");
            for count in counts {
                let cell =
                    count.map_or_else(String::new, |count| format!("{} ({}x)", digits(count), digits(count / root)));
                let _ = write!(rows, " {cell} |");
            }
            rows.push('\n');
            if (without / root - 1.0).abs() < 0.01 {
                plain.push(format!("{work} on {name}"));
            }
        }
    }
    if rows.is_empty() {
        return rows;
    }
    let mut text =
        format!("Instructions of the strategies:\n\n| | {} |\n|---|---|---|---|---|---|\n{rows}\n", PLACES.join(" | "));
    text.push_str(
        "What a leaf costs is its call, its test and the vectors that go through memory on the way; a round of Haraka pays that once for \
         twelve of them, and the root once for the work.",
    );
    if !plain.is_empty() {
        let _ = write!(
            text,
            " The root takes as many instructions as the code without attributes in {}: the features of the clone's target add \
             nothing there to what every such CPU has, and dispatch at the leaves only costs.",
            plain.join(" and ")
        );
    }
    text.push_str("\n\n");
    text
}
