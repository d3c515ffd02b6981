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
    ("AES-128, encryption only", 16 + 21 * 16, |secret| {
        let mut data = secret[16..].to_vec();
        Aes128Enc::from_key(array(secret)).encrypt_many(data.as_chunks_mut().0);
        data
    }),
    ("equal keys", 32, |secret| {
        let [a, b] = [secret, &secret[16..]].map(|key| Aes128Enc::from_key(array(key)));
        vec![a.ct_eq(&b).unwrap_u8()]
    }),
    ("AES-256 in counter mode", 32 + 1111, |secret| {
        let mut data = secret[32..].to_vec();
        let (first, second) = data.split_at_mut(333);
        let mut cipher = Aes256Ctr::from_key_and_counter(array(secret), &[0xff; 16]);
        cipher.xor_keystream(first).unwrap();
        cipher.xor_keystream(second).unwrap();
        data
    }),
    ("AES-128-GCM, a few bytes", 16 + 37, gcm128),
    ("AES-128-GCM, many bytes", 16 + 1717, gcm128),
    ("AES-256-GCM", 32 + 600, gcm256),
    ("ChaCha20-Poly1305, a few bytes", 32 + 37, chacha20poly1305),
    ("ChaCha20-Poly1305, many bytes", 32 + 1717, chacha20poly1305),
    ("XChaCha20-Poly1305", 32 + 300, xchacha20poly1305),
    ("HChaCha20", 32 + 16, |secret| hchacha20(array(secret), array(&secret[32..])).to_vec()),
    ("ChaCha20 with a short nonce", 32 + 300, |secret| {
        let mut data = secret[32..].to_vec();
        ChaCha20Legacy::from_key_and_nonce(array(secret), &[1; 8]).xor_keystream(&mut data).unwrap();
        data
    }),
    ("GHASH", 16 + 1000, |secret| {
        let mut hash = GHash::from_key(array(secret));
        secret[16..].chunks(333).for_each(|piece| hash.absorb(piece));
        hash.finish().to_vec()
    }),
    ("POLYVAL", 16 + 50, |secret| {
        let mut hash = Polyval::from_key(array(secret));
        hash.absorb(&secret[16..]);
        hash.finish().to_vec()
    }),
    ("Poly1305, a few bytes", 32 + 50, poly1305),
    ("Poly1305, many bytes", 32 + 1500, poly1305),
];

macro_rules! encrypt {
    ($($name:ident: $Aead:ident, $key:literal, $nonce:literal;)*) => { $(
        fn $name(secret: &[u8]) -> Vec<u8> {
            let mut data = secret[$key..].to_vec();
            let cipher = $Aead::from_key(array(secret));
            let tag = cipher.encrypt_in_place_detached(&[3; $nonce], b"to whom", &mut data).unwrap();
            [&data[..], &tag.0].concat()
        }
    )* };
}

encrypt! {
    gcm128: Aes128Gcm, 16, 12;
    gcm256: Aes256Gcm, 32, 12;
    chacha20poly1305: ChaCha20Poly1305, 32, 12;
    xchacha20poly1305: XChaCha20Poly1305, 32, 24;
}

/// The tag, whose comparison gives away whether it is right and no more.
fn poly1305(secret: &[u8]) -> Vec<u8> {
    let mut mac = Poly1305::from_key(array(secret));
    secret[32..].chunks(700).for_each(|piece| mac.absorb(piece));
    let verified = mac.clone().matches(array(&secret[32..])).unwrap_u8();
    [&mac.finish()[..], &[verified]].concat()
}
