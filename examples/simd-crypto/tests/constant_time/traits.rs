//! The ways through RustCrypto's traits.
use crate::kernels::array;
use crate::opened::{Opened, wrong};
use crate::trace::Work;
use aead::{Aead, AeadInOut, KeyInit, Nonce};
use cbc::cipher::{BlockModeDecrypt, KeyIvInit, StreamCipher, block_padding::NoPadding};
use cmac::Mac as _;
use polyval::universal_hash::UniversalHash;
use simd_crypto::aead::{Aes128Gcm, ChaCha20Poly1305, XChaCha20Poly1305};
use simd_crypto::aes::{Aes128, Aes128Enc};
use simd_crypto::chacha20::XChaCha20;
use simd_crypto::ctr::Aes128Ctr;
use simd_crypto::ghash::{GHash, Polyval};
use simd_crypto::poly1305::Poly1305;

pub(crate) const OPENED: &[Opened] = &[
    ("UniversalHash of Poly1305, refused", 16 + 32 + 20, hash::<Poly1305>),
    ("UniversalHash of GHASH, refused", 16 + 16 + 20, hash::<GHash>),
];

/// Kernels that are quick with AES instructions.
pub(crate) const AES: &[Opened] = &[
    ("Aead of AES-128-GCM", 16 + 20, opened::<Aes128Gcm>),
    ("AeadInOut of AES-128-GCM, refused", 16 + 16 + 20, refused::<Aes128Gcm>),
    ("StreamCipher of AES-128 in counter mode", 16 + 40, keystream::<Aes128Ctr>),
];

/// Kernels that take too long without optimisation.
pub(crate) const LONGER: &[Opened] = &[
    ("AeadInOut of ChaCha20-Poly1305, refused", 16 + 32 + 5, refused::<ChaCha20Poly1305>),
    ("Aead of ChaCha20-Poly1305", 32 + 45, opened::<ChaCha20Poly1305>),
    ("Aead of XChaCha20-Poly1305", 32 + 45, opened::<XChaCha20Poly1305>),
    ("StreamCipher of XChaCha20", 32 + 100, keystream::<XChaCha20>),
    ("UniversalHash of POLYVAL, refused", 16 + 16 + 100, hash::<Polyval>),
    ("aes-gcm on AES-128, refused", 16 + 16 + 45, refused::<aes_gcm::AesGcm<Aes128Enc, aead::consts::U12>>),
    ("CBC on AES-128, decrypted", 32 + 96, |secret| {
        let mut data = secret[32..].to_vec();
        let cipher = cbc::Decryptor::<Aes128>::new_from_slices(&secret[..16], &secret[16..32]).unwrap();
        Box::new(move || {
            cipher.decrypt_padded::<NoPadding>(&mut data).unwrap();
            data
        })
    }),
    ("CMAC on AES-128, refused", 32 + 45, |secret| {
        let mac = cmac::Cmac::<Aes128Enc>::new_from_slice(&secret[..16]).unwrap().chain_update(&secret[32..]);
        let mut tag = mac.clone().finalize().into_bytes();
        wrong(&mut tag.0, array(&secret[16..]));
        Box::new(move || {
            assert!(mac.verify(&tag).is_err());
            tag.to_vec()
        })
    }),
];

fn opened<A: Aead + KeyInit + 'static>(secret: &[u8]) -> Work {
    let (key, message) = secret.split_at(A::key_size());
    let (cipher, nonce) = (A::new_from_slice(key).unwrap(), Nonce::<A>::default());
    let sealed = cipher.encrypt(&nonce, message).unwrap();
    Box::new(move || cipher.decrypt(&nonce, &sealed[..]).unwrap())
}

fn refused<A: AeadInOut<TagSize = aead::consts::U16> + KeyInit + 'static>(secret: &[u8]) -> Work {
    let (key, message) = secret[16..].split_at(A::key_size());
    let (cipher, nonce, mut data) = (A::new_from_slice(key).unwrap(), Nonce::<A>::default(), message.to_vec());
    let mut tag = cipher.encrypt_inout_detached(&nonce, b"", data.as_mut_slice().into()).unwrap();
    wrong(&mut tag.0, array(secret));
    Box::new(move || {
        assert!(cipher.decrypt_inout_detached(&nonce, b"", data.as_mut_slice().into(), &tag).is_err());
        data
    })
}

fn keystream<C: StreamCipher + KeyIvInit + 'static>(secret: &[u8]) -> Work {
    let (key, data) = secret.split_at(C::key_size());
    let (mut cipher, mut data) = (C::new(key.try_into().unwrap(), &cbc::cipher::Iv::<C>::default()), data.to_vec());
    Box::new(move || {
        let (first, second) = data.split_at_mut(33);
        cipher.apply_keystream(first);
        cipher.apply_keystream(second);
        data
    })
}

fn hash<H: UniversalHash<BlockSize = aead::consts::U16> + KeyInit + Clone + 'static>(secret: &[u8]) -> Work {
    let (key, message) = secret[16..].split_at(H::key_size());
    let (mut hash, message) = (H::new_from_slice(key).unwrap(), message.to_vec());
    let mut tag = hash.clone();
    tag.update_padded(&message);
    let mut tag = tag.finalize();
    wrong(&mut tag.0, array(secret));
    Box::new(move || {
        hash.update_padded(&message);
        assert!(hash.verify(&tag).is_err());
        tag.to_vec()
    })
}
