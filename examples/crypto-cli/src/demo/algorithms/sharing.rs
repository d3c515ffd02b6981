//! Shamir's secret sharing.
use super::{Algorithm, compare, counting, halves};
use crate::explain;
use core::convert::Infallible;
use core::hint::black_box;
use rand_core::{SeedableRng, TryCryptoRng, TryRng};
use simd_crypto::gf::{Field, Gf256};
use simd_crypto::shamir::{Combiner, Scheme, SeededRng, Share, reconstruct, split};

/// Schoolbook products on Python's integers.
const PYTHON: &str = "long division in Python";

/// The bytes of a secret, and how many shares it is split into, of which how many give it back.
type Secret = [u8; 32];
const SHARES: usize = 5;
const THRESHOLD: usize = 3;

pub(in crate::demo) const ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        name: "Shamir split, 32 bytes, 3 of 5",
        source: PYTHON,
        target: || explain::BYTES.chosen(),
        check: || {
            let mut shares = [Secret::default(); SHARES];
            split_into(&mut shares, &mut Constant)?;
            // With equal coefficients, and x + x^2 equal at 2 and 3, and at 4 and 5.
            let expected = [
                [0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f, 0x1011_1213_1415_1617_1819_1a1b_1c1d_1e1f],
                [0xf1f0_f3f2_f5f4_f7f6_f9f8_fbfa_fdfc_fffe, 0xe1e0_e3e2_e5e4_e7e6_e9e8_ebea_edec_efee],
                [0xf1f0_f3f2_f5f4_f7f6_f9f8_fbfa_fdfc_fffe, 0xe1e0_e3e2_e5e4_e7e6_e9e8_ebea_edec_efee],
                [0x1011_1213_1415_1617_1819_1a1b_1c1d_1e1f, 0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f],
                [0x1011_1213_1415_1617_1819_1a1b_1c1d_1e1f, 0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f],
            ];
            shares.iter().zip(expected).try_for_each(|(share, expected)| compare(share, halves(expected)))
        },
        work: |units| {
            let mut rng = SeededRng::from_seed([1; 32]);
            let mut shares = [Secret::default(); SHARES];
            for _ in 0..units {
                // The check has shown that it works.
                let _ = split_into(&mut shares, &mut rng);
                black_box(&mut shares);
            }
        },
    },
    Algorithm {
        name: "Shamir combine, 32 bytes, 3 of 5",
        source: PYTHON,
        target: || explain::BYTES.chosen(),
        check: || compare(&combined()?, counting()),
        work: |units| {
            for _ in 0..units {
                let _ = black_box(combined());
            }
        },
    },
    Algorithm {
        name: "Shamir split, GF(2^256), 3 of 5",
        source: PYTHON,
        target: || explain::PRODUCTS.chosen(),
        check: || {
            let shares = split(&secret(), THRESHOLD, SHARES, &mut Constant).map_err(|error| error.to_string())?;
            let low = [0xebea_e9e8_efee_edec_e3e2_e1e0_e7e6_e5e4, 0xfbfa_f9f8_fffe_fdfc_f3f2_f1f0_f7f6_f1d0];
            let high = [0x7879_7a7b_7c7d_7e7f_7071_7273_7475_7677, 0x6869_6a6b_6c6d_6e6f_6061_6263_6465_76f7];
            let expected = [counting(), halves(low), halves(low), halves(high), halves(high)];
            shares.iter().zip(expected).try_for_each(|(share, expected)| compare(&share.y().to_be_bytes(), expected))
        },
        work: |units| {
            let mut rng = SeededRng::from_seed([1; 32]);
            for _ in 0..units {
                let _ = black_box(split(&secret(), THRESHOLD, SHARES, &mut rng));
            }
        },
    },
    Algorithm {
        name: "Shamir combine, GF(2^256), 3 of 5",
        source: PYTHON,
        target: || explain::PRODUCTS.chosen(),
        check: || {
            let secret = reconstruct(&elements()).map_err(|error| error.to_string())?;
            compare(&secret.to_be_bytes(), counting())
        },
        work: |units| {
            let shares = elements();
            for _ in 0..units {
                let _ = black_box(reconstruct(black_box(&shares)));
            }
        },
    },
];

/// Gives one byte again and again: coefficients that are no secret.
struct Constant;

impl TryRng for Constant {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(0x5353_5353)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(0x5353_5353_5353_5353)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill(0x53);
        Ok(())
    }
}

impl TryCryptoRng for Constant {}

fn split_into<R: rand_core::CryptoRng>(shares: &mut [Secret; SHARES], rng: &mut R) -> Result<(), String> {
    let scheme = Scheme::compact(THRESHOLD, SHARES);
    let split = scheme.and_then(|scheme| scheme.split_into(&counting::<32>(), shares, rng));
    split.map_err(|error| error.to_string())
}

/// The secret, from shares that a polynomial has been evaluated for by hand.
fn combined() -> Result<Secret, String> {
    let shares = [
        halves([0x1f64_81a2_e365_10d3_aa91_4fcc_0d46_73bd, 0xf40f_2a09_d3b8_4d0e_013a_7fbc_fd2d_183b]),
        halves([0xd11d_1de6_c836_d0be_e027_5b00_3854_b9f3, 0xed37_817a_6e52_a2da_ab6c_2a9c_b2e4_0981]),
        halves([0x3117_ee8b_bcb9_5ede_313c_004a_2b2c_e0e6, 0x7000_7d18_d5bb_0adc_828f_4938_0ff2_3e53]),
    ];
    let mut secret = Secret::default();
    let combiner = Combiner::new(&[2, 5, 255]).map_err(|error| error.to_string())?;
    combiner.combine_into(black_box(&shares), &mut secret).map_err(|error| error.to_string())?;
    Ok(secret)
}

fn secret() -> Gf256 {
    Gf256::from_be_bytes(&counting())
}

/// Shares at 1, 2 and 4 with the coefficients of [`Constant`].
fn elements() -> [Share<Gf256>; THRESHOLD] {
    let low = [0xebea_e9e8_efee_edec_e3e2_e1e0_e7e6_e5e4, 0xfbfa_f9f8_fffe_fdfc_f3f2_f1f0_f7f6_f1d0];
    let high = [0x7879_7a7b_7c7d_7e7f_7071_7273_7475_7677, 0x6869_6a6b_6c6d_6e6f_6061_6263_6465_76f7];
    let share = |x: u64, y: [u8; 32]| Share::new(Gf256::from([x, 0, 0, 0]), Gf256::from_be_bytes(&y));
    [share(1, counting()), share(2, halves(low)), share(4, halves(high))]
}
