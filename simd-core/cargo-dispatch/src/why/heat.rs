//! The hot loops of a bench.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, Result};
use indicatif::ProgressBar;
use simd_core_asm::{Binary, Function, Target};

use super::build::{self, Build};
use super::loops::{Found, Lines};
use super::remarks::Remarks;
use super::show::{Hot, Outcome, Row};
use super::source::File;
use super::{OWN_FAILS, join};
use crate::bench::framework::Framework;
use crate::built::{Fault, Program};
use crate::columns::step;
use crate::tune::benches::NO_ROW;
use crate::tune::copy::Lists;
use crate::tune::profile::sampler;

/// The part of the time from which on a loop is listed.
const WARM: f64 = 0.02;

/// How many rows of a bench are profiled, spread over all, for about a second each.
const ROWS: usize = 12;
const SAMPLES: u32 = 700;

/// How often the program counter was at an address of the program, and anywhere.
struct Samples {
    at: BTreeMap<u64, u32>,
    all: u32,
}

fn samples(program: &Program, framework: Framework, directory: &Path) -> Result<Samples> {
    let run = |row: &str, most: u32| {
        let mut command = std::process::Command::new(&program.path);
        framework.profile(&mut command, row, 1.0, directory);
        command.current_dir(&program.package).env("CARGO_MANIFEST_DIR", &program.package);
        sampler::run(command, &program.path, most)
    };
    let rows: Vec<String> = framework.run(program, 0.01, "", &[])?.into_iter().map(|(row, _)| row).collect();
    let before = run(NO_ROW, u32::MAX).unwrap_or_default();
    let step = rows.len().div_ceil(ROWS).max(1);
    let mut samples = Samples { at: BTreeMap::new(), all: 0 };
    for row in rows.iter().step_by(step) {
        for (address, count) in run(row, SAMPLES + 2 * before.values().sum::<u32>())? {
            // What a process does before its row may take twice as long this time.
            let count = count.saturating_sub(2 * before.get(&address).unwrap_or(&0));
            samples.all += count;
            if let Some(address) = address {
                *samples.at.entry(address).or_default() += count;
            }
        }
    }
    Ok(samples)
}

/// Profiles the bench, and lists the loops that take its time, with what the attribute changes.
pub(super) fn hot(build: &Build, targets: &str, progress: &ProgressBar) -> Result<Outcome> {
    let mut notes = Vec::new();
    let files = build.prepare(&Lists::new(), |_, _| false)?;
    let broken = |faults: Vec<Fault>| anyhow::anyhow!("the copy does not compile:\n{}", build::first(&faults));
    let programs = build.build(true)?.map_err(broken)?;
    let program = programs.first().context("the package has no such bench")?;
    let framework = Framework::of(program)?;
    step(progress, "profiles the bench");
    let samples = samples(program, framework, &build.root().join("criterion"))?;
    let remarks = build.remarks()?;
    let lines = Lines::new(&program.path, build.root(), &files)?;
    let mut hot: Vec<(u32, String, Found, join::Why)> = Vec::new();
    let mut elsewhere: Vec<(u32, String)> = Vec::new();
    for (function, counts) in functions(&lines.binary, &samples) {
        let own: u32 = counts.values().sum();
        if f64::from(own) < WARM * f64::from(samples.all) {
            continue;
        }
        let mut inside = 0;
        for (found, why) in explained(&lines, &function, &remarks, &files) {
            let addresses = found.copies.iter().flat_map(|copy| &copy.own);
            let count: u32 = addresses.filter_map(|address| counts.get(address)).sum();
            inside += count;
            if f64::from(count) >= WARM * f64::from(samples.all) {
                hot.push((count, function.path().to_owned(), found, why));
            }
        }
        elsewhere.push((own.saturating_sub(inside), function.path().to_owned()));
    }
    hot.sort_by_key(|(count, ..)| core::cmp::Reverse(*count));
    let part = |count: u32| f64::from(count) / f64::from(samples.all.max(1));
    if let Some((most, name)) = elsewhere.iter().max() {
        notes.push(format!(
            "{:.0} % of the time is in code of hot functions that is in no loop of theirs: {:.0} % in `{name}`",
            100.0 * part(elsewhere.iter().map(|(count, _)| count).sum()),
            100.0 * part(*most)
        ));
    }

    step(progress, "builds a copy with the attribute");
    let mut lists = Lists::new();
    for (_, _, found, _) in &hot {
        let place = &found.place;
        let lines = core::iter::once((&place.file, place.start.0))
            .chain(place.through.iter().map(|(file, line)| (file, *line)));
        for (file, line) in lines {
            if let Some((source, function)) = build.copy.function_at(Path::new(file), line as usize)
                && function.refused.is_none()
            {
                lists.insert(source.key(function), targets.to_owned());
            }
        }
    }
    let annotated = annotated(build, lists, &mut notes)?;
    step(progress, "builds a copy as the profile says");
    let functions: BTreeSet<&str> = hot.iter().map(|(_, function, ..)| &**function).collect();
    let own = own_build(build, &functions, &mut notes)?;
    let own: Vec<&Row> = own.iter().collect();
    let hot = hot.into_iter().map(|(count, function, found, why)| {
        let mut row = Row::new(&found, why);
        let mut by_target: BTreeMap<&String, &Row> = BTreeMap::new();
        for (target, other) in annotated.iter().filter(|(_, other)| other.is_as(&row)) {
            let best = by_target.entry(target).or_insert(other);
            if other.rank() > best.rank() {
                *best = other;
            }
        }
        let annotated = by_target.into_iter().map(|(target, one)| (target.clone(), one.what.clone())).collect();
        row.compare(&own);
        Hot { share: part(count), function, row, annotated }
    });
    Ok(Outcome { functions: Vec::new(), hot: hot.collect(), notes })
}

fn explained(lines: &Lines<'_>, function: &Function, remarks: &Remarks, files: &[File]) -> Vec<(Found, join::Why)> {
    let found = lines.loops(function);
    let whys = join::whys(&found, &remarks.of(function.symbol()), files);
    found.into_iter().zip(whys).collect()
}

fn functions(binary: &Binary, samples: &Samples) -> Vec<(Function, BTreeMap<u64, u32>)> {
    let mut by_symbol: BTreeMap<usize, BTreeMap<u64, u32>> = BTreeMap::new();
    let symbols = binary.symbols();
    for (&address, &count) in &samples.at {
        let after = symbols.partition_point(|symbol| symbol.address() <= address);
        let around = |at: &usize| address < symbols[*at].address() + symbols[*at].size();
        if let Some(at) = (after.saturating_sub(8)..after).rev().find(around) {
            *by_symbol.entry(at).or_default().entry(address).or_default() += count;
        }
    }
    by_symbol.into_iter().map(|(at, counts)| (binary.decode(&symbols[at]), counts)).collect()
}

/// The loops that functions of these paths have with the user's own settings.
fn own_build(build: &Build, functions: &BTreeSet<&str>, notes: &mut Vec<String>) -> Result<Vec<Row>> {
    let files = build.prepare(&Lists::new(), |_, _| false)?;
    let Ok(programs) = build.build(false)? else {
        notes.push(OWN_FAILS.to_owned());
        return Ok(Vec::new());
    };
    let mut rows = Vec::new();
    for program in &programs {
        let lines = Lines::new(&program.path, build.root(), &files)?;
        let same = functions.iter().flat_map(|path| lines.binary.functions(path).unwrap_or_default());
        rows.extend(same.flat_map(|one| lines.loops(&one)).map(|found| Row::new(&found, join::Why::Vectorized)));
    }
    Ok(rows)
}

/// The loops of all clones in the program with these attributes.
fn annotated(build: &Build, mut lists: Lists, notes: &mut Vec<String>) -> Result<Vec<(String, Row)>> {
    if lists.is_empty() {
        return Ok(Vec::new());
    }
    let (files, programs) = loop {
        let files = build.prepare(&lists, |_, _| false)?;
        let faults = match build.build(true)? {
            Ok(programs) => break (files, programs),
            Err(faults) => faults,
        };
        // What does not compile is left out.
        let before = lists.len();
        for (file, line) in faults.iter().flat_map(|(_, places)| places) {
            if let Some((source, function)) = build.copy.function_at(file, *line) {
                lists.remove(&source.key(function));
            }
        }
        if lists.len() == before || lists.is_empty() {
            notes.push(format!(
                "with the attribute on the hot functions the copy does not compile:\n{}",
                build::first(&faults)
            ));
            return Ok(Vec::new());
        }
    };
    let Some(program) = programs.first() else { return Ok(Vec::new()) };
    let lines = Lines::new(&program.path, build.root(), &files)?;
    let remarks = build.remarks()?;
    let mut all = Vec::new();
    for function in lines.binary.clones_in("").unwrap_or_default() {
        if let Some(target @ Target::Features(_)) = function.target() {
            let found = explained(&lines, &function, &remarks, &files).into_iter();
            all.extend(found.map(|(found, why)| (target.to_string(), Row::new(&found, why))));
        }
    }
    Ok(all)
}
