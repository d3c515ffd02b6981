//! Modes of operation and authenticators.
use crate::kernels::{Kernel, array};
use simd_crypto::aead::{Aes128Gcm, Aes256Gcm, ChaCha20Poly1305, XChaCha20Poly1305};
use simd_crypto::aes::Aes128Enc;
use simd_crypto::chacha20::{ChaCha20Legacy, hchacha20};
use simd_crypto::ctr::Aes256Ctr;
use simd_crypto::ghash::{GHash, Polyval};
use simd_crypto::poly1305::Poly1305;
use subtle::ConstantTimeEq;

/// Keys and messages are secret; nonces and associated data are not.
pub(crate) const KERNELS: &[Kernel] = &[
    ("AES-128, encryption alone", 16 + 21 * 16, |secret| {
        let mut data = secret[16..].to_vec();
        Aes128Enc::new(array(secret)).encrypt_blocks(data.as_chunks_mut().0);
        data
    }),
    ("equal keys", 32, |secret| {
        let [a, b] = [secret, &secret[16..]].map(|key| Aes128Enc::new(array(key)));
        vec![a.ct_eq(&b).unwrap_u8()]
    }),
    ("AES-256 in counter mode", 32 + 1111, |secret| {
        let mut data = secret[32..].to_vec();
        let (first, second) = data.split_at_mut(333);
        let mut cipher = Aes256Ctr::new(array(secret), &[0xff; 16]);
        cipher.apply_keystream(first).unwrap();
        cipher.apply_keystream(second).unwrap();
        data
    }),
    ("AES-128-GCM, a few bytes", 16 + 37, |secret| gcm128(secret)),
    ("AES-128-GCM, many bytes", 16 + 1717, |secret| gcm128(secret)),
    ("AES-256-GCM", 32 + 600, |secret| {
        let mut data = secret[32..].to_vec();
        let tag = Aes256Gcm::new(array(secret)).encrypt_in_place(&[3; 12], &[], &mut data).unwrap();
        [&data[..], &tag].concat()
    }),
    ("ChaCha20-Poly1305, a few bytes", 32 + 37, |secret| chacha20poly1305(secret)),
    ("ChaCha20-Poly1305, many bytes", 32 + 1717, |secret| chacha20poly1305(secret)),
    ("XChaCha20-Poly1305", 32 + 300, |secret| {
        let mut data = secret[32..].to_vec();
        let tag = XChaCha20Poly1305::new(array(secret)).encrypt_in_place(&[3; 24], b"", &mut data).unwrap();
        [&data[..], &tag].concat()
    }),
    ("HChaCha20", 32 + 16, |secret| hchacha20(array(secret), array(&secret[32..])).to_vec()),
    ("ChaCha20 with a short nonce", 32 + 300, |secret| {
        let mut data = secret[32..].to_vec();
        ChaCha20Legacy::new(array(secret), &[1; 8]).apply_keystream(&mut data).unwrap();
        data
    }),
    ("GHASH", 16 + 1000, |secret| {
        let mut hash = GHash::new(array(secret));
        secret[16..].chunks(333).for_each(|piece| hash.update(piece));
        hash.finalize().to_vec()
    }),
    ("POLYVAL", 16 + 50, |secret| {
        let mut hash = Polyval::new(array(secret));
        hash.update(&secret[16..]);
        hash.finalize().to_vec()
    }),
    ("Poly1305, a few bytes", 32 + 50, |secret| poly1305(secret)),
    ("Poly1305, many bytes", 32 + 1500, |secret| poly1305(secret)),
];

fn gcm128(secret: &[u8]) -> Vec<u8> {
    let cipher = Aes128Gcm::new(array(secret));
    let mut data = secret[16..].to_vec();
    let tag = cipher.encrypt_in_place(&[3; 12], b"to whom", &mut data).unwrap();
    [&data[..], &tag].concat()
}

fn chacha20poly1305(secret: &[u8]) -> Vec<u8> {
    let cipher = ChaCha20Poly1305::new(array(secret));
    let mut data = secret[32..].to_vec();
    let tag = cipher.encrypt_in_place(&[3; 12], b"to whom", &mut data).unwrap();
    [&data[..], &tag].concat()
}

/// The tag, whose comparison gives away whether it is right and no more.
fn poly1305(secret: &[u8]) -> Vec<u8> {
    let mut mac = Poly1305::new(array(secret));
    secret[32..].chunks(700).for_each(|piece| mac.update(piece));
    let verified = mac.clone().verify(array(&secret[32..])).unwrap_u8();
    [&mac.finalize()[..], &[verified]].concat()
}
