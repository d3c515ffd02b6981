//! Blocks of 64 bytes, each an element of GF(2^8): what they add and multiply with, by instruction set.
//!
//! The modules have the same functions; a kernel names the one that its target has. `factor` prepares an element for
//! many products with it. None of them looks anything up in memory: the tables of sixteen products that `pshufb` and
//! `tbl` look up in are registers.
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod gfni256;
#[cfg(target_arch = "x86_64")]
pub(crate) mod gfni512;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub(crate) mod neon;
#[cfg_attr(
    all(target_arch = "aarch64", target_endian = "little"),
    allow(dead_code, reason = "where every CPU has vectors, only weights are computed without them")
)]
pub(crate) mod plain;
#[cfg(target_arch = "x86_64")]
pub(crate) mod ssse3;

/// 64 elements.
pub(crate) type Block = [u8; 64];

/// [`weights`](super::bytes::weights), for `W` of them at a time.
#[allow(clippy::inline_always, reason = "a call would hide the target's instructions from the closures")]
#[inline(always)]
pub(super) fn weights<const W: usize>(
    xs: &[u8],
    products: impl Fn([u8; W], [u8; W]) -> [u8; W],
    inverses: impl Fn([u8; W]) -> [u8; W],
    weights: &mut [u8; 256],
) {
    // Bytes, or they would be compared in eight times as many vectors.
    const NUMBERS: Block = {
        let mut numbers = [0; 64];
        let mut i = 0;
        while i < 64 {
            numbers[i] = i as u8;
            i += 1;
        }
        numbers
    };
    const { assert!(W <= 64, "a number for each weight") };
    for (block, weights) in weights.as_chunks_mut().0.iter_mut().enumerate() {
        let xs_of_block = xs.get(W * block..).unwrap_or_default();
        if xs_of_block.is_empty() {
            // Zero already, but written as whole vectors, so that a copy that reads vectors need not wait for narrower stores.
            *weights = [0; W];
            continue;
        }
        let mut points = [0; W];
        // Put together in registers: a copy would be read back from memory before it is there in one piece.
        for (own, x) in xs_of_block.iter().take(W).enumerate() {
            for (point, number) in points.iter_mut().zip(&NUMBERS) {
                *point |= x & 0u8.wrapping_sub(u8::from(*number == own as u8));
            }
        }
        let mut product = [1; W];
        let mut below = points;
        for (j, x) in xs.iter().enumerate() {
            let own = j.wrapping_sub(W * block) as u8;
            let mut differences = points;
            for (difference, number) in differences.iter_mut().zip(&NUMBERS) {
                // A point does not differ from itself; let it be no factor.
                *difference = *difference ^ x | u8::from(*number == own);
            }
            product = products(product, [*x; W]);
            below = products(below, differences);
        }
        *weights = products(product, inverses(below));
    }
}

/// The products of `x` and all elements of four bits, and of `x` and all whose lowest four bits are zero.
#[allow(clippy::inline_always, reason = "what is not inlined into a clone does without its features")]
#[inline(always)]
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))]
fn tables(x: u8) -> [[u8; 16]; 2] {
    let mut power = x;
    let mut tables = [[0; 16]; 2];
    for table in &mut tables {
        for bit in 0..4 {
            for (i, product) in table.iter_mut().enumerate() {
                *product ^= if i >> bit & 1 == 1 { power } else { 0 };
            }
            power = double(power);
        }
    }
    tables
}

/// The product with the element 2, that is with `x`.
#[inline]
fn double(a: u8) -> u8 {
    a << 1 ^ (a.cast_signed() >> 7).cast_unsigned() & 0x1b
}
