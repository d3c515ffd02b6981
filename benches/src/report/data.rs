//! Everything that was seen in one run, and what was made of it.

use super::format::{digits, faster, time};
use serde::{Deserialize, Serialize};

/// What one contender took for one piece of work.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Figure {
    /// What is compared in one table.
    pub(crate) group: String,
    pub(crate) work: String,
    pub(crate) by: String,
    #[serde(flatten)]
    pub(crate) value: Value,
    /// Where the true median of a time lies, of which the value is an estimate: see `Spread`.
    pub(crate) interval: Option<[f64; 2]>,
    /// Bytes in one operation.
    pub(crate) bytes: Option<u64>,
}

/// A number and its unit.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Value {
    /// Nanoseconds for one operation.
    Ns(f64),
    /// Instructions, executed or in the program.
    Instructions(f64),
    /// Bytes of code.
    Size(f64),
    /// Ours divided by the other's, shown as its inverse.
    Ratio(f64),
}

impl Value {
    pub(crate) fn number(self) -> f64 {
        let (Self::Ns(number) | Self::Instructions(number) | Self::Size(number) | Self::Ratio(number)) = self;
        number
    }

    pub(crate) fn shown(self) -> String {
        match self {
            Self::Ns(ns) => time(ns),
            Self::Instructions(whole) if whole < 65536.0 && whole.fract() == 0.0 => whole.to_string(),
            Self::Instructions(number) => digits(number),
            Self::Size(bytes) if bytes < 1024.0 => format!("{bytes} B"),
            Self::Size(bytes) => format!("{:.0} KiB", (bytes / 1024.0).floor()),
            Self::Ratio(ratio) => faster(ratio),
        }
    }
}

impl Figure {
    pub(crate) fn new(group: &str, work: impl Into<String>, by: impl Into<String>, value: Value) -> Self {
        Self { group: group.to_owned(), work: work.into(), by: by.into(), value, interval: None, bytes: None }
    }
}

/// The CPU, the compiler, the flags.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) cpu: String,
    /// Those of its features that matter to the kernels.
    pub(crate) features: Vec<String>,
    /// Cycles in a nanosecond, by a chain of multiplications and exclusive ors, four cycles a step.
    pub(crate) gigahertz: f64,
    pub(crate) rustc: String,
    pub(crate) flags: String,
    pub(crate) system: String,
}

impl Machine {
    /// The vendor and the model.
    pub(crate) fn short(&self) -> String {
        let vendor = self.cpu.split([' ', '(', ',']).next().unwrap_or_default();
        self.cpu.rsplit_once(", ").map_or_else(|| self.cpu.clone(), |(_, model)| format!("{vendor}, {model}"))
    }
}

/// A ratio that is wanted, and the one that was measured.
#[derive(Serialize, Deserialize)]
pub(crate) struct Goal {
    pub(crate) work: String,
    pub(crate) against: String,
    /// Time of ours divided by the other's must not be above this.
    pub(crate) at_most: f64,
    /// Nothing if the run has no figures for it.
    pub(crate) measured: Option<f64>,
}

impl Goal {
    pub(crate) fn met(&self) -> Option<bool> {
        self.measured.map(|measured| !above(measured, self.at_most))
    }
}

/// Whether a ratio is more than it may be, of the digits that the page shows.
pub(crate) fn above(ratio: f64, at_most: f64) -> bool {
    let digits = if at_most < 0.1 { 1000.0 } else { 100.0 };
    (ratio * digits).round() > (at_most * digits).round()
}

/// Where the throughput of some work stops to grow.
#[derive(Serialize, Deserialize)]
pub(crate) struct Knee {
    pub(crate) work: String,
    /// The smallest size with nearly the best throughput, as the tables call it.
    pub(crate) at: String,
    /// The best throughput, and the size that has it.
    pub(crate) best: String,
    /// What a call costs whatever its size, and how much work takes as long.
    pub(crate) overhead: String,
    pub(crate) why: String,
}

/// All of it.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) machine: Machine,
    pub(crate) figures: Vec<Figure>,
    /// Sentences of sections, each with its group.
    pub(crate) notes: Vec<(String, String)>,
    #[serde(skip_deserializing)]
    pub(crate) goals: Vec<Goal>,
    /// What holds the goals that are not met, a work and a text each.
    #[serde(skip_deserializing)]
    pub(crate) limits: Vec<(String, String)>,
    #[serde(skip_deserializing)]
    pub(crate) scaling: Vec<Knee>,
}

impl Report {
    pub(crate) fn figure(&self, group: &str, work: &str, by: &str) -> Option<&Figure> {
        self.group(group).find(|figure| figure.work == work && figure.by == by)
    }

    pub(crate) fn number(&self, group: &str, work: &str, by: &str) -> Option<f64> {
        self.figure(group, work, by).map(|figure| figure.value.number())
    }

    pub(crate) fn group(&self, group: &str) -> impl Iterator<Item = &Figure> {
        self.figures.iter().filter(move |figure| figure.group == group)
    }

    /// The figure with the lowest number of one piece of work.
    pub(crate) fn best(&self, group: &str, work: &str, wanted: impl Fn(&str) -> bool) -> Option<&Figure> {
        let row = self.group(group).filter(|figure| figure.work == work && wanted(&figure.by));
        row.min_by(|a, b| a.value.number().total_cmp(&b.value.number()))
    }
}
