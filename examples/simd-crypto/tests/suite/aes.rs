use super::reference::{add, dec, dec_last, enc, enc_last, imc};
use aes::cipher::{BlockCipherEncrypt, KeyInit};
use hex_literal::hex;
use proptest::prelude::*;
use simd_core::testing::each_target;
use simd_crypto::aes::{
    Aes128, Aes192, Aes256, Block, Quad, aesdec, aesdec4, aesdeclast, aesdeclast4, aesenc, aesenc4, aesenclast,
    aesenclast4, aesimc, round_keys128, round_keys192, round_keys256,
};

/// FIPS 197, appendix C.
#[test]
#[each_target(crate::every)]
fn fips_197() {
    let plain = hex!("00112233445566778899aabbccddeeff");
    macro_rules! check {
        ($aes:ident, $key:literal, $cipher:literal) => {
            let (aes, cipher) = ($aes::from_key(&hex!($key)), hex!($cipher));
            let mut block = plain;
            aes.encrypt(&mut block);
            assert_eq!(block, cipher);
            aes.decrypt(&mut block);
            assert_eq!(block, plain);
        };
    }
    check!(Aes128, "000102030405060708090a0b0c0d0e0f", "69c4e0d86a7b0430d8cdb78070b4c55a");
    check!(Aes192, "000102030405060708090a0b0c0d0e0f1011121314151617", "dda97ca4864cdfe06eaf70a0ec0d7191");
    check!(
        Aes256,
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "8ea2b7ca516745bfeafc49904b496089"
    );
}

/// Every byte through the S-box and its inverse.
#[test]
#[each_target(crate::every)]
fn all_bytes() {
    for byte in 0..=255 {
        let state = core::array::from_fn(|i| byte ^ [0, 1, 0x80, 0xff][i % 4]);
        assert_eq!(aesenclast(state.into(), Block::default()).to_bytes(), enc_last(state, [0; 16]));
        assert_eq!(aesdeclast(state.into(), Block::default()).to_bytes(), dec_last(state, [0; 16]));
    }
}

fn quad(blocks: [[u8; 16]; 4]) -> Quad {
    Quad::from(blocks.map(Block::from))
}

proptest! {
    #[test]
    #[each_target(crate::every)]
    fn rounds(state: [u8; 16], key: [u8; 16]) {
        let (s, k) = (Block::from(state), Block::from(key));
        prop_assert_eq!(aesenc(s, k).to_bytes(), enc(state, key));
        prop_assert_eq!(aesenclast(s, k).to_bytes(), enc_last(state, key));
        prop_assert_eq!(aesdec(s, k).to_bytes(), dec(state, key));
        prop_assert_eq!(aesdeclast(s, k).to_bytes(), dec_last(state, key));
        prop_assert_eq!(aesimc(s).to_bytes(), imc(state));
        prop_assert_eq!((s ^ k).to_bytes(), add(state, key));
    }

    #[test]
    #[each_target(crate::every)]
    fn rounds_of_four(states: [[u8; 16]; 4], keys: [[u8; 16]; 4]) {
        let (s, k) = (quad(states), quad(keys));
        let blocks = |quad: Quad| quad.to_blocks().map(Block::to_bytes);
        prop_assert_eq!(blocks(aesenc4(s, k)), core::array::from_fn(|i| enc(states[i], keys[i])));
        prop_assert_eq!(blocks(aesenclast4(s, k)), core::array::from_fn(|i| enc_last(states[i], keys[i])));
        prop_assert_eq!(blocks(aesdec4(s, k)), core::array::from_fn(|i| dec(states[i], keys[i])));
        prop_assert_eq!(blocks(aesdeclast4(s, k)), core::array::from_fn(|i| dec_last(states[i], keys[i])));
        prop_assert_eq!(blocks(s ^ k), core::array::from_fn(|i| add(states[i], keys[i])));
    }

    #[test]
    #[each_target(crate::every)]
    fn keys(key: [u8; 32], plain: [u8; 16]) {
        macro_rules! check {
            ($Aes:ident, $round_keys:ident) => {
                let key = key.first_chunk().unwrap();
                let mut block = plain;
                $Aes::from_key(key).encrypt(&mut block);
                let mut expected = plain.into();
                <aes::$Aes as KeyInit>::new(&(*key).into()).encrypt_block(&mut expected);
                prop_assert_eq!(block, expected.0);
                $Aes::from_key(key).decrypt(&mut block);
                prop_assert_eq!(block, plain);
                let [first, rest @ .., last] = $round_keys(key);
                let state = rest.into_iter().fold(Block::from(plain) ^ first, |state, key| aesenc(state, key));
                prop_assert_eq!(aesenclast(state, last).to_bytes(), expected.0);
            };
        }
        check!(Aes128, round_keys128);
        check!(Aes192, round_keys192);
        check!(Aes256, round_keys256);
    }
}

/// Lengths around every group size: 4 blocks, 8, 16 and 32 at once, and what is left after them.
#[test]
#[each_target(crate::every)]
fn every_length() {
    let blocks: Vec<[u8; 16]> = (0..70).map(|i| [i; 16]).collect();
    macro_rules! check {
        ($Aes:ident, $key:literal) => {
            let aes = $Aes::from_key(&[7; $key]);
            let mut expected = blocks.clone();
            for block in &mut expected {
                aes.encrypt(block);
            }
            for len in 0..=blocks.len() {
                let mut out = blocks[..len].to_vec();
                aes.encrypt_many(&mut out);
                assert_eq!(out, expected[..len], "{len} blocks");
                aes.decrypt_many(&mut out);
                assert_eq!(out, blocks[..len], "{len} blocks");
            }
        };
    }
    check!(Aes128, 16);
    check!(Aes192, 24);
    check!(Aes256, 32);
}
