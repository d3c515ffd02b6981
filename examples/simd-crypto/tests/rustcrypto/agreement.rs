//! Every length of message, against the same composition on RustCrypto's ciphers.
use super::targets;
use aead::consts::{U12, U24};
use aead::inout::InOutBuf;
use aead::{AeadInOut, KeyInit};
use aes_gcm::AesGcm;
use cbc::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use chacha20poly1305::ChaChaPoly1305;
use polyval::universal_hash::UniversalHash;
use simd_crypto::aead::{Aes128Gcm, Aes192Gcm, Aes256Gcm, ChaCha20Poly1305, XChaCha20Poly1305};
use simd_crypto::aes::{Aes128, Aes192Enc};
use simd_crypto::chacha20::{ChaCha20, ChaCha20Legacy, XChaCha20};
use simd_crypto::ctr::{Aes128Ctr, Aes192Ctr, Aes256Ctr};
use simd_crypto::ghash::{GHash, Polyval};
use simd_crypto::poly1305::Poly1305;

pub(crate) fn sample(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..length).map(|_| next()).collect()
}

/// All short lengths, and some around the sizes that kernels work in.
fn lengths() -> impl Iterator<Item = usize> {
    let around = [192, 256, 384, 464, 480, 496, 512, 528, 1008, 1024, 1536, 4096];
    (0..150).chain(around.into_iter().flat_map(|length| length - 1..length + 2))
}

fn same<
    A: AeadInOut + KeyInit,
    B: AeadInOut<NonceSize = A::NonceSize, TagSize = A::TagSize> + KeyInit<KeySize = A::KeySize>,
>() {
    let key = sample(64, 3);
    for length in lengths() {
        let (ours, theirs) =
            (A::new_from_slice(&key[..A::key_size()]).unwrap(), B::new_from_slice(&key[..A::key_size()]).unwrap());
        let nonce = sample(24, length as u64);
        let nonce: &aead::Nonce<A> = nonce[..size_of::<aead::Nonce<A>>()].try_into().unwrap();
        let associated = sample(length * 7 % 61 + if length % 11 == 0 { 600 } else { 0 }, 5);
        let message = sample(length, 9);
        let (mut data, mut expected) = (vec![1; length], message.clone());
        let buffers = InOutBuf::new(&message, &mut data).unwrap();
        let tag = ours.encrypt_inout_detached(nonce, &associated, buffers).unwrap();
        let expected_tag = theirs.encrypt_inout_detached(nonce, &associated, expected.as_mut_slice().into()).unwrap();
        assert!(data == expected && tag == expected_tag, "{length} bytes");
        let mut wrong = tag.clone();
        wrong[length % 16] ^= 1 << (length % 8);
        assert!(ours.decrypt_inout_detached(nonce, &associated, data.as_mut_slice().into(), &wrong).is_err());
        assert_eq!(data, expected, "a message with a wrong tag stays as it is");
        let mut opened = vec![1; length];
        let buffers = InOutBuf::new(&data, &mut opened).unwrap();
        ours.decrypt_inout_detached(nonce, &associated, buffers, &tag).unwrap();
        assert_eq!(opened, message);
        ours.decrypt_inout_detached(nonce, &associated, data.as_mut_slice().into(), &tag).unwrap();
        assert_eq!(data, message);
    }
}

targets! {
    #[test]
    fn authenticated_encryption() {
        same::<Aes128Gcm, AesGcm<aes::Aes128, U12>>();
        same::<Aes192Gcm, AesGcm<aes::Aes192, U12>>();
        same::<Aes256Gcm, AesGcm<aes::Aes256, U12>>();
        same::<AesGcm<Aes128, U12>, AesGcm<aes::Aes128, U12>>();
        same::<ChaCha20Poly1305, chacha20poly1305::ChaCha20Poly1305>();
        same::<XChaCha20Poly1305, chacha20poly1305::XChaCha20Poly1305>();
        same::<ChaChaPoly1305<XChaCha20, U24>, chacha20poly1305::XChaCha20Poly1305>();
    }
}

fn same_keystream<A, B>()
where
    A: StreamCipher + StreamCipherSeek + KeyIvInit,
    B: StreamCipher + StreamCipherSeek + KeyIvInit<KeySize = A::KeySize, IvSize = A::IvSize>,
{
    // Counters that are about to overflow, in 32, 64 and 128 bits.
    for iv in [
        sample(24, 1),
        vec![0xff; 24],
        [vec![7; 8], vec![0xff; 8]].concat(),
        [vec![7; 12], vec![0xff; 3], vec![0xf0]].concat(),
    ] {
        let key = sample(32, 2);
        let iv = [iv, vec![0; 24]].concat();
        let new = || {
            let (key, iv) = (&key[..A::key_size()], &iv[..A::iv_size()]);
            (A::new_from_slices(key, iv).unwrap(), B::new_from_slices(key, iv).unwrap())
        };
        let (mut ours, mut theirs) = new();
        for length in lengths() {
            let (message, mut data) = (sample(length, 4), vec![1; length]);
            let mut expected = message.clone();
            ours.apply_keystream_b2b(&message, &mut data);
            theirs.apply_keystream(&mut expected);
            assert!(data == expected, "{length} bytes");
            assert_eq!(ours.current_pos::<u64>(), theirs.current_pos::<u64>());
        }
        for position in [0, 1, 63, 64, 65, 1000, 16 * 777, 64_001, (1 << 32) - 5, (1 << 36) - 70, (1 << 37) + 3] {
            let (mut ours, mut theirs) = new();
            ours.seek(position);
            theirs.seek(position);
            assert_eq!(ours.current_pos::<u64>(), position);
            let (mut data, mut expected) = ([3; 100], [3; 100]);
            ours.apply_keystream(&mut data[..37]);
            ours.apply_keystream(&mut data[37..]);
            theirs.apply_keystream(&mut expected);
            assert_eq!(data, expected, "from byte {position}");
            ours.seek(position);
            ours.write_keystream(&mut data);
            theirs.seek(position);
            theirs.write_keystream(&mut expected);
            assert_eq!(data, expected, "from byte {position}");
        }
    }
}

targets! {
    #[test]
    fn keystreams() {
        same_keystream::<ChaCha20, chacha20::ChaCha20>();
        same_keystream::<XChaCha20, chacha20::XChaCha20>();
        same_keystream::<ChaCha20Legacy, chacha20::ChaCha20Legacy>();
        same_keystream::<Aes128Ctr, ctr::Ctr128BE<aes::Aes128>>();
        same_keystream::<Aes192Ctr, ctr::Ctr128BE<aes::Aes192>>();
        same_keystream::<Aes256Ctr, ctr::Ctr128BE<aes::Aes256>>();
        same_keystream::<ctr::Ctr128BE<Aes128>, ctr::Ctr128BE<aes::Aes128>>();
        same_keystream::<ctr::Ctr64LE<Aes192Enc>, ctr::Ctr64LE<aes::Aes192>>();
    }
}

fn same_hash<A: UniversalHash + KeyInit, B: UniversalHash<BlockSize = A::BlockSize> + KeyInit<KeySize = A::KeySize>>() {
    for (key, fill) in [(sample(32, 1), None), (vec![0xff; 32], Some(0xff)), (vec![0xff; 32], None)] {
        for length in lengths() {
            let data = fill.map_or_else(|| sample(length, 8), |byte| vec![byte; length]);
            let mut ours = A::new_from_slice(&key[..A::key_size()]).unwrap();
            let mut theirs = B::new_from_slice(&key[..A::key_size()]).unwrap();
            ours.update_padded(&data);
            ours.update_padded(&data[..length / 2]);
            theirs.update_padded(&data);
            theirs.update_padded(&data[..length / 2]);
            assert_eq!(ours.finalize(), theirs.finalize(), "{length} bytes");
        }
    }
}

targets! {
    #[test]
    fn universal_hashes() {
        same_hash::<GHash, ghash::GHash>();
        same_hash::<Polyval, polyval::Polyval>();
        same_hash::<Poly1305, poly1305::Poly1305>();
    }
}

targets! {
    #[test]
    fn pieces_of_any_length() {
        let (data, key) = (sample(3000, 1), sample(32, 2));
        let hashes = |step: usize| {
            let (mut ghash, mut poly1305) =
                (GHash::from_key(key.first_chunk().unwrap()), Poly1305::from_key(key.first_chunk().unwrap()));
            for piece in data.chunks(step) {
                ghash.absorb(piece);
                poly1305.absorb(piece);
            }
            (ghash.finish(), poly1305.finish())
        };
        let expected = poly1305::Poly1305::new_from_slice(&key).unwrap().compute_unpadded(&data);
        assert_eq!(hashes(3000).1, expected.0);
        for step in [1, 3, 15, 16, 17, 100, 1000, 2999] {
            assert_eq!(hashes(step), hashes(3000), "pieces of {step} bytes");
        }
    }
}
