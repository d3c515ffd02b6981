//! Haraka v2 with five rounds: a chain of hashes, independent ones, batches.

use super::OURS;
use crate::case::{Case, sample};
use core::hint::black_box;
use simd_crypto::haraka::{haraka256, haraka256_many, haraka512, haraka512_many};

/// How many messages one run hashes one by one.
const MANY: usize = 256;

pub(super) fn add(cases: &mut Vec<Case>) {
    cases.push(
        Case::new("Haraka-512", "chained", OURS, || {
            let mut message = [7; 64];
            move || {
                for _ in 0..MANY {
                    let hash = haraka512::<5>(&message);
                    message[..32].copy_from_slice(&hash);
                }
                black_box(&mut message);
            }
        })
        .operations(MANY as u64),
    );
    cases.push(
        Case::new("Haraka-256", "chained", OURS, || {
            let mut message = [7; 32];
            move || {
                for _ in 0..MANY {
                    message = haraka256::<5>(&message);
                }
                black_box(&mut message);
            }
        })
        .operations(MANY as u64),
    );
    cases.push(
        Case::new("Haraka-512", "independent", OURS, || {
            let messages: Vec<[u8; 64]> = sample(64 * MANY).as_chunks().0.to_vec();
            let mut hashes = vec![[0; 32]; MANY];
            move || {
                for (hash, message) in hashes.iter_mut().zip(black_box(&messages)) {
                    *hash = haraka512::<5>(message);
                }
                black_box(&mut hashes);
            }
        })
        .operations(MANY as u64),
    );
    cases.push(
        Case::new("Haraka-256", "independent", OURS, || {
            let messages: Vec<[u8; 32]> = sample(32 * MANY).as_chunks().0.to_vec();
            let mut hashes = vec![[0; 32]; MANY];
            move || {
                for (hash, message) in hashes.iter_mut().zip(black_box(&messages)) {
                    *hash = haraka256::<5>(message);
                }
                black_box(&mut hashes);
            }
        })
        .operations(MANY as u64),
    );
    for batch in [1, 2, 4, 8, 16, 32, 64, 1024] {
        let work = format!("batch of {batch}");
        cases.push(
            Case::new("Haraka-512", &work, OURS, move || {
                let messages: Vec<[u8; 64]> = sample(64 * batch).as_chunks().0.to_vec();
                let mut hashes = vec![[0; 32]; batch];
                move || haraka512_many::<5>(black_box(&messages), black_box(&mut hashes))
            })
            .operations(batch as u64),
        );
        cases.push(
            Case::new("Haraka-256", &work, OURS, move || {
                let messages: Vec<[u8; 32]> = sample(32 * batch).as_chunks().0.to_vec();
                let mut hashes = vec![[0; 32]; batch];
                move || haraka256_many::<5>(black_box(&messages), black_box(&mut hashes))
            })
            .operations(batch as u64),
        );
    }
}
