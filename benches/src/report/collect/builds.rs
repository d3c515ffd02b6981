//! What clones cost at compile time and in the binary: the same functions for the same targets, generated as a crate.

use super::generated::{Generated, OURS};
use crate::report::data::{Figure, Value};
use crate::report::facts::{FACTS, Style};
use anyhow::{Context, Result};
use benchmarks::timing::{median, turns};
use core::fmt::Write as _;
use indicatif::ProgressBar;
use object::{Object as _, ObjectSection as _};
use std::fs;
use std::path::Path;

const GROUP: &str = "Compile time and size";
/// The targets of the functions by hand, best first.
const TARGETS: [&str; 3] = ["avx512f,avx512bw,avx512vl", "avx2", "sse4.1"];
/// Builds of each kind, of which the median counts.
const ROUNDS: usize = 9;
/// The kinds of builds: the column, what cargo is told, and whether it is of the crate after one function has changed.
const KINDS: [(&str, &[&str], bool); 4] = [
    ("check", &["check"], false),
    ("debug", &["build"], false),
    ("incremental", &["build"], true),
    ("release", &["build", "--release"], false),
];

/// Those that are measured of a crate.
fn kinds(style: &Style) -> &'static [(&'static str, &'static [&'static str], bool)] {
    &KINDS[..if style.check_only { 1 } else { KINDS.len() }]
}

/// Builds every crate, the variants interleaved.
pub(crate) fn all(bar: &ProgressBar) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    if cfg!(not(target_arch = "x86_64")) {
        return Ok(figures);
    }
    bar.set_length((FACTS.style.len() * ROUNDS) as u64);
    bar.set_position(0);
    bar.set_message("building what the generated crates depend on");
    let mut crates = Vec::new();
    for style in &FACTS.style {
        let dependency = style.dependency.replace("{ours}", OURS);
        let generated = Generated::new(&style.by, &dependency)?;
        generated.write(&program(style, 0))?;
        for (_, arguments, _) in kinds(style) {
            generated.cargo(arguments)?;
        }
        crates.push((style, generated));
    }
    let empty = empty()?;
    let mut samples = vec![[const { Vec::new() }; KINDS.len()]; crates.len()];
    let mut seed = 0;
    for round in 0..ROUNDS {
        // The kinds interleaved.
        for (kind, (_, arguments, incremental)) in KINDS.into_iter().enumerate() {
            for i in turns(crates.len(), round) {
                let (style, generated) = &crates[i];
                if kind >= kinds(style).len() {
                    continue;
                }
                bar.set_message(format!("building {}", style.by));
                let kept = generated.built(if arguments.len() > 1 { "release" } else { "debug" }, "incremental");
                if !incremental && kept.exists() {
                    fs::remove_dir_all(kept)?;
                }
                // Other text than in all builds before.
                seed += 1;
                generated.write(&program(style, seed))?;
                samples[i][kind].push(generated.cargo(arguments)?.as_nanos() as f64);
            }
        }
        bar.inc(crates.len() as u64);
    }
    for ((style, generated), samples) in crates.iter().zip(samples) {
        for ((work, ..), samples) in kinds(style).iter().zip(samples) {
            figures.push(Figure::new(GROUP, *work, &style.by, Value::Ns(median(samples))));
        }
        if let Ok(program) = fs::metadata(generated.program()) {
            let code = code(&generated.program())?.saturating_sub(empty);
            figures.push(Figure::new(GROUP, "code", &style.by, Value::Size(code as f64)));
            figures.push(Figure::new(GROUP, "program", &style.by, Value::Size(program.len() as f64)));
        }
    }
    Ok(figures)
}

/// Bytes of machine code in a program.
fn code(program: &Path) -> Result<u64> {
    let file = fs::read(program)?;
    let file = object::File::parse(&*file)?;
    Ok(file.section_by_name(".text").context("a program without code")?.size())
}

/// The machine code of the same program without functions: the standard library's.
fn empty() -> Result<u64> {
    let style = Style { functions: 0, ..Style::default() };
    let generated = Generated::new("no functions", "")?;
    generated.write(&program(&style, 0))?;
    generated.cargo(&["build", "--release"])?;
    code(&generated.program())
}

/// A program that calls all functions; the last one depends on `seed`.
fn program(style: &Style, seed: usize) -> String {
    let mut text = String::from("#![allow(unused_unsafe, unexpected_cfgs)]\n");
    let attribute = &style.attribute;
    if style.module {
        let _ = writeln!(text, "use kernels::*;\n{attribute}\nmod kernels {{");
    }
    for number in 0..style.functions {
        let seed = if number + 1 == style.functions { seed } else { 0 };
        let body = body(number, seed);
        let mut tests = String::new();
        for (i, target) in TARGETS.iter().enumerate().filter(|_| style.by_hand) {
            let name = format!("work{number}_{i}");
            let _ = writeln!(
                text,
                "#[target_feature(enable = \"{target}\")] fn {name}(values: &mut [u32]) -> u32 {{ {body} }}"
            );
            let detected = target.split(',').map(|feature| format!("is_x86_feature_detected!(\"{feature}\")"));
            let detected = detected.collect::<Vec<_>>().join(" && ");
            let _ = writeln!(tests, "if {detected} {{ return unsafe {{ {name}(values) }}; }}");
        }
        let attribute = if style.module { "" } else { attribute };
        let _ = writeln!(text, "{attribute}\npub fn work{number}(values: &mut [u32]) -> u32 {{ {tests} {body} }}");
    }
    text.push_str(if style.module { "}\n" } else { "" });
    text.push_str("fn main() { let mut values: Vec<u32> = std::env::args().map(|a| a.len() as u32).collect(); let mut sum = 0u32;\n");
    for number in 0..style.functions {
        let _ = writeln!(text, "sum ^= work{number}(&mut values);");
    }
    text.push_str("println!(\"{sum}\"); }\n");
    text
}

/// A loop that vectorises.
fn body(number: usize, seed: usize) -> String {
    let (a, b, c) = (number % 7 + 2, seed + number * 5 % 11 + 1, number % 5 + 1);
    format!(
        "\n    let mut sum = 0u32;\n    for (i, v) in values.iter_mut().enumerate() {{\n        *v = v.wrapping_mul({a}).rotate_left({b} % 31);\n\
         *v ^= i as u32;\n        sum = sum.wrapping_add(*v >> {c});\n    }}\n    sum\n"
    )
}
