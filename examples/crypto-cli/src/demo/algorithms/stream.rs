//! ChaCha20.
use super::{Algorithm, MANY, batches, compare};
use crate::explain;
use core::hint::black_box;
use simd_crypto::chacha20::{ChaCha20, chacha20_block};

const RFC_8439: &str = "RFC 8439, section 2.3.2";

pub(in crate::demo) const ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        name: "ChaCha20, one block of 64 bytes",
        source: RFC_8439,
        target: || explain::CHACHA20.chosen(),
        check: || compare(&chacha20_block(&key(), 1, &NONCE), block()),
        work: |units| {
            let mut key = key();
            for _ in 0..units {
                let block = chacha20_block(&key, 1, &NONCE);
                key.copy_from_slice(&block[..32]);
            }
            black_box(key);
        },
    },
    Algorithm {
        name: "ChaCha20, many blocks of 64 bytes",
        source: RFC_8439,
        target: || explain::CHACHA20.chosen(),
        check: || {
            let mut data = [0; 64 * MANY];
            let mut cipher = ChaCha20::from_key_and_nonce(&key(), &NONCE);
            cipher.xor_keystream(&mut data).map_err(|error| error.to_string())?;
            let (blocks, _) = data.as_chunks::<64>();
            compare(&blocks[1], block())?;
            // Each of the others is what it is by itself.
            let alone = (0..).map(|counter| chacha20_block(&key(), counter, &NONCE));
            blocks.iter().zip(alone).try_for_each(|(block, alone)| compare(block, alone))
        },
        work: |units| {
            let mut data = [0; 64 * MANY];
            for n in batches(units) {
                // A keystream of this length has an end that is far away.
                let _ = ChaCha20::from_key_and_nonce(&key(), &NONCE).xor_keystream(&mut data[..64 * n]);
                black_box(&mut data);
            }
        },
    },
];

fn key() -> [u8; 32] {
    super::counting()
}

const NONCE: [u8; 12] = [0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0];

/// Block 1 of the keystream.
fn block() -> [u8; 64] {
    let words = [
        0x10f1_e7e4_d13b_5915_500f_dd1f_a320_71c4_u128,
        0xc7d1_f4c7_33c0_6803_0422_aa9a_c3d4_6c4e,
        0xd282_6446_079f_aa09_14c2_d705_d98b_02a2,
        0xb512_9cd1_de16_4eb9_cbd0_83e8_a250_3c4e,
    ];
    let mut block = [0; 64];
    for (bytes, word) in block.chunks_mut(16).zip(words) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    block
}
