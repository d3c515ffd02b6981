//! The fields GF(2^n): independent products, one operation after the other (latency), and polynomials over GF(2^128).
#![allow(clippy::inline_always, reason = "one loop is compiled for callers of two kinds")]

use super::{FROM_PLAIN_CODE, OURS};
use crate::case::{Case, Lines, length, sample};
use core::hint::black_box;
use polyval::universal_hash::{Reset, UniversalHash};
use simd_core::dispatch;
use simd_crypto::gf::{Field, Gf8, Gf16, Gf32, Gf64, Gf128, Gf256, Gf512, Gf1024, Gf2048};

const RUN: u64 = 64;
/// How many operations one chain is, whose ends go through memory.
const CHAIN: u64 = 256;
/// How many inverses one run is.
const INVERSES: u64 = 8;
/// How many calls of larger work one run is.
const CALLS: u64 = 16;
/// How many blocks of a universal hash are one group.
const POWERS: usize = 32;

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
        for (by, run) in
            [(OURS, hashes as fn(&[_], &[_; POWERS])), (FROM_PLAIN_CODE, |data, powers| hashes_calls(data, powers))]
        {
            let case = Case::new("universal hash", length(size), by, move || {
                let data = elements(size);
                let powers = Lines::new(&powers(element::<Gf128>(3)));
                move || run(&data, powers.first_chunk().expect("as many as there are"))
            });
            cases.push(case.operations(CALLS).bytes(size));
        }
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
        for (by, run) in [(OURS, slices as fn(&mut [_], _)), (FROM_PLAIN_CODE, |data, x| slices_calls(data, x))] {
            let case = Case::new("GF(2^8) slice times a scalar", length(size), by, move || {
                let mut data = sample(size);
                let x = element::<Gf8>(3);
                move || run(&mut data, x)
            });
            cases.push(case.operations(CALLS).bytes(size));
        }
    }
}

/// Powers of a key, the highest first. Whoever has a key has them once.
fn powers<F: Field>(key: F) -> [F; POWERS] {
    let mut powers = [key; POWERS];
    for i in (1..POWERS).rev() {
        powers[i - 1] = powers[i] * key;
    }
    powers
}

/// The polynomial with these coefficients at the key, that is, Horner's rule, a group of blocks at a time.
#[dispatch(targets = simd_crypto::targets::products)]
fn evaluate<F: Field>(blocks: &[F], powers: &[F; POWERS]) -> F {
    let (first, groups) = blocks.split_at(blocks.len() % POWERS);
    let mut sum = F::sum_of_products(first, &powers[POWERS - first.len()..]);
    for group in groups.as_chunks::<POWERS>().0 {
        // The products of the group do not wait for the sum.
        sum = sum * powers[0] + F::sum_of_products(group, powers);
    }
    sum
}

/// One hash after the other.
#[dispatch(targets = simd_crypto::targets::products)]
fn hashes(data: &[Gf128], powers: &[Gf128; POWERS]) {
    hashes_calls(data, powers);
}

#[inline(always)]
fn hashes_calls(data: &[Gf128], powers: &[Gf128; POWERS]) {
    for _ in 0..CALLS {
        black_box(evaluate(black_box(data), black_box(powers)));
    }
}

/// The same slice again and again.
#[dispatch(targets = "avx512bw,avx512vl,gfni | avx2,gfni | avx2 | ssse3")]
fn slices(data: &mut [u8], x: Gf8) {
    slices_calls(data, x);
}

#[inline(always)]
fn slices_calls(data: &mut [u8], x: Gf8) {
    for _ in 0..CALLS {
        Gf8::mul_slice(black_box(data), x);
    }
}

fn elements<F: Field>(bytes: usize) -> Lines<F> {
    let bytes = sample(bytes);
    let elements = bytes.chunks_exact(F::BYTES).map(|bytes| F::from_slice(bytes).expect("as long as an element"));
    Lines::new(&elements.collect::<Vec<_>>())
}

/// Some element that is not zero.
fn element<F: Field>(seed: u8) -> F {
    let mut bytes = sample(F::BYTES);
    for byte in &mut *bytes {
        *byte ^= seed;
    }
    F::from_slice(&bytes).expect("as long as an element")
}

/// Products of two factors that the compiler does not know, in places that it does not know, as in horcrux's own bench.
///
/// The targets are those of simd-crypto, so that nothing in here asks for a CPU's features.
#[dispatch(targets = simd_crypto::targets::products)]
fn products<F: Field>(a: F, b: F) {
    for _ in 0..RUN {
        black_box(black_box(a) * black_box(b));
    }
}

/// Each product times the same factor again. Nothing is hidden from the compiler on the way: what that takes, a value through
/// memory, is longer than the product in a small field.
#[dispatch(targets = simd_crypto::targets::products)]
fn chained_products<F: Field>(a: F, b: F) -> F {
    let mut product = a;
    for _ in 0..CHAIN {
        product *= b;
    }
    product
}

/// Each the square of the one before.
#[dispatch(targets = simd_crypto::targets::products)]
fn chained_squares<F: Field>(mut square: F) -> F {
    for _ in 0..CHAIN {
        square = square.square();
    }
    square
}

/// Each the inverse of the one before.
#[dispatch(targets = simd_crypto::targets::products)]
fn chained_inverses<F: Field>(mut inverse: F) -> F {
    for _ in 0..INVERSES {
        inverse = black_box(&inverse).invert();
    }
    inverse
}

fn field<F: Field>(cases: &mut Vec<Case>) {
    let work = F::BITS.to_string();
    cases.push(
        Case::new("GF(2^n) multiply", &work, OURS, || {
            let (a, b) = (element::<F>(1), element::<F>(2));
            move || products(a, b)
        })
        .operations(RUN),
    );
    cases.push(
        Case::new("GF(2^n) multiply, chained", &work, OURS, || {
            let (a, b) = (element::<F>(1), element::<F>(2));
            move || {
                black_box(chained_products(black_box(a), black_box(b)));
            }
        })
        .operations(CHAIN),
    );
    cases.push(
        Case::new("GF(2^n) square, chained", &work, OURS, || {
            let mut square = element::<F>(1);
            move || square = chained_squares(square)
        })
        .operations(CHAIN),
    );
    let invert = Case::new("GF(2^n) invert", &work, OURS, || {
        let mut inverse = element::<F>(1);
        move || inverse = chained_inverses(inverse)
    });
    cases.push(invert.operations(INVERSES));
}
