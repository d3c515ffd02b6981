//! Calls of a function of one instruction, the low half of a carry-less product.
//!
//! "Throughput" folds independent products together, "latency" multiplies the last product again.

use crate::case::Case;
#[cfg(target_arch = "x86_64")]
use core::hint::black_box;

#[cfg(target_arch = "x86_64")]
mod levels;
#[cfg(target_arch = "x86_64")]
mod x86_64;

/// Calls in one run.
#[cfg(target_arch = "x86_64")]
const CALLS: usize = 1024;

/// A contender, and its loops over pairs: throughput and latency.
#[cfg(target_arch = "x86_64")]
type Contender<T> = (&'static str, [fn(&[(T, T)]) -> u64; 2]);

/// Adds a case for each loop of each contender, whose result has to be the first one's.
#[cfg(target_arch = "x86_64")]
fn add_all<T: 'static>(
    cases: &mut Vec<Case>,
    group: &'static str,
    pairs: fn() -> Vec<(T, T)>,
    expected: Contender<T>,
    all: impl IntoIterator<Item = Contender<T>>,
) {
    for (by, loops) in all {
        for ((work, run), expected) in ["throughput", "latency"].into_iter().zip(loops).zip(expected.1) {
            let case = Case::new(group, work, by, move || {
                let pairs = pairs();
                assert_eq!(run(&pairs), expected(&pairs), "{by}, {work}");
                move || {
                    black_box(run(black_box(&pairs)));
                }
            });
            cases.push(case.operations(CALLS as u64));
        }
    }
}

pub(super) fn add(cases: &mut Vec<Case>) {
    #[cfg(target_arch = "x86_64")]
    {
        x86_64::add(cases);
        levels::add(cases);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = cases;
}
