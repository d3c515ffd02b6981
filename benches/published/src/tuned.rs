//! What `cargo dispatch tune` reaches from the published sources, next to the patch that was made by hand.

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Result, bail};
use serde::Deserialize;

use crate::subject::Subject;
use crate::{made, results, times};

/// What the command prints, as far as it is read.
#[derive(Deserialize)]
struct Tuned {
    complete: bool,
    rows: Vec<Row>,
    functions: Vec<Annotated>,
    diff: String,
}

#[derive(Deserialize)]
struct Annotated {
    targets: String,
}

#[derive(Deserialize)]
struct Row {
    row: String,
    speeds: Vec<Speed>,
}

#[derive(Deserialize)]
struct Speed {
    target: String,
    median: f64,
}

impl Tuned {
    /// Whether a clone for the target is in a list.
    fn has(&self, target: &str) -> bool {
        self.functions.iter().any(|function| function.targets.split(" | ").any(|one| one == target))
    }
}

pub(crate) fn run(subject: &Subject, arguments: &[String]) -> Result<()> {
    let workspace = subject.tunable()?;
    let mut command = Command::new(times::tool()?);
    command.args(["dispatch", "tune", "--package", "rows", "--json"]).args(arguments).current_dir(&workspace);
    command.env("CARGO_TARGET_DIR", made("tuned").join(&subject.name)).stderr(Stdio::inherit());
    let start = Instant::now();
    let output = command.output()?;
    let minutes = start.elapsed().as_secs_f64() / 60.0;
    if !output.status.success() && output.stdout.is_empty() {
        bail!("cargo dispatch tune: {}", output.status);
    }
    let tuned: Tuned = serde_json::from_slice(&output.stdout)?;
    println!("{}", tuned.diff);
    let cpu = times::cpu();
    let by_hand = match results::read(subject)?.times.into_iter().find(|times| times.cpu == cpu) {
        Some(kept) => kept,
        None => times::run(subject, 0.5, None)?,
    };
    println!("| row | by hand | `cargo dispatch tune` |\n|---|---|---|");
    let mut logarithms = (0.0, 0.0);
    let mut slowest = f64::INFINITY;
    for row in &by_hand.rows {
        // Of the first target of the list that this CPU has.
        let hand = by_hand.targets.first().and_then(|target| row.on.get(target)).map_or(1.0, |pair| pair.ratio);
        let speeds = tuned.rows.iter().find(|one| one.row == format!("rows: {}", row.name)).map(|one| &one.speeds);
        let own = speeds.and_then(|speeds| speeds.first()).map_or(1.0, |speed| speed.median);
        let of_targets = speeds.into_iter().flatten().filter(|speed| tuned.has(&speed.target));
        slowest = of_targets.fold(slowest, |slowest, speed| slowest.min(speed.median));
        logarithms = (logarithms.0 + hand.ln(), logarithms.1 + own.ln());
        println!("| {} | {hand:.2} | {own:.2} |", row.name);
    }
    let count = f64::from(u32::try_from(by_hand.rows.len())?);
    let mean = |sum: f64| (sum / count).exp();
    println!(
        "\n| crate | by the command | by hand | of the logarithm | slowest row on a target | minutes |\n|---|---|---|---|---|---|"
    );
    println!(
        "| `{}` | {:.2} | {:.2} | {:.2} | {:.2} | {minutes:.0}{} |",
        subject.name,
        mean(logarithms.1),
        mean(logarithms.0),
        logarithms.1 / logarithms.0,
        if slowest.is_finite() { slowest } else { 1.0 },
        if tuned.complete { "" } else { ", the time was over before the search" }
    );
    Ok(())
}
