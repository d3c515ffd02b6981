//! Blocks for every CPU: as many doublings and sums as an element has bits.
use super::{Block, double};

/// The bits of an element, the highest first, each as a byte of zeros or ones, and how many of them are left out.
#[derive(Clone, Copy)]
pub(crate) struct Factor {
    bits: [u8; 8],
    skipped: usize,
}

/// `x` as a factor.
#[inline]
pub(crate) fn factor(x: u8) -> Factor {
    let mut bits = [0; 8];
    for (i, bit) in bits.iter_mut().enumerate() {
        *bit = 0u8.wrapping_sub(x >> (7 - i) & 1);
    }
    Factor { bits, skipped: 0 }
}

/// `x`, which is not secret, as a factor: small numbers make quick products.
#[inline]
pub(crate) fn public_factor(x: u8) -> Factor {
    Factor { skipped: x.leading_zeros() as usize, ..factor(x) }
}

/// The products of `x` and all elements of `a`.
#[inline]
pub(crate) fn mul(a: Block, x: &Factor) -> Block {
    let mut product = [0; 64];
    for bit in &x.bits[x.skipped..] {
        for i in 0..64 {
            product[i] = double(product[i]) ^ a[i] & bit;
        }
    }
    product
}

/// The sums.
#[inline]
pub(crate) fn add(a: Block, b: Block) -> Block {
    let mut sum = a;
    for i in 0..64 {
        sum[i] ^= b[i];
    }
    sum
}

/// The products of every two elements.
#[simd_core::dispatch(targets = "avx2 | ssse3 | aarch64: neon")]
#[inline]
pub(crate) fn products<const N: usize>(a: [u8; N], b: [u8; N]) -> [u8; N] {
    let mut product = [0; N];
    for bit in (0..8).rev() {
        for i in 0..N {
            product[i] = double(product[i]) ^ a[i] & 0u8.wrapping_sub(b[i] >> bit & 1);
        }
    }
    product
}

/// The inverses of all elements: their 254th powers.
#[simd_core::dispatch(targets = "avx2 | ssse3 | aarch64: neon")]
#[inline]
pub(crate) fn inverses<const N: usize>(a: [u8; N]) -> [u8; N] {
    let square = |a| products(a, a);
    let second = square(a);
    let third = products(second, a);
    let twelfth = square(square(third));
    let fifteenth = products(twelfth, third);
    let nearly = square(square(square(square(fifteenth))));
    products(products(nearly, twelfth), second)
}
