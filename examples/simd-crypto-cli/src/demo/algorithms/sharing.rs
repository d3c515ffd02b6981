//! Shamir's secret sharing.
use super::{Algorithm, compare, counting};
use crate::explain;
use core::convert::Infallible;
use core::hint::black_box;
use rand_core::utils::next_word_via_fill;
use rand_core::{CryptoRng, SeedableRng, TryCryptoRng, TryRng};
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
            let at_2 = "f1f0f3f2f5f4f7f6f9f8fbfafdfcfffee1e0e3e2e5e4e7e6e9e8ebeaedecefee";
            let at_4 = "101112131415161718191a1b1c1d1e1f000102030405060708090a0b0c0d0e0f";
            compare(shares.as_flattened(), &[SECRET, at_2, at_2, at_4, at_4].concat())
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
        check: || compare(&combined()?, SECRET),
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
            let at_2 = "ebeae9e8efeeedece3e2e1e0e7e6e5e4fbfaf9f8fffefdfcf3f2f1f0f7f6f1d0";
            let at_4 = "78797a7b7c7d7e7f707172737475767768696a6b6c6d6e6f60616263646576f7";
            let values: Vec<u8> = elements(&mut Constant)?.iter().flat_map(|share| share.y().to_be_bytes()).collect();
            compare(&values, &[SECRET, at_2, at_2, at_4, at_4].concat())
        },
        work: |units| {
            let mut rng = SeededRng::from_seed([1; 32]);
            for _ in 0..units {
                let _ = black_box(elements(&mut rng));
            }
        },
    },
    Algorithm {
        name: "Shamir combine, GF(2^256), 3 of 5",
        source: PYTHON,
        target: || explain::PRODUCTS.chosen(),
        check: || {
            let secret = reconstruct(&elements(&mut Constant)?[2..]).map_err(|error| error.to_string())?;
            compare(&secret.to_be_bytes(), SECRET)
        },
        work: |units| {
            let Ok(shares) = elements(&mut Constant) else { return };
            for _ in 0..units {
                let _ = black_box(reconstruct(black_box(&shares[2..])));
            }
        },
    },
];

/// The digits of 0, 1, 2, …
const SECRET: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// Gives one byte again and again: coefficients that are no secret.
struct Constant;

impl TryRng for Constant {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        next_word_via_fill(self)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        next_word_via_fill(self)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill(0x53);
        Ok(())
    }
}

impl TryCryptoRng for Constant {}

fn split_into<R: CryptoRng>(shares: &mut [Secret; SHARES], rng: &mut R) -> Result<(), String> {
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

fn elements<R: CryptoRng>(rng: &mut R) -> Result<Vec<Share<Gf256>>, String> {
    split(&Gf256::from_be_bytes(&counting()), THRESHOLD, SHARES, rng).map_err(|error| error.to_string())
}

const fn halves([a, b]: [u128; 2]) -> Secret {
    let (a, b) = (a.to_be_bytes(), b.to_be_bytes());
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 16 {
        (bytes[i], bytes[i + 16]) = (a[i], b[i]);
        i += 1;
    }
    bytes
}
