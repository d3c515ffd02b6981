//! The report: figures, measured and stored as JSON, and pages of stored figures.

// The layers, from the ground up: a module uses those of earlier groups and none of its own or later groups. A test of the
// workspace reads these lines.

mod facts;
mod format;

mod data;

mod collect;
mod picture;

mod page;

pub(crate) use collect::{Sources, build, serve};

use anyhow::{Context, Result};
use core::cmp::Reverse;
use data::Run;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Measures, and writes the figures, or prints their tables.
pub(crate) fn measure(out: Option<&Path>, only: &[String], sources: &Sources) -> Result<()> {
    // Before a quarter of an hour has gone, and without losing the figures that are there.
    let open = |path: &Path| File::options().create(true).append(true).open(path);
    let open = |path| open(path).with_context(|| format!("could not write {}", path.display()));
    let out = out.map(open).transpose()?;
    let run = collect::all(only, sources)?;
    match out {
        Some(mut file) => {
            file.set_len(0)?;
            writeln!(file, "{}", serde_json::to_string_pretty(&run)?)?;
        }
        None => print!("{}", page::tables(run)),
    }
    Ok(())
}

/// Writes the pages of figures from files, each of one machine, and the tables of the README, in the repository's directory.
pub(crate) fn pages(to: &Path, files: &[PathBuf]) -> Result<()> {
    let read = |file: &PathBuf| -> Result<Run> {
        let text = fs::read(file).with_context(|| format!("could not read {}", file.display()))?;
        serde_json::from_slice(&text).with_context(|| format!("{} is no run of this report", file.display()))
    };
    let mut runs = files.iter().map(read).collect::<Result<Vec<_>>>()?;
    runs.sort_by_cached_key(|run| Reverse((run.current(), run.figures.len())));
    let two = runs.len().min(2);
    runs[..two].sort_by_key(|run| Reverse(run.machine.features.len()));
    let readme = to.join("README.md");
    let readme = fs::read_to_string(&readme).with_context(|| format!("could not read {}", readme.display()))?;
    for (file, text) in page::write(&runs, &readme)? {
        let file = to.join(file);
        fs::write(&file, text).with_context(|| format!("could not write {}", file.display()))?;
        println!("wrote {}", file.display());
    }
    Ok(())
}
