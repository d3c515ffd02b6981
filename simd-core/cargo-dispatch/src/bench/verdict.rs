//! Whether a target pays.

use core::fmt;
use std::collections::BTreeMap;

use serde::Serialize;

use super::Row;
use super::statistics::{Compared, Spread};
use crate::report::wrapped;

/// What the benches say of a target.
#[derive(Serialize)]
pub(super) struct Verdict {
    program: String,
    target: String,
    benches: usize,
    /// The benches on which it is faster than the baseline and each target that it implies.
    faster_on: Vec<String>,
    slower: Vec<Slower>,
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
    #[serde(flatten)]
    ratio: Spread,
}

impl Verdict {
    /// Of the target `at`, which implies the targets `lower`.
    pub(super) fn new(rows: &[Row], names: &[String], at: usize, lower: &[usize], ignored: f64) -> Self {
        let mut verdict = Self {
            program: rows.first().map_or_else(String::new, |row| row.program.clone()),
            target: names[at].clone(),
            benches: rows.len(),
            faster_on: Vec::new(),
            slower: Vec::new(),
            unclear_on: Vec::new(),
            below: lower.iter().map(|other| names[*other].clone()).chain(["the baseline".to_owned()]).collect(),
        };
        // The times of the baseline come first.
        let others: Vec<usize> = lower.iter().map(|other| other + 1).chain([0]).collect();
        for row in rows {
            let mut compared = Vec::new();
            for (other, name) in others.iter().zip(&verdict.below) {
                let ratio = Spread::of_ratios(&row.times[at + 1], &row.times[*other]);
                compared.push(ratio.compare(ignored));
                if compared.last() == Some(&Compared::Slower) {
                    verdict.slower.push(Slower { bench: row.bench.clone(), than: name.clone(), ratio });
                }
            }
            if compared.iter().all(|one| *one == Compared::Faster) {
                verdict.faster_on.push(row.bench.clone());
            } else if compared.iter().all(|one| matches!(one, Compared::Faster | Compared::Unclear)) {
                verdict.unclear_on.push(row.bench.clone());
            }
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
            for Slower { than, ratio, .. } in slower {
                writeln!(f, "      {ratio} of the time with {than}")?;
            }
        }
        if unclear > 0 {
            f.write_str(&wrapped("    too noisy to tell on:", self.unclear_on.iter().map(String::as_str)))?;
            writeln!(f, "    help: take more --rounds, or a quieter machine")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
