//! `cargo dispatch ledger`: which clones ran, in all test runs together.

use core::fmt::Write as _;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use anyhow::{Context as _, Result};

/// The first line of a file.
const VERSION: &str = "simd-core ledger 1";

/// For each function, its clones by label, and whether one ran.
#[derive(Default)]
struct Merged {
    functions: BTreeMap<String, BTreeMap<String, bool>>,
    files: usize,
}

/// Merge the recordings of test runs, and list the clones that never ran
///
/// The runs are those of a build with `--cfg simd_core_ledger`, under `SIMD_CORE_LEDGER=DIR`, on one machine or several
#[derive(clap::Args)]
pub(crate) struct Ledger {
    /// Fail if a clone never ran
    #[arg(long)]
    require_all: bool,
    /// The directories of the recordings
    #[arg(value_name = "DIR", required = true)]
    directories: Vec<PathBuf>,
}

impl Ledger {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let mut merged = Merged::default();
        for directory in self.directories.iter().collect::<BTreeSet<_>>() {
            merged.directory(directory).with_context(|| directory.display().to_string())?;
        }
        print!("{}", merged.report());
        let complete = merged.never().next().is_none();
        Ok(if self.require_all && !complete { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

impl Merged {
    /// Takes in the ledgers of a directory. That there is none is a mistake: a run that has left nothing proves nothing.
    fn directory(&mut self, directory: &Path) -> io::Result<()> {
        let before = self.files;
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "ledger") {
                let text = fs::read_to_string(&path)?;
                self.ledger(&text).map_err(|fault| {
                    io::Error::other(format!("{}: {fault}", path.file_name().unwrap_or_default().display()))
                })?;
                self.files += 1;
            }
        }
        if self.files == before {
            return Err(io::Error::other(
                "there are no ledgers; build with `--cfg simd_core_ledger`, and set SIMD_CORE_LEDGER",
            ));
        }
        Ok(())
    }

    fn ledger(&mut self, text: &str) -> Result<(), String> {
        let mut lines = text.lines();
        if lines.next() != Some(VERSION) {
            return Err(format!("does not begin with `{VERSION}`"));
        }
        for (at, line) in lines.enumerate() {
            let fields: Vec<&str> = line.split('\t').collect();
            let ran = match fields[..] {
                ["features", _] => continue,
                ["clone", ..] => false,
                ["ran", ..] => true,
                _ => return Err(format!("line {} is no line of a ledger", at + 2)),
            };
            let [_, function, label] = fields[..] else {
                return Err(format!("line {} is no line of a ledger", at + 2));
            };
            let clones = self.functions.entry(function.to_owned()).or_default();
            *clones.entry(label.to_owned()).or_default() |= ran;
        }
        Ok(())
    }

    /// The clones that ran nowhere.
    fn never(&self) -> impl Iterator<Item = (&str, &str)> {
        self.functions.iter().flat_map(|(function, clones)| {
            clones.iter().filter(|(_, ran)| !**ran).map(move |(label, _)| (&**function, &**label))
        })
    }

    fn report(&self) -> String {
        let all: usize = self.functions.values().map(BTreeMap::len).sum();
        let never: Vec<_> = self.never().collect();
        let mut text = format!(
            "{} of {all} clones of {} functions ran, in {} processes\n",
            all - never.len(),
            self.functions.len(),
            self.files
        );
        if !never.is_empty() {
            text.push_str("never ran:\n");
        }
        for (function, label) in never {
            // Writing to a string does not fail.
            let _ = writeln!(text, "    {function}  {label}");
        }
        text
    }
}

#[cfg(test)]
mod tests;
