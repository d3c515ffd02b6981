//! Modes of operation from the registry, as they are published, on the ciphers of this crate and on RustCrypto's.
use super::agreement::sample;
use super::targets;
use aead::consts::{U8, U12, U13, U16};
use aead::{Aead, AeadInOut, KeyInit, Payload};

use aes_kw::{AesKw, AesKwp, InnerInit};
use aes_siv::siv::CmacSiv;
use cbc::cipher::block_padding::{NoPadding, Pkcs7};
use cbc::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit, StreamCipher};
use simd_crypto::aes::{Aes128, Aes128Enc, Aes256, Aes256Enc};

const LENGTHS: [usize; 12] = [0, 1, 15, 16, 17, 63, 64, 65, 255, 256, 257, 1000];

/// Authenticated encryption: one encrypts, the other decrypts, and both refuse what has changed.
fn sealed<A: Aead + AeadInOut + KeyInit, B: Aead<NonceSize = A::NonceSize> + AeadInOut + KeyInit>() {
    let key = sample(A::key_size(), 1);
    let (ours, theirs) = (A::new_from_slice(&key).unwrap(), B::new_from_slice(&key).unwrap());
    for length in LENGTHS {
        let nonce = sample(size_of::<aead::Nonce<A>>(), length as u64);
        let nonce: &aead::Nonce<A> = nonce.as_slice().try_into().unwrap();
        let (message, aad) = (sample(length, 2), sample(length % 50, 3));
        let mut both = ours.encrypt(nonce, Payload { msg: &message, aad: &aad }).unwrap();
        assert_eq!(both, theirs.encrypt(nonce, Payload { msg: &message, aad: &aad }).unwrap(), "{length} bytes");
        assert_eq!(ours.decrypt(nonce, Payload { msg: &both, aad: &aad }).unwrap(), message);
        both[length / 2] ^= 1;
        assert!(ours.decrypt(nonce, Payload { msg: &both, aad: &aad }).is_err());
    }
}

targets! {
    #[test]
    fn authenticated_encryption() {
        sealed::<ccm::Ccm<Aes128Enc, U16, U13>, ccm::Ccm<aes::Aes128, U16, U13>>();
        sealed::<ccm::Ccm<Aes256, U8, U12>, ccm::Ccm<aes::Aes256, U8, U12>>();
        sealed::<eax::Eax<Aes128>, eax::Eax<aes::Aes128>>();
        sealed::<eax::Eax<Aes256Enc>, eax::Eax<aes::Aes256>>();
        sealed::<aes_gcm_siv::AesGcmSiv<Aes128Enc>, aes_gcm_siv::AesGcmSiv<aes::Aes128>>();
        sealed::<aes_gcm_siv::AesGcmSiv<Aes256>, aes_gcm_siv::AesGcmSiv<aes::Aes256>>();
        sealed::<ocb3::Ocb3<Aes128>, ocb3::Ocb3<aes::Aes128>>();
    }
}

targets! {
    #[test]
    fn aes_siv() {
        let key = sample(32, 1);
        for length in LENGTHS {
            let (message, header) = (sample(length, 2), sample(30, 3));
            let mut ours = CmacSiv::<Aes128>::new_from_slice(&key).unwrap();
            let mut theirs = CmacSiv::<aes::Aes128>::new_from_slice(&key).unwrap();
            let sealed = ours.encrypt([&header], &message).unwrap();
            assert_eq!(sealed, theirs.encrypt([&header], &message).unwrap(), "{length} bytes");
            assert_eq!(ours.decrypt([&header], &sealed).unwrap(), message);
            assert!(ours.decrypt([&message], &sealed).is_err());
        }
    }
}

targets! {
    #[test]
    fn aes_kw() {
        let key = [7; 16];
        macro_rules! check {
            ($Wrap:ident, $length:expr) => {
                let theirs = $Wrap::inner_init(<aes::Aes128 as KeyInit>::new(&key.into()));
                // `AesKwp` pads with what is in the buffer.
                let (data, mut buffer, mut other) = (sample($length, 4), [0; 64], [0; 64]);
                let ours = $Wrap::inner_init(Aes128::from_key(&key));
                let wrapped = ours.wrap_key(&data, &mut buffer).unwrap();
                assert_eq!(wrapped, theirs.wrap_key(&data, &mut other).unwrap());
                assert_eq!(ours.unwrap_key(wrapped, &mut [0; 64]).unwrap(), data);
            };
        }
        for length in 1..40 {
            check!(AesKwp, length);
        }
        check!(AesKw, 16);
    }
}

/// Modes that need one key and one block to begin with.
fn same_mode<A: KeyIvInit, B: KeyIvInit>(run: impl Fn(A, &[u8]) -> Vec<u8>, expected: impl Fn(B, &[u8]) -> Vec<u8>) {
    for length in LENGTHS {
        let (key, iv, data) = (sample(A::key_size(), 5), sample(A::iv_size(), length as u64), sample(length, 6));
        let ours = A::new_from_slices(&key, &iv).unwrap();
        let theirs = B::new_from_slices(&key, &iv).unwrap();
        assert_eq!(run(ours, &data), expected(theirs, &data), "{length} bytes");
    }
}

fn changed(data: &[u8], change: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let mut data = data.to_vec();
    change(&mut data);
    data
}

targets! {
    #[test]
    fn feedback() {
        same_mode::<ofb::Ofb<Aes128Enc>, ofb::Ofb<aes::Aes128>>(
            |mut cipher, data| changed(data, |data| cipher.apply_keystream(data)),
            |mut cipher, data| changed(data, |data| cipher.apply_keystream(data)),
        );
        same_mode::<cfb_mode::Encryptor<Aes256>, cfb_mode::Encryptor<aes::Aes256>>(
            |cipher, data| changed(data, |data| cipher.encrypt(data)),
            |cipher, data| changed(data, |data| cipher.encrypt(data)),
        );
        same_mode::<cfb_mode::Decryptor<Aes128Enc>, cfb_mode::Decryptor<aes::Aes128>>(
            |cipher, data| changed(data, |data| cipher.decrypt(data)),
            |cipher, data| changed(data, |data| cipher.decrypt(data)),
        );
        same_mode::<cbc::Encryptor<Aes256Enc>, cbc::Encryptor<aes::Aes256>>(
            BlockModeEncrypt::encrypt_padded_vec::<Pkcs7>,
            BlockModeEncrypt::encrypt_padded_vec::<Pkcs7>,
        );
        // An error for lengths that are no number of blocks.
        same_mode::<cbc::Decryptor<Aes128>, cbc::Decryptor<aes::Aes128>>(
            |cipher, data| cipher.decrypt_padded_vec::<NoPadding>(data).unwrap_or_default(),
            |cipher, data| cipher.decrypt_padded_vec::<NoPadding>(data).unwrap_or_default(),
        );
    }
}
