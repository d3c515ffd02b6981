//! Whether a target pays.

use core::fmt;
use std::collections::BTreeMap;

use serde::Serialize;

use super::{Row, SpreadDef};
use crate::columns::wrapped;
use crate::timing::{ERROR, Spread};

/// The probability that any difference is seen where there is none, in all comparisons together.
const ERROR_OF_ALL: f64 = 0.05;

#[derive(Default, Serialize)]
pub(super) struct Verdict {
    program: String,
    target: String,
    benches: usize,
    /// The benches on which it is faster than the baseline and each target that it implies.
    faster_on: Vec<String>,
    slower: Vec<Slower>,
    /// The benches on which it is neither, as far as the times tell.
    alike_on: Vec<String>,
    /// The benches whose spread is too wide to say whether it is faster.
    unclear_on: Vec<String>,
    #[serde(skip)]
    below: Vec<String>,
}

/// A bench on which a target loses to one that it implies, or to the baseline.
#[derive(Serialize)]
struct Slower {
    bench: String,
    than: String,
    #[serde(flatten, with = "SpreadDef")]
    speed: Spread,
}

/// The meaning of a ratio of two speeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compared {
    Faster,
    Slower,
    /// The difference is too small to matter.
    Alike,
    /// The spread is too wide to tell.
    Unclear,
}

impl Compared {
    /// The meaning of a speed, as a ratio to another, if differences up to `ignored` do not matter.
    fn new(speed: &Spread, ignored: f64) -> Self {
        if speed.low > 1.0 && speed.median > 1.0 + ignored {
            Self::Faster
        } else if speed.high < 1.0 && speed.median < 1.0 - ignored {
            Self::Slower
        } else if speed.low >= 1.0 - 2.0 * ignored && speed.high <= 1.0 + 2.0 * ignored {
            Self::Alike
        } else {
            Self::Unclear
        }
    }
}

impl Verdict {
    /// Of each target, with the others that it implies.
    pub(super) fn all(rows: &[Row], names: &[String], lower: &[Vec<usize>], ignored: f64) -> Vec<Self> {
        // With many benches, some of the intervals would miss by chance.
        let comparisons = rows.len() * lower.iter().map(|lower| lower.len() + 1).sum::<usize>();
        let comparisons = u32::try_from(comparisons).unwrap_or(u32::MAX).max(1);
        let error = ERROR.min(ERROR_OF_ALL / f64::from(comparisons));
        lower.iter().enumerate().map(|(at, lower)| Self::new(rows, names, at, lower, ignored, error)).collect()
    }

    /// Of the target `at`, which implies the targets `lower`, if each comparison may err with this probability.
    fn new(rows: &[Row], names: &[String], at: usize, lower: &[usize], ignored: f64, error: f64) -> Self {
        let mut verdict = Self {
            program: rows.first().map_or_else(String::new, |row| row.program.clone()),
            target: names[at].clone(),
            benches: rows.len(),
            below: lower.iter().map(|other| names[*other].clone()).chain(["the baseline".to_owned()]).collect(),
            ..Self::default()
        };
        // The times of the baseline come first.
        let others: Vec<usize> = lower.iter().map(|other| other + 1).chain([0]).collect();
        for row in rows {
            let mut compared = Vec::new();
            for (other, name) in others.iter().zip(&verdict.below) {
                let speed = Spread::of_ratios(&row.times[*other], &row.times[at + 1], error);
                compared.push(Compared::new(&speed, ignored));
                if compared.last() == Some(&Compared::Slower) {
                    verdict.slower.push(Slower { bench: row.bench.clone(), than: name.clone(), speed });
                }
            }
            let list = if compared.contains(&Compared::Slower) {
                continue;
            } else if compared.iter().all(|one| *one == Compared::Faster) {
                &mut verdict.faster_on
            } else if compared.contains(&Compared::Alike) {
                &mut verdict.alike_on
            } else {
                &mut verdict.unclear_on
            };
            list.push(row.bench.clone());
        }
        verdict
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slower: BTreeMap<&str, Vec<&Slower>> = self.slower.iter().fold(BTreeMap::new(), |mut groups, one| {
            groups.entry(one.bench.as_str()).or_default().push(one);
            groups
        });
        let (faster, unclear, all) = (self.faster_on.len(), self.unclear_on.len(), self.benches);
        write!(f, "  {}: {}: ", self.program, self.target)?;
        match (faster, unclear) {
            (0, 0) => write!(f, "does not pay")?,
            (0, _) => write!(f, "undecided")?,
            _ => write!(f, "pays on {faster} of {all}")?,
        }
        match slower.len() {
            0 => writeln!(f)?,
            number => writeln!(f, ", slower on {number} of {all}")?,
        }
        if faster + unclear == 0 {
            f.write_str(&wrapped("    on no bench faster than each of:", self.below.iter().map(String::as_str)))?;
        }
        for (bench, slower) in slower {
            writeln!(f, "    slower on {bench}:")?;
            for Slower { than, speed, .. } in slower {
                writeln!(f, "      {speed} of the speed with {than}")?;
            }
        }
        for (title, benches) in [
            ("    no difference seen on:", &self.alike_on),
            ("    no difference seen in the noise on:", &self.unclear_on),
        ] {
            if !benches.is_empty() {
                f.write_str(&wrapped(title, benches.iter().map(String::as_str)))?;
            }
        }
        if unclear > 0 {
            writeln!(f, "    help: take more --rounds, or a quieter machine")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
