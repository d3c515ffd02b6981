//! Medians of runs by turns: what disturbs one contender disturbs the others of its row as well. Each row is measured several
//! times, and the quietest time counts.

use super::worker::{Worker, build, build_shuffled};
use anyhow::Result;
use benchmarks::case::Case;
use benchmarks::{CHACHA20, OURS};
use core::time::Duration;
use indicatif::ProgressBar;
use serde::Serialize;
use std::env;
use std::process::Command;

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

/// The column of our code, compiled for this CPU.
pub(super) const NATIVE: &str = "simd-core, target-cpu=native";
/// The column of our code where it may use no more than AVX2, AES and PCLMULQDQ.
pub(super) const AVX2: &str = "simd-core, up to AVX2";
/// Our code compiled with all features of [`NATIVE`], but for no CPU in particular: no contender, but it tells what of the
/// difference to [`NATIVE`] is due to the compiler's model of the CPU, which no attribute asks for.
pub(super) const FEATURES: &str = "simd-core, the CPU's features alone";
/// The column of a peer with its own build flag.
pub(super) const CHACHA20_AVX512: &str = "RustCrypto chacha20, cfg chacha20_avx512";

/// What one contender took for one piece of work.
#[derive(Clone, Serialize)]
pub(crate) struct Figure {
    pub(super) group: String,
    pub(super) work: String,
    pub(super) by: String,
    /// Nanoseconds for one operation, the median.
    pub(super) ns: f64,
    /// The quartiles.
    pub(super) quartiles: [f64; 2],
    /// Bytes in one operation.
    pub(super) bytes: Option<u64>,
}

/// A contender of one row: which process, which case, and its name there.
struct Contender<'a> {
    worker: usize,
    case: &'a Case,
    by: &'static str,
}

/// Times all cases.
pub(super) fn all(bar: &ProgressBar, wanted: impl Fn(&str) -> bool) -> Result<Vec<Figure>> {
    let cases: Vec<Case> = benchmarks::cases().into_iter().filter(|case| wanted(case.group)).collect();
    if cases.is_empty() {
        return Ok(Vec::new());
    }
    bar.set_message("compiling with target-cpu=native");
    let native = build("native", "-C target-cpu=native")?;
    bar.set_message("compiling with the CPU's features");
    let features = features()?.map(|flags| build("features", &flags)).transpose()?;
    bar.set_message("compiling with cfg chacha20_avx512");
    let (name, flags) = ("chacha20_avx512", "--cfg chacha20_avx512");
    let mut orders = Vec::new();
    if cases.iter().any(|case| case.group == PLACED) {
        for seed in 1..=ORDERS {
            // Of that build, because its flag does not concern the group, and it has to be made anyway.
            orders.extend(build_shuffled(name, flags, seed)?);
        }
    }
    let cfg = build(name, flags)?;
    let this = env::current_exe()?;
    let mut workers = vec![
        Worker::start(&this, &[])?,
        Worker::start(&native, &[])?,
        Worker::start(
            &this,
            if cfg!(target_arch = "x86_64") { &[("SIMD_CORE_ONLY", "x86-64-v3,aes,pclmulqdq")] } else { &[] },
        )?,
        Worker::start(&cfg, &[])?,
    ];
    let with_features = workers.len();
    if let Some(program) = &features {
        workers.push(Worker::start(program, &[])?);
    }
    let own = workers.len();
    for program in &orders {
        workers.push(Worker::start(program, &[])?);
    }
    bar.set_length((PASSES * cases.len()) as u64);
    let mut rows: Vec<(&str, &str)> = Vec::new();
    for case in &cases {
        if !rows.contains(&(case.group, &case.work)) {
            rows.push((case.group, &case.work));
        }
    }
    let mut quietest: Vec<Option<Row>> = rows.iter().map(|_| None).collect();
    for (i, (group, work)) in (0..PASSES).flat_map(|_| rows.iter().copied().enumerate()) {
        if quietest[i].as_ref().is_some_and(|row| row.slow) {
            continue;
        }
        let mut row = Vec::new();
        for case in cases.iter().filter(|case| case.group == group && case.work == work) {
            row.push(Contender { worker: 0, case, by: case.by });
            if group == PLACED {
                row.extend((own..workers.len()).map(|worker| Contender { worker, case, by: case.by }));
            }
            match case.by {
                OURS => {
                    row.push(Contender { worker: 1, case, by: NATIVE });
                    if cfg!(target_arch = "x86_64") {
                        row.push(Contender { worker: 2, case, by: AVX2 });
                    }
                    if features.is_some() {
                        row.push(Contender { worker: with_features, case, by: FEATURES });
                    }
                }
                CHACHA20 => row.push(Contender { worker: 3, case, by: CHACHA20_AVX512 }),
                _ if group == "strategies" && case.by == "root" => {
                    row.push(Contender { worker: 1, case, by: "root, target-cpu=native" });
                }
                _ => {}
            }
            bar.inc(1);
        }
        bar.set_message(format!("{group}, {work}"));
        let row = measure(&mut workers, &row)?;
        if quietest[i].as_ref().is_none_or(|other| row.time() < other.time()) {
            quietest[i] = Some(row);
        }
    }
    Ok(quietest.into_iter().flatten().flat_map(|row| row.figures).collect())
}

/// What was measured of one row in one pass.
struct Row {
    figures: Vec<Figure>,
    slow: bool,
}

impl Row {
    /// The logarithm of what its contenders took, multiplied: one that is much slower than others counts as much as they.
    fn time(&self) -> f64 {
        self.figures.iter().map(|figure| figure.ns.ln()).sum()
    }
}

/// The flags of [`FEATURES`], if this CPU has more features than every one of its architecture.
fn features() -> Result<Option<String>> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let features = |flags: &[&str]| -> Result<Vec<String>> {
        let output = Command::new(&rustc).args(["--print", "cfg"]).args(flags).output()?;
        let lines = String::from_utf8(output.stdout)?;
        let names = lines.lines().filter_map(|line| line.strip_prefix("target_feature=\"")?.strip_suffix('"'));
        Ok(names.map(str::to_owned).collect())
    };
    let mut more = features(&["-C", "target-cpu=native"])?;
    let of_every_cpu = features(&[])?;
    more.retain(|name| !of_every_cpu.contains(name));
    Ok((!more.is_empty()).then(|| format!("-C target-feature=+{}", more.join(",+"))))
}

fn measure(workers: &mut [Worker], row: &[Contender<'_>]) -> Result<Row> {
    let mut times = Vec::new();
    for contender in row {
        times.push(calibrate(&mut workers[contender.worker], &contender.case.id())?);
    }
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
    let figures = best.into_iter().map(|(contender, mut samples)| {
        samples.sort_by(f64::total_cmp);
        let at = |quarter: usize| samples[(samples.len() - 1) * quarter / 4];
        Figure {
            group: contender.case.group.to_owned(),
            work: contender.case.work.clone(),
            by: contender.by.to_owned(),
            ns: at(2),
            quartiles: [at(1), at(3)],
            bytes: contender.case.bytes,
        }
    });
    Ok(Row { figures: figures.collect(), slow })
}

pub(super) fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
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
