//! The fields GF(2^n): one operation after the other (latency), and polynomials over GF(2^128).

use super::OURS;
use crate::case::{Case, length, sample};
use core::hint::black_box;
use polyval::universal_hash::{Reset, UniversalHash};
use simd_core::dispatch;
use simd_crypto::gf::{Field, Gf8, Gf16, Gf32, Gf64, Gf128, Gf256, Gf512, Gf1024, Gf2048};

const RUN: u64 = 64;

pub(super) fn add(cases: &mut Vec<Case>) {
    field::<Gf8>(cases);
    field::<Gf16>(cases);
    field::<Gf32>(cases);
    field::<Gf64>(cases);
    field::<Gf128>(cases);
    field::<Gf256>(cases);
    field::<Gf512>(cases);
    field::<Gf1024>(cases);
    field::<Gf2048>(cases);
    for size in [16, 256, 4096, 65536] {
        cases.push(
            Case::new("universal hash", length(size), OURS, move || {
                let data = elements(size);
                let key = element::<Gf128>(3);
                move || {
                    black_box(evaluate(black_box(&data), &key));
                }
            })
            .bytes(size),
        );
        cases.push(
            Case::new("universal hash", length(size), "RustCrypto polyval", move || {
                let data: Vec<_> = sample(size).as_chunks::<16>().0.iter().map(|block| (*block).into()).collect();
                let mut hash = polyval::Polyval::new(&[3; 16].into());
                move || {
                    hash.reset();
                    hash.update(black_box(&data));
                    black_box(hash.clone().finalize());
                }
            })
            .bytes(size),
        );
    }
    for size in [64, 1024, 65536] {
        cases.push(
            Case::new("GF(2^8) slice times a scalar", length(size), OURS, move || {
                let mut data = sample(size);
                let by = element::<Gf8>(3);
                move || Gf8::mul_slice(black_box(&mut data), by)
            })
            .bytes(size),
        );
    }
}

/// Horner's rule over blocks, four at a time by the powers of the key.
#[dispatch(targets = "avx512f,vpclmulqdq | avx2,pclmulqdq | pclmulqdq,sse4.1 | aes,pmull")]
fn evaluate<F: Field>(blocks: &[F], key: &F) -> F {
    let square = key.square();
    let powers = [square.square(), square * key, square, *key];
    let (groups, rest) = blocks.as_chunks::<4>();
    let mut sum = F::ZERO;
    for [a, b, c, d] in groups {
        sum = (sum + a) * powers[0] + *b * powers[1] + *c * powers[2] + *d * powers[3];
    }
    for block in rest {
        sum = (sum + block) * key;
    }
    sum
}

fn elements<F: Field>(bytes: usize) -> Vec<F> {
    sample(bytes).chunks_exact(F::BYTES).map(|bytes| F::from_slice(bytes).expect("as long as an element")).collect()
}

/// Some element that is not zero.
fn element<F: Field>(seed: u8) -> F {
    let mut bytes = sample(F::BYTES);
    for byte in &mut bytes {
        *byte ^= seed;
    }
    F::from_slice(&bytes).expect("as long as an element")
}

/// Products of independent factors, or of each product with the next factor.
#[dispatch(targets = "avx512f,avx512vl,vpclmulqdq,pclmulqdq | avx2,pclmulqdq | pclmulqdq,sse4.1 | aes,pmull")]
fn products<F: Field>(factors: &[F; RUN as usize], chained: bool) -> F {
    let mut product = factors[0];
    for factor in factors {
        let other = if chained { &product } else { &factors[1] };
        product = black_box(*black_box(other) * black_box(factor));
    }
    product
}

fn field<F: Field>(cases: &mut Vec<Case>) {
    let work = F::BITS.to_string();
    for (group, chained) in [("GF(2^n) multiply", false), ("GF(2^n) multiply, chained", true)] {
        cases.push(
            Case::new(group, &work, OURS, move || {
                let factors = core::array::from_fn(|i| element::<F>(i as u8));
                move || {
                    black_box(products(black_box(&factors), chained));
                }
            })
            .operations(RUN),
        );
    }
    cases.push(
        Case::new("GF(2^n) square, chained", &work, OURS, || {
            let mut square = element::<F>(1);
            move || {
                for _ in 0..RUN {
                    square = black_box(&square).square();
                }
                black_box(&mut square);
            }
        })
        .operations(RUN),
    );
    cases.push(Case::new("GF(2^n) invert", &work, OURS, || {
        let mut inverse = element::<F>(1);
        move || {
            inverse = black_box(&inverse).invert();
        }
    }));
}
