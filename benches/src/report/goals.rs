//! What the project holds itself to, and how far it is.

use super::Report;
use super::builds::Build;
use super::measure::{AVX2, CHACHA20_AVX512, FEATURES, NATIVE};
use super::native;
use super::start;
use benchmarks::{CHACHA20, FROM_PLAIN_CODE, OPENSSL, OURS};
use serde::Serialize;

/// A ratio that is wanted, and the one that was measured.
#[derive(Serialize)]
pub(crate) struct Goal {
    pub(super) work: String,
    pub(super) against: String,
    /// Time of ours divided by the other's must not be above this.
    pub(super) at_most: f64,
    pub(super) measured: f64,
}

impl Goal {
    pub(super) fn met(&self) -> bool {
        !above(self.measured, self.at_most)
    }
}

/// Whether a ratio is more than it may be, of the two digits that the page shows.
pub(super) fn above(ratio: f64, at_most: f64) -> bool {
    (ratio * 100.0).round() > (at_most * 100.0).round()
}

/// Figures of programs that are not on the registry, in nanoseconds on a core that ran at [`REFERENCE_GIGAHERTZ`]: the C
/// reference of Haraka v2 (<https://github.com/kste/haraka>) and horcrux (<https://github.com/gendx/horcrux>), built with
/// the CPU's features enabled. They are compared in cycles.
const REFERENCE_GIGAHERTZ: f64 = 4.1;
const HARAKA: [(&str, &str, &str, f64, f64); 3] = [
    ("Haraka-512", "chained", "C reference, single", 19.8, 0.88),
    ("Haraka-512", "batch of 1024", "C reference, batch of 8", 8.5, 0.35),
    ("Haraka-256", "batch of 1024", "C reference, batch of 4", 3.3, 0.45),
];
const HORCRUX_MULTIPLY: [(&str, f64, f64); 6] = [
    ("64", 1.3, 1.0),
    ("128", 3.7, 0.85),
    ("256", 13.6, 0.6),
    ("512", 47.0, 0.7),
    ("1024", 223.0, 0.4),
    ("2048", 936.0, 0.33),
];
const HORCRUX_INVERT: [(&str, f64, f64); 5] = [
    ("128", 1900.0, 0.4),
    ("256", 5400.0, 0.25),
    ("512", 49_000.0, 0.1),
    ("1024", 444_000.0, 0.04),
    ("2048", 3_870_000.0, 0.03),
];

/// All goals for which this run has figures.
pub(super) fn all(report: &Report) -> Vec<Goal> {
    let mut goals = Vec::new();
    let mut add = |work: String, against: &str, at_most: f64, measured: Option<f64>| {
        if let Some(measured) = measured {
            goals.push(Goal { work, against: against.to_owned(), at_most, measured });
        }
    };
    let best = |group: &str, work: &str, wanted: &dyn Fn(&str) -> bool| {
        let row = report.figures.iter().filter(|figure| figure.group == group && figure.work == work);
        row.filter(|figure| wanted(&figure.by)).map(|figure| figure.ns).min_by(f64::total_cmp)
    };
    let ours = |group: &str, work: &str| report.figure(group, work, OURS).map(|figure| figure.ns);
    // Peers are called from code without the attribute, and against them so are we.
    let called = |group: &str, work: &str| {
        let plain = report.figure(group, work, FROM_PLAIN_CODE).map(|figure| figure.ns);
        plain.or_else(|| ours(group, work))
    };
    let peer = |by: &str| ![OURS, FROM_PLAIN_CODE, NATIVE, FEATURES, AVX2].contains(&by);

    for work in ["throughput", "latency"] {
        let nested = best("dispatch", work, &|by| by == "simd-core, nested");
        let leaf = best("dispatch", work, &|by| by == "simd-core, un-annotated caller");
        let inlined = best("dispatch", work, &|by| by == "inlined in one function");
        let others = best("dispatch", work, &|by| {
            !by.starts_with("simd-core") && by != "inlined in one function" && by != "portable"
        });
        add(format!("nested call, {work}"), "inlined in one function", 1.02, ratio(nested, inlined));
        add(format!("leaf in an un-annotated loop, {work}"), "the best peer", 1.0, ratio(leaf, others));
    }
    if let Some((work, worst)) = worst_against_native(report) {
        add(format!("every kernel; the worst is {work}"), NATIVE, native::AT_MOST, Some(worst));
    }
    let cycles = |ns: f64| ns * report.machine.gigahertz;
    for (group, work, against, ns, at_most) in HARAKA {
        let measured = ours(group, work).map(|ours| cycles(ours) / (ns * REFERENCE_GIGAHERTZ));
        add(format!("{group}, {work}"), against, at_most, measured);
    }
    let multiply = HORCRUX_MULTIPLY.iter().map(|row| ("GF(2^n) multiply", row));
    for (group, &(work, ns, at_most)) in multiply.chain(HORCRUX_INVERT.iter().map(|row| ("GF(2^n) invert", row))) {
        let measured = ours(group, work).map(|ours| cycles(ours) / (ns * REFERENCE_GIGAHERTZ));
        add(format!("{group}, n = {work}"), "horcrux, static", at_most, measured);
    }
    for (work, times) in [("64 B", 1.1), ("1 KiB", 1.0), ("64 KiB", 1.0)] {
        let other = best("ChaCha20", work, &|by| by == CHACHA20 || by == CHACHA20_AVX512);
        add(
            format!("ChaCha20, {work}"),
            "RustCrypto, the better build",
            1.0 / times,
            ratio(ours("ChaCha20", work), other),
        );
    }
    let openssl = best("ChaCha20", "64 KiB", &|by| by == OPENSSL);
    add("ChaCha20, 64 KiB".into(), OPENSSL, 1.0 / 0.9, ratio(ours("ChaCha20", "64 KiB"), openssl));
    for work in ["encrypt 1 KiB", "encrypt 64 KiB", "decrypt 1 KiB", "decrypt 64 KiB"] {
        let other = best("AES-128", work, &|by| by == "RustCrypto aes");
        add(format!("AES-128, {work}"), "RustCrypto aes", 1.0, ratio(ours("AES-128", work), other));
    }
    let shamir = [
        ("split 1 MiB, 3 of 5", 40.0),
        ("recover 1 MiB, 3 of 5", 60.0),
        ("split 32 B, 3 of 5", 2.0),
        ("recover 32 B, 3 of 5", 2.0),
        ("split 32 B, 10 of 20", 2.0),
        ("recover 32 B, 10 of 20", 2.0),
    ];
    for (work, times) in shamir {
        let measured = ratio(called("Shamir", work), best("Shamir", work, &peer));
        add(format!("Shamir, {work}"), "the best crate", 1.0 / times, measured);
    }
    let started = |by: &str| report.starts.iter().find(|start| start.by == by).map(|start| start.least);
    add("start of a program".into(), start::STANDARD, 1.1, ratio(started(OURS), started(start::STANDARD)));
    let build = |by: &str| report.builds.iter().find(|build| build.by == by && build.copies == 4);
    let kinds: [(&str, fn(&Build) -> f64); 3] = [
        ("check", |build| build.check),
        ("debug build", |build| build.debug),
        ("release build", |build| build.release),
    ];
    for (kind, time) in kinds {
        let measured = ratio(build(OURS).map(time), build("multiversion").map(time));
        add(format!("compile time, {kind}"), "multiversion", 1.0, measured);
    }
    goals
}

fn ratio(ours: Option<f64>, other: Option<f64>) -> Option<f64> {
    Some(ours? / other?)
}

/// The row in which the default build loses most against the same source compiled for this CPU.
fn worst_against_native(report: &Report) -> Option<(String, f64)> {
    let ratios = native::rows(report).into_iter().map(|row| (row.ratio(), row.work));
    ratios.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(ratio, work)| (work, ratio))
}
