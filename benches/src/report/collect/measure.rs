//! Medians of interleaved runs: what disturbs one contender disturbs the others of its row as well. Each row is measured several
//! times, and the quietest time counts.

use super::builder::{build as build_program, build_shuffled};
use super::foreign::{self, Sources, Work};
use super::worker::Worker;
use crate::report::data::{Figure, Run, Value};
use crate::report::facts::{FACTS, Variant};
use anyhow::Result;
use benches::OURS;
use benches::timing::{ERROR, Spread, calls, in_turns};
use core::time::Duration;
use indicatif::ProgressBar;
use std::collections::BTreeMap;
use std::env;
use std::path::PathBuf;

/// One measurement is of about this length, unless one run takes longer.
const SAMPLE: Duration = Duration::from_millis(4);
/// All rows are measured so many times, minutes apart, and of each row the quietest time counts: other machines on the same
/// host disturb for seconds, and all of a row.
const PASSES: usize = 3;
/// Measurements of each contender in a pass.
const ROUNDS: usize = 12;
/// After so many of them the processes are started afresh, each from the next link of its program: where a process's memory lies
/// makes up to half of the time of something short, and where its functions lie up to a quarter of a loop's.
const ROUNDS_OF_A_PROCESS: usize = 3;
/// Links of each of our programs, with its functions in other orders. A pass has as many processes.
const LINKS: u32 = 4;
/// Measurements in the group [`PLACED`], where a hundredth counts.
const MANY_ROUNDS: usize = 21;
/// The group whose calls are so short that it counts whether a function lies across two cache lines. Each of its rounds has all
/// links.
const PLACED: &str = "dispatch";
/// The text by which builds for this CPU are asked for.
const AGAINST: &str = "native";
/// Measurements where one run takes longer than a tenth of a second, in one pass.
const FEW_ROUNDS: usize = 5;

/// A contender of one row: which process, which case, and its name there.
struct Contender<'a> {
    worker: usize,
    case: &'a Work,
    by: &'a str,
}

/// The cases, and the programs that time them.
struct Programs {
    /// Each case with its program.
    cases: Vec<(usize, Work)>,
    /// Links of each.
    all: Vec<(Vec<PathBuf>, BTreeMap<String, String>)>,
    variants: Vec<(usize, &'static Variant)>,
    /// From this one on they are the links of this program, each by itself.
    links: usize,
}

/// Builds what is timed. Notes say what is missing.
fn programs(bar: &ProgressBar, wanted: impl Fn(&str) -> bool, sources: &Sources, run: &mut Run) -> Result<Programs> {
    let own = benches::cases().into_iter().filter(|case| wanted(case.group)).map(|case| (0, Work::from(&case)));
    let mut cases: Vec<(usize, Work)> = own.collect();
    // For each link the program is compiled again, which quick runs do not wait for.
    let links = |name: &str, flags: &str| -> Result<Vec<PathBuf>> {
        let seeds = if wanted(AGAINST) { 1..LINKS } else { 1..1 };
        seeds.filter_map(|seed| build_shuffled(name, flags, seed).transpose()).collect()
    };
    bar.set_message("linking this program in other orders");
    let mut this = vec![env::current_exe()?];
    this.extend(links("default", "")?);
    let mut all = vec![(this.clone(), BTreeMap::new())];
    for peer in FACTS.peer.iter().filter(|peer| peer.groups.iter().any(|group| wanted(group))) {
        bar.set_message(format!("compiling: {}", peer.name));
        let (program, note) = foreign::build(peer, sources)?;
        run.notes.extend(peer.groups.iter().map(|group| (group.clone(), note.clone())));
        if let Some(program) = program {
            let of_peer = foreign::cases(&program)?.into_iter().filter(|case| wanted(&case.group));
            cases.extend(of_peer.map(|case| (all.len(), case)));
            all.push((vec![program], BTreeMap::new()));
        }
    }
    let mut variants = Vec::new();
    let mut built: BTreeMap<&str, Vec<PathBuf>> = BTreeMap::new();
    let here = |variant: &&Variant| variant.arch.as_ref().is_none_or(|arch| arch == env::consts::ARCH);
    let timed = |variant: &&Variant| {
        let group = |group: &str| variant.group.as_ref().is_none_or(|of| of == group);
        cases.iter().any(|(_, case)| case.by == variant.of && group(&case.group))
    };
    for variant in FACTS.variant.iter().filter(here).filter(timed).filter(|variant| is_needed(variant, &wanted)) {
        let features: Vec<&str> = simd_core::features().names().collect();
        let flags = variant.flags.replace("{features}", &features.join(",+"));
        let programs = match &variant.build {
            None => this.clone(),
            Some(name) if built.contains_key(name.as_str()) => built[name.as_str()].clone(),
            Some(name) => {
                bar.set_message(format!("compiling: {}", variant.column));
                // The last link stays under the build's own name.
                let mut programs = links(name, &flags)?;
                programs.push(build_program(name, &flags, None)?);
                built.insert(name, programs.clone());
                programs
            }
        };
        variants.push((all.len(), variant));
        all.push((programs, variant.environment.clone()));
    }
    let links = all.len();
    all.extend(this.into_iter().map(|program| (vec![program], BTreeMap::new())));
    Ok(Programs { cases, all, variants, links })
}

/// Whether the wanted groups have use for a variant: to build one of ours takes minutes, and is for the comparison of all groups
/// with such builds.
fn is_needed(variant: &Variant, wanted: impl Fn(&str) -> bool) -> bool {
    let of_all = variant.build.is_some() && variant.of == OURS && variant.group.is_none();
    !of_all || wanted(&variant.column) || wanted(AGAINST)
}

/// Builds all that [`all`] needs.
pub(crate) fn build(bar: &ProgressBar, wanted: impl Fn(&str) -> bool, sources: &Sources) -> Result<()> {
    programs(bar, wanted, sources, &mut Run::default()).map(drop)
}

/// Times all cases.
pub(crate) fn all(bar: &ProgressBar, wanted: impl Fn(&str) -> bool, sources: &Sources, run: &mut Run) -> Result<()> {
    let Programs { cases, all, variants, links } = programs(bar, wanted, sources, run)?;
    let workers = all.into_iter().map(|(programs, environment)| Worker::start(programs, environment));
    let mut workers: Vec<Worker> = workers.collect::<Result<_>>()?;
    bar.set_length((PASSES * cases.len()) as u64);
    let mut rows: Vec<Vec<(usize, &Work)>> = Vec::new();
    for (worker, case) in &cases {
        match rows.iter_mut().find(|row| row[0].1.group == case.group && row[0].1.work == case.work) {
            Some(row) => row.push((*worker, case)),
            None => rows.push(vec![(*worker, case)]),
        }
    }
    let mut quietest: Vec<Option<Row>> = rows.iter().map(|_| None).collect();
    for (i, cases) in (0..PASSES).flat_map(|_| rows.iter().enumerate()) {
        let quietest = &mut quietest[i];
        if quietest.as_ref().is_some_and(|row| row.slow) {
            continue;
        }
        let mut row = Vec::new();
        for &(worker, case) in cases {
            let programs = if case.group == PLACED { links..workers.len() } else { worker..worker + 1 };
            row.extend(programs.map(|worker| Contender { worker, case, by: &case.by }));
            let in_group = |variant: &Variant| variant.group.as_ref().is_none_or(|group| *group == case.group);
            let variants = variants.iter().filter(|(_, variant)| variant.of == case.by && in_group(variant));
            row.extend(variants.map(|&(worker, variant)| Contender { worker, case, by: &variant.column }));
            bar.inc(1);
        }
        bar.set_message(format!("{}, {}", cases[0].1.group, cases[0].1.work));
        let row = measure(&mut workers, &row)?;
        if quietest.as_ref().is_none_or(|other| row.time < other.time) {
            *quietest = Some(row);
        }
    }
    run.figures.extend(quietest.into_iter().flatten().flat_map(|row| row.figures));
    Ok(())
}

/// The figures of one row in one pass.
struct Row {
    figures: Vec<Figure>,
    /// The logarithm of what its contenders took, multiplied: one that is much slower than others counts as much as they.
    time: f64,
    slow: bool,
}

fn measure(workers: &mut [Worker], row: &[Contender<'_>]) -> Result<Row> {
    let times = row.iter().map(|contender| {
        let id = contender.case.id();
        calls(SAMPLE, |runs| workers[contender.worker].time(&id, runs))
    });
    let times: Vec<_> = times.collect::<Result<_>>()?;
    let slow = times.iter().any(|&(_, one)| one > Duration::from_millis(100));
    let rounds = match row.first() {
        _ if slow => FEW_ROUNDS,
        Some(contender) if contender.case.group == PLACED => MANY_ROUNDS,
        _ => ROUNDS,
    };
    let mut started = vec![None; workers.len()];
    let samples = in_turns(row.len(), 0..rounds, |i, round| {
        let (contender, (runs, _)) = (&row[i], times[i]);
        let (worker, id) = (&mut workers[contender.worker], contender.case.id());
        if !slow && round % ROUNDS_OF_A_PROCESS == 0 && started[contender.worker].replace(round) != Some(round) {
            worker.restart()?;
        }
        // Back from the other contenders' work: the first run finds the caches as they left them.
        if runs > 1 {
            worker.time(&id, runs.div_ceil(16))?;
        }
        let time = worker.time(&id, runs)?;
        anyhow::Ok([((), time.as_secs_f64() * 1e9 / (runs * contender.case.operations) as f64)])
    })?;
    let mut best: Vec<(&Contender<'_>, Vec<f64>)> = Vec::new();
    for (contender, samples) in row.iter().zip(samples.into_iter().flat_map(|((), samples)| samples)) {
        match best.iter_mut().find(|(other, _)| other.by == contender.by) {
            // Of one contender in several programs, the best of each round.
            Some((_, best)) => best.iter_mut().zip(samples).for_each(|(best, sample)| *best = best.min(sample)),
            None => best.push((contender, samples)),
        }
    }
    let figures: Vec<Figure> = (best.into_iter())
        .map(|(contender, samples)| {
            let Spread { median, low, high } = Spread::new(samples, ERROR);
            let figure = Figure::new(&contender.case.group, &contender.case.work, contender.by, Value::Ns(median));
            Figure { interval: Some([low, high]), bytes: contender.case.bytes, ..figure }
        })
        .collect();
    let time = figures.iter().map(|figure| figure.number().ln()).sum();
    Ok(Row { figures, time, slow })
}
