//! The crate `haraka`, around which this program times the same loops as ours.

use haraka::{haraka256, haraka512};
use std::hint::black_box;

const MANY: usize = 256;

/// A message of which the hash is known, from the paper's appendix.
fn check() {
    let message: [u8; 64] = std::array::from_fn(|i| i as u8);
    let mut hash = [0; 32];
    haraka512::<5>(&mut hash, &message);
    assert_eq!(hash[..8], [0xbe, 0x7f, 0x72, 0x3b, 0x4e, 0x80, 0xa9, 0x98]);
    haraka256::<5>(&mut hash, message.first_chunk().unwrap());
    assert_eq!(hash[..8], [0x80, 0x27, 0xcc, 0xb8, 0x79, 0x49, 0x77, 0x4b]);
}

fn cases() -> Vec<Case> {
    check();
    let mut cases: Vec<Case> = Vec::new();
    let mut add = |work: &str, run: Box<dyn FnMut()>| {
        cases.push((MANY as u64, format!("{work}/haraka-rs, native"), run));
    };
    let mut message = [7; 64];
    add("Haraka-512/chained", Box::new(move || {
        let message = black_box(&mut message);
        for _ in 0..MANY {
            let mut hash = [0; 32];
            haraka512::<5>(&mut hash, message);
            message[..32].copy_from_slice(&hash);
        }
    }));
    let mut message = [7; 32];
    add("Haraka-256/chained", Box::new(move || {
        let message = black_box(&mut message);
        for _ in 0..MANY {
            let mut hash = [0; 32];
            haraka256::<5>(&mut hash, message);
            *message = hash;
        }
    }));
    let messages = vec![[7; 64]; MANY];
    let mut hashes = vec![[0; 32]; MANY];
    add("Haraka-512/independent", Box::new(move || {
        for (hash, message) in black_box(&mut hashes).iter_mut().zip(black_box(&messages)) {
            haraka512::<5>(hash, message);
        }
    }));
    let messages = vec![[7; 32]; MANY];
    let mut hashes = vec![[0; 32]; MANY];
    add("Haraka-256/independent", Box::new(move || {
        for (hash, message) in black_box(&mut hashes).iter_mut().zip(black_box(&messages)) {
            haraka256::<5>(hash, message);
        }
    }));
    cases
}
