//! The costs of the attribute: the time of builds, machine code, and the start of a program. Functions for the same targets
//! are generated as crates, in the ways of this project and of others.

use super::generated::{Generated, OURS};
use crate::report::data::{Figure, Value};
use crate::report::facts::{FACTS, Style};
use anyhow::{Context as _, Result, ensure};
use benches::timing::{in_turns, median};
use core::fmt::Write as _;
use indicatif::ProgressBar;
use object::{Object as _, ObjectSection as _};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const GROUP: &str = "costs";
/// The targets of the functions by hand, best first.
const TARGETS: [&str; 3] = ["avx512f,avx512bw,avx512vl", "avx2", "sse4.1"];
const FUNCTIONS: usize = 40;
/// Builds of each kind, of which the median counts.
const ROUNDS: usize = 9;
const CLEAN_ROUNDS: usize = 5;
/// Processes of each program.
const PROCESSES: usize = 1000;
/// Kinds of builds, of which what dependencies need was built before: the row, and what cargo is told.
const BUILDS: [(&str, &[&str]); 3] =
    [("`cargo check`", &["check"]), ("debug build", &["build"]), ("release build", &["build", "--release"])];

/// Measures all styles; the first is what a program's start is compared with.
pub(crate) fn all(bar: &ProgressBar) -> Result<Vec<Figure>> {
    if cfg!(not(target_arch = "x86_64")) {
        return Ok(Vec::new());
    }
    bar.set_message("building what the generated crates depend on");
    let generate = |style: &Style, functions| -> Result<Generated> {
        let name = format!("{}, {functions} functions", style.by);
        let generated = Generated::new(&name, &style.dependency.replace("{ours}", OURS))?;
        generated.write(&program(style, functions, 0))?;
        for (_, arguments) in BUILDS {
            generated.cargo(arguments, &[])?;
        }
        Ok(generated)
    };
    let crates = |functions| FACTS.style.iter().map(|style| generate(style, functions)).collect::<Result<Vec<_>>>();
    let (large, small) = (crates(FUNCTIONS)?, crates(1)?);
    bar.set_length((FACTS.style.len() * (ROUNDS * BUILDS.len() + CLEAN_ROUNDS)) as u64);
    bar.set_position(0);
    let mut figures = Vec::new();
    let mut add = |row: &str, at: usize, value| figures.push(Figure::new(GROUP, row, &FACTS.style[at].by, value));
    let say = |what: &str, at: usize| {
        bar.set_message(format!("{what}: {}", FACTS.style[at].by));
        bar.inc(1);
    };
    let mut seed = 0;
    let builds = in_turns(large.len(), 0..ROUNDS, |at, _| {
        // Other text than in all builds before.
        seed += 1;
        large[at].write(&program(&FACTS.style[at], FUNCTIONS, seed))?;
        let build = |(row, arguments)| {
            say(row, at);
            Ok((row, large[at].cargo(arguments, &[])?.as_nanos() as f64))
        };
        BUILDS.into_iter().map(build).collect::<Result<Vec<_>>>()
    })?;
    for (row, times) in builds {
        times.into_iter().enumerate().for_each(|(at, times)| add(row, at, Value::Ns(median(times))));
    }
    let empty = Generated::new("no functions", "")?;
    empty.write("fn main() {}")?;
    empty.cargo(&["build", "--release"], &[])?;
    for (at, generated) in large.iter().enumerate() {
        let code = code(&generated.program())?.saturating_sub(code(&empty.program())?);
        add("machine code", at, Value::Size(code as f64));
    }
    let clean = in_turns(small.len(), 0..CLEAN_ROUNDS, |at, _| {
        say("building from nothing", at);
        fs::remove_dir_all(small[at].built("debug", ""))?;
        // Cargo prepares a crate in a folder, as ours is here, for incremental builds, and none from a registry.
        let time = small[at].cargo(&["build"], &[("CARGO_INCREMENTAL", "0")])?;
        anyhow::Ok([("clean build of a crate with one dependency", time.as_nanos() as f64)])
    })?;
    for (row, times) in clean {
        times.into_iter().enumerate().for_each(|(at, times)| add(row, at, Value::Ns(median(times))));
    }
    bar.set_message("starting programs");
    let starts = in_turns(small.len(), 0..PROCESSES, |at, _| {
        let start = Instant::now();
        let status = Command::new(small[at].program()).status()?;
        ensure!(status.success(), "the program of {} failed", FACTS.style[at].by);
        Ok([((), start.elapsed().as_nanos() as f64)])
    })?;
    for (at, times) in starts[0].1.iter().enumerate().skip(1) {
        // Of processes that ran one right after the other, since the machine's speed drifts.
        let above = median(times.iter().zip(&starts[0].1[0]).map(|(time, empty)| time - empty));
        // On a machine with more noise than that, nothing is known.
        if above > 0.0 {
            add("start of a program, above one without dispatch", at, Value::Ns(above));
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

/// A program that calls all functions; the last one depends on `seed`.
fn program(style: &Style, functions: usize, seed: usize) -> String {
    let mut text = String::from("#![allow(unused_unsafe, unexpected_cfgs)]\n");
    let mut calls = String::new();
    for number in 0..functions {
        let body = body(number, if number + 1 == functions { seed } else { 0 });
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
        let _ =
            writeln!(text, "{}\npub fn work{number}(values: &mut [u32]) -> u32 {{ {tests} {body} }}", style.attribute);
        let _ = writeln!(calls, "sum ^= work{number}(&mut values);");
    }
    let values = "let mut values: Vec<u32> = std::env::args().map(|argument| argument.len() as u32).collect();";
    text + &format!("fn main() {{ {values} let mut sum = 0u32;\n{calls}std::hint::black_box(sum); }}\n")
}

/// A loop that vectorises.
fn body(number: usize, seed: usize) -> String {
    let (a, b, c) = (number % 7 + 2, seed + number * 5 % 11 + 1, number % 5 + 1);
    format!(
        "\n    let mut sum = 0u32;\n    for (i, v) in values.iter_mut().enumerate() {{\n        *v = v.wrapping_mul({a}).rotate_left({b} % 31);\n\
         *v ^= i as u32;\n        sum = sum.wrapping_add(*v >> {c});\n    }}\n    sum\n"
    )
}
