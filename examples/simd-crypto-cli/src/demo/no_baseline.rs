//! Builds in which nothing takes CPU features away have no measurements of the baseline.
use super::Measurement;

pub(super) const NO_BASELINE: &str = "built without the feature `baseline`, which times the baseline too: cargo run --release -p simd-crypto-cli --features baseline -- demo";

pub(super) fn is_bare() -> bool {
    false
}

#[allow(clippy::unnecessary_wraps, reason = "it is what builds with a baseline have")]
pub(super) fn measure_in_child() -> Result<Option<Vec<Measurement>>, String> {
    Ok(None)
}
