//! What is known before anything is measured: `benches/report.toml`.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

pub(crate) static FACTS: LazyLock<Facts> =
    LazyLock::new(|| toml::from_str(include_str!("../../report.toml")).expect("report.toml is well formed"));

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Facts {
    /// What the page says outside of its sections, and names of columns.
    pub(crate) text: BTreeMap<String, String>,
    pub(crate) summary: Vec<Summary>,
    pub(crate) cost: Vec<Cost>,
    pub(crate) cost_columns: Vec<String>,
    pub(crate) cpu: Vec<Cpu>,
    /// The columns of tables, in their order, and what each is.
    pub(crate) columns: Vec<[String; 2]>,
    pub(crate) section: Vec<Section>,
    pub(crate) plot: Vec<Plot>,
    pub(crate) goals: Vec<Goal>,
    pub(crate) limit: Vec<Limit>,
    pub(crate) scales: Vec<Scale>,
    pub(crate) variant: Vec<Variant>,
    pub(crate) cipher: Vec<Cipher>,
    pub(crate) start: Vec<Program>,
    pub(crate) style: Vec<Style>,
    pub(crate) dependency: Vec<Dependency>,
}

/// A section with a table of figures.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Section {
    pub(crate) group: String,
    pub(crate) text: String,
    pub(crate) plot: Option<String>,
    /// What the columns are, where [`Facts::columns`] does not explain each.
    pub(crate) columns: Option<String>,
    /// Whom the others are compared with; nobody if it is empty.
    pub(crate) base: Option<String>,
    /// Whether the contenders stand below each other.
    pub(crate) down: Option<bool>,
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
}

/// A line of the table of what the attribute costs, with a contender for each of [`Facts::cost_columns`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cost {
    pub(crate) text: String,
    pub(crate) group: String,
    pub(crate) of: String,
    pub(crate) by: Vec<String>,
}

/// A kind of CPU that the page is to have a run of.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Cpu {
    pub(crate) name: String,
    /// A text that the CPU's name or the system's has.
    pub(crate) known_by: String,
}

/// Lines or bars for each contender.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plot {
    pub(crate) file: String,
    pub(crate) title: String,
    /// The horizontal axis of lines, which is bytes where they show throughput.
    pub(crate) x: Option<String>,
    pub(crate) y: String,
    pub(crate) groups: Vec<String>,
    /// How the work's name begins; of bars all of it.
    #[serde(default)]
    pub(crate) work: String,
    /// A contender that is off the scale.
    pub(crate) without: Option<String>,
    /// Nanoseconds in the unit of bars.
    #[serde(default)]
    pub(crate) unit: f64,
}

/// A ratio of two figures, and what it may be at most.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Goal {
    pub(crate) group: String,
    /// Of `{row}`, other groups in which the worst row is looked for.
    #[serde(default)]
    pub(crate) more_groups: Vec<String>,
    /// The row, or `{row}` for the worst of all.
    pub(crate) of: String,
    /// The contender that it is about: the first of these that there is, or else ours. Of `{row}`, all of them.
    #[serde(default)]
    pub(crate) by: Vec<String>,
    /// The others, of which the best counts: these, or all that are not simd-core and not here. A figure that is a ratio
    /// needs none.
    pub(crate) than: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) no_peers: Vec<String>,
    pub(crate) at_most: f64,
    /// What the page calls both, if not by their names.
    pub(crate) work: Option<String>,
    pub(crate) against: Option<String>,
}

/// How a goal's work begins, and what holds it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Limit {
    pub(crate) work: String,
    /// What the name of the run's CPU has to contain.
    #[serde(default)]
    pub(crate) on: String,
    /// What it was found on, if not on the CPU of the run, as the page shows it. Empty where the text names the CPUs.
    pub(crate) cpu: Option<String>,
    pub(crate) text: String,
    /// What `{0}` and so on stand for: group, work and contender.
    #[serde(default)]
    pub(crate) figures: Vec<[String; 3]>,
}

/// Some work that there is in many sizes.
#[derive(Deserialize)]
pub(crate) struct Scale {
    pub(crate) group: String,
    /// How the work's name begins.
    pub(crate) prefix: String,
    pub(crate) by: By,
    pub(crate) why: String,
}

/// What the size is.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum By {
    /// Bytes of a buffer.
    Length,
    /// Messages, of which times are quoted for one.
    Batch,
    /// Shares of a secret of so many bytes.
    Shares,
    /// Bits of a field's elements: throughput is in products of bits.
    Field,
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

/// What OpenSSL's own benchmark times.
#[derive(Deserialize)]
pub(crate) struct Cipher {
    pub(crate) group: String,
    pub(crate) name: String,
    pub(crate) prefix: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) sizes: Vec<usize>,
}

/// A program that exits at once.
#[derive(Deserialize)]
pub(crate) struct Program {
    pub(crate) by: String,
    pub(crate) ours: bool,
    pub(crate) text: String,
}

/// How to write functions for their targets, in a crate of their own.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Style {
    pub(crate) by: String,
    /// How the crate depends on others; `{ours}` is this project.
    #[serde(default)]
    pub(crate) dependency: String,
    /// The attribute of each function, or of the module around all of them.
    #[serde(default)]
    pub(crate) attribute: String,
    #[serde(default)]
    pub(crate) module: bool,
    #[serde(default)]
    pub(crate) by_hand: bool,
    pub(crate) functions: usize,
    #[serde(default)]
    pub(crate) check_only: bool,
}

/// A crate with one function and one dependency, which is built from nothing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Dependency {
    pub(crate) by: String,
    /// As in a [`Style`].
    #[serde(default)]
    pub(crate) dependency: String,
    #[serde(default)]
    pub(crate) attribute: String,
}
