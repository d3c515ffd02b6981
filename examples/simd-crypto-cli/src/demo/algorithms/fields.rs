//! Carry-less products and fields.
use super::{Algorithm, MANY, batches, compare, in_turn};
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
            let product = pmul(0x6374_6f72_5d53_475d, 0x5b47_7565_726f_6e5d);
            compare(&product.to_be_bytes(), "1d4d84c85c3440c0929633d5d36f0451")
        },
        work: |units| {
            in_turn(units, 0x6374_6f72_5d53_475d, |word| *word = pmul(*word, 0x5b47_7565_726f_6e5d) as u64);
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
            compare(&bytes, &"c1".repeat(16 * MANY))?;
            let mut bytes = [0x13, 1].repeat(8 * MANY);
            Gf8::mul_slice(&mut bytes, Gf8::from(0x57));
            compare(&bytes, &"fe57".repeat(8 * MANY))
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
        check: || compare(&(first::<Gf64>() * second::<Gf64>()).to_be_bytes(), "7f91a6cb9bd534c8"),
        work: multiply::<Gf64>,
    },
    Algorithm {
        name: "GF(2^128) multiply",
        source: GCM,
        target: || explain::PRODUCTS.chosen(),
        check: || compare(&gcm_bytes(gcm(GCM_KEY) * gcm(GCM_BLOCK)), &format!("{GCM_PRODUCT:032x}")),
        work: multiply::<Gf128>,
    },
    Algorithm {
        name: "GF(2^128) divide",
        source: GCM,
        target: || explain::PRODUCTS.chosen(),
        check: || compare(&gcm_bytes(gcm(GCM_PRODUCT) / gcm(GCM_KEY)), &format!("{GCM_BLOCK:032x}")),
        work: |units| in_turn(units, gcm(GCM_PRODUCT), |quotient| *quotient = gcm(GCM_KEY) / *quotient),
    },
    Algorithm {
        name: "GF(2^256) multiply",
        source: PYTHON,
        target: || explain::PRODUCTS.chosen(),
        check: || {
            let expected = "485ab2a174e0dacff685f6eff04b10d1492a6a0ae8aa483b4dead4b27bb5f04f";
            compare(&(first::<Gf256>() * second::<Gf256>()).to_be_bytes(), expected)
        },
        work: multiply::<Gf256>,
    },
    Algorithm {
        name: "GF(2^256) invert",
        source: PYTHON,
        target: || explain::PRODUCTS.chosen(),
        check: || {
            let expected = "053dac5f7661f64eec30ea2340b493c3367cce5c29335e89fa83c89a7eacc04a";
            compare(&first::<Gf256>().invert().to_be_bytes(), expected)
        },
        work: invert::<Gf256>,
    },
    Algorithm {
        name: "GF(2^2048) multiply",
        source: PYTHON,
        target: || explain::PRODUCTS.chosen(),
        check: || {
            let expected = "0000000218021a1800021a1a1a180218021a1a1a1a18021800021a1800c71800";
            compare(&folded(first::<Gf2048>() * second::<Gf2048>()), expected)
        },
        work: multiply::<Gf2048>,
    },
    Algorithm {
        name: "GF(2^2048) invert",
        source: PYTHON,
        target: || explain::PRODUCTS.chosen(),
        check: || {
            let expected = "65cee0f533856c2a80fb36f749619fb00b6ec6d68abb7edacd4a6d17cfcb04c2";
            compare(&folded(first::<Gf2048>().invert()), expected)
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
    let by = second::<F>();
    in_turn(units, first::<F>(), |product| *product *= &by);
}

fn invert<F: Field>(units: u32) {
    in_turn(units, first::<F>(), |element| *element = element.invert() + F::ONE);
}
