//! The algorithms that the demo runs.
mod fields;
mod sharing;
mod stream;

use crate::explain;
use core::hint::black_box;
use simd_crypto::aes::{Aes128, Aes192, Aes256};
use simd_crypto::haraka::{haraka256, haraka256_many, haraka512, haraka512_many};

/// One line of the demo.
pub(super) struct Algorithm {
    pub(super) name: &'static str,
    /// Where the reference vector comes from.
    pub(super) source: &'static str,
    /// The target whose clone runs in this process.
    pub(super) target: fn() -> &'static str,
    /// Computes the reference vector; the error says what came out instead.
    pub(super) check: fn() -> Result<(), String>,
    /// Does so many units of work.
    pub(super) work: fn(u32),
}

const FIPS_197: &str = "FIPS 197, appendix C";
const SP_800_38A: &str = "NIST SP 800-38A, F.1";
const HARAKA: &str = "ePrint 2016/098, appendix B";
const HARAKA_RS: &str = "haraka-rs";

/// Messages or blocks that are worked on at once where there are many.
const MANY: usize = 256;

/// All lines, in their order.
pub(super) fn all() -> impl Iterator<Item = &'static Algorithm> {
    [AES_AND_HARAKA, fields::ALGORITHMS, sharing::ALGORITHMS, stream::ALGORITHMS].into_iter().flatten()
}

const AES_AND_HARAKA: &[Algorithm] = &[
    Algorithm {
        name: "AES-128 encrypt, one block",
        source: FIPS_197,
        target: || explain::MANY.chosen(),
        check: || {
            let mut block = FIPS_197_PLAIN;
            Aes128::from_key(&counting()).encrypt(&mut block);
            compare(&block, 0x69c4_e0d8_6a7b_0430_d8cd_b780_70b4_c55a_u128.to_be_bytes())
        },
        work: |units| {
            let aes = Aes128::from_key(&counting());
            let mut block = [0; 16];
            for _ in 0..units {
                aes.encrypt(&mut block);
            }
            black_box(block);
        },
    },
    Algorithm {
        name: "AES-128 encrypt, many blocks",
        source: SP_800_38A,
        target: || explain::MANY.chosen(),
        check: || {
            let aes = Aes128::from_key(&SP_800_38A_KEY);
            check_blocks(|blocks| aes.encrypt_many(blocks), SP_800_38A_PLAIN, SP_800_38A_CIPHER)
        },
        work: |units| {
            let aes = Aes128::from_key(&counting());
            in_blocks(units, |blocks| aes.encrypt_many(blocks));
        },
    },
    Algorithm {
        name: "AES-128 decrypt, many blocks",
        source: SP_800_38A,
        target: || explain::MANY.chosen(),
        check: || {
            let aes = Aes128::from_key(&SP_800_38A_KEY);
            check_blocks(|blocks| aes.decrypt_many(blocks), SP_800_38A_CIPHER, SP_800_38A_PLAIN)
        },
        work: |units| {
            let aes = Aes128::from_key(&counting());
            in_blocks(units, |blocks| aes.decrypt_many(blocks));
        },
    },
    Algorithm {
        name: "AES-192 encrypt, one block",
        source: FIPS_197,
        target: || explain::MANY.chosen(),
        check: || {
            let mut block = FIPS_197_PLAIN;
            Aes192::from_key(&counting()).encrypt(&mut block);
            compare(&block, 0xdda9_7ca4_864c_dfe0_6eaf_70a0_ec0d_7191_u128.to_be_bytes())
        },
        work: |units| {
            let aes = Aes192::from_key(&counting());
            let mut block = [0; 16];
            for _ in 0..units {
                aes.encrypt(&mut block);
            }
            black_box(block);
        },
    },
    Algorithm {
        name: "AES-256 encrypt, many blocks",
        source: FIPS_197,
        target: || explain::MANY.chosen(),
        check: || {
            let aes = Aes256::from_key(&counting());
            let cipher = 0x8ea2_b7ca_5167_45bf_eafc_4990_4b49_6089_u128.to_be_bytes();
            check_blocks(|blocks| aes.encrypt_many(blocks), [FIPS_197_PLAIN; 4], [cipher; 4])
        },
        work: |units| {
            let aes = Aes256::from_key(&counting());
            in_blocks(units, |blocks| aes.encrypt_many(blocks));
        },
    },
    Algorithm {
        name: "Haraka-256 v2, one message",
        source: HARAKA,
        target: || explain::SINGLE.chosen(),
        check: || compare(&haraka256::<5>(&counting()), HARAKA256),
        work: |units| {
            let mut message = counting();
            for _ in 0..units {
                message = haraka256::<5>(&message);
            }
            black_box(message);
        },
    },
    Algorithm {
        name: "Haraka-256 v2, many messages",
        source: HARAKA,
        target: || explain::MANY.chosen(),
        check: || check_hashes(haraka256_many::<5>, HARAKA256),
        work: |units| in_messages(units, haraka256_many::<5>),
    },
    Algorithm {
        name: "Haraka-256 v2, 6 rounds",
        source: HARAKA_RS,
        target: || explain::SINGLE.chosen(),
        check: || {
            let expected = [0xdd90_045b_9299_3274_fff8_ccf4_6903_d1c8, 0x184b_404c_c837_3555_1c80_a72b_5fb3_2045];
            compare(&haraka256::<6>(&counting()), halves(expected))
        },
        work: |units| {
            let mut message = counting();
            for _ in 0..units {
                message = haraka256::<6>(&message);
            }
            black_box(message);
        },
    },
    Algorithm {
        name: "Haraka-512 v2, one message",
        source: HARAKA,
        target: || explain::HARAKA512.chosen(),
        check: || compare(&haraka512::<5>(&counting()), HARAKA512),
        work: |units| {
            let mut message = counting();
            for _ in 0..units {
                let hash = haraka512::<5>(&message);
                message[..32].copy_from_slice(&hash);
            }
            black_box(message);
        },
    },
    Algorithm {
        name: "Haraka-512 v2, many messages",
        source: HARAKA,
        target: || explain::MANY.chosen(),
        check: || check_hashes(haraka512_many::<5>, HARAKA512),
        work: |units| in_messages(units, haraka512_many::<5>),
    },
    Algorithm {
        name: "Haraka-512 v2, 6 rounds",
        source: HARAKA_RS,
        target: || explain::HARAKA512.chosen(),
        check: || {
            let expected = [0x0e27_514e_8ab7_b4ee_153c_9a54_13fb_1e98, 0x4a91_4f5b_6fea_1722_8541_ce17_07fc_4e64];
            compare(&haraka512::<6>(&counting()), halves(expected))
        },
        work: |units| {
            let mut message = counting();
            for _ in 0..units {
                let hash = haraka512::<6>(&message);
                message[..32].copy_from_slice(&hash);
            }
            black_box(message);
        },
    },
];

const FIPS_197_PLAIN: [u8; 16] = 0x0011_2233_4455_6677_8899_aabb_ccdd_eeff_u128.to_be_bytes();

const SP_800_38A_KEY: [u8; 16] = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes();
const SP_800_38A_PLAIN: [[u8; 16]; 4] = [
    0x6bc1_bee2_2e40_9f96_e93d_7e11_7393_172a_u128.to_be_bytes(),
    0xae2d_8a57_1e03_ac9c_9eb7_6fac_45af_8e51_u128.to_be_bytes(),
    0x30c8_1c46_a35c_e411_e5fb_c119_1a0a_52ef_u128.to_be_bytes(),
    0xf69f_2445_df4f_9b17_ad2b_417b_e66c_3710_u128.to_be_bytes(),
];
const SP_800_38A_CIPHER: [[u8; 16]; 4] = [
    0x3ad7_7bb4_0d7a_3660_a89e_caf3_2466_ef97_u128.to_be_bytes(),
    0xf5d3_d585_03b9_699d_e785_895a_96fd_baaf_u128.to_be_bytes(),
    0x43b1_cd7f_598e_ce23_881b_00e3_ed03_0688_u128.to_be_bytes(),
    0x7b0c_785e_27e8_ad3f_8223_2071_0472_5dd4_u128.to_be_bytes(),
];

const HARAKA256: [u8; 32] =
    halves([0x8027_ccb8_7949_774b_78d0_545f_b72b_f70c, 0x695c_2a09_23cb_d47b_ba11_59ef_bf2b_2c1c]);
const HARAKA512: [u8; 32] =
    halves([0xbe7f_723b_4e80_a998_13b2_9228_7f30_6f62, 0x5a6d_5733_1cae_5f34_dd92_77b0_945b_e2aa]);

/// 0, 1, 2, …
fn counting<const N: usize>() -> [u8; N] {
    core::array::from_fn(|i| i as u8)
}

const fn halves([a, b]: [u128; 2]) -> [u8; 32] {
    let (a, b) = (a.to_be_bytes(), b.to_be_bytes());
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 16 {
        (bytes[i], bytes[i + 16]) = (a[i], b[i]);
        i += 1;
    }
    bytes
}

fn compare<const N: usize>(result: &[u8; N], expected: [u8; N]) -> Result<(), String> {
    if *result == expected {
        return Ok(());
    }
    Err(format!("computed {}, expected {}", hex(result), hex(&expected)))
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

/// The four blocks over and over, as many as are timed.
fn check_blocks(work: impl Fn(&mut [[u8; 16]]), input: [[u8; 16]; 4], expected: [[u8; 16]; 4]) -> Result<(), String> {
    let mut blocks = input.repeat(MANY / 4);
    work(&mut blocks);
    blocks.iter().zip(expected.iter().cycle()).try_for_each(|(block, expected)| compare(block, *expected))
}

fn check_hashes<const N: usize>(hash_many: fn(&[[u8; N]], &mut [[u8; 32]]), expected: [u8; 32]) -> Result<(), String> {
    let mut hashes = [[0; 32]; MANY];
    hash_many(&[counting(); MANY], &mut hashes);
    hashes.iter().try_for_each(|hash| compare(hash, expected))
}

fn in_blocks(units: u32, work: impl Fn(&mut [[u8; 16]])) {
    let mut blocks = [[0; 16]; MANY];
    for n in batches(units) {
        work(&mut blocks[..n]);
        black_box(&mut blocks);
    }
}

/// So many units in lengths of at most [`MANY`].
fn batches(units: u32) -> impl Iterator<Item = usize> {
    let units = units as usize;
    (0..units).step_by(MANY).map(move |start| MANY.min(units - start))
}

fn in_messages<const N: usize>(units: u32, hash_many: fn(&[[u8; N]], &mut [[u8; 32]])) {
    let (messages, mut hashes) = ([counting(); MANY], [[0; 32]; MANY]);
    for n in batches(units) {
        hash_many(black_box(&messages[..n]), &mut hashes[..n]);
        black_box(&mut hashes);
    }
}
