//! Carry-less products and fields.
use super::{Algorithm, MANY, batches, compare, halves};
use crate::explain;
use core::hint::black_box;
use simd_crypto::gf::{Field, Gf8, Gf64, Gf128, Gf256, Gf2048};
use simd_crypto::pmul::pmul;

const INTEL: &str = "Gueron and Kounavis, 2010";
const FIPS_197: &str = "FIPS 197, section 4.2";
const GCM: &str = "GCM specification, test case 2";
/// Schoolbook products and Euclid's algorithm on Python's integers, which have nothing in common with the kernels.
const PYTHON: &str = "long division in Python";

pub(in crate::demo) const ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        name: "carry-less product, 64 bits",
        source: INTEL,
        target: || explain::PRODUCTS.chosen(),
        check: || {
            let expected = 0x1d4d_84c8_5c34_40c0_9296_33d5_d36f_0451_u128;
            let product = pmul(0x6374_6f72_5d53_475d, 0x5b47_7565_726f_6e5d);
            compare(&product.to_be_bytes(), expected.to_be_bytes())
        },
        work: |units| {
            let mut product = 0x6374_6f72_5d53_475d;
            for _ in 0..units {
                product = pmul(product, 0x5b47_7565_726f_6e5d) as u64;
            }
            black_box(product);
        },
    },
    Algorithm {
        name: "GF(2^8) multiply, 16 elements",
        source: FIPS_197,
        target: || explain::BYTES.chosen(),
        check: || {
            // {57} by {83}, by {13} and by 1.
            let mut bytes = [0x57; 16 * MANY];
            Gf8::mul_slice(&mut bytes, Gf8::from(0x83));
            bytes.chunks(1).try_for_each(|byte| compare(&[byte[0]], [0xc1]))?;
            let mut bytes = [0x13, 1].repeat(8 * MANY);
            Gf8::mul_slice(&mut bytes, Gf8::from(0x57));
            bytes.chunks(2).try_for_each(|byte| compare(&[byte[0], byte[1]], [0xfe, 0x57]))
        },
        work: |units| {
            let mut bytes = [0x57; 16 * MANY];
            for n in batches(units) {
                Gf8::mul_slice(&mut bytes[..16 * n], Gf8::from(0x83));
                black_box(&mut bytes);
            }
        },
    },
    Algorithm {
        name: "GF(2^64) multiply",
        source: PYTHON,
        target: || explain::PRODUCTS.chosen(),
        check: || compare(&(first::<Gf64>() * second::<Gf64>()).to_be_bytes(), 0x7f91_a6cb_9bd5_34c8_u64.to_be_bytes()),
        work: multiply::<Gf64>,
    },
    Algorithm {
        name: "GF(2^128) multiply",
        source: GCM,
        target: || explain::PRODUCTS.chosen(),
        check: || compare(&gcm_bytes(gcm(GCM_KEY) * gcm(GCM_BLOCK)), GCM_PRODUCT.to_be_bytes()),
        work: multiply::<Gf128>,
    },
    Algorithm {
        name: "GF(2^128) divide",
        source: GCM,
        target: || explain::PRODUCTS.chosen(),
        check: || compare(&gcm_bytes(gcm(GCM_PRODUCT) / gcm(GCM_KEY)), GCM_BLOCK.to_be_bytes()),
        work: |units| {
            let mut quotient = gcm(GCM_PRODUCT);
            for _ in 0..units {
                quotient = gcm(GCM_KEY) / quotient;
            }
            black_box(quotient);
        },
    },
    Algorithm {
        name: "GF(2^256) multiply",
        source: PYTHON,
        target: || explain::PRODUCTS.chosen(),
        check: || {
            let expected = [0x485a_b2a1_74e0_dacf_f685_f6ef_f04b_10d1, 0x492a_6a0a_e8aa_483b_4dea_d4b2_7bb5_f04f];
            compare(&(first::<Gf256>() * second::<Gf256>()).to_be_bytes(), halves(expected))
        },
        work: multiply::<Gf256>,
    },
    Algorithm {
        name: "GF(2^256) invert",
        source: PYTHON,
        target: || explain::PRODUCTS.chosen(),
        check: || {
            let expected = [0x053d_ac5f_7661_f64e_ec30_ea23_40b4_93c3, 0x367c_ce5c_2933_5e89_fa83_c89a_7eac_c04a];
            compare(&first::<Gf256>().invert().to_be_bytes(), halves(expected))
        },
        work: invert::<Gf256>,
    },
    Algorithm {
        name: "GF(2^2048) multiply",
        source: PYTHON,
        target: || explain::PRODUCTS.chosen(),
        check: || {
            let expected = [0x0000_0002_1802_1a18_0002_1a1a_1a18_0218, 0x021a_1a1a_1a18_0218_0002_1a18_00c7_1800];
            compare(&folded(first::<Gf2048>() * second::<Gf2048>()), halves(expected))
        },
        work: multiply::<Gf2048>,
    },
    Algorithm {
        name: "GF(2^2048) invert",
        source: PYTHON,
        target: || explain::PRODUCTS.chosen(),
        check: || {
            let expected = [0x65ce_e0f5_3385_6c2a_80fb_36f7_4961_9fb0, 0x0b6e_c6d6_8abb_7eda_cd4a_6d17_cfcb_04c2];
            compare(&folded(first::<Gf2048>().invert()), halves(expected))
        },
        work: invert::<Gf2048>,
    },
];

const GCM_KEY: u128 = 0x66e9_4bd4_ef8a_2c3b_884c_fa59_ca34_2b2e;
const GCM_BLOCK: u128 = 0x0388_dace_60b6_a392_f328_c2b9_71b2_fe78;
const GCM_PRODUCT: u128 = 0x5e2e_c746_9170_6288_2c85_b068_5353_deb7;

/// The element that GCM writes as this block: it has the coefficient of x^0 in the first bit.
fn gcm(block: u128) -> Gf128 {
    Gf128::from_bytes(&block.reverse_bits().to_le_bytes())
}

fn gcm_bytes(element: Gf128) -> [u8; 16] {
    u128::from_le_bytes(element.to_bytes()).reverse_bits().to_be_bytes()
}

/// The element of bytes that are a constant apart, from the highest on.
fn progression<F: Field>(start: u8, step: u8) -> F {
    let mut bytes = F::ZERO.to_bytes();
    let mut next = start;
    for byte in bytes.as_mut() {
        *byte = next;
        next = next.wrapping_add(step);
    }
    F::from_be_bytes(&bytes)
}

fn first<F: Field>() -> F {
    progression(1, 7)
}

fn second<F: Field>() -> F {
    progression(3, 11)
}

/// The sum of the pieces of 32 bytes.
fn folded(element: Gf2048) -> [u8; 32] {
    let bytes = element.to_be_bytes();
    core::array::from_fn(|i| bytes.iter().skip(i).step_by(32).fold(0, |sum, byte| sum ^ byte))
}

fn multiply<F: Field>(units: u32) {
    let (mut product, by) = (first::<F>(), second::<F>());
    for _ in 0..units {
        product *= &by;
    }
    black_box(product);
}

fn invert<F: Field>(units: u32) {
    let mut element = first::<F>();
    for _ in 0..units {
        element = element.invert() + F::ONE;
    }
    black_box(element);
}
