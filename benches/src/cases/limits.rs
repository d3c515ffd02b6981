//! The limits of the kernels: parts of their work that nobody can leave out.

use super::OURS;
use crate::case::{Case, length, sample};
use core::hint::black_box;
use rand::Rng;
use simd_crypto::shamir::seeded_rng;

pub(super) fn add(cases: &mut Vec<Case>) {
    for size in [1 << 16, 1 << 20] {
        let work = |what| format!("{what} {}", length(size));
        cases.push(
            Case::new("limits", work("random bytes"), OURS, move || {
                let mut rng = seeded_rng().expect("the operating system has randomness");
                let mut bytes = sample(size);
                move || rng.fill_bytes(black_box(&mut bytes))
            })
            .bytes(size),
        );
        cases.push(
            Case::new("limits", work("random bytes"), "rand::rng()", move || {
                let mut rng = rand::rng();
                let mut bytes = sample(size);
                move || rng.fill_bytes(black_box(&mut bytes))
            })
            .bytes(size),
        );
        cases.push(
            Case::new("limits", work("copy"), "memcpy", move || {
                let from = sample(size);
                let mut to = sample(size);
                move || black_box(&mut to).copy_from_slice(black_box(&from))
            })
            .bytes(size),
        );
    }
}
