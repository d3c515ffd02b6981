//! What clones cost at compile time and in the binary: the same functions for the same targets, generated as a crate.

use super::generated::{Generated, OURS};
use super::measure::median;
use anyhow::Result;
use core::fmt::Write as _;
use indicatif::ProgressBar;
use serde::Serialize;
use std::fs;

/// The row that the others are compared with.
pub(super) const BY_HAND: &str = "by hand";
/// Functions in a crate.
pub(super) const FUNCTIONS: usize = 30;
/// Builds of each kind, of which the median counts.
const ROUNDS: usize = 7;

/// What one crate takes.
#[derive(Serialize)]
pub(crate) struct Build {
    pub(super) by: &'static str,
    /// How many copies there are of each function, the baseline included.
    pub(super) copies: usize,
    /// Seconds of `cargo check`, `cargo build` and `cargo build --release` of the crate alone.
    pub(super) check: f64,
    pub(super) debug: f64,
    pub(super) release: f64,
    /// Seconds of `cargo build` after one function has been changed.
    pub(super) incremental: f64,
    /// Bytes of the stripped program.
    pub(super) size: u64,
}

/// How to write a function for its targets.
#[derive(Clone, Copy)]
struct Style {
    by: &'static str,
    targets: usize,
    dependency: &'static str,
    write: fn(&mut String, &Function),
    /// Whether the functions are in a module that has the attribute for all of them.
    module: bool,
}

/// One of the functions.
struct Function {
    number: usize,
    seed: usize,
    targets: usize,
}

impl Function {
    fn body(&self) -> String {
        let (a, b) = (self.number % 7 + 2, self.seed + self.number * 5 % 11 + 1);
        format!(
            "let mut sum = 0u32; for (i, v) in values.iter_mut().enumerate() {{ *v = v.wrapping_mul({a}).rotate_left({b} % 31) ^ i as u32; \
             sum = sum.wrapping_add(*v >> {}); }} sum",
            self.number % 5 + 1
        )
    }

    fn signature(&self, suffix: &str) -> String {
        format!("fn work{}{suffix}(values: &mut [u32]) -> u32", self.number)
    }
}

/// The targets, best first.
pub(super) const TARGETS: [&str; 3] = ["avx512f,avx512bw,avx512vl", "avx2", "sse4.1"];

fn plain(out: &mut String, function: &Function) {
    let _ = writeln!(out, "pub {} {{ {} }}", function.signature(""), function.body());
}

fn by_hand(out: &mut String, function: &Function) {
    let mut tests = String::new();
    for (i, target) in TARGETS[..function.targets].iter().enumerate() {
        let _ = writeln!(
            out,
            "#[target_feature(enable = \"{target}\")] {} {{ {} }}",
            function.signature(&format!("_{i}")),
            function.body()
        );
        let detected: Vec<String> =
            target.split(',').map(|feature| format!("is_x86_feature_detected!(\"{feature}\")")).collect();
        let _ = writeln!(
            tests,
            "if {} {{ return unsafe {{ work{}_{i}(values) }}; }}",
            detected.join(" && "),
            function.number
        );
    }
    let _ = writeln!(out, "pub {} {{ {tests} {} }}", function.signature(""), function.body());
}

fn ours(out: &mut String, function: &Function) {
    let targets = TARGETS[..function.targets].join(" | ");
    let _ = writeln!(out, "#[simd_core::dispatch(targets = \"{targets}\")]");
    plain(out, function);
}

fn multiversion(out: &mut String, function: &Function) {
    let targets: Vec<String> =
        TARGETS[..function.targets].iter().map(|target| format!("\"x86_64+{}\"", target.replace(',', "+"))).collect();
    let _ = writeln!(out, "#[multiversion::multiversion(targets({}))]", targets.join(", "));
    plain(out, function);
}

fn archmage(out: &mut String, function: &Function) {
    let _ = writeln!(out, "#[archmage::autoversion({})]", ["v4", "v3", "v2"][..function.targets].join(", "));
    plain(out, function);
}

/// Builds every crate, the variants by turns.
pub(super) fn all(bar: &ProgressBar) -> Result<Vec<Build>> {
    if cfg!(not(target_arch = "x86_64")) {
        return Ok(Vec::new());
    }
    let targets = TARGETS.len();
    let style = |by, targets, dependency, write: fn(&mut String, &Function)| Style {
        by,
        targets,
        dependency,
        write,
        module: false,
    };
    let styles = [
        style("no dispatch", 0, "", plain),
        // Shows how it grows.
        style("simd-core", 1, OURS, ours),
        style(BY_HAND, targets, "", by_hand),
        style("simd-core", targets, OURS, ours),
        Style { module: true, ..style("simd-core, one module", targets, OURS, plain) },
        style("multiversion", targets, "multiversion = '0.9'", multiversion),
        style("archmage", targets, "archmage = '0.9'", archmage),
    ];
    bar.set_length((styles.len() * ROUNDS) as u64);
    bar.set_position(0);
    bar.set_message("building what the generated crates depend on");
    let mut crates = Vec::new();
    for style in &styles {
        let generated = Generated::new(&format!("{}-{}", style.by, style.targets), style.dependency)?;
        generated.write(&program(*style, 0))?;
        for arguments in KINDS {
            generated.cargo(arguments)?;
        }
        crates.push(generated);
    }
    let mut samples = vec![Vec::new(); styles.len()];
    for round in 0..ROUNDS {
        let mut times = vec![[0.0; 4]; styles.len()];
        // Each kind by turns, and first whoever was second in the last round.
        for kind in 0..KINDS.len() {
            for i in (0..styles.len()).map(|i| (i + round) % styles.len()) {
                bar.set_message(format!(
                    "building {FUNCTIONS} functions, {}, {} targets",
                    styles[i].by, styles[i].targets
                ));
                build(&crates[i], styles[i], kind, round, &mut times[i])?;
            }
        }
        for (samples, times) in samples.iter_mut().zip(times) {
            samples.push(times);
            bar.inc(1);
        }
    }
    let mut builds = Vec::new();
    for ((style, generated), samples) in styles.iter().zip(&crates).zip(&samples) {
        let median = |which: usize| median(samples.iter().map(|times| times[which]).collect());
        builds.push(Build {
            by: style.by,
            copies: style.targets + 1,
            check: median(0),
            debug: median(1),
            release: median(2),
            incremental: median(3),
            size: fs::metadata(generated.program())?.len(),
        });
    }
    Ok(builds)
}

/// What it takes to check one module of many lines.
#[derive(Serialize)]
pub(crate) struct LargeModule {
    pub(super) lines: usize,
    pub(super) targets: usize,
    /// Seconds of `cargo check` with and without the attribute.
    pub(super) dispatched: f64,
    pub(super) plain: f64,
}

/// Checks a module of about 2,000 lines with four targets.
pub(super) fn large_module(bar: &ProgressBar) -> Result<LargeModule> {
    const TARGETS: &str = "avx512f,avx512bw,avx512vl | avx2 | sse4.1 | neon";
    const FUNCTIONS: usize = 200;
    let generated = Generated::new("large", OURS)?;
    let text = |attribute: &str, round: usize| {
        let mut text = format!("{attribute}\npub mod kernels {{\n");
        for number in 0..FUNCTIONS {
            let _ = write!(
                text,
                "    /// Sums up.\n    pub fn work{number}(values: &mut [u32]) -> u32 {{\n        let mut sum = {round}u32;\n        \
                 for value in values.iter_mut() {{\n            *value = value.wrapping_mul({number});\n            if *value > sum \
                 {{\n                sum = sum.wrapping_add(*value);\n            }}\n        }}\n        sum\n    }}\n"
            );
        }
        text + "}\nfn main() {}\n"
    };
    let mut samples = [Vec::new(), Vec::new()];
    for round in 0..=ROUNDS {
        for (samples, attribute) in
            samples.iter_mut().zip([format!("#[simd_core::dispatch(targets = \"{TARGETS}\")]"), String::new()])
        {
            bar.set_message("checking a large module");
            generated.write(&text(&attribute, round))?;
            let time = generated.cargo(&["check"])?.as_secs_f64();
            // The first time the dependencies are built.
            if round > 0 {
                samples.push(time);
            }
        }
    }
    let [dispatched, plain] = samples.map(median);
    let lines = text("", 0).lines().count();
    Ok(LargeModule { lines, targets: TARGETS.split('|').count(), dispatched, plain })
}

/// The kinds of builds.
const KINDS: [&[&str]; 3] = [&["check"], &["build"], &["build", "--release"]];
/// That of [`KINDS`] which is built a second time, after one function has changed.
const DEBUG: usize = 1;

/// Times one kind of build of one crate, whose dependencies are built before.
fn build(generated: &Generated, style: Style, kind: usize, round: usize, times: &mut [f64; 4]) -> Result<()> {
    // Other text than in all builds before.
    let write = |change| generated.write(&program(style, 1 + 2 * (KINDS.len() * round + kind) + change));
    let arguments = KINDS[kind];
    let incremental = generated.built(if arguments.len() > 1 { "release" } else { "debug" }, "incremental");
    if incremental.exists() {
        fs::remove_dir_all(incremental)?;
    }
    write(0)?;
    times[kind] = generated.cargo(arguments)?.as_secs_f64();
    if kind == DEBUG {
        write(1)?;
        times[3] = generated.cargo(arguments)?.as_secs_f64();
    }
    Ok(())
}

/// A program that calls all functions; the last one depends on `seed`.
fn program(style: Style, seed: usize) -> String {
    let mut text = String::from("#![allow(unused_unsafe, unexpected_cfgs)]\n");
    if style.module {
        let _ = writeln!(
            text,
            "use kernels::*;\n#[simd_core::dispatch(targets = \"{}\")]\nmod kernels {{",
            TARGETS[..style.targets].join(" | ")
        );
    }
    for number in 0..FUNCTIONS {
        let seed = if number + 1 == FUNCTIONS { seed } else { 0 };
        (style.write)(&mut text, &Function { number, seed, targets: style.targets });
    }
    text.push_str(if style.module { "}\n" } else { "" });
    text.push_str("fn main() { let mut values: Vec<u32> = std::env::args().map(|a| a.len() as u32).collect(); let mut sum = 0u32;\n");
    for number in 0..FUNCTIONS {
        let _ = writeln!(text, "sum ^= work{number}(&mut values);");
    }
    text.push_str("println!(\"{sum}\"); }\n");
    text
}
