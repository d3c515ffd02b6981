//! A run, as it is stored in `benches/runs`: figures, and on what they were measured.

use super::facts::{FACTS, Section};
use super::format::{digits, time};
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The work of one contender, measured.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Figure {
    /// The table.
    pub(crate) group: String,
    pub(crate) work: String,
    pub(crate) by: String,
    #[serde(flatten)]
    pub(crate) value: Value,
    /// Where the true median of a time lies, of which the value is an estimate: see `Spread`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) interval: Option<[f64; 2]>,
    /// Bytes in one operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<u64>,
}

/// A number and its unit.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Value {
    /// Nanoseconds for one operation.
    Ns(f64),
    /// Of machine code.
    Instructions(f64),
    /// Bytes of code.
    Size(f64),
}

impl Value {
    pub(crate) fn shown(self) -> String {
        match self {
            Self::Ns(ns) => time(ns),
            Self::Instructions(whole) if whole < 65536.0 && whole.fract() == 0.0 => whole.to_string(),
            Self::Instructions(number) => digits(number),
            Self::Size(bytes) if bytes < 1024.0 => format!("{bytes} B"),
            Self::Size(bytes) => format!("{:.0} KiB", (bytes / 1024.0).floor()),
        }
    }
}

impl Figure {
    pub(crate) fn new(group: &str, work: impl Into<String>, by: impl Into<String>, value: Value) -> Self {
        Self { group: group.to_owned(), work: work.into(), by: by.into(), value, interval: None, bytes: None }
    }

    pub(crate) fn number(&self) -> f64 {
        let (Value::Ns(number) | Value::Instructions(number) | Value::Size(number)) = self.value;
        number
    }
}

/// The CPU, the compiler, the flags, the commit.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Machine {
    /// As people call the CPU.
    pub(crate) name: String,
    /// As it calls itself, with its numbers.
    pub(crate) cpu: String,
    /// Those of its features that matter to the kernels.
    pub(crate) features: Vec<String>,
    /// Cycles in a nanosecond, by a chain of multiplications and exclusive ors, four cycles a step.
    pub(crate) gigahertz: f64,
    pub(crate) rustc: String,
    pub(crate) flags: String,
    pub(crate) system: String,
    /// Of this repository, with `+` if files had changed since.
    pub(crate) commit: String,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    pub(crate) machine: Machine,
    /// Hashes of the groups' sources.
    pub(crate) sources: BTreeMap<String, String>,
    /// Sentences of sections, each with its group.
    pub(crate) notes: Vec<(String, String)>,
    pub(crate) figures: Vec<Figure>,
}

impl Run {
    pub(crate) fn group(&self, group: &str) -> impl Iterator<Item = &Figure> {
        self.figures.iter().filter(move |figure| figure.group == group)
    }

    pub(crate) fn figure(&self, group: &str, work: &str, by: &str) -> Option<&Figure> {
        self.group(group).find(|figure| figure.work == work && figure.by == by)
    }

    /// The lowest number of one piece of work.
    pub(crate) fn best(&self, group: &str, work: &str, wanted: impl Fn(&str) -> bool) -> Option<f64> {
        let row = self.group(group).filter(|figure| figure.work == work && wanted(&figure.by));
        row.map(Figure::number).min_by(f64::total_cmp)
    }

    /// Whether the sources of a section have changed since the run.
    pub(crate) fn is_outdated(&self, section: &Section) -> bool {
        self.sources.get(&section.group) != hash(&section.sources).ok().as_ref()
    }

    /// Whether it has figures of a section whose sources are still those.
    pub(crate) fn is_current(&self, section: &Section) -> bool {
        self.group(&section.group).next().is_some() && !self.is_outdated(section)
    }

    /// How many sections that is.
    pub(crate) fn current(&self) -> usize {
        FACTS.section.iter().filter(|section| self.is_current(section)).count()
    }
}

/// The hash of the files below the repository's root that have one of these patterns, without tests, indents and lines of comments:
/// whether a stored figure is of the present code.
pub(crate) fn hash(patterns: &[String]) -> Result<String> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let is_test = |file: &Path| {
        let inside = file.strip_prefix(root).unwrap_or(file);
        inside.iter().any(|name| name == "tests" || name == "tests.rs")
    };
    let mut hasher = crc32fast::Hasher::new();
    for pattern in patterns {
        let pattern = root.join(pattern);
        let files = glob::glob(&pattern.to_string_lossy())?.collect::<Result<Vec<_>, _>>()?;
        ensure!(!files.is_empty(), "report.toml: {} is no source", pattern.display());
        for text in files.into_iter().filter(|file| file.is_file() && !is_test(file)).map(fs::read_to_string) {
            let text = text?;
            let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            for line in code.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
                hasher.update(line.as_bytes());
            }
        }
    }
    Ok(format!("{:08x}", hasher.finalize()))
}
