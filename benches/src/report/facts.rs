//! Facts that are known before anything is measured: `benches/report.toml`.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

pub(crate) static FACTS: LazyLock<Facts> =
    LazyLock::new(|| toml::from_str(include_str!("../../report.toml")).expect("report.toml is well formed"));

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Facts {
    /// Sentences of the pages outside of their sections.
    pub(crate) text: BTreeMap<String, String>,
    /// Texts of which the CPU's name or the system has one, for kinds of CPUs that the pages are to have a run of.
    pub(crate) wanted: Vec<String>,
    pub(crate) summary: Vec<Summary>,
    /// The columns of tables, in their order, and what each is.
    pub(crate) columns: Vec<[String; 2]>,
    pub(crate) section: Vec<Section>,
    pub(crate) goals: Vec<Goal>,
    pub(crate) limit: Vec<Limit>,
    pub(crate) variant: Vec<Variant>,
    pub(crate) peer: Vec<Peer>,
    pub(crate) cipher: Vec<Cipher>,
    pub(crate) style: Vec<Style>,
}

/// A section with a table of figures.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Section {
    pub(crate) group: String,
    pub(crate) text: String,
    /// The code that it times, as patterns of paths.
    pub(crate) sources: Vec<String>,
    /// Whether [`Facts::columns`] explains its columns.
    #[serde(default)]
    pub(crate) explained: bool,
    /// The contender that all others are compared with, if not ours; none if it is empty.
    pub(crate) base: Option<String>,
    /// Whether the contenders stand below each other.
    pub(crate) down: Option<bool>,
    /// The columns of its table on the first page, if it has one there.
    #[serde(default)]
    pub(crate) first_page: Vec<String>,
}

/// A line of the summary: how much faster one contender is than another in all rows of some groups.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Summary {
    pub(crate) text: String,
    /// All groups but those that are not about kernels, if none is named.
    #[serde(default)]
    pub(crate) groups: Vec<String>,
    #[serde(default)]
    pub(crate) not_groups: Vec<String>,
    pub(crate) of: String,
    pub(crate) than: String,
    /// Whether it is on the first page, and in the README.
    #[serde(default)]
    pub(crate) first_page: bool,
    /// The ratio from which on a row is named as a loss.
    pub(crate) loss: Option<f64>,
    /// The work of which the page shows the difference in nanoseconds, and no ratio of all rows.
    pub(crate) more_in: Option<String>,
}

/// A ratio of two figures, and what it may be at most.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Goal {
    /// Of `{row}`, all in which the worst row is looked for.
    pub(crate) groups: Vec<String>,
    /// The row, or `{row}` for the worst of all.
    pub(crate) of: String,
    /// The contender that it is about: the first of these that there is, or else ours. Of `{row}`, all of them.
    #[serde(default)]
    pub(crate) by: Vec<String>,
    /// The others, of which the best counts: these, or all that are not simd-core and not in `no_peers`.
    pub(crate) than: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) no_peers: Vec<String>,
    pub(crate) at_most: f64,
    /// The page's words for both, if not their names.
    pub(crate) work: Option<String>,
    pub(crate) against: Option<String>,
}

/// How a goal's work begins, and what holds it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Limit {
    pub(crate) work: String,
    /// A part of the name of the run's CPU.
    #[serde(default)]
    pub(crate) on: String,
    pub(crate) text: String,
}

/// Cases in another build or process of this program, as a column of their own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Variant {
    pub(crate) column: String,
    /// The column of the cases.
    pub(crate) of: String,
    pub(crate) group: Option<String>,
    pub(crate) arch: Option<String>,
    /// The directory of the build and its flags; where there is none, this program.
    pub(crate) build: Option<String>,
    #[serde(default)]
    pub(crate) flags: String,
    #[serde(default)]
    pub(crate) environment: BTreeMap<String, String>,
}

/// A project on no registry, and the groups that are compared with it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Peer {
    pub(crate) name: String,
    pub(crate) groups: Vec<String>,
    /// On the crate in `{source}`; there is none on sources in C.
    pub(crate) dependency: Option<String>,
}

/// A benchmark of OpenSSL's own.
#[derive(Deserialize)]
pub(crate) struct Cipher {
    pub(crate) group: String,
    pub(crate) name: String,
    pub(crate) prefix: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) sizes: Vec<usize>,
}

/// How to write functions for their targets, in a crate of their own.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Style {
    pub(crate) by: String,
    /// How the crate depends on others; `{ours}` is this project.
    #[serde(default)]
    pub(crate) dependency: String,
    /// The attribute of each function.
    #[serde(default)]
    pub(crate) attribute: String,
    #[serde(default)]
    pub(crate) by_hand: bool,
}
