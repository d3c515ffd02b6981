//! What holds the goals that are not met: a sentence each, shown only as long as it is needed.

use super::Report;
use super::builds::{BY_HAND, Build};
use super::native;
use super::page::digits;
use benchmarks::OURS;
use core::fmt::Write as _;
use serde::Serialize;

/// What holds one piece of work.
#[derive(Serialize)]
pub(crate) struct Limit {
    pub(super) work: String,
    pub(super) text: String,
}

/// How a goal's work begins, and what holds it; nothing where nobody has measured that yet.
const TEXTS: [(&str, &str); 6] = [
    (
        "Haraka-512, chained",
        "The rounds follow one another and take some 60 cycles on Zen 4; a result that is returned and copied adds nine for each of the two.",
    ),
    (
        "Haraka-512, batch",
        "The AES unit alone takes 10.0 cycles a hash on Zen 4. The shuffle across lanes that mixes a state uses the same ports: sixteen states that never leave their registers take 11.9.",
    ),
    (
        "Haraka-256, batch",
        "The AES unit alone takes 5.0 cycles a hash on Zen 4; the first and last mixing steps go across lanes, on the same ports.",
    ),
    (
        "GF(2^n) multiply",
        "Horcrux's figures come from another CPU. Built from its sources, it takes 10, 17 and 59 cycles on Zen 4 for n = 64, 128 and 256, and ours beside it 0.50, 0.68 and 0.47 of that.",
    ),
    ("GF(2^n) invert", ""),
    ("ChaCha20", ""),
];

/// A sentence for each goal that this run misses and of which something is known.
pub(super) fn all(report: &Report) -> Vec<Limit> {
    let mut limits: Vec<Limit> = Vec::new();
    for goal in report.goals.iter().filter(|goal| !goal.met()) {
        let text = measured(&goal.work, report).unwrap_or_else(|| {
            let text = TEXTS.iter().find(|(work, _)| goal.work.starts_with(work));
            text.map_or_else(String::new, |(_, text)| (*text).to_owned())
        });
        if !text.is_empty() && limits.iter().all(|limit| limit.work != goal.work) {
            limits.push(Limit { work: goal.work.clone(), text });
        }
    }
    limits
}

/// The sentences that this run's own figures make.
fn measured(work: &str, report: &Report) -> Option<String> {
    if let Some(kind) = work.strip_prefix("leaf in an un-annotated loop, ") {
        return leaf(kind, report);
    }
    if work.starts_with("every kernel") {
        return Some(native::limit(report));
    }
    match work.strip_prefix("compile time, ")? {
        "check" => compile_time(report, |build| build.check),
        "debug build" => compile_time(report, |build| build.debug),
        "release build" => compile_time(report, |build| build.release),
        _ => None,
    }
}

/// How many instructions a call of each takes: if ours are no more, the rest is not work.
fn leaf(kind: &str, report: &Report) -> Option<String> {
    let count = |by: &str| {
        let mut counts = report.instructions.counts.iter();
        let same = |arch: &str| arch == std::env::consts::ARCH;
        counts.find(|count| same(count.arch) && count.group == "dispatch" && count.work == kind && count.by == by)
    };
    let ours = count("simd-core, un-annotated caller")?.instructions;
    let row = report.figures.iter().filter(|figure| figure.group == "dispatch" && figure.work == kind);
    let peers = row.filter(|figure| {
        !figure.by.starts_with("simd-core") && figure.by != "inlined in one function" && figure.by != "portable"
    });
    let best = peers.min_by(|a, b| a.ns.total_cmp(&b.ns))?;
    let theirs = count(&best.by)?.instructions;
    let mut text = format!("{} instructions a call, {} with {}", digits(ours), digits(theirs), best.by);
    if ours <= theirs {
        text.push_str("; what is lost is lost to how the CPU runs the loop, not to work");
    }
    text.push('.');
    Some(text)
}

/// What part of the time is the copies' own.
fn compile_time(report: &Report, time: fn(&Build) -> f64) -> Option<String> {
    let of = |by: &str| report.builds.iter().filter(|build| build.by == by).max_by_key(|build| build.copies);
    let (ours, by_hand, one) = (of(OURS)?, of(BY_HAND)?, of("no dispatch")?);
    let mut text =
        format!("{:.2} s here, of which the same copies written by hand take {:.2} s", time(ours), time(by_hand));
    let _ =
        write!(text, " and one copy {:.2} s; the rest are dispatchers, and what clones tell the compiler.", time(one));
    Some(text)
}
