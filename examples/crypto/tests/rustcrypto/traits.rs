//! What the types promise besides.
use core::fmt::Debug;
use simd_crypto::aead::{Aes128Gcm, ChaCha20Poly1305, XChaCha20Poly1305};
use simd_crypto::aes::{Aes128, Aes128Enc, Block};
use simd_crypto::chacha20::{ChaCha20, ChaCha20Legacy, XChaCha20, hchacha20};
use simd_crypto::ctr::Aes128Ctr;
use simd_crypto::ghash::{GHash, Polyval};
use simd_crypto::poly1305::Poly1305;
use subtle::ConstantTimeEq;
use zeroize::ZeroizeOnDrop;

fn secret<T: Debug + ZeroizeOnDrop + Clone + Send + Sync>(value: &T, shown: &str) {
    assert_eq!(format!("{value:?}"), shown);
}

#[test]
fn debug_shows_nothing() {
    let key = [0xab; 32];
    let short = [0xab; 16];
    secret(&Aes128::new(&short), "Aes128(…)");
    secret(&Aes128Enc::new(&short), "Aes128Enc(…)");
    secret(&Aes128Gcm::new(&short), "Aes128Gcm(…)");
    secret(&Aes128Ctr::new(&short, &short), "AesCtr { position: 0, .. }");
    secret(&GHash::new(&short), "GHash(…)");
    secret(&Polyval::new(&short), "Polyval(…)");
    secret(&Poly1305::new(&key), "Poly1305(…)");
    secret(&ChaCha20::new(&key, &[1; 12]), "ChaCha20 { position: 0, .. }");
    secret(&XChaCha20::new(&key, &[1; 24]), "XChaCha20 { position: 0, .. }");
    secret(&ChaCha20Legacy::new(&key, &[1; 8]), "ChaCha20Legacy { position: 0, .. }");
    secret(&ChaCha20Poly1305::new(&key), "ChaCha20Poly1305(…)");
    secret(&XChaCha20Poly1305::new(&key), "XChaCha20Poly1305(…)");
}

#[test]
fn keys_are_compared() {
    let same = |a: u8, b: u8| bool::from(Aes128Enc::new(&[a; 16]).ct_eq(&Aes128Enc::new(&[b; 16])));
    assert!(same(1, 1) && !same(1, 2));
    assert!(bool::from(Aes128::new(&[1; 16]).ct_eq(&Aes128::new(&[1; 16]))));
    assert!(!bool::from(Block::from([1; 16]).ct_eq(&Block::from([2; 16]))));
}

/// draft-irtf-cfrg-xchacha-03, section 2.2.1.
#[test]
fn a_key_for_each_nonce() {
    let key: [u8; 32] = core::array::from_fn(|i| i as u8);
    let nonce = hex_literal::hex!("000000090000004a0000000031415927");
    let derived = hex_literal::hex!("82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc");
    assert_eq!(hchacha20(&key, &nonce), derived);
}

/// NIST SP 800-38A, F.5.5.
#[test]
fn counter_mode() {
    let key = hex_literal::hex!("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");
    let counter = hex_literal::hex!("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    let mut data = hex_literal::hex!("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51");
    simd_crypto::ctr::Aes256Ctr::new(&key, &counter).apply_keystream(&mut data).unwrap();
    assert_eq!(data, hex_literal::hex!("601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"));
}
