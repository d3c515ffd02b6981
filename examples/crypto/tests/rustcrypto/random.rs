//! Random lengths, pieces, positions and faults, against RustCrypto's ciphers and hashes.
use aead::inout::InOutBuf;
use aead::{AeadInOut, KeyInit};
use cbc::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyIvInit, StreamCipher, StreamCipherSeek};
use polyval::universal_hash::UniversalHash;
use proptest::collection::vec;
use proptest::prelude::*;
use simd_core::testing::each_target;
use simd_crypto::aead::{Aes128Gcm, Aes192Gcm, Aes256Gcm, ChaCha20Poly1305, XChaCha20Poly1305};
use simd_crypto::aes::{Aes128, Aes192, Aes192Enc, Aes256};
use simd_crypto::chacha20::{ChaCha20, ChaCha20Legacy, XChaCha20};
use simd_crypto::ctr::{Aes128Ctr, Aes192Ctr, Aes256Ctr};
use simd_crypto::ghash::{GHash, Polyval};
use simd_crypto::poly1305::Poly1305;

/// A user's calls on a keystream.
#[derive(Clone, Debug)]
enum Step {
    Apply(Vec<u8>),
    Copy(Vec<u8>),
    Write(usize),
    Seek(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let bytes = || vec(any::<u8>(), 0..700);
    let position = prop_oneof![0..2000_u64, (1 << 36) - 2000..(1_u64 << 36) + 2000, 0..1_u64 << 37];
    let step = prop_oneof![
        3 => bytes().prop_map(Step::Apply),
        2 => bytes().prop_map(Step::Copy),
        1 => (0..700_usize).prop_map(Step::Write),
        2 => position.prop_map(Step::Seek),
    ];
    vec(step, 0..10)
}

/// The bytes that come out of these steps, and the positions.
fn run<C: StreamCipher + StreamCipherSeek + KeyIvInit>(
    key: &[u8; 32],
    iv: &[u8; 24],
    steps: &[Step],
) -> (Vec<u8>, Vec<u64>) {
    let mut cipher = C::new_from_slices(&key[..C::key_size()], &iv[..C::iv_size()]).unwrap();
    let (mut out, mut positions) = (Vec::new(), Vec::new());
    for step in steps {
        match step {
            Step::Apply(data) => {
                let mut data = data.clone();
                cipher.apply_keystream(&mut data);
                out.extend(data);
            }
            Step::Copy(data) => {
                let mut to = vec![1; data.len()];
                cipher.apply_keystream_b2b(data, &mut to);
                out.extend(to);
            }
            Step::Write(length) => {
                let mut to = vec![1; *length];
                cipher.write_keystream(&mut to);
                out.extend(to);
            }
            Step::Seek(position) => cipher.seek(*position),
        }
        positions.push(cipher.current_pos());
    }
    (out, positions)
}

/// A function that opens a message, from one buffer to another.
fn opened<A: AeadInOut + KeyInit, B: AeadInOut<NonceSize = A::NonceSize, TagSize = A::TagSize> + KeyInit>(
    key: &[u8; 32],
    nonce: &[u8; 24],
    message: &[u8],
    associated: &[u8],
    fault: (usize, u8),
) {
    let ours = A::new_from_slice(&key[..A::key_size()]).unwrap();
    let theirs = B::new_from_slice(&key[..A::key_size()]).unwrap();
    let nonce: &aead::Nonce<A> = nonce[..size_of::<aead::Nonce<A>>()].try_into().unwrap();
    let (mut sealed, mut expected) = (vec![1; message.len()], message.to_vec());
    let buffers = InOutBuf::new(message, &mut sealed).unwrap();
    let tag = ours.encrypt_inout_detached(nonce, associated, buffers).unwrap();
    assert_eq!(tag, theirs.encrypt_inout_detached(nonce, associated, expected.as_mut_slice().into()).unwrap());
    assert_eq!(sealed, expected);

    let mut plain = vec![1; message.len()];
    ours.decrypt_inout_detached(nonce, associated, InOutBuf::new(&sealed, &mut plain).unwrap(), &tag).unwrap();
    assert_eq!(plain, message);

    // One bit of the message or the associated data, or any byte of the tag.
    let (mut bad, mut bad_associated) = (sealed.clone(), associated.to_vec());
    let at = fault.0 % (bad.len() + bad_associated.len()).max(1);
    if let Some(byte) = bad.iter_mut().chain(&mut bad_associated).nth(at) {
        *byte ^= 1 << (fault.1 % 8);
        refused(&ours, nonce, &bad_associated, &bad, &tag);
    }
    for at in 0..16 {
        let mut bad_tag = tag.clone();
        bad_tag[at] ^= 1 << (fault.1 % 8);
        refused(&ours, nonce, associated, &sealed, &bad_tag);
    }
}

fn refused<A: AeadInOut>(cipher: &A, nonce: &aead::Nonce<A>, associated: &[u8], sealed: &[u8], tag: &aead::Tag<A>) {
    let mut data = sealed.to_vec();
    assert!(cipher.decrypt_inout_detached(nonce, associated, data.as_mut_slice().into(), tag).is_err());
    assert_eq!(data, sealed, "a message that is refused stays as it is");
}

fn hashed<A: UniversalHash + KeyInit, B: UniversalHash<BlockSize = A::BlockSize> + KeyInit>(
    key: &[u8; 32],
    pieces: &[Vec<u8>],
) {
    let mut ours = A::new_from_slice(&key[..A::key_size()]).unwrap();
    let mut theirs = B::new_from_slice(&key[..A::key_size()]).unwrap();
    for piece in pieces {
        ours.update_padded(piece);
        theirs.update_padded(piece);
    }
    assert_eq!(ours.finalize(), theirs.finalize());
}

/// In both directions, in place and from one buffer to another.
fn ciphered<
    A: BlockCipherEncrypt + BlockCipherDecrypt + KeyInit,
    B: BlockCipherEncrypt<BlockSize = A::BlockSize> + KeyInit,
>(
    key: &[u8; 32],
    blocks: &[[u8; 16]],
) where
    cbc::cipher::Block<A>: From<[u8; 16]>,
{
    let ours = A::new_from_slice(&key[..A::key_size()]).unwrap();
    let theirs = B::new_from_slice(&key[..A::key_size()]).unwrap();
    let input: Vec<cbc::cipher::Block<A>> = blocks.iter().map(|block| (*block).into()).collect();
    let (mut done, mut expected) = (input.clone(), input.clone());
    ours.encrypt_blocks(&mut done);
    theirs.encrypt_blocks(&mut expected);
    assert!(done == expected);
    let mut back = input.clone();
    ours.decrypt_blocks_b2b(&done, &mut back).unwrap();
    assert!(back == input);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    #[each_target(crate::TARGETS)]
    fn keystreams(key: [u8; 32], iv: [u8; 24], steps in steps()) {
        prop_assert!(run::<ChaCha20>(&key, &iv, &steps) == run::<chacha20::ChaCha20>(&key, &iv, &steps));
        prop_assert!(run::<XChaCha20>(&key, &iv, &steps) == run::<chacha20::XChaCha20>(&key, &iv, &steps));
        prop_assert!(run::<ChaCha20Legacy>(&key, &iv, &steps) == run::<chacha20::ChaCha20Legacy>(&key, &iv, &steps));
        prop_assert!(run::<Aes128Ctr>(&key, &iv, &steps) == run::<ctr::Ctr128BE<aes::Aes128>>(&key, &iv, &steps));
        prop_assert!(run::<Aes192Ctr>(&key, &iv, &steps) == run::<ctr::Ctr128BE<aes::Aes192>>(&key, &iv, &steps));
        prop_assert!(run::<Aes256Ctr>(&key, &iv, &steps) == run::<ctr::Ctr128BE<aes::Aes256>>(&key, &iv, &steps));
        prop_assert!(run::<ctr::Ctr64LE<Aes192Enc>>(&key, &iv, &steps) == run::<ctr::Ctr64LE<aes::Aes192>>(&key, &iv, &steps));
    }

    #[test]
    #[each_target(crate::TARGETS)]
    fn messages(
        key: [u8; 32],
        nonce: [u8; 24],
        message in vec(any::<u8>(), 0..1500),
        associated in vec(any::<u8>(), 0..200),
        fault: (usize, u8),
    ) {
        use chacha20poly1305 as theirs;
        type Gcm<C> = aes_gcm::AesGcm<C, aead::consts::U12>;
        opened::<Aes128Gcm, Gcm<aes::Aes128>>(&key, &nonce, &message, &associated, fault);
        opened::<Aes192Gcm, Gcm<aes::Aes192>>(&key, &nonce, &message, &associated, fault);
        opened::<Aes256Gcm, Gcm<aes::Aes256>>(&key, &nonce, &message, &associated, fault);
        opened::<ChaCha20Poly1305, theirs::ChaCha20Poly1305>(&key, &nonce, &message, &associated, fault);
        opened::<XChaCha20Poly1305, theirs::XChaCha20Poly1305>(&key, &nonce, &message, &associated, fault);
    }

    #[test]
    #[each_target(crate::TARGETS)]
    fn hashes(key: [u8; 32], pieces in vec(vec(any::<u8>(), 0..700), 0..5)) {
        hashed::<GHash, ghash::GHash>(&key, &pieces);
        hashed::<Polyval, polyval::Polyval>(&key, &pieces);
        hashed::<Poly1305, poly1305::Poly1305>(&key, &pieces);
    }

    #[test]
    #[each_target(crate::TARGETS)]
    fn blocks(key: [u8; 32], blocks in vec(any::<[u8; 16]>(), 0..70)) {
        ciphered::<Aes128, aes::Aes128>(&key, &blocks);
        ciphered::<Aes192, aes::Aes192>(&key, &blocks);
        ciphered::<Aes256, aes::Aes256>(&key, &blocks);
    }
}
