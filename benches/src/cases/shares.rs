//! Shamir's secret sharing by the number of shares.

use super::OURS;
use super::shamir::{ours_recover, ours_split};
use crate::case::{Case, length};

/// Bytes of the secret.
const SECRET: usize = 1 << 16;
/// Shares that are enough.
const THRESHOLD: u8 = 3;

pub(super) fn add(cases: &mut Vec<Case>) {
    for shares in [3, 5, 10, 20, 40, 80, 160] {
        let work = format!("split {}, {THRESHOLD} of {shares}", length(SECRET));
        let prepare = move || {
            let mut run = ours_split(SECRET, THRESHOLD, shares);
            move || run()
        };
        cases.push(Case::new("shares", work, OURS, prepare).bytes(SECRET));
    }
    for shares in [2, 3, 5, 10, 20, 40, 80, 160] {
        let work = format!("recover {}, from {shares}", length(SECRET));
        let prepare = move || {
            let mut run = ours_recover(SECRET, shares, shares);
            move || run()
        };
        cases.push(Case::new("shares", work, OURS, prepare).bytes(SECRET));
    }
}
