//! Medians of runs by turns: what disturbs one contender disturbs the others of its row as well. Each row is measured several
//! times, and the quietest time counts.

use super::builder::Builder;
use super::worker::Worker;
use crate::report::data::{Figure, Value};
use crate::report::facts::{FACTS, Variant};
use anyhow::Result;
use benchmarks::case::Case;
use core::time::Duration;
use indicatif::ProgressBar;
use std::collections::BTreeMap;
use std::env;

/// One measurement is of about this length, unless one run takes longer.
const SAMPLE: Duration = Duration::from_millis(4);
/// All rows are measured so many times, minutes apart, and of each row the quietest time counts: other machines on the same
/// host disturb for seconds, and all of a row.
const PASSES: usize = 3;
/// Measurements of each contender in a pass.
const ROUNDS: usize = 12;
/// After so many of them the processes are started afresh: where a process's memory lies makes up to half of the time of
/// something short, and stays as it is.
const ROUNDS_OF_A_PROCESS: usize = 3;
/// Measurements in the group [`PLACED`], where a hundredth counts.
const MANY_ROUNDS: usize = 21;
/// Other orders of the program's functions in which the group [`PLACED`] is measured.
const ORDERS: u32 = 4;
/// The group whose calls are so short that it counts whether a function lies across two cache lines.
const PLACED: &str = "dispatch";
/// Measurements where one run takes longer than a tenth of a second, in one pass.
const FEW_ROUNDS: usize = 5;

/// A contender of one row: which process, which case, and its name there.
struct Contender<'a> {
    worker: usize,
    case: &'a Case,
    by: &'a str,
}

/// Times all cases.
pub(crate) fn all(bar: &ProgressBar, wanted: impl Fn(&str) -> bool) -> Result<Vec<Figure>> {
    let cases: Vec<Case> = benchmarks::cases().into_iter().filter(|case| wanted(case.group)).collect();
    if cases.is_empty() {
        return Ok(Vec::new());
    }
    let this = env::current_exe()?;
    let builder = Builder::of(env::consts::ARCH);
    let mut workers = vec![Worker::start(this.clone(), BTreeMap::new())?];
    let (mut variants, mut orders) = (Vec::new(), Vec::new());
    let here = |variant: &&Variant| variant.arch.as_ref().is_none_or(|arch| arch == env::consts::ARCH);
    for variant in FACTS.variant.iter().filter(here) {
        let features: Vec<&str> = simd_core::features().names().collect();
        let flags = variant.flags.replace("{features}", &features.join(",+"));
        let mut program = this.clone();
        if let Some(name) = &variant.build {
            bar.set_message(format!("compiling: {}", variant.column));
            if variant.shuffled && cases.iter().any(|case| case.group == PLACED) {
                for seed in 1..=ORDERS {
                    orders.extend(builder.build_shuffled(name, &flags, seed)?);
                }
            }
            program = builder.build(name, &flags, None)?;
        }
        variants.push((workers.len(), variant));
        workers.push(Worker::start(program, variant.environment.clone())?);
    }
    let own = workers.len();
    for program in orders {
        workers.push(Worker::start(program, BTreeMap::new())?);
    }
    bar.set_length((PASSES * cases.len()) as u64);
    let mut rows: Vec<Vec<&Case>> = Vec::new();
    for case in &cases {
        match rows.iter_mut().find(|row| row[0].group == case.group && row[0].work == case.work) {
            Some(row) => row.push(case),
            None => rows.push(vec![case]),
        }
    }
    let mut quietest: Vec<Option<Row>> = rows.iter().map(|_| None).collect();
    for (i, cases) in (0..PASSES).flat_map(|_| rows.iter().enumerate()) {
        let quietest = &mut quietest[i];
        if quietest.as_ref().is_some_and(|row| row.slow) {
            continue;
        }
        let mut row = Vec::new();
        for &case in cases {
            let placed = if case.group == PLACED { own..workers.len() } else { 0..0 };
            row.extend(placed.chain([0]).map(|worker| Contender { worker, case, by: case.by }));
            let in_group = |variant: &Variant| variant.group.as_ref().is_none_or(|group| group == case.group);
            let variants = variants.iter().filter(|(_, variant)| variant.of == case.by && in_group(variant));
            row.extend(variants.map(|&(worker, variant)| Contender { worker, case, by: &variant.column }));
            bar.inc(1);
        }
        bar.set_message(format!("{}, {}", cases[0].group, cases[0].work));
        let row = measure(&mut workers, &row)?;
        if quietest.as_ref().is_none_or(|other| row.time < other.time) {
            *quietest = Some(row);
        }
    }
    Ok(quietest.into_iter().flatten().flat_map(|row| row.figures).collect())
}

/// What was measured of one row in one pass.
struct Row {
    figures: Vec<Figure>,
    /// The logarithm of what its contenders took, multiplied: one that is much slower than others counts as much as they.
    time: f64,
    slow: bool,
}

fn measure(workers: &mut [Worker], row: &[Contender<'_>]) -> Result<Row> {
    let times = row.iter().map(|contender| calibrate(&mut workers[contender.worker], &contender.case.id()));
    let times: Vec<_> = times.collect::<Result<_>>()?;
    let slow = times.iter().any(|&(_, one)| one > Duration::from_millis(100));
    let rounds = match row.first() {
        _ if slow => FEW_ROUNDS,
        Some(contender) if contender.case.group == PLACED => MANY_ROUNDS,
        _ => ROUNDS,
    };
    let mut samples = vec![Vec::new(); row.len()];
    for round in 0..rounds {
        if !slow && round % ROUNDS_OF_A_PROCESS == 0 {
            for (i, worker) in workers.iter_mut().enumerate() {
                if row.iter().any(|contender| contender.worker == i) {
                    worker.restart()?;
                }
            }
        }
        // Each round begins with another contender, so that none always comes after the same.
        for i in (0..row.len()).map(|i| (i + round) % row.len()) {
            let (contender, (runs, _)) = (&row[i], times[i]);
            let worker = &mut workers[contender.worker];
            // Back from the other contenders' work: the first run finds the caches as they left them.
            if runs > 1 {
                worker.time(&contender.case.id(), runs.div_ceil(16))?;
            }
            let time = worker.time(&contender.case.id(), runs)?;
            samples[i].push(time.as_secs_f64() * 1e9 / (runs * contender.case.operations) as f64);
        }
    }
    let mut best: Vec<(&Contender<'_>, Vec<f64>)> = Vec::new();
    for (contender, samples) in row.iter().zip(samples) {
        match best.iter_mut().find(|(other, _)| other.by == contender.by) {
            // Of one contender in several programs, the best of each round.
            Some((_, best)) => best.iter_mut().zip(samples).for_each(|(best, sample)| *best = best.min(sample)),
            None => best.push((contender, samples)),
        }
    }
    let figures: Vec<Figure> = (best.into_iter())
        .map(|(contender, mut samples)| {
            samples.sort_by(f64::total_cmp);
            let at = |quarter: usize| samples[(samples.len() - 1) * quarter / 4];
            let figure = Figure::new(contender.case.group, &contender.case.work, contender.by, Value::Ns(at(2)));
            Figure { quartiles: Some([at(1), at(3)]), bytes: contender.case.bytes, ..figure }
        })
        .collect();
    let time = figures.iter().map(|figure| figure.value.number().ln()).sum();
    Ok(Row { figures, time, slow })
}

/// How many runs make one measurement, and about how long one of them takes.
fn calibrate(worker: &mut Worker, id: &str) -> Result<(u64, Duration)> {
    let mut runs = 1;
    loop {
        let time = worker.time(id, runs)?;
        if time >= SAMPLE / 4 {
            let one = time / runs as u32;
            let runs = (SAMPLE.as_secs_f64() / one.as_secs_f64().max(1e-10)).ceil() as u64;
            return Ok((runs.max(1), one));
        }
        runs *= 4;
    }
}
