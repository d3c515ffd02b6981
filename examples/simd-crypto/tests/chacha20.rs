//! ChaCha20 against vectors of RFC 8439, and against RustCrypto's.
use chacha20::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use hex_literal::hex;
use proptest::collection::vec;
use proptest::prelude::*;
use simd_core::testing::each_target;
use simd_crypto::chacha20::{ChaCha20, KEYSTREAM_LENGTH, KeystreamEnd, chacha20_block};
use simd_crypto::targets;

/// `length` bytes of keystream from byte `position` on, by RustCrypto.
fn reference(key: &[u8; 32], nonce: &[u8; 12], position: u64, length: usize) -> Vec<u8> {
    let mut cipher = chacha20::ChaCha20::new(key.into(), nonce.into());
    cipher.seek(position);
    let mut bytes = vec![0; length];
    cipher.apply_keystream(&mut bytes);
    bytes
}

fn at(key: &[u8; 32], nonce: &[u8; 12], position: u64) -> ChaCha20 {
    let mut cipher = ChaCha20::from_key_and_nonce(key, nonce);
    cipher.set_position(position).unwrap();
    cipher
}

fn counting<const N: usize>() -> [u8; N] {
    core::array::from_fn(|i| i as u8)
}

#[test]
#[each_target(targets::chacha20)]
fn block_function_of_section_2_3_2() {
    let block = chacha20_block(&counting(), 1, &hex!("000000090000004a00000000"));
    let expected = hex!(
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    );
    assert_eq!(block, expected);
}

#[test]
#[each_target(targets::chacha20)]
fn encryption_of_section_2_4_2() {
    let mut text = *b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, \
        sunscreen would be it.";
    let expected = hex!(
        "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b"
        "f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8"
        "07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736"
        "5af90bbf74a35be6b40b8eedf2785e42874d"
    );
    at(&counting(), &hex!("000000000000004a00000000"), 64).xor_keystream(&mut text).unwrap();
    assert_eq!(text, expected);
}

/// As many blocks as take every number of lanes, whole and in part, and begin and end anywhere in a block.
#[test]
#[each_target(targets::chacha20)]
fn every_number_of_blocks() {
    let (key, nonce) = (counting(), [0xa5; 12]);
    let expected = reference(&key, &nonce, 0, 64 * 51);
    for position in [0, 1, 17, 63, 64] {
        for blocks in 0..=48 {
            for tail in [0, 1, 31, 63] {
                let range = position..position + 64 * blocks + tail;
                let mut data = vec![0xc3; range.len()];
                let mut cipher = at(&key, &nonce, position as u64);
                cipher.xor_keystream(&mut data).unwrap();
                assert_eq!(cipher.position(), range.end as u64);
                for byte in &mut data {
                    *byte ^= 0xc3;
                }
                assert!(data == expected[range.clone()], "xor_keystream({range:?})");

                let mut cipher = at(&key, &nonce, position as u64);
                cipher.keystream(&mut data).unwrap();
                assert!(data == expected[range.clone()], "keystream({range:?})");
                let mut next = [0; 5];
                cipher.keystream(&mut next).unwrap();
                assert!(next == expected[range.end..range.end + 5], "after {range:?}");
            }
        }
    }
}

#[test]
#[each_target(targets::chacha20)]
fn the_last_block_is_the_end() {
    let (key, nonce) = (counting(), counting());
    for blocks in [1, 2, 5, 9, 16, 17] {
        let position = KEYSTREAM_LENGTH - 64 * blocks;
        let mut data = vec![0; 64 * blocks as usize];
        let mut cipher = at(&key, &nonce, position);
        let too_many = &mut vec![7; data.len() + 1];
        let error = KeystreamEnd { position, length: too_many.len() as u64, end: KEYSTREAM_LENGTH };
        assert_eq!(cipher.xor_keystream(too_many), Err(error));
        assert_eq!(cipher.keystream(too_many), Err(error));
        assert!(too_many.iter().all(|byte| *byte == 7));
        assert_eq!(cipher.position(), position);

        cipher.xor_keystream(&mut data).unwrap();
        let counters = (position / 64) as u32..=u32::MAX;
        assert!(data == counters.flat_map(|counter| chacha20_block(&key, counter, &nonce)).collect::<Vec<_>>());
        assert_eq!(cipher.position(), KEYSTREAM_LENGTH);
        cipher.xor_keystream(&mut []).unwrap();
        assert!(cipher.xor_keystream(&mut [0]).is_err());
    }
    let mut cipher = at(&key, &nonce, KEYSTREAM_LENGTH);
    assert!(cipher.keystream(&mut [0]).is_err());
    let error = cipher.set_position(KEYSTREAM_LENGTH + 1).unwrap_err();
    assert_eq!(error, KeystreamEnd { position: KEYSTREAM_LENGTH + 1, length: 0, end: KEYSTREAM_LENGTH });
    assert!(cipher.set_position(u64::MAX).is_err());
    assert_eq!(cipher.position(), KEYSTREAM_LENGTH);
    assert_eq!(
        at(&key, &nonce, KEYSTREAM_LENGTH - 1).xor_keystream(&mut [0; 2]).unwrap_err().to_string(),
        "the keystream ends at byte 274877906944: it has no 2 bytes from byte 274877906943 on"
    );
}

proptest! {
    #[test]
    #[each_target(targets::chacha20)]
    fn pieces_equal_one_shot(
        key: [u8; 32],
        nonce: [u8; 12],
        start in 0..5000u64,
        lengths in vec(0..900usize, 0..8),
        overwrite in vec(any::<bool>(), 8),
    ) {
        let expected = reference(&key, &nonce, start, lengths.iter().sum());
        let mut data = vec![0; expected.len()];
        let mut cipher = at(&key, &nonce, start);
        let mut rest = &mut data[..];
        for (length, overwrite) in lengths.into_iter().zip(overwrite) {
            let (piece, later) = rest.split_at_mut(length);
            if overwrite {
                piece.fill(0x5a);
                cipher.keystream(piece).unwrap();
            } else {
                cipher.xor_keystream(piece).unwrap();
            }
            rest = later;
        }
        prop_assert!(data == expected);
    }

    #[test]
    #[each_target(targets::chacha20)]
    fn blocks_equal_the_reference(key: [u8; 32], nonce: [u8; 12], counter in ..u32::MAX) {
        let expected = reference(&key, &nonce, 64 * u64::from(counter), 64);
        prop_assert!(chacha20_block(&key, counter, &nonce)[..] == expected);
    }

    #[test]
    #[each_target(targets::chacha20)]
    fn anywhere_in_the_keystream(key: [u8; 32], nonce: [u8; 12], position in 0..KEYSTREAM_LENGTH - 2000) {
        let mut data = vec![0; 2000];
        at(&key, &nonce, position).xor_keystream(&mut data).unwrap();
        prop_assert!(data == reference(&key, &nonce, position, 2000));
    }
}
