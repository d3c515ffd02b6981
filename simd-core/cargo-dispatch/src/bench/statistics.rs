//! Medians, and how certain they are.

use core::fmt;

use serde::Serialize;

/// The probability that the interval of a median misses it.
pub(super) const ERROR: f64 = 0.02;

/// A median, and an interval that holds the true one, but for some probability.
///
/// The interval lies between two of the values, by rank, and assumes nothing of their distribution: each value is above
/// or below the true median like the toss of a coin.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Spread {
    pub(super) median: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// What a ratio of two times says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compared {
    Faster,
    Slower,
    /// The difference is too small to matter.
    Alike,
    /// The spread is too wide to tell.
    Unclear,
}

impl Spread {
    /// The interval misses the true median with a probability of at most `error`, if there are values enough for that.
    pub(super) fn new(mut values: Vec<f64>, error: f64) -> Self {
        values.sort_by(f64::total_cmp);
        let count = values.len();
        let median = f64::midpoint(values[(count - 1) / 2], values[count / 2]);
        let outside = rank(count, error);
        Self { median, low: values[outside], high: values[count - 1 - outside] }
    }

    /// Of the ratios within each round, whose processes ran at nearly the same time.
    pub(super) fn of_ratios(times: &[f64], others: &[f64], error: f64) -> Self {
        Self::new(times.iter().zip(others).map(|(time, other)| time / other).collect(), error)
    }

    /// What a ratio says if differences up to `ignored` do not matter.
    pub(super) fn compare(&self, ignored: f64) -> Compared {
        if self.high < 1.0 && self.median < 1.0 - ignored {
            Compared::Faster
        } else if self.low > 1.0 && self.median > 1.0 + ignored {
            Compared::Slower
        } else if self.low >= 1.0 - 2.0 * ignored && self.high <= 1.0 + 2.0 * ignored {
            Compared::Alike
        } else {
            Compared::Unclear
        }
    }
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

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} ({:.2} to {:.2})", self.median, self.low, self.high)
    }
}

/// Nanoseconds with a unit.
pub(super) fn time(nanoseconds: f64) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")];
    let (scale, unit) = units.into_iter().find(|(scale, _)| nanoseconds >= *scale).unwrap_or((1.0, "ns"));
    format!("{:.3} {unit}", nanoseconds / scale)
}

#[cfg(test)]
mod tests;
