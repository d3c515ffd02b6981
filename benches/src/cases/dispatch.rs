//! Calls of a function of one instruction, the low half of a carry-less product.
//!
//! "Throughput" folds independent products together, "latency" multiplies the last product again.

use crate::case::Case;

#[cfg(target_arch = "x86_64")]
mod levels;
#[cfg(target_arch = "x86_64")]
mod x86_64;

/// Calls in one run.
#[cfg(target_arch = "x86_64")]
const CALLS: usize = 1024;

pub(super) fn add(cases: &mut Vec<Case>) {
    #[cfg(target_arch = "x86_64")]
    {
        x86_64::add(cases);
        levels::add(cases);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = cases;
}
