//! Compiled into each crate's bench: the original and the annotated crate in one process, in alternating short rounds.

use std::convert::Infallible;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::harness::{Row, rows_of};

#[path = "../../../simd-core/cargo-dispatch/src/timing.rs"]
mod timing;

mod counting;

use timing::{ERROR, Spread, median};

/// `targets` prints the list's targets, and why one is not here; `check` compares results; `count` counts instructions of the
/// annotated crate under valgrind; `time SECONDS [PART]` times the rows whose names contain `PART`, each for so many seconds.
pub(crate) fn main(targets: simd_core::Targets, original: fn() -> Vec<Row>, annotated: fn() -> Vec<Row>) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let pairs = || rows_of(original).into_iter().zip(rows_of(annotated));
    match *arguments {
        ["targets"] => {
            for target in targets.iter() {
                println!("{}\t{}", target.name(), target.status());
            }
        }
        ["check"] => {
            println!("{}", targets.chosen());
            for (mut original, mut annotated) in pairs() {
                let (expected, actual) = (original.work.outcome(), annotated.work.outcome());
                if original.name() != annotated.name() || expected != actual {
                    eprintln!("`{}` differs with {}", original.name(), targets.chosen());
                    eprintln!("original:  {:.300}", expected);
                    eprintln!("annotated: {:.300}", actual);
                    return ExitCode::FAILURE;
                }
            }
        }
        ["time", seconds, ref part @ ..] => {
            let Ok(seconds) = seconds.parse() else { panic!("`{seconds}` is no number of seconds") };
            println!("{}", targets.chosen());
            for (mut original, mut annotated) in pairs() {
                if part.iter().all(|part| original.name().contains(part)) {
                    time(&mut original, &mut annotated, Duration::from_secs_f64(seconds));
                }
            }
        }
        ["count"] => {
            for mut row in rows_of(annotated) {
                // As many as take a while.
                let calls = (20_000 / row.bytes.max(1)).clamp(1, 200) as u64;
                counting::count(&row.name().to_owned(), calls, |calls| drop(row.time(calls)));
            }
        }
        _ => panic!("usage: targets | check | count | time SECONDS [PART]"),
    }
    ExitCode::SUCCESS
}

/// Prints nanoseconds a call, original and annotated, and the median ratio of a round, original over annotated.
fn time(original: &mut Row, annotated: &mut Row, limit: Duration) {
    const ROUND: Duration = Duration::from_micros(400);
    let Ok((calls, _)) = timing::calls(ROUND, |calls| Ok::<_, Infallible>(original.time(calls)));
    annotated.time(calls);
    let mut rows = [original, annotated];
    let start = Instant::now();
    let rounds = (0..).take_while(|round| *round < 8 || start.elapsed() < limit);
    let Ok(mut times) = timing::in_turns(rows.len(), rounds, |at, _| {
        Ok::<_, Infallible>([((), rows[at].time(calls).as_secs_f64() * 1e9 / calls as f64)])
    });
    let (_, times) = times.remove(0);
    let ratio = Spread::of_ratios(&times[0], &times[1], ERROR).median;
    let [before, after] = [0, 1].map(|at| median(times[at].iter().copied()));
    println!("{}\t{}\t{before}\t{after}\t{ratio}", rows[0].name(), rows[0].bytes);
}
