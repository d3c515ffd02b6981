//! AES-128, blocks in bulk and alone.

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
                    let cipher = Aes128::new(&KEY);
                    let mut data = blocks(size);
                    assert_eq!(data.len() * 16, size);
                    move || {
                        let data = black_box(&mut data[..]);
                        if decrypt { cipher.decrypt_blocks(data) } else { cipher.encrypt_blocks(data) }
                    }
                })
                .bytes(size),
            );
            cases.push(
                Case::new("AES-128", &work, RUSTCRYPTO, move || {
                    let cipher = aes::Aes128::new(&KEY.into());
                    let mut data: Vec<Array<u8, _>> = blocks(size).into_iter().map(Array::from).collect();
                    move || {
                        let data = black_box(&mut data[..]);
                        if decrypt { cipher.decrypt_blocks(data) } else { cipher.encrypt_blocks(data) }
                    }
                })
                .bytes(size),
            );
        }
    }
}

fn blocks(size: usize) -> Vec<[u8; 16]> {
    sample(size).as_chunks().0.to_vec()
}
