//! The report.

// The layers, from the ground up: a module uses those of earlier groups and none of its own or later groups. A test of the
// workspace reads these lines.

mod facts;
mod format;

mod data;

mod collect;

mod analysis;

mod page;
mod plot;

pub(crate) use collect::{Sources, build, serve};

use anyhow::{Context, Result};
use core::cmp::Reverse;
use data::Report;
use std::fs;
use std::path::{Path, PathBuf};

/// Measures, and writes the pages, their plots, the tables of the README and the data.
pub(crate) fn measure(
    out: &Path,
    readme: &Path,
    json: Option<&Path>,
    only: &[String],
    sources: &Sources,
) -> Result<()> {
    let mut report = collect::all(only, sources)?;
    if let Some(json) = json {
        write_file(json, &serde_json::to_string_pretty(&report)?)?;
    }
    analysis::add(&mut report);
    if only.is_empty() {
        return write(out, readme, &[report]);
    }
    let pages = page::write(&[report], "performance")?;
    println!("{}\n{}", pages.first, pages.details);
    Ok(())
}

/// The same with figures from files, each of one machine.
pub(crate) fn merge(out: &Path, readme: &Path, files: &[PathBuf]) -> Result<()> {
    let read = |file: &PathBuf| -> Result<Report> {
        let text = fs::read(file).with_context(|| format!("could not read {}", file.display()))?;
        let report = serde_json::from_slice(&text);
        let mut report = report.with_context(|| format!("{} is not what `--json` writes", file.display()))?;
        analysis::add(&mut report);
        Ok(report)
    };
    let mut reports = files.iter().map(read).collect::<Result<Vec<_>>>()?;
    // The tables and plots are those of the first.
    reports.sort_by_key(|report| Reverse(report.figures.len()));
    write(out, readme, &reports)
}

fn write(out: &Path, readme: &Path, reports: &[Report]) -> Result<()> {
    let name = out.file_stem().context("no name for the page")?.to_string_lossy();
    let plots = out.with_extension("");
    fs::create_dir_all(&plots).with_context(|| format!("could not make {}", plots.display()))?;
    let drawn = plot::all(&reports[0], &plots)?;
    let pages = page::write(reports, &name)?;
    write_file(out, &pages.first)?;
    write_file(&out.with_file_name(format!("{name}-details.md")), &pages.details)?;
    let text = fs::read_to_string(readme).with_context(|| format!("could not read {}", readme.display()))?;
    let text = page::insert(&text, &pages.tables).with_context(|| readme.display().to_string())?;
    write_file(readme, &text)?;
    println!("wrote {}, its details, {drawn} plots and the tables of {}", out.display(), readme.display());
    Ok(())
}

fn write_file(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| format!("could not write {}", file.display()))
}
