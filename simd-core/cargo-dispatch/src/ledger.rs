//! `cargo dispatch ledger`: which clones ran, in all test runs together.

mod allowed;

use core::fmt::Write as _;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use allowed::Allowed;
use anyhow::{Context as _, Result, anyhow, bail};

use crate::columns::{say, show};

const VERSION: &str = "simd-core ledger 1";

/// For each function, its clones by label, and whether one ran.
#[derive(Default)]
struct Merged {
    functions: BTreeMap<String, BTreeMap<String, bool>>,
    /// The features that the machines have between them.
    features: BTreeSet<String>,
    files: usize,
}

/// Merge the recordings of test runs, and list the clones that never ran
///
/// The runs are those of a build with `--cfg simd_core_ledger`, under `SIMD_CORE_LEDGER=DIR`, on one machine or several
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo dispatch ledger recordings/linux recordings/macos")]
pub(crate) struct Ledger {
    /// Fail if a clone never ran
    #[arg(long)]
    require_all: bool,
    /// A file with the clones that may never run
    ///
    /// Each line is `FUNCTION TARGET FEATURE REASON`: a path and a clone's target, both with `*`, and the reason. A line counts
    /// if no machine has the feature, or always with `-`. A line that counts and names no clone fails
    #[arg(long, value_name = "FILE", requires = "require_all")]
    allow: Option<PathBuf>,
    /// The directories of the recordings
    #[arg(value_name = "DIR", required = true)]
    directories: Vec<PathBuf>,
}

impl Ledger {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let mut merged = Merged::default();
        for directory in self.directories.iter().collect::<BTreeSet<_>>() {
            merged.directory(directory)?;
        }
        let (file, text) = match &self.allow {
            Some(file) => {
                let text = fs::read_to_string(file).with_context(|| format!("cannot read `{}`", file.display()))?;
                (file.display().to_string(), text)
            }
            None => <(String, String)>::default(),
        };
        let allowed = Allowed::parse(&text).with_context(|| file.clone())?;
        show(merged.report(&allowed))?;
        let stale = allowed.stale(merged.idle(), &merged.features);
        for line in &stale {
            say(format_args!("error: {file}: line {line} names no clone that never ran"));
        }
        let complete = stale.is_empty() && merged.never(&allowed).next().is_none();
        Ok(if self.require_all && !complete { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

impl Merged {
    /// Takes in the ledgers of a directory. That there is none is a mistake: a run that has left nothing proves nothing.
    fn directory(&mut self, directory: &Path) -> Result<()> {
        let before = self.files;
        let shown = directory.display();
        let entries = fs::read_dir(directory).map_err(|reason| {
            anyhow!(
                "cannot read `{shown}`: {reason}\nhelp: give the directory that SIMD_CORE_LEDGER named for the tests"
            )
        })?;
        for entry in entries {
            let path = entry.with_context(|| shown.to_string())?.path();
            if path.extension().is_some_and(|extension| extension == "ledger") {
                let ledger = || format!("cannot read `{}`", path.display());
                let text = fs::read_to_string(&path).with_context(ledger)?;
                self.ledger(&text).map_err(|fault| anyhow!(fault)).with_context(ledger)?;
                self.files += 1;
            }
        }
        if self.files == before {
            bail!(
                "there are no ledgers in `{shown}`\nhelp: build the tests with `--cfg simd_core_ledger`, and run them with \
                 SIMD_CORE_LEDGER={shown}"
            );
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
                ["features", names] => {
                    self.features.extend(names.split(',').map(|name| name.trim().to_owned()));
                    continue;
                }
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

    /// The clones that ran nowhere, but for those that may.
    fn never<'a>(&'a self, allowed: &'a Allowed) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.idle().filter(|clone| !allowed.names(*clone, &self.features))
    }

    fn idle(&self) -> impl Iterator<Item = (&str, &str)> {
        self.functions.iter().flat_map(|(function, clones)| {
            clones.iter().filter(|(_, ran)| !**ran).map(move |(label, _)| (&**function, &**label))
        })
    }

    fn report(&self, allowed: &Allowed) -> String {
        let all: usize = self.functions.values().map(BTreeMap::len).sum();
        let (idle, never) = (self.idle().count(), self.never(allowed).collect::<Vec<_>>());
        let mut text = format!(
            "{} of {all} clones of {} functions ran, in {} processes\n",
            all - idle,
            self.functions.len(),
            self.files
        );
        // Writing to a string does not fail.
        if idle > never.len() {
            let _ = writeln!(text, "{} that never ran may do so", idle - never.len());
        }
        if !never.is_empty() {
            text.push_str("never ran:\n");
        }
        for (function, label) in never {
            let _ = writeln!(text, "    {function}  {label}");
        }
        text
    }
}

#[cfg(test)]
mod tests;
