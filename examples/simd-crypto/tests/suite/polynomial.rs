//! Polynomials over GF(2) bit by bit: the lowest word comes first, and the lowest bit of a word is its lowest coefficient.
use core::iter;
use simd_crypto::gf::Field;

pub(super) fn bit(p: &[u64], i: usize) -> bool {
    p[i / 64] >> (i % 64) & 1 == 1
}

pub(super) fn flip(p: &mut [u64], i: usize) {
    p[i / 64] ^= 1 << (i % 64);
}

/// The polynomial with these exponents, in as many words.
pub(super) fn with_exponents(exponents: &[u32], words: usize) -> Vec<u64> {
    let mut p = vec![0; words];
    for exponent in exponents {
        flip(&mut p, *exponent as usize);
    }
    p
}

/// The degree, if it is not zero.
pub(super) fn degree(p: &[u64]) -> Option<usize> {
    (0..64 * p.len()).rev().find(|i| bit(p, *i))
}

/// Adds `a * x^shift` to `sum`, which has room for it.
pub(super) fn add_shifted(sum: &mut [u64], a: &[u64], shift: usize) {
    let (words, bits) = (shift / 64, shift % 64);
    for (i, word) in a.iter().enumerate() {
        let wide = u128::from(*word) << bits;
        sum[words + i] ^= wide as u64;
        if wide >> 64 != 0 {
            sum[words + i + 1] ^= (wide >> 64) as u64;
        }
    }
}

/// The product: a shifted copy of `a` for every coefficient of `b`.
pub(super) fn product(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut product = vec![0; a.len() + b.len()];
    for i in (0..64 * b.len()).filter(|i| bit(b, *i)) {
        add_shifted(&mut product, a, i);
    }
    product
}

/// The remainder modulo the polynomial with these exponents, the highest of which comes first.
pub(super) fn remainder(mut p: Vec<u64>, modulus: &[u32]) -> Vec<u64> {
    let n = modulus[0] as usize;
    for i in (n..64 * p.len()).rev() {
        if bit(&p, i) {
            for exponent in modulus {
                flip(&mut p, i - n + *exponent as usize);
            }
        }
    }
    p.truncate(n.div_ceil(64));
    p
}

/// The coefficients of an element, by the order of bits that `to_bytes` promises.
pub(super) fn words<F: Field>(a: &F) -> Vec<u64> {
    let bytes = a.to_bytes();
    let words = bytes.as_ref().chunks(8);
    words.map(|bytes| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))).collect()
}

pub(super) fn element<F: Field>(words: &[u64]) -> F {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    F::from_slice(&bytes.take(F::BYTES).collect::<Vec<_>>()).unwrap()
}

pub(super) fn times<F: Field>(a: &F, b: &F) -> F {
    element(&remainder(product(&words(a), &words(b)), &F::MODULUS))
}

/// Elements in which many carries and borrows would show, were there any: zero, one, all ones, and powers of `x` next to
/// the borders of words.
pub(super) fn edges<F: Field>() -> Vec<F> {
    let ones = F::from_slice(&vec![0xff; F::BYTES]).unwrap();
    let near = |i: usize| [i.wrapping_sub(2), i.wrapping_sub(1), i, i + 1, i + 2];
    let powers = [0, 64, 128, 256, 512, 1024, F::BITS / 2, F::BITS - 1].into_iter().flat_map(near);
    let mut exponents: Vec<_> = powers.filter(|i| *i < F::BITS).collect();
    exponents.sort_unstable();
    exponents.dedup();
    let power = |i: usize| element::<F>(&with_exponents(&[i as u32], F::BITS.div_ceil(64)));
    iter::once(F::ZERO).chain([ones]).chain(exponents.into_iter().map(power)).collect()
}
