//! The measurements of a process whose CPU has no optional features, as far as it can see.
use super::{Measurement, algorithms};
use simd_core::testing::this_program;
use std::env;
use std::process::Stdio;

/// Leaves a process the features it lists; see `simd-core`.
const ONLY: &str = "SIMD_CORE_ONLY";

pub(super) const NO_BASELINE: &str = "the process for the baseline could not be started here: no baseline was checked";

/// Whether this process is left no features already, as its child would be.
pub(super) fn is_bare() -> bool {
    env::var_os(ONLY).is_some_and(|features| features.is_empty())
}

/// Measures in a child process; `None` if it cannot be started, as happens to emulated programs.
pub(super) fn measure_in_child() -> Result<Option<Vec<Measurement>>, String> {
    let mut command = this_program();
    let Ok(child) = command
        .args(["demo", "--measure"])
        .env(ONLY, "")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
    else {
        return Ok(None);
    };
    let output = child.wait_with_output().map_err(|error| format!("the process for the baseline was lost: {error}"))?;
    if !output.status.success() {
        return Err(format!("the process for the baseline failed: {}", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let measurements: Option<Vec<Measurement>> = text.lines().map(parse).collect();
    match measurements {
        Some(measurements) if measurements.len() == algorithms::all().count() => Ok(Some(measurements)),
        _ => Err("the process for the baseline printed something else than its measurements".to_owned()),
    }
}

fn parse(line: &str) -> Option<Measurement> {
    let mut fields = line.split('\t');
    let (target, time, mismatch) = (fields.next()?, fields.next()?, fields.next()?);
    let mismatch = (!mismatch.is_empty()).then(|| mismatch.to_owned());
    Some(Measurement { target: target.to_owned(), mismatch, time: time.parse().ok()? })
}
