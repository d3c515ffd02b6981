//! What one call of a dispatched function adds to the code of its caller.

use super::builds::{BY_HAND, TARGETS};
use super::generated::Generated;
use anyhow::{Context, Result, ensure};
use benchmarks::OURS;
use core::fmt::Write as _;
use indicatif::ProgressBar;
use serde::Serialize;
use std::process::Command;

/// A caller's code.
#[derive(Serialize)]
pub(crate) struct CallSite {
    pub(super) by: &'static str,
    pub(super) targets: String,
    pub(super) instructions: u64,
    pub(super) bytes: u64,
}

/// The program disassembles its own callers, and prints what [`simd_core::asm`] heads a listing with.
const DEPENDENCY: &str =
    concat!("simd-core = { path = '", env!("CARGO_MANIFEST_DIR"), "/../simd-core', features = ['asm'] }");

const SIGNATURE: &str = "(values: &mut [u32]) -> u32";

/// Builds a program with a caller of each kind and counts.
pub(super) fn all(bar: &ProgressBar) -> Result<Vec<CallSite>> {
    if cfg!(not(target_arch = "x86_64")) {
        return Ok(Vec::new());
    }
    bar.set_message("counting the code of callers");
    // More than LLVM inlines, so that the caller holds nothing of it.
    let body =
        "for value in values.iter_mut() { *value = value.rotate_left(5).wrapping_mul(7); sum ^= *value; } ".repeat(12);
    let body = format!("{{ let mut sum = 0; {body} sum }}");
    let mut text = format!("fn plain{SIGNATURE} {body}\n");
    for (i, target) in TARGETS.iter().enumerate() {
        let _ = writeln!(text, "#[target_feature(enable = \"{target}\")] fn hand{i}{SIGNATURE} {body}");
    }
    let mut callers = vec![("a plain call", String::new(), "plain(values)".to_owned())];
    for (i, which) in [1..2, 0..TARGETS.len()].into_iter().enumerate() {
        let targets = TARGETS[which.clone()].join(" | ");
        let _ = writeln!(text, "#[simd_core::dispatch(targets = \"{targets}\")] fn ours{i}{SIGNATURE} {body}");
        let mut by_hand = String::new();
        for j in which {
            let tests = TARGETS[j].split(',').map(|feature| format!("is_x86_feature_detected!(\"{feature}\")"));
            let tests: Vec<String> = tests.collect();
            let _ = write!(by_hand, "if {} {{ unsafe {{ hand{j}(values) }} }} else ", tests.join(" && "));
        }
        callers.push((OURS, targets.clone(), format!("ours{i}(values)")));
        callers.push((BY_HAND, targets, by_hand + "{ plain(values) }"));
    }
    let mut main = String::new();
    for (i, (_, _, call)) in callers.iter().enumerate() {
        // Not a call in tail position, which is a jump; and twice, because what has one caller alone is inlined there.
        for (name, constant) in [("caller", 1), ("other", 2)] {
            let _ = writeln!(text, "#[inline(never)] fn {name}{i}{SIGNATURE} {{ let sum = {call}; sum ^ {constant} }}");
        }
        let _ = writeln!(
            main,
            "std::hint::black_box((caller{i} as fn(_) -> _, other{i} as fn(_) -> _));\n\
             println!(\"{{}}\", simd_core::asm::function(\"functions::caller{i}\").unwrap().listing().lines().next().unwrap());"
        );
    }
    let generated = Generated::new("call-site", DEPENDENCY)?;
    generated.write(&format!("{text}fn main() {{\n{main}}}\n"))?;
    generated.cargo(&["build", "--release", "--config", "profile.release.strip=false"])?;
    let output = Command::new(generated.program()).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout)?;
    let site = |((by, targets, _), line): ((_, _, _), &str)| {
        let mut numbers = line.split([' ', ',']).filter_map(|word| word.parse().ok());
        let (instructions, bytes) = (numbers.next()?, numbers.next()?);
        Some(CallSite { by, targets, instructions, bytes })
    };
    callers.into_iter().zip(lines.lines()).map(site).collect::<Option<_>>().context("a listing without its size")
}
