//! ChaCha20.
use super::{Algorithm, MANY, batches, compare, counting, in_turn};
use crate::explain;
use core::hint::black_box;
use simd_crypto::chacha20::{ChaCha20, chacha20_block};

const RFC_8439: &str = "RFC 8439, section 2.3.2";

pub(in crate::demo) const ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        name: "ChaCha20, one block of 64 bytes",
        source: RFC_8439,
        target: || explain::CHACHA20.chosen(),
        check: || compare(&chacha20_block(&counting(), 1, &NONCE), BLOCK),
        work: |units| {
            in_turn(units, counting(), |key| {
                let block = chacha20_block(key, 1, &NONCE);
                key.copy_from_slice(&block[..32]);
            });
        },
    },
    Algorithm {
        name: "ChaCha20, many blocks of 64 bytes",
        source: RFC_8439,
        target: || explain::CHACHA20.chosen(),
        check: || {
            let mut data = [0; 64 * MANY];
            let mut cipher = ChaCha20::from_key_and_nonce(&counting(), &NONCE);
            cipher.xor_keystream(&mut data).map_err(|error| error.to_string())?;
            compare(&data[64..128], BLOCK)?;
            // Each of the others is what it is by itself.
            let alone: Vec<u8> = (0..MANY as u32).flat_map(|i| chacha20_block(&counting(), i, &NONCE)).collect();
            compare(&data, &format!("{:x}", base16ct::HexDisplay(&alone)))
        },
        work: |units| {
            let mut data = [0; 64 * MANY];
            for n in batches(units) {
                // A keystream of this length has an end that is far away.
                let _ = ChaCha20::from_key_and_nonce(&counting(), &NONCE).xor_keystream(&mut data[..64 * n]);
                black_box(&mut data);
            }
        },
    },
];

const NONCE: [u8; 12] = [0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0];

/// Block 1 of the keystream.
const BLOCK: &str = "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e\
    d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e";
