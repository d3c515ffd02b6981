//! Whether a target pays.

use core::fmt;

use serde::Serialize;

use super::Row;
use super::statistics::{Compared, Spread};

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
        let below = self.below.join(", ");
        let (faster, unclear) = (self.faster_on.len(), self.unclear_on.len());
        write!(f, "  {}: {}: ", self.program, self.target)?;
        if faster > 0 {
            writeln!(f, "pays on {faster} of {}", self.benches)?;
        } else if unclear > 0 {
            writeln!(f, "undecided")?;
        } else {
            writeln!(f, "does not pay")?;
            writeln!(f, "    on no bench is it faster than each of: {below}")?;
        }
        for Slower { bench, than, ratio } in &self.slower {
            writeln!(f, "    slower than {than} on {bench}:\n      {ratio}")?;
        }
        if unclear > 0 {
            writeln!(f, "    too noisy to tell on: {}", self.unclear_on.join(", "))?;
            writeln!(f, "    help: take more --rounds, or a quieter machine")?;
        }
        Ok(())
    }
}
