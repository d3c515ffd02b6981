//! Authenticated encryption, and other compositions: with our primitives, with RustCrypto's, and by OpenSSL.

#[cfg(feature = "openssl")]
use super::OPENSSL;
use super::OURS;
use crate::case::{Case, length, sample};
use ::aead::{AeadInOut, KeyInit};
use aes::cipher::consts::{U12, U24};
use aes::cipher::{Array, BlockModeDecrypt, KeyIvInit, StreamCipher};
use aes_gcm::AesGcm;
use chacha20poly1305::ChaChaPoly1305;
use core::hint::black_box;
#[cfg(feature = "openssl")]
use openssl::cipher::Cipher;
#[cfg(feature = "openssl")]
use openssl::cipher_ctx::CipherCtx;
use simd_crypto::aead::{Aes128Gcm, ChaCha20Poly1305, XChaCha20Poly1305};
use simd_crypto::aes::{Aes128, Aes128Enc};
use simd_crypto::chacha20::{ChaCha20, XChaCha20};
use simd_crypto::ctr::Aes128Ctr;

/// RustCrypto's composition of RustCrypto's primitives.
const RUSTCRYPTO: &str = "RustCrypto";
/// RustCrypto's composition of our primitives.
const COMPOSED: &str = "RustCrypto's mode on simd-core";
const SIZES: [usize; 3] = [64, 1024, 16384];

pub(super) fn add(cases: &mut Vec<Case>) {
    for size in SIZES {
        let gcm = "AES-128-GCM";
        cases.push(sealed::<Aes128Gcm>(gcm, OURS, size));
        cases.push(sealed::<AesGcm<Aes128Enc, U12>>(gcm, COMPOSED, size));
        cases.push(sealed::<AesGcm<aes::Aes128, U12>>(gcm, RUSTCRYPTO, size));
        #[cfg(feature = "openssl")]
        cases.extend(by_openssl(gcm, Cipher::aes_128_gcm(), 16, size));
        cases.push(opened::<Aes128Gcm>(gcm, OURS, size));
        cases.push(opened::<AesGcm<aes::Aes128, U12>>(gcm, RUSTCRYPTO, size));
        let chacha = "ChaCha20-Poly1305";
        cases.push(sealed::<ChaCha20Poly1305>(chacha, OURS, size));
        cases.push(sealed::<ChaChaPoly1305<ChaCha20, U12>>(chacha, COMPOSED, size));
        cases.push(sealed::<chacha20poly1305::ChaCha20Poly1305>(chacha, RUSTCRYPTO, size));
        #[cfg(feature = "openssl")]
        cases.extend(by_openssl(chacha, Cipher::chacha20_poly1305(), 32, size));
        cases.push(opened::<ChaCha20Poly1305>(chacha, OURS, size));
        cases.push(opened::<chacha20poly1305::ChaCha20Poly1305>(chacha, RUSTCRYPTO, size));
        let xchacha = "XChaCha20-Poly1305";
        cases.push(sealed::<XChaCha20Poly1305>(xchacha, OURS, size));
        cases.push(sealed::<ChaChaPoly1305<XChaCha20, U24>>(xchacha, COMPOSED, size));
        cases.push(sealed::<chacha20poly1305::XChaCha20Poly1305>(xchacha, RUSTCRYPTO, size));
        let ctr = "AES-128-CTR";
        cases.push(keystream::<Aes128Ctr>(ctr, OURS, size));
        cases.push(keystream::<ctr::Ctr128BE<Aes128Enc>>(ctr, COMPOSED, size));
        cases.push(keystream::<ctr::Ctr128BE<aes::Aes128>>(ctr, RUSTCRYPTO, size));
        let cbc = "AES-128-CBC, decryption";
        cases.push(cbc_decrypt::<Aes128>(cbc, COMPOSED, size));
        cases.push(cbc_decrypt::<aes::Aes128>(cbc, RUSTCRYPTO, size));
    }
}

/// Associated data of as many bytes as TLS has. Its length is hidden from the compiler, which would otherwise inline what it is
/// given to for this length only.
const ASSOCIATED: &[u8] = &[7; 13];

/// Encryption in place, with associated data.
fn sealed<A: AeadInOut + KeyInit + 'static>(group: &'static str, by: &'static str, size: usize) -> Case {
    let case = Case::new(group, format!("encrypt {}", length(size)), by, move || {
        let cipher = A::new_from_slice(&sample(A::key_size())).expect("a key of the right length");
        let mut data = sample(size);
        let nonce = Array::default();
        move || {
            let data = black_box(&mut data[..]);
            let (nonce, associated) = (black_box(&nonce), black_box(ASSOCIATED));
            black_box(cipher.encrypt_inout_detached(nonce, associated, data.into()).expect("short enough"));
        }
    });
    case.bytes(size)
}

/// Decryption in place of the same.
fn opened<A: AeadInOut + KeyInit + 'static>(group: &'static str, by: &'static str, size: usize) -> Case {
    let case = Case::new(group, format!("decrypt {}", length(size)), by, move || {
        let cipher = A::new_from_slice(&sample(A::key_size())).expect("a key of the right length");
        let mut sealed = sample(size);
        let nonce = Array::default();
        let tag = cipher.encrypt_inout_detached(&nonce, ASSOCIATED, (&mut sealed[..]).into()).expect("short enough");
        let mut data = sealed.clone();
        move || {
            // The copy is part of what is timed, the same for all.
            data.copy_from_slice(&sealed);
            let data = black_box(&mut data[..]);
            let (nonce, associated) = (black_box(&nonce), black_box(ASSOCIATED));
            cipher.decrypt_inout_detached(nonce, associated, data.into(), &tag).expect("the tag is right");
        }
    });
    case.bytes(size)
}

/// OpenSSL's encryption and decryption of one message after the other with one key: a nonce, the associated data, the message
/// and the tag.
#[cfg(feature = "openssl")]
fn by_openssl(group: &'static str, cipher: &'static openssl::cipher::CipherRef, key: usize, size: usize) -> [Case; 2] {
    let seal = move || {
        let mut context = CipherCtx::new().expect("memory");
        context.encrypt_init(Some(cipher), Some(&sample(key)), Some(&[0; 12])).expect("OpenSSL has the cipher");
        let (input, mut output, mut tag) = (sample(size), sample(size + 16), [0; 16]);
        move || {
            context.encrypt_init(None, None, Some(&[0; 12])).expect("a nonce");
            context.cipher_update(ASSOCIATED, None).expect("associated data");
            context.cipher_update(black_box(&input), Some(&mut output)).expect("a message");
            context.cipher_final(&mut []).expect("the end");
            context.tag(&mut tag).expect("a tag");
            black_box(&tag);
        }
    };
    let open = move || {
        let mut context = CipherCtx::new().expect("memory");
        context.encrypt_init(Some(cipher), Some(&sample(key)), Some(&[0; 12])).expect("OpenSSL has the cipher");
        let (mut sealed, mut output, mut tag) = (sample(size + 16), sample(size + 16), [0; 16]);
        context.cipher_update(ASSOCIATED, None).expect("associated data");
        context.cipher_update(&sample(size), Some(&mut sealed)).expect("a message");
        context.cipher_final(&mut []).expect("the end");
        context.tag(&mut tag).expect("a tag");
        let mut context = CipherCtx::new().expect("memory");
        context.decrypt_init(Some(cipher), Some(&sample(key)), Some(&[0; 12])).expect("OpenSSL has the cipher");
        move || {
            context.decrypt_init(None, None, Some(&[0; 12])).expect("a nonce");
            context.cipher_update(ASSOCIATED, None).expect("associated data");
            context.cipher_update(black_box(&sealed[..size]), Some(&mut output)).expect("a message");
            context.set_tag(&tag).expect("a tag");
            context.cipher_final(&mut []).expect("the tag is right");
            black_box(&output);
        }
    };
    [
        Case::new(group, format!("encrypt {}", length(size)), OPENSSL, seal).bytes(size),
        Case::new(group, format!("decrypt {}", length(size)), OPENSSL, open).bytes(size),
    ]
}

/// The cipher's set-up is not timed.
fn keystream<C: StreamCipher + KeyIvInit + 'static>(group: &'static str, by: &'static str, size: usize) -> Case {
    let case = Case::new(group, length(size), by, move || {
        let mut cipher = C::new_from_slices(&sample(16), &[0; 16]).expect("lengths");
        let mut data = sample(size);
        move || cipher.apply_keystream(black_box(&mut data))
    });
    case.bytes(size)
}

fn cbc_decrypt<C>(group: &'static str, by: &'static str, size: usize) -> Case
where
    C: aes::cipher::BlockCipherDecrypt + KeyInit + 'static,
    cbc::Decryptor<C>: KeyIvInit + BlockModeDecrypt,
{
    let case = Case::new(group, length(size), by, move || {
        let mut cipher = cbc::Decryptor::<C>::new_from_slices(&sample(16), &[0; 16]).expect("lengths");
        let mut data = sample(size);
        move || cipher.decrypt_blocks(Array::slice_as_chunks_mut(black_box(&mut data[..])).0)
    });
    case.bytes(size)
}
