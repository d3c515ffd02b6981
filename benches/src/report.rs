//! The report.

// The layers, from the ground up: a module uses those of earlier groups and none beside or after it. A test of the
// workspace reads these lines.

mod facts;
mod format;

mod data;

mod collect;

mod analysis;

mod page;
mod plot;

pub(crate) use collect::serve;

use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Measures, and writes the page, its plots and the data.
pub(crate) fn run(out: &Path, json: Option<&Path>, from: Option<&Path>, only: &[String]) -> Result<()> {
    let mut report: data::Report = match from {
        Some(from) => {
            let text = fs::read(from).with_context(|| format!("could not read {}", from.display()))?;
            serde_json::from_slice(&text)?
        }
        None => collect::all(only)?,
    };
    analysis::add(&mut report);
    if let Some(json) = json {
        fs::write(json, serde_json::to_string_pretty(&report)?)
            .with_context(|| format!("could not write {}", json.display()))?;
    }
    let page = page::write(&report);
    if !only.is_empty() {
        println!("{page}");
        return Ok(());
    }
    let plots = out.with_extension("");
    fs::create_dir_all(&plots).with_context(|| format!("could not make {}", plots.display()))?;
    plot::all(&report, &plots)?;
    fs::write(out, page).with_context(|| format!("could not write {}", out.display()))?;
    println!("wrote {} and {} plots", out.display(), fs::read_dir(&plots)?.count());
    Ok(())
}
