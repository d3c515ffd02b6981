//! The state of a run, in a file: a run that was interrupted goes on from there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use super::benches::Times;
use super::profile::Heat;
use super::search::Speeds;

pub(super) struct State {
    path: PathBuf,
    pub(super) known: Known,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Known {
    /// All that the rest depends on: sources, arguments, the compiler, the CPU.
    key: String,
    pub(super) rows: BTreeMap<String, Heat>,
    /// Functions that do not compile with the attribute, and the compiler's message.
    pub(super) refused: BTreeMap<String, String>,
    /// The functions of each measurement.
    pub(super) measured: BTreeMap<String, Speeds>,
    /// Times of last measurements, by the lists.
    pub(super) times: BTreeMap<String, Times>,
    /// The tests that fail, by lists and target.
    pub(super) tests: BTreeMap<String, BTreeSet<String>>,
}

impl State {
    pub(super) fn new(path: PathBuf, key: String) -> Self {
        let known = fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let known = known.filter(|known: &Known| known.key == key);
        Self { path, known: known.unwrap_or_else(|| Known { key, ..Known::default() }) }
    }

    /// Writes the file as a whole.
    pub(super) fn save(&self) -> Result<()> {
        let new = self.path.with_extension("new");
        fs::write(&new, serde_json::to_vec_pretty(&self.known)?).with_context(|| new.display().to_string())?;
        fs::rename(&new, &self.path).with_context(|| self.path.display().to_string())
    }
}
