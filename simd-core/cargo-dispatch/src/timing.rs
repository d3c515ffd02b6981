//! How contenders are timed: interleaved, with medians and intervals.
//!
//! `cargo dispatch bench`, the report of `benches` and `benches/published` compile this file, so that their figures compare. It
//! uses the standard library only, since the last of them compiles it next to the crates that it times.
#![allow(dead_code, unreachable_pub, reason = "each of the programs uses a part")]

use core::fmt;
use core::time::Duration;

/// The probability that the interval of a median misses it.
pub const ERROR: f64 = 0.02;

/// Compiler flags for x86-64, with which functions and inner loops begin at multiples of 64 bytes. Otherwise a small function that is
/// the same in two programs may take half as long again in one of them, only for its place.
pub const ALIGNED: [&str; 2] =
    ["-Cllvm-args=-align-all-functions=6", "-Cllvm-args=-x86-experimental-pref-innermost-loop-alignment=6"];

/// The times of each contender for each row, in the order of the rounds.
pub type Rows<Row, Time> = Vec<(Row, Vec<Vec<Time>>)>;

/// Runs all contenders in each round. A round begins with another one than the round before, so that none always comes after the same.
///
/// A run gives the times of some rows, which are returned in the order in which they were first seen.
///
/// # Errors
/// Those of `run`, which gets a contender and a round.
pub fn in_turns<Row: PartialEq, Time: Clone, Times: IntoIterator<Item = (Row, Time)>, E>(
    contenders: usize,
    rounds: impl IntoIterator<Item = usize>,
    mut run: impl FnMut(usize, usize) -> Result<Times, E>,
) -> Result<Rows<Row, Time>, E> {
    let mut rows: Rows<Row, Time> = Vec::new();
    for round in rounds {
        for contender in (0..contenders).map(|at| (at + round) % contenders) {
            for (row, time) in run(contender, round)? {
                let at = rows.iter().position(|(other, _)| *other == row).unwrap_or(rows.len());
                if at == rows.len() {
                    rows.push((row, vec![Vec::new(); contenders]));
                }
                rows[at].1[contender].push(time);
            }
        }
    }
    Ok(rows)
}

/// How many calls take about as long as `sample`, and how long one takes.
///
/// # Errors
/// Those of `time`, which says how long so many calls take.
pub fn calls<E>(sample: Duration, mut time: impl FnMut(u64) -> Result<Duration, E>) -> Result<(u64, Duration), E> {
    let mut calls = 1;
    loop {
        let all = time(calls)?;
        if all >= sample / 4 {
            let (sample, all, calls) = (sample.as_nanos(), all.as_nanos(), u128::from(calls));
            return Ok(((sample * calls).div_ceil(all) as u64, Duration::from_nanos((all / calls) as u64)));
        }
        calls *= 4;
    }
}

/// A median, and an interval that holds the true one, but for some probability.
///
/// The interval lies between two of the values, by rank, and assumes nothing of their distribution: each value is above
/// or below the true median like the toss of a coin.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// The middle of the values.
    pub median: f64,
    /// Where the interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

impl Spread {
    /// The interval misses the true median with a probability of at most `error`, if there are values enough for that.
    ///
    /// # Panics
    /// If there is no value.
    pub fn new(values: impl IntoIterator<Item = f64>, error: f64) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let count = values.len();
        let median = f64::midpoint(values[(count - 1) / 2], values[count / 2]);
        let outside = rank(count, error);
        Self { median, low: values[outside], high: values[count - 1 - outside] }
    }

    /// Of the ratios within each round, whose contenders ran at nearly the same time.
    #[must_use]
    pub fn of_ratios(times: &[f64], others: &[f64], error: f64) -> Self {
        Self::new(times.iter().zip(others).map(|(time, other)| time / other), error)
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} ({:.2} to {:.2})", self.median, self.low, self.high)
    }
}

/// The middle of values, of which there is one at least.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    Spread::new(values, ERROR).median
}

/// How many values lie outside of the interval on each side: as many as leave it wrong with a probability of at most
/// `error`.
fn rank(count: usize, error: f64) -> usize {
    // The probability that exactly so many values lie below the median.
    let mut exactly = (0..count).fold(1.0, |probability, _| probability / 2.0);
    let mut at_most = exactly;
    let mut outside = 0;
    for (below, above) in (1_u32..).zip((1..=count as u32).rev()) {
        exactly *= f64::from(above) / f64::from(below);
        at_most += exactly;
        if 2.0 * at_most > error || above <= below + 1 {
            break;
        }
        outside += 1;
    }
    outside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_the_median_often_enough() {
        // Tables of the sign test: the values outside on each side, for an error of 2 %.
        for (count, outside) in [(7, 0), (8, 0), (9, 0), (10, 0), (11, 1), (13, 1), (14, 2), (20, 4), (101, 38)] {
            assert_eq!(rank(count, ERROR), outside, "{count}");
        }
        for (count, outside) in [(11, 0), (14, 0), (15, 1), (20, 2)] {
            assert_eq!(rank(count, 0.001), outside, "{count}");
        }
        // By simulation, with the skewed noise of a busy machine.
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from((state >> 33) as u32) / f64::from(1_u32 << 31)
        };
        let median = 0.5_f64.powi(4);
        let missed = (0..20_000).filter(|_| {
            let spread = Spread::new((0..11).map(|_| random().powi(4)), ERROR);
            spread.low > median || spread.high < median
        });
        // For eleven values: 2 * 12 / 2^11 of 20,000, and by chance some more or less.
        let missed = missed.count();
        assert!((150..330).contains(&missed), "{missed}");
    }

    #[test]
    fn one_round_that_was_disturbed_changes_nothing() {
        let mut times = vec![2.0; 11];
        let others = vec![1.0; 11];
        times[3] = 90.0;
        assert_eq!(Spread::of_ratios(&times, &others, ERROR), Spread { median: 2.0, low: 2.0, high: 2.0 });
        times[4] = 0.1;
        times[5] = 0.1;
        assert_eq!(Spread::of_ratios(&times, &others, ERROR), Spread { median: 2.0, low: 0.1, high: 2.0 });
    }

    #[test]
    fn no_contender_always_follows_the_same() {
        let mut order = Vec::new();
        let rows = in_turns(3, 0..3, |at, round| {
            order.push(at);
            Ok::<_, ()>([("all", round)].into_iter().chain((at == 1).then_some(("one", round))))
        });
        assert_eq!(order, [0, 1, 2, 1, 2, 0, 2, 0, 1]);
        let rounds = || vec![0, 1, 2];
        assert_eq!(rows, Ok(vec![("all", vec![rounds(); 3]), ("one", vec![vec![], rounds(), vec![]])]));
        assert_eq!(in_turns(2, 0..1, |at, _| if at == 0 { Ok([("row", 1)]) } else { Err("stopped") }), Err("stopped"));
    }

    #[test]
    fn a_sample_has_its_length() {
        for one in [1, 999, 400_000, 9_000_000] {
            let (calls, measured) =
                calls(Duration::from_millis(4), |calls| Ok::<_, ()>(Duration::from_nanos(one * calls))).unwrap();
            assert_eq!((calls, measured.as_nanos()), (4_000_000_u64.div_ceil(one), one.into()));
        }
        assert_eq!(calls(Duration::from_millis(4), |_| Err("stopped")), Err("stopped"));
    }
}
