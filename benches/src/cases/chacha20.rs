//! ChaCha20 over buffers of many lengths.

use super::{CHACHA20, OURS};
use crate::case::{Case, length, sample};
use chacha20::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use core::hint::black_box;
use simd_crypto::chacha20::ChaCha20;

const KEY: [u8; 32] = *b"a key of two and thirty bytes ..";
const NONCE: [u8; 12] = *b"twelve bytes";

pub(super) fn add(cases: &mut Vec<Case>) {
    for size in [64, 256, 1024, 4096, 16384, 65536] {
        cases.push(
            Case::new("ChaCha20", length(size), OURS, move || {
                let mut data = sample(size);
                let mut cipher = ChaCha20::from_key_and_nonce(&KEY, &NONCE);
                move || {
                    cipher.set_position(0).expect("the start is in the key stream");
                    cipher.xor_keystream(black_box(&mut data)).expect("short enough for one nonce");
                }
            })
            .bytes(size),
        );
        cases.push(
            Case::new("ChaCha20", length(size), CHACHA20, move || {
                let mut data = sample(size);
                let mut cipher = chacha20::ChaCha20::new(&KEY.into(), &NONCE.into());
                move || {
                    cipher.seek(0u32);
                    cipher.apply_keystream(black_box(&mut data));
                }
            })
            .bytes(size),
        );
        cases.push(
            Case::new("ChaCha20", length(size), "rust-bitcoin", move || {
                use chacha20_poly1305::{Key, Nonce, chacha20::ChaCha20};
                let mut data = sample(size);
                let mut cipher = ChaCha20::new(Key::new(KEY), Nonce::new(NONCE), 0);
                move || {
                    cipher.seek(0);
                    cipher.apply_keystream(black_box(&mut data));
                }
            })
            .bytes(size),
        );
    }
}
