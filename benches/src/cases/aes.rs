//! AES-128, blocks in bulk and one by one.

use super::OURS;
use crate::case::{Case, length, sample};
use aes::cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use core::hint::black_box;
use simd_crypto::aes::Aes128;

const RUSTCRYPTO: &str = "RustCrypto aes";
const KEY: [u8; 16] = *b"sixteen byte key";

pub(super) fn add(cases: &mut Vec<Case>) {
    for size in [16, 128, 1024, 65536] {
        for decrypt in [false, true] {
            let work = format!("{} {}", if decrypt { "decrypt" } else { "encrypt" }, length(size));
            cases.push(
                Case::new("AES-128", &work, OURS, move || {
                    let cipher = Aes128::from_key(&KEY);
                    let mut data = sample(size);
                    move || {
                        let data = black_box(data.as_chunks_mut().0);
                        if decrypt { cipher.decrypt_many(data) } else { cipher.encrypt_many(data) }
                    }
                })
                .bytes(size),
            );
            cases.push(
                Case::new("AES-128", &work, RUSTCRYPTO, move || {
                    let cipher = aes::Aes128::new(&KEY.into());
                    let mut data = sample(size);
                    move || {
                        let data = black_box(Array::cast_slice_from_core_mut(data.as_chunks_mut().0));
                        if decrypt { cipher.decrypt_blocks(data) } else { cipher.encrypt_blocks(data) }
                    }
                })
                .bytes(size),
            );
        }
    }
}
