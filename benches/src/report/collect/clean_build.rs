//! What a dependency adds to the first build of a program: crates with one function, built from nothing.

use super::generated::{Generated, OURS};
use crate::report::data::{Figure, Value};
use crate::report::facts::FACTS;
use anyhow::Result;
use benchmarks::timing::{median, turns};
use indicatif::ProgressBar;
use std::fs;

const ROUNDS: usize = 5;

/// Builds all crates, interleaved; what they depend on has been downloaded before.
pub(crate) fn all(bar: &ProgressBar) -> Result<Vec<Figure>> {
    let mut crates = Vec::new();
    for facts in &FACTS.dependency {
        let generated = Generated::new(&format!("clean, {}", facts.by), &facts.dependency.replace("{ours}", OURS))?;
        let function = "fn square(values: &mut [f32]) { for value in values { *value *= *value; } }";
        let main = "fn main() { square(std::hint::black_box(&mut [1.0; 64])); }";
        generated.write(&format!("{}\n{function}\n{main}\n", facts.attribute))?;
        generated.cargo(&["fetch", "--quiet"])?;
        crates.push((facts, generated, Vec::new()));
    }
    let count = crates.len();
    bar.set_length((ROUNDS * count) as u64);
    bar.set_position(0);
    for round in 0..ROUNDS {
        for i in turns(count, round) {
            let (facts, generated, times) = &mut crates[i];
            bar.set_message(format!("building from nothing: {}", facts.by));
            let target = generated.built("", "");
            if target.exists() {
                fs::remove_dir_all(target)?;
            }
            // Cargo prepares a crate in a folder, as ours is here, for incremental builds, and none from a registry.
            times.push(generated.cargo_in(&["build"], &[("CARGO_INCREMENTAL", "0")])?.as_nanos() as f64);
            bar.inc(1);
        }
    }
    let figure = |(facts, _, times): (&crate::report::facts::Dependency, Generated, Vec<f64>)| {
        Figure::new("Clean build", "debug", &facts.by, Value::Ns(median(times)))
    };
    Ok(crates.into_iter().map(figure).collect())
}
