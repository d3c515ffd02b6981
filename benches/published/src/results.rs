//! `results.json` of a crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use crate::here;
use crate::subject::Subject;

#[derive(Default, Deserialize, Serialize)]
pub(crate) struct Results {
    pub(crate) tests: Option<Tests>,
    /// Of one CPU each. The page shows all rows of the first.
    pub(crate) times: Vec<Times>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) advice: Vec<Advice>,
}

#[derive(Deserialize, Serialize)]
pub(crate) struct Advice {
    pub(crate) cpu: String,
    pub(crate) verdicts: Vec<Verdict>,
}

/// A verdict on a target, as `cargo dispatch bench` prints it.
#[derive(Deserialize, Serialize)]
pub(crate) struct Verdict {
    pub(crate) target: String,
    pub(crate) benches: usize,
    /// The rows on which it is faster than the baseline and each target that it implies.
    pub(crate) faster_on: Vec<String>,
    /// The rows on which it is slower than one of them.
    pub(crate) slower: Vec<Slower>,
    pub(crate) unclear_on: Vec<String>,
}

#[derive(Deserialize, Serialize)]
pub(crate) struct Slower {
    pub(crate) bench: String,
    pub(crate) than: String,
}

impl Verdict {
    pub(crate) fn slower_on(&self) -> BTreeSet<&str> {
        self.slower.iter().map(|slower| slower.bench.as_str()).collect()
    }

    /// On more rows than it costs.
    pub(crate) fn gains(&self) -> bool {
        self.faster_on.len() > self.slower_on().len()
    }
}

/// The outcome of the crate's own tests, the same in the original and on each target.
#[derive(Deserialize, Serialize)]
pub(crate) struct Tests {
    pub(crate) passed: usize,
    /// Those that fail in the original too.
    pub(crate) failed: Vec<String>,
    pub(crate) ignored: usize,
    /// The baseline is among them.
    pub(crate) targets: Vec<String>,
    /// How many of the clones in the test programs ran.
    pub(crate) clones: String,
}

#[derive(Deserialize, Serialize)]
pub(crate) struct Times {
    pub(crate) cpu: String,
    pub(crate) rustc: String,
    /// Of this repository; empty in times that were kept before it was.
    #[serde(default)]
    pub(crate) commit: String,
    /// The targets that the CPU has, in the order of the list: it selects the first.
    pub(crate) targets: Vec<String>,
    pub(crate) rows: Vec<Row>,
}

#[derive(Deserialize, Serialize)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) bytes: usize,
    pub(crate) on: BTreeMap<String, Pair>,
}

/// Nanoseconds a call, and the median over the rounds of the original's time over the annotated crate's.
#[derive(Clone, Copy, Deserialize, Serialize)]
pub(crate) struct Pair {
    pub(crate) original: f64,
    pub(crate) annotated: f64,
    pub(crate) ratio: f64,
}

/// In place of those of the same CPU.
pub(crate) fn keep<T>(all: &mut Vec<T>, new: T, cpu: fn(&T) -> &str) {
    match all.iter_mut().find(|known| cpu(known) == cpu(&new)) {
        Some(known) => *known = new,
        None => all.push(new),
    }
}

impl Results {
    /// Whether a CPU has been asked, and no target gains on any.
    pub(crate) fn gains_nothing(&self) -> bool {
        let mut verdicts = self.advice.iter().flat_map(|advice| &advice.verdicts);
        !self.advice.is_empty() && !verdicts.any(Verdict::gains)
    }
}

fn path(subject: &Subject) -> PathBuf {
    here().join(&subject.name).join("results.json")
}

pub(crate) fn read(subject: &Subject) -> Result<Results> {
    let path = path(subject);
    if !path.exists() {
        return Ok(Results::default());
    }
    serde_json::from_str(&fs::read_to_string(&path)?).with_context(|| path.display().to_string())
}

pub(crate) fn change(subject: &Subject, change: impl FnOnce(&mut Results)) -> Result<()> {
    let mut results = read(subject)?;
    change(&mut results);
    let text = serde_json::to_string_pretty(&results)? + "\n";
    fs::write(path(subject), text).with_context(|| path(subject).display().to_string())
}
