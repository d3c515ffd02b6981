//! The algorithms that the demo runs.
mod fields;
mod sharing;
mod stream;

use crate::explain;
use core::hint::black_box;
use simd_crypto::aes::{Aes128, Aes192, Aes256};
use simd_crypto::haraka::{haraka256, haraka256_many, haraka512, haraka512_many};

pub(super) struct Algorithm {
    pub(super) name: &'static str,
    /// Where the reference vector comes from.
    pub(super) source: &'static str,
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
            compare(&block, "69c4e0d86a7b0430d8cdb78070b4c55a")
        },
        work: |units| {
            let aes = Aes128::from_key(&counting());
            in_turn(units, [0; 16], |block| aes.encrypt(block));
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
            compare(&block, "dda97ca4864cdfe06eaf70a0ec0d7191")
        },
        work: |units| {
            let aes = Aes192::from_key(&counting());
            in_turn(units, [0; 16], |block| aes.encrypt(block));
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
        work: |units| in_turn(units, counting(), |message| *message = haraka256::<5>(message)),
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
            compare(&haraka256::<6>(&counting()), "dd90045b92993274fff8ccf46903d1c8184b404cc83735551c80a72b5fb32045")
        },
        work: |units| in_turn(units, counting(), |message| *message = haraka256::<6>(message)),
    },
    Algorithm {
        name: "Haraka-512 v2, one message",
        source: HARAKA,
        target: || explain::HARAKA512.chosen(),
        check: || compare(&haraka512::<5>(&counting()), HARAKA512),
        work: |units| {
            in_turn(units, counting(), |message| {
                let hash = haraka512::<5>(message);
                message[..32].copy_from_slice(&hash);
            });
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
            compare(&haraka512::<6>(&counting()), "0e27514e8ab7b4ee153c9a5413fb1e984a914f5b6fea17228541ce1707fc4e64")
        },
        work: |units| {
            in_turn(units, counting(), |message| {
                let hash = haraka512::<6>(message);
                message[..32].copy_from_slice(&hash);
            });
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

const HARAKA256: &str = "8027ccb87949774b78d0545fb72bf70c695c2a0923cbd47bba1159efbf2b2c1c";
const HARAKA512: &str = "be7f723b4e80a99813b292287f306f625a6d57331cae5f34dd9277b0945be2aa";

/// 0, 1, 2, …
fn counting<const N: usize>() -> [u8; N] {
    core::array::from_fn(|i| i as u8)
}

/// Compares a result with the digits that are expected.
fn compare(result: &[u8], expected: &str) -> Result<(), String> {
    let computed = format!("{:x}", base16ct::HexDisplay(result));
    if computed == expected { Ok(()) } else { Err(format!("computed {computed}, expected {expected}")) }
}

/// Changes something so many times, each time what the time before has left.
fn in_turn<T>(units: u32, mut state: T, step: impl Fn(&mut T)) {
    for _ in 0..units {
        step(&mut state);
    }
    black_box(state);
}

/// The four blocks over and over, as many as are timed.
fn check_blocks(work: impl Fn(&mut [[u8; 16]]), input: [[u8; 16]; 4], expected: [[u8; 16]; 4]) -> Result<(), String> {
    let mut blocks = input.repeat(MANY / 4);
    work(&mut blocks);
    let expected = expected.repeat(MANY / 4).concat();
    compare(blocks.as_flattened(), &format!("{:x}", base16ct::HexDisplay(&expected)))
}

fn check_hashes<const N: usize>(hash_many: fn(&[[u8; N]], &mut [[u8; 32]]), expected: &str) -> Result<(), String> {
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
