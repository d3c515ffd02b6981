use super::reference::enc;
use hex_literal::hex;
use proptest::prelude::*;
use simd_core::testing::each_target;
use simd_crypto::haraka::{haraka256, haraka256_many, haraka512, haraka512_many};

fn counting<const N: usize>() -> [u8; N] {
    core::array::from_fn(|i| u8::try_from(i).unwrap())
}

/// Appendix B of the paper (IACR ePrint 2016/098) for 5 rounds; for 6 rounds, the test vectors of haraka-rs.
#[test]
#[each_target(crate::every)]
fn published_vectors() {
    assert_eq!(haraka256::<5>(&counting()), hex!("8027ccb87949774b78d0545fb72bf70c695c2a0923cbd47bba1159efbf2b2c1c"));
    assert_eq!(haraka512::<5>(&counting()), hex!("be7f723b4e80a99813b292287f306f625a6d57331cae5f34dd9277b0945be2aa"));
    assert_eq!(haraka256::<6>(&counting()), hex!("dd90045b92993274fff8ccf46903d1c8184b404cc83735551c80a72b5fb32045"));
    assert_eq!(haraka512::<6>(&counting()), hex!("0e27514e8ab7b4ee153c9a5413fb1e984a914f5b6fea17228541ce1707fc4e64"));
}

/// Haraka as the paper's sections 2.2 and 2.3 have it, on `blocks` and with `constants` in the order of use: `aes` and
/// `mix` in turn, where `mix` names for each column of the new state the block and column that it comes from.
fn permutation(mut blocks: Vec<[u8; 16]>, constants: &[u128], mix: &[(usize, usize)]) -> Vec<[u8; 16]> {
    for constants in constants.chunks(2 * blocks.len()) {
        for constants in constants.chunks(blocks.len()) {
            for (block, constant) in blocks.iter_mut().zip(constants) {
                *block = enc(*block, constant.to_le_bytes());
            }
        }
        let columns: Vec<&[u8]> = mix.iter().map(|&(block, column)| &blocks[block][4 * column..][..4]).collect();
        blocks = columns.chunks(4).map(|columns| columns.concat().try_into().unwrap()).collect();
    }
    blocks
}

const MIX256: [(usize, usize); 8] = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2), (0, 3), (1, 3)];
#[rustfmt::skip]
const MIX512: [(usize, usize); 16] = [
    (0, 3), (2, 3), (1, 3), (3, 3),
    (2, 0), (0, 0), (3, 0), (1, 0),
    (2, 1), (0, 1), (3, 1), (1, 1),
    (0, 2), (2, 2), (1, 2), (3, 2),
];

/// The crate's table, which the published vectors prove.
fn constants() -> Vec<u128> {
    let table = include_str!("../../src/haraka/constants.rs");
    let numbers = table.lines().filter_map(|line| line.trim().strip_prefix("0x")?.strip_suffix(','));
    numbers.map(|number| u128::from_str_radix(&number.replace('_', ""), 16).unwrap()).collect()
}

fn reference256(message: &[u8; 32], constants: &[u128]) -> [u8; 32] {
    let blocks = message.as_chunks().0.to_vec();
    let out = permutation(blocks, constants, &MIX256).concat();
    core::array::from_fn(|i| out[i] ^ message[i])
}

fn reference512(message: &[u8; 64], constants: &[u128]) -> [u8; 32] {
    let blocks = message.as_chunks().0.to_vec();
    let mut out = permutation(blocks, constants, &MIX512).concat();
    out.iter_mut().zip(message).for_each(|(out, byte)| *out ^= byte);
    [&out[8..16], &out[24..32], &out[32..40], &out[48..56]].concat().try_into().unwrap()
}

/// Random messages, in every batch length around the group sizes of the clones, against the reference.
#[test]
#[each_target(crate::every)]
fn every_length() {
    let constants = constants();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(1));
    let messages = prop::collection::vec(any::<[[u8; 32]; 2]>(), 67);
    runner
        .run(&messages, |messages| {
            let messages256: Vec<[u8; 32]> = messages.iter().map(|message| message[0]).collect();
            let messages512: Vec<[u8; 64]> =
                messages.iter().map(|message| message.concat().try_into().unwrap()).collect();
            macro_rules! check {
                ($rounds:literal, $messages:expr, $many:ident, $one:ident, $reference:ident, $constants:expr) => {
                    let expected: Vec<_> =
                        $messages.iter().map(|message| $reference(message, &constants[..$constants])).collect();
                    let single: Vec<_> = $messages.iter().map($one::<$rounds>).collect();
                    prop_assert_eq!(&single, &expected);
                    for len in 0..=$messages.len() {
                        let mut hashes = vec![[0xee; 32]; len];
                        $many::<$rounds>(&$messages[..len], &mut hashes);
                        prop_assert_eq!(&hashes, &expected[..len], "{} messages", len);
                    }
                };
            }
            check!(5, messages256, haraka256_many, haraka256, reference256, 20);
            check!(6, messages256, haraka256_many, haraka256, reference256, 24);
            check!(5, messages512, haraka512_many, haraka512, reference512, 40);
            check!(6, messages512, haraka512_many, haraka512, reference512, 48);
            Ok(())
        })
        .unwrap();
}

#[test]
#[should_panic = "one hash for each message"]
fn haraka256_of_too_few_messages() {
    haraka256_many::<5>(&[[0; 32]; 2], &mut [[0; 32]; 3]);
}

#[test]
#[should_panic = "one hash for each message"]
fn haraka512_of_too_many_messages() {
    haraka512_many::<5>(&[[0; 64]; 3], &mut [[0; 32]; 2]);
}
