//! The page.

use super::Report;
use super::builds::{BY_HAND, Build, FUNCTIONS};
use super::instructions::Count;
use super::measure::Figure;
use super::native;
use super::start;
use super::strategies;
use benchmarks::OURS;
use core::fmt::Write as _;

/// The groups of the page: title, group, plot, and what to say of it.
const SECTIONS: [(&str, &str, Option<&str>); 13] = [
    (
        "dispatch",
        "A function of one instruction, one call among 1024. A function that lies across two cache lines costs a cycle more, and \
         whose does is the linker's choice; so the program is linked several times with its functions in other orders, where the \
         linker can do that, and of each round the best order counts.",
        Some("dispatch"),
    ),
    (
        "strategies",
        "One source, with the attribute at its leaves, its rounds or its root; the last column is the root built for this CPU.",
        Some("strategies"),
    ),
    (
        "Haraka-512",
        "One hash. A chain needs each hash for the next; a batch goes through `haraka512_many`.",
        Some("haraka"),
    ),
    ("Haraka-256", "The same for messages of 32 bytes.", None),
    ("AES-128", "Blocks in place, the key scheduled before.", Some("aes")),
    ("ChaCha20", "The key stream over a buffer in place.", Some("chacha20")),
    (
        "universal hash",
        "Horner's rule over GF(2^128) in generic code on the field type, against a crate made for it.",
        None,
    ),
    ("GF(2^n) multiply", "Independent products.", Some("gf-multiply")),
    ("GF(2^n) invert", "Each inverse of the one before.", Some("gf-invert")),
    ("GF(2^8) slice times a scalar", "Each byte of a buffer, in place.", None),
    ("Shamir", "Secrets of bytes. Each crate uses the random generator that it recommends.", Some("shamir")),
    (
        "shares",
        "A secret of 64 KiB in Shamir's scheme: split into more and more shares of threshold 3, and recovered from more and more.",
        None,
    ),
    ("limits", "Work that the kernels above cannot leave out.", None),
];

pub(super) fn write(report: &Report) -> String {
    let mut page = String::new();
    let machine = &report.machine;
    let _ = write!(
        page,
        "# Performance\n\nWritten by `cargo run --release -p benchmarks -- report`; not to be edited by hand.\n\n\
         - CPU: {} with {}, {:.2} GHz during the run\n- compiler: {}, release profile, `RUSTFLAGS`: {}\n- system: {}\n\n\
         Times are medians; the contenders of a row run by turns in short pieces, so that what disturbs one disturbs all; \
         each row is measured in three passes over all rows, and its quietest pass counts.\n\
         In brackets: how many times as long as simd-core's default build (in the first two tables, as the first column). Where a table \
         has `simd-core, from un-annotated code`, `simd-core` is called from a loop with the attribute; goals against other crates use \
         the former.\n\n",
        machine.cpu,
        machine.features.join(", "),
        machine.gigahertz,
        machine.rustc,
        machine.flags,
        machine.system
    );
    goals(&mut page, report);
    for (group, text, plot) in SECTIONS {
        section(&mut page, report, group, text, plot);
    }
    native::section(&mut page, report);
    scaling(&mut page, report);
    instructions(&mut page, report);
    starts(&mut page, report);
    call_sites(&mut page, report);
    builds(&mut page, report);
    page
}

fn goals(page: &mut String, report: &Report) {
    if report.goals.is_empty() {
        return;
    }
    let met = report.goals.iter().filter(|goal| goal.met()).count();
    let _ = write!(
        page,
        "## Goals\n\n{met} of {} met. Ratios of times, ours to theirs: lower is better.\n\n\
         | work | against | at most | measured | |\n|---|---|---|---|---|\n",
        report.goals.len()
    );
    for goal in &report.goals {
        let met = if goal.met() { "met" } else { "**not met**" };
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {met} |",
            goal.work,
            goal.against,
            digits(goal.at_most),
            digits(goal.measured)
        );
    }
    page.push('\n');
    if !report.limits.is_empty() {
        page.push_str("What holds the rest:\n\n");
        for limit in &report.limits {
            let _ = writeln!(page, "- {}: {}", limit.work, limit.text);
        }
        page.push('\n');
    }
}

fn scaling(page: &mut String, report: &Report) {
    if report.scaling.is_empty() {
        return;
    }
    page.push_str(
        "## Scaling\n\nThroughput against the size of the work, of simd-core's default build. The knee is the smallest size at which \
         throughput comes to 90 % of the best that was seen. What a call costs before its first unit of work is a straight line's \
         intercept, drawn through the times for the knee and the largest size.\n\n\
         | work | knee | best | cost of a call | why |\n|---|---|---|---|---|\n",
    );
    for knee in &report.scaling {
        let overhead = knee.overhead.map_or_else(String::new, |(ns, units)| {
            format!("{}, as long as {} {}", time(ns), digits(units), knee.unit)
        });
        let _ = writeln!(page, "| {} | {} | {} | {overhead} | {} |", knee.work, knee.at, knee.best, knee.why);
    }
    page.push('\n');
}

fn section(page: &mut String, report: &Report, group: &str, text: &str, plot: Option<&str>) {
    let figures: Vec<&Figure> = report.contenders().filter(|figure| figure.group == group).collect();
    if figures.is_empty() {
        return;
    }
    let mut columns: Vec<&str> = Vec::new();
    let mut rows: Vec<&str> = Vec::new();
    for figure in &figures {
        if !columns.contains(&figure.by.as_str()) {
            columns.push(&figure.by);
        }
        if !rows.contains(&figure.work.as_str()) {
            rows.push(&figure.work);
        }
    }
    let _ = write!(page, "## {group}\n\n{text}\n\n");
    // Many contenders of few kinds of work read better the other way round.
    let turned = columns.len() > rows.len();
    let (across, down) = if turned { (&rows, &columns) } else { (&columns, &rows) };
    let _ = writeln!(page, "| | {} |\n|---|{}", across.join(" | "), "---|".repeat(across.len()));
    for line in down {
        let _ = write!(page, "| {line} |");
        for column in across {
            let (work, by) = if turned { (column, line) } else { (line, column) };
            let base = report.figure(group, work, OURS).or_else(|| report.figure(group, work, columns[0]));
            match report.figure(group, work, by) {
                Some(figure) => {
                    let _ = write!(page, " {} |", cell(figure, base));
                }
                None => page.push_str(" |"),
            }
        }
        page.push('\n');
    }
    page.push('\n');
    if let Some(plot) = plot {
        let _ = write!(page, "![{group}](performance/{plot}.svg)\n\n");
    }
}

fn cell(figure: &Figure, base: Option<&Figure>) -> String {
    let mut cell = time(figure.ns);
    if let Some(bytes) = figure.bytes.filter(|bytes| *bytes >= 1024) {
        let _ = write!(cell, ", {}", rate(bytes as f64 / figure.ns));
    }
    if let Some(base) = base.filter(|base| base.by != figure.by) {
        let _ = write!(cell, " ({}x)", digits(figure.ns / base.ns));
    }
    cell
}

fn instructions(page: &mut String, report: &Report) {
    if report.instructions.counts.is_empty() && report.instructions.missing.is_empty() {
        return;
    }
    page.push_str(
        "## Instructions\n\nFor one operation, counted under QEMU with `-cpu max`, which has AES, AVX2 and PCLMULQDQ on x86-64 but not \
         AVX-512 or VAES, and all of Armv8's cryptography on AArch64.\n\n| | | x86-64 | AArch64 |\n|---|---|---|---|\n",
    );
    let mut rows: Vec<(&str, &str, &str)> = Vec::new();
    for count in &report.instructions.counts {
        if !rows.contains(&(count.group, &count.work, count.by)) {
            rows.push((count.group, &count.work, count.by));
        }
    }
    for (group, work, by) in rows {
        let of = |arch: &str| {
            let same =
                |count: &&Count| (count.arch, count.group, count.work.as_str(), count.by) == (arch, group, work, by);
            report.instructions.counts.iter().find(same).map_or_else(String::new, |count| digits(count.instructions))
        };
        let _ = writeln!(page, "| {group}, {work} | {by} | {} | {} |", of("x86_64"), of("aarch64"));
    }
    page.push('\n');
    page.push_str(&strategies::table(report));
    for missing in &report.instructions.missing {
        let _ = write!(page, "{missing}\n\n");
    }
}

fn starts(page: &mut String, report: &Report) {
    let Some(empty) = report.starts.iter().find(|start| start.by == start::EMPTY) else { return };
    page.push_str(
        "## Start of a program\n\nAn initialiser detects the CPU's features before `main`, once for all functions. The times are of whole \
         processes, interleaved: with an empty `main`, with one call of a dispatched function, and with one \
         `is_x86_feature_detected!` or `is_aarch64_feature_detected!` instead.",
    );
    if let Some(cpuid) = report.cpuid {
        let _ = write!(
            page,
            " Detection executes `cpuid` once for each leaf. One takes {} here; in a virtual machine each goes through the hypervisor.",
            time(cpuid)
        );
    }
    page.push_str("\n\n| | median | least | above the empty `main` |\n|---|---|---|---|\n");
    for start in &report.starts {
        let [median, least, above] = [start.median, start.least, start.least - empty.least].map(|ns| ns / 1e3);
        let _ = writeln!(page, "| {} | {median:.0} µs | {least:.0} µs | {above:.0} µs |", start.by);
    }
    page.push('\n');
}

fn call_sites(page: &mut String, report: &Report) {
    if report.call_sites.is_empty() {
        return;
    }
    page.push_str(
        "## A call site\n\nThe code of an un-annotated function that does nothing but one call. By hand: `is_x86_feature_detected!` for \
         each feature before it.\n\n| | targets | instructions | bytes |\n|---|---|---|---|\n",
    );
    for site in &report.call_sites {
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} |",
            site.by,
            site.targets.replace('|', "\\|"),
            site.instructions,
            site.bytes
        );
    }
    page.push('\n');
}

fn builds(page: &mut String, report: &Report) {
    let Some(by_hand) = report.builds.iter().find(|build| build.by == BY_HAND) else { return };
    let _ = write!(
        page,
        "## Compile time and size\n\n{FUNCTIONS} functions with a loop that vectorises, of which each has so many copies, in a crate of their \
         own; dependencies were built before. In brackets: how many times as long as by hand. One module: one attribute around all \
         functions. Incremental: a debug build after one function has changed. Size: the stripped release program.\n\n\
         | | copies | check | debug | incremental | release | size |\n|---|---|---|---|---|---|---|\n"
    );
    for build in &report.builds {
        let cell = |time: fn(&Build) -> f64| format!("{:.2} s ({}x)", time(build), digits(time(build) / time(by_hand)));
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} | {} | {} KiB |",
            build.by,
            build.copies,
            cell(|build| build.check),
            cell(|build| build.debug),
            cell(|build| build.incremental),
            cell(|build| build.release),
            build.size / 1024
        );
    }
    page.push('\n');
    if let Some(large) = &report.large_module {
        let _ = writeln!(
            page,
            "A module of {} lines with {} targets: `cargo check` takes {:.2} s with the attribute and {:.2} s without.",
            large.lines, large.targets, large.dispatched, large.plain
        );
    }
}

/// A time with three digits and its unit.
fn time(ns: f64) -> String {
    match ns {
        ..1e3 => format!("{} ns", digits(ns)),
        1e3..1e6 => format!("{} µs", digits(ns / 1e3)),
        1e6..1e9 => format!("{} ms", digits(ns / 1e6)),
        _ => format!("{} s", digits(ns / 1e9)),
    }
}

/// Bytes in a nanosecond with three digits and their unit.
pub(super) fn rate(bytes: f64) -> String {
    match bytes {
        ..1e-3 => format!("{} kB/s", digits(bytes * 1e6)),
        1e-3..1.0 => format!("{} MB/s", digits(bytes * 1e3)),
        _ => format!("{} GB/s", digits(bytes)),
    }
}

/// A number with about three digits.
pub(super) fn digits(value: f64) -> String {
    match value {
        ..0.1 => format!("{value:.3}"),
        0.1..10.0 => format!("{value:.2}"),
        10.0..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}
