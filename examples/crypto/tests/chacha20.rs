//! ChaCha20 against the vectors of RFC 8439, and against a reference that follows its text word by word.
use core::mem::MaybeUninit;
use core::slice;

use hex_literal::hex;
use proptest::collection::vec;
use proptest::prelude::*;
use simd_core::testing::each_target;
use simd_crypto::chacha20::{ChaCha20, KEYSTREAM_LENGTH, KeystreamEnd, chacha20_block};
use simd_crypto::targets;

/// RFC 8439, section 2.1.
fn quarter_round(state: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
    state[a] = state[a].wrapping_add(state[b]);
    state[d] = (state[d] ^ state[a]).rotate_left(16);
    state[c] = state[c].wrapping_add(state[d]);
    state[b] = (state[b] ^ state[c]).rotate_left(12);
    state[a] = state[a].wrapping_add(state[b]);
    state[d] = (state[d] ^ state[a]).rotate_left(8);
    state[c] = state[c].wrapping_add(state[d]);
    state[b] = (state[b] ^ state[c]).rotate_left(7);
}

/// RFC 8439, section 2.3.1.
fn reference_block(key: &[u8; 32], counter: u32, nonce: &[u8; 12]) -> [u8; 64] {
    let mut start = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574, 0, 0, 0, 0, 0, 0, 0, 0, counter, 0, 0, 0];
    for i in 0..8 {
        start[4 + i] = u32::from_le_bytes([key[4 * i], key[4 * i + 1], key[4 * i + 2], key[4 * i + 3]]);
    }
    for i in 0..3 {
        start[13 + i] = u32::from_le_bytes([nonce[4 * i], nonce[4 * i + 1], nonce[4 * i + 2], nonce[4 * i + 3]]);
    }
    let mut state = start;
    for _ in 0..10 {
        quarter_round(&mut state, 0, 4, 8, 12);
        quarter_round(&mut state, 1, 5, 9, 13);
        quarter_round(&mut state, 2, 6, 10, 14);
        quarter_round(&mut state, 3, 7, 11, 15);
        quarter_round(&mut state, 0, 5, 10, 15);
        quarter_round(&mut state, 1, 6, 11, 12);
        quarter_round(&mut state, 2, 7, 8, 13);
        quarter_round(&mut state, 3, 4, 9, 14);
    }
    let mut block = [0; 64];
    for i in 0..16 {
        block[4 * i..4 * i + 4].copy_from_slice(&state[i].wrapping_add(start[i]).to_le_bytes());
    }
    block
}

/// `length` bytes of keystream from byte `position` on.
fn reference(key: &[u8; 32], nonce: &[u8; 12], position: u64, length: usize) -> Vec<u8> {
    let blocks = position / 64..(position + length as u64).div_ceil(64);
    let bytes = blocks.flat_map(|counter| reference_block(key, u32::try_from(counter).unwrap(), nonce));
    bytes.skip((position % 64) as usize).take(length).collect()
}

fn at(key: &[u8; 32], nonce: &[u8; 12], position: u64) -> ChaCha20 {
    let mut cipher = ChaCha20::from_key_and_nonce(key, nonce);
    cipher.set_position(position).unwrap();
    cipher
}

fn counting<const N: usize>() -> [u8; N] {
    core::array::from_fn(|i| i as u8)
}

const NONCE_2: [u8; 12] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2];

fn key_ending_in_1() -> [u8; 32] {
    let mut key = [0; 32];
    key[31] = 1;
    key
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

#[test]
#[each_target(targets::chacha20)]
fn block_functions_of_appendix_a_1() {
    let zero = [0; 32];
    let mut second_byte_set = zero;
    second_byte_set[1] = 0xff;
    let vectors = [
        (
            zero,
            [0; 12],
            0,
            hex!(
                "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
                "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
            ),
        ),
        (
            zero,
            [0; 12],
            1,
            hex!(
                "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
                "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"
            ),
        ),
        (
            key_ending_in_1(),
            [0; 12],
            1,
            hex!(
                "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
                "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0"
            ),
        ),
        (
            second_byte_set,
            [0; 12],
            2,
            hex!(
                "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
                "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096"
            ),
        ),
        (
            zero,
            NONCE_2,
            0,
            hex!(
                "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
                "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d"
            ),
        ),
    ];
    for (key, nonce, counter, expected) in vectors {
        assert_eq!(chacha20_block(&key, counter, &nonce), expected);
        assert_eq!(reference_block(&key, counter, &nonce), expected);
    }
}

#[test]
#[each_target(targets::chacha20)]
fn encryptions_of_appendix_a_2() {
    let mut zeros = [0; 64];
    ChaCha20::from_key_and_nonce(&[0; 32], &[0; 12]).xor_keystream(&mut zeros).unwrap();
    assert_eq!(zeros, chacha20_block(&[0; 32], 0, &[0; 12]));

    let mut text =
        *b"Any submission to the IETF intended by the Contributor for publication as all or part of an IETF \
        Internet-Draft or RFC and any statement made within the context of an IETF activity is considered an \"IETF \
        Contribution\". Such statements include oral statements in IETF sessions, as well as written and electronic \
        communications made at any time or place, which are addressed to";
    let expected = hex!(
        "a3fbf07df3fa2fde4f376ca23e82737041605d9f4f4f57bd8cff2c1d4b7955ec"
        "2a97948bd3722915c8f3d337f7d370050e9e96d647b7c39f56e031ca5eb6250d"
        "4042e02785ececfa4b4bb5e8ead0440e20b6e8db09d881a7c6132f420e527950"
        "42bdfa7773d8a9051447b3291ce1411c680465552aa6c405b7764d5e87bea85a"
        "d00f8449ed8f72d0d662ab052691ca66424bc86d2df80ea41f43abf937d3259d"
        "c4b2d0dfb48a6c9139ddd7f76966e928e635553ba76c5c879d7b35d49eb2e62b"
        "0871cdac638939e25e8a1e0ef9d5280fa8ca328b351c3c765989cbcf3daa8b6c"
        "cc3aaf9f3979c92b3720fc88dc95ed84a1be059c6499b9fda236e7e818b04b0b"
        "c39c1e876b193bfe5569753f88128cc08aaa9b63d1a16f80ef2554d7189c411f"
        "5869ca52c5b83fa36ff216b9c1d30062bebcfd2dc5bce0911934fda79a86f6e6"
        "98ced759c3ff9b6477338f3da4f9cd8514ea9982ccafb341b2384dd902f3d1ab"
        "7ac61dd29c6f21ba5b862f3730e37cfdc4fd806c22f221"
    );
    at(&key_ending_in_1(), &NONCE_2, 64).xor_keystream(&mut text).unwrap();
    assert_eq!(text, expected);

    let key = hex!("1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0");
    let mut text = *b"'Twas brillig, and the slithy toves\nDid gyre and gimble in the wabe:\n\
        All mimsy were the borogoves,\nAnd the mome raths outgrabe.";
    let expected = hex!(
        "62e6347f95ed87a45ffae7426f27a1df5fb69110044c0d73118effa95b01e5cf"
        "166d3df2d721caf9b21e5fb14c616871fd84c54f9d65b283196c7fe4f60553eb"
        "f39c6402c42234e32a356b3e764312a61a5532055716ead6962568f87d3f3f77"
        "04c6a8d1bcd1bf4d50d6154b6da731b187b58dfd728afa36757a797ac188d1"
    );
    at(&key, &NONCE_2, 42 * 64).xor_keystream(&mut text).unwrap();
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
        assert!(data == reference(&key, &nonce, position, data.len()));
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

#[test]
#[each_target(targets::chacha20)]
fn debug_tells_no_secrets() {
    assert_eq!(format!("{:?}", at(&[0x11; 32], &[0x22; 12], 77)), "ChaCha20 { position: 77, .. }");
}

#[test]
#[each_target(targets::chacha20)]
fn nothing_secret_is_left_after_drop() {
    let key = [0xee; 32];
    let mut place = MaybeUninit::new(at(&key, &[0; 12], 1));
    let secrets = reference(&key, &[0; 12], 1, 63);
    let bytes = place.as_mut_ptr().cast::<u8>();
    // SAFETY: the value was written above and is dropped once. Its fields are integers without padding between them, so
    // that every byte of it stays initialised.
    let (before, after) = unsafe {
        let before = slice::from_raw_parts(bytes, size_of::<ChaCha20>()).to_vec();
        place.assume_init_drop();
        (before, slice::from_raw_parts(bytes, size_of::<ChaCha20>()).to_vec())
    };
    let holds = |bytes: &[u8], secret: &[u8]| bytes.windows(4).any(|window| secret.windows(4).any(|s| s == window));
    assert!(holds(&before, &key) && holds(&before, &secrets));
    assert!(!holds(&after, &key) && !holds(&after, &secrets));
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
    fn seeking_equals_skipping(
        key: [u8; 32],
        nonce: [u8; 12],
        from in 0..3000u64,
        to in 0..3000usize,
        length in 0..300usize,
    ) {
        let mut skipped = ChaCha20::from_key_and_nonce(&key, &nonce);
        skipped.keystream(&mut vec![0; to]).unwrap();
        let mut sought = at(&key, &nonce, from);
        sought.set_position(to as u64).unwrap();
        prop_assert_eq!(sought.position(), skipped.position());
        let (mut one, mut other) = (vec![0; length], vec![0; length]);
        skipped.xor_keystream(&mut one).unwrap();
        sought.xor_keystream(&mut other).unwrap();
        prop_assert!(one == other);
        prop_assert!(one == reference(&key, &nonce, to as u64, length));
    }

    #[test]
    #[each_target(targets::chacha20)]
    fn blocks_equal_the_reference(key: [u8; 32], nonce: [u8; 12], counter: u32) {
        prop_assert_eq!(chacha20_block(&key, counter, &nonce), reference_block(&key, counter, &nonce));
    }

    #[test]
    #[each_target(targets::chacha20)]
    fn anywhere_in_the_keystream(key: [u8; 32], nonce: [u8; 12], position in 0..KEYSTREAM_LENGTH - 2000) {
        let mut data = vec![0; 2000];
        at(&key, &nonce, position).xor_keystream(&mut data).unwrap();
        prop_assert!(data == reference(&key, &nonce, position, 2000));
    }
}
