//! Haraka v2 with five rounds: a chain of hashes, independent ones, batches.
//!
//! Everything is timed in a function with the attribute, where a hash is inlined, and in one without, where each hash or
//! batch is a call, and the result of a hash goes through memory.
#![allow(clippy::inline_always, reason = "one loop is compiled for callers of two kinds")]

use super::{FROM_PLAIN_CODE, OURS};
use crate::case::{Case, sample};
use core::hint::black_box;
use simd_core::dispatch;
use simd_crypto::haraka::{haraka256, haraka256_many, haraka512, haraka512_many};

/// How many messages one run hashes one by one.
const MANY: usize = 256;
/// How many batches one run hashes.
const BATCHES: usize = 16;

/// Hashes of hashes, without a call between them.
#[dispatch(targets = simd_crypto::targets::haraka512)]
fn chain512(message: &mut [u8; 64]) {
    chain512_calls(message);
}

/// The same where every hash is a call, of which the result goes through memory twice.
#[inline(always)]
fn chain512_calls(message: &mut [u8; 64]) {
    for _ in 0..MANY {
        let hash = haraka512::<5>(message);
        message[..32].copy_from_slice(&hash);
    }
}

#[dispatch(targets = simd_crypto::targets::block)]
fn chain256(message: &mut [u8; 32]) {
    chain256_calls(message);
}

#[inline(always)]
fn chain256_calls(message: &mut [u8; 32]) {
    for _ in 0..MANY {
        *message = haraka256::<5>(message);
    }
}

#[dispatch(targets = simd_crypto::targets::haraka512)]
fn each512(messages: &[[u8; 64]], hashes: &mut [[u8; 32]]) {
    each512_calls(messages, hashes);
}

#[inline(always)]
fn each512_calls(messages: &[[u8; 64]], hashes: &mut [[u8; 32]]) {
    for (hash, message) in hashes.iter_mut().zip(messages) {
        *hash = haraka512::<5>(message);
    }
}

#[dispatch(targets = simd_crypto::targets::block)]
fn each256(messages: &[[u8; 32]], hashes: &mut [[u8; 32]]) {
    each256_calls(messages, hashes);
}

#[inline(always)]
fn each256_calls(messages: &[[u8; 32]], hashes: &mut [[u8; 32]]) {
    for (hash, message) in hashes.iter_mut().zip(messages) {
        *hash = haraka256::<5>(message);
    }
}

/// Batch after batch.
#[dispatch(targets = simd_crypto::targets::blocks)]
fn batches512(messages: &[[u8; 64]], hashes: &mut [[u8; 32]]) {
    batches512_calls(messages, hashes);
}

#[inline(always)]
fn batches512_calls(messages: &[[u8; 64]], hashes: &mut [[u8; 32]]) {
    for _ in 0..BATCHES {
        haraka512_many::<5>(black_box(messages), black_box(hashes));
    }
}

#[dispatch(targets = simd_crypto::targets::blocks)]
fn batches256(messages: &[[u8; 32]], hashes: &mut [[u8; 32]]) {
    batches256_calls(messages, hashes);
}

#[inline(always)]
fn batches256_calls(messages: &[[u8; 32]], hashes: &mut [[u8; 32]]) {
    for _ in 0..BATCHES {
        haraka256_many::<5>(black_box(messages), black_box(hashes));
    }
}

pub(super) fn add(cases: &mut Vec<Case>) {
    for (by, chain) in [(OURS, chain512 as fn(&mut _)), (FROM_PLAIN_CODE, |m| chain512_calls(m))] {
        cases.push(
            Case::new("Haraka-512", "chained", by, move || {
                let mut message = [7; 64];
                move || chain(black_box(&mut message))
            })
            .operations(MANY as u64),
        );
    }
    for (by, chain) in [(OURS, chain256 as fn(&mut _)), (FROM_PLAIN_CODE, |m| chain256_calls(m))] {
        cases.push(
            Case::new("Haraka-256", "chained", by, move || {
                let mut message = [7; 32];
                move || chain(black_box(&mut message))
            })
            .operations(MANY as u64),
        );
    }
    for (by, each) in
        [(OURS, each512 as fn(&[_], &mut [_])), (FROM_PLAIN_CODE, |messages, hashes| each512_calls(messages, hashes))]
    {
        cases.push(
            Case::new("Haraka-512", "independent", by, move || {
                let messages = sample(64 * MANY);
                let mut hashes = sample(32 * MANY);
                move || each(black_box(messages.as_chunks().0), black_box(hashes.as_chunks_mut().0))
            })
            .operations(MANY as u64),
        );
    }
    for (by, each) in
        [(OURS, each256 as fn(&[_], &mut [_])), (FROM_PLAIN_CODE, |messages, hashes| each256_calls(messages, hashes))]
    {
        cases.push(
            Case::new("Haraka-256", "independent", by, move || {
                let messages = sample(32 * MANY);
                let mut hashes = sample(32 * MANY);
                move || each(black_box(messages.as_chunks().0), black_box(hashes.as_chunks_mut().0))
            })
            .operations(MANY as u64),
        );
    }
    for batch in [1, 2, 4, 8, 16, 32, 64, 1024] {
        let work = format!("batch of {batch}");
        let operations = (BATCHES * batch) as u64;
        for (by, run) in [
            (OURS, batches512 as fn(&[_], &mut [_])),
            (FROM_PLAIN_CODE, |messages, hashes| batches512_calls(messages, hashes)),
        ] {
            let case = Case::new("Haraka-512", &work, by, move || {
                let (messages, mut hashes) = (sample(64 * batch), sample(32 * batch));
                move || run(messages.as_chunks().0, hashes.as_chunks_mut().0)
            });
            cases.push(case.operations(operations));
        }
        for (by, run) in [
            (OURS, batches256 as fn(&[_], &mut [_])),
            (FROM_PLAIN_CODE, |messages, hashes| batches256_calls(messages, hashes)),
        ] {
            let case = Case::new("Haraka-256", &work, by, move || {
                let (messages, mut hashes) = (sample(32 * batch), sample(32 * batch));
                move || run(messages.as_chunks().0, hashes.as_chunks_mut().0)
            });
            cases.push(case.operations(operations));
        }
    }
}
