//! Further promises of the types.
use core::fmt::Debug;
use simd_crypto::aead::{Aes128Gcm, ChaCha20Poly1305, XChaCha20Poly1305};
use simd_crypto::aes::{Aes128, Aes128Enc, Aes192, Aes256, Block};
use simd_crypto::chacha20::{ChaCha20, ChaCha20Legacy, XChaCha20};
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
    secret(&Aes128::from_key(&short), "Aes128(…)");
    secret(&Aes192::from_key(&[0xab; 24]), "Aes192(…)");
    secret(&Aes256::from_key(&key), "Aes256(…)");
    secret(&Aes128Enc::from_key(&short), "Aes128Enc(…)");
    secret(&Aes128Gcm::from_key(&short), "Aes128Gcm(…)");
    secret(&Aes128Ctr::from_key_and_counter(&short, &short), "AesCtr { position: 0, .. }");
    secret(&GHash::from_key(&short), "GHash(…)");
    secret(&Polyval::from_key(&short), "Polyval(…)");
    secret(&Poly1305::from_key(&key), "Poly1305(…)");
    secret(&ChaCha20::from_key_and_nonce(&key, &[1; 12]), "ChaCha20 { position: 0, .. }");
    secret(&XChaCha20::from_key_and_nonce(&key, &[1; 24]), "XChaCha20 { position: 0, .. }");
    secret(&ChaCha20Legacy::from_key_and_nonce(&key, &[1; 8]), "ChaCha20Legacy { position: 0, .. }");
    secret(&ChaCha20Poly1305::from_key(&key), "ChaCha20Poly1305(…)");
    secret(&XChaCha20Poly1305::from_key(&key), "XChaCha20Poly1305(…)");
}

#[test]
fn keys_are_compared() {
    let same = |a: u8, b: u8| bool::from(Aes128Enc::from_key(&[a; 16]).ct_eq(&Aes128Enc::from_key(&[b; 16])));
    assert!(same(1, 1) && !same(1, 2));
    assert!(bool::from(Aes128::from_key(&[1; 16]).ct_eq(&Aes128::from_key(&[1; 16]))));
    assert!(!bool::from(Block::from([1; 16]).ct_eq(&Block::from([2; 16]))));
}

/// A tag that is lost, and an end of a keystream that is not noticed, are warnings.
#[test]
fn nothing_is_lost_unnoticed() {
    #![deny(unfulfilled_lint_expectations)]
    let (key, mut data) = ([1; 32], [0; 3]);
    macro_rules! warned {
        ($($lost:expr)*) => { $(
            #[expect(unused_must_use, reason = "it is what is tested")]
            {
                $lost;
            }
        )* };
    }
    warned! {
        ChaCha20Poly1305::from_key(&key).encrypt_in_place_detached(&[1; 12], b"", &mut data).unwrap()
        Aes128Gcm::from_key(&[1; 16]).encrypt_in_place_detached(&[1; 12], b"", &mut data).unwrap()
        ChaCha20::from_key_and_nonce(&key, &[1; 12]).xor_keystream(&mut data)
        ChaCha20::from_key_and_nonce(&key, &[1; 12]).set_position(u64::MAX)
        Poly1305::from_key(&key).finish()
    }
}
