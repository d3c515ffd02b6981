//! The code that one call of a dispatched function adds to its caller.

use super::generated::{Generated, OURS};
use crate::report::data::{Figure, Value};
use crate::report::facts::FACTS;
use crate::report::format::fill;
use anyhow::{Context, Result, ensure};
use indicatif::ProgressBar;
use std::process::Command;

/// Builds a program that disassembles its own callers, and prints the head of each listing behind its name and a tab.
pub(crate) fn all(bar: &ProgressBar) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    if cfg!(not(target_arch = "x86_64")) {
        return Ok(figures);
    }
    bar.set_message("counting the code of callers");
    // More than LLVM inlines, so that the caller holds nothing of it.
    let body = FACTS.text["call-site-body"].repeat(12);
    let generated = Generated::new("call-site", &OURS.replace(" }", ", features = ['asm'] }"))?;
    generated.write(&fill(&FACTS.text["call-site"], &[("body", &body)]))?;
    generated.cargo(&["build", "--release", "--config", "profile.release.strip=false"], &[])?;
    let output = Command::new(generated.program()).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for line in String::from_utf8(output.stdout)?.lines() {
        let (by, listing) = line.split_once('\t').context("a line without a caller")?;
        let mut numbers = listing.split([' ', ',']).filter_map(|word| word.parse().ok());
        let mut next = || numbers.next().context("a listing without its size");
        figures.push(Figure::new("a call site", "instructions", by, Value::Instructions(next()?)));
        figures.push(Figure::new("a call site", "bytes", by, Value::Size(next()?)));
    }
    Ok(figures)
}
