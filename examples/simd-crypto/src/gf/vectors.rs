//! 64 bytes, each an element of GF(2^8): what they add and multiply with.
//!
//! A factor of many products is prepared once, as what the target multiplies by: [`Byte`] for GFNI, [`Tables`] for shuffles
//! of bytes, [`Bits`] for every other CPU. None of them looks anything up in memory: the tables of sixteen products that
//! `pshufb` and `tbl` look up in are registers.
use simd_core::{dispatch, match_target};

#[allow(unused_imports, clippy::wildcard_imports, reason = "which instructions are in use depends on the target")]
use crate::arch::*;
use crate::wide::Wide;

pub(crate) use elementwise::{add, inverses_bitwise, products_bitwise};
#[cfg(target_arch = "x86_64")]
pub(crate) use elementwise::{inverses, products};

pub(crate) type Elements = [u8; 64];

#[allow(dead_code, reason = "not every architecture has vectors here")]
#[inline]
fn wide(elements: Elements) -> Wide {
    Wide(zerocopy::transmute!(elements))
}

#[allow(dead_code, reason = "not every architecture has vectors here")]
#[inline]
fn elements(wide: impl Into<Wide>) -> Elements {
    zerocopy::transmute!(wide.into().0)
}

/// A factor as its bits, the highest first, each as a byte of zeros or ones, and how many of them are left out.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "a build for shuffles of bytes leaves no baseline")]
pub(crate) struct Bits {
    bits: [u8; 8],
    skipped: usize,
}

/// A factor as its products with all halves of a byte.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "not every architecture has shuffles of bytes")]
pub(crate) struct Tables([[u8; 16]; 2]);

/// A factor four times, which a load spreads over a vector where it would need a shuffle for one byte.
#[derive(Clone, Copy)]
#[cfg(target_arch = "x86_64")]
pub(crate) struct Byte(u32);

/// The factor for NEON. Where the first byte of a word is its highest, shuffles have not been tried.
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub(crate) type OfNeon = Tables;
#[cfg(all(target_arch = "aarch64", target_endian = "big"))]
pub(crate) type OfNeon = Bits;

#[dispatch(targets = crate::targets::bytes)]
impl Bits {
    /// `x` as a factor.
    #[inline]
    pub(crate) fn new(x: u8) -> Self {
        let mut bits = [0; 8];
        for (i, bit) in bits.iter_mut().enumerate() {
            *bit = 0u8.wrapping_sub(x >> (7 - i) & 1);
        }
        Self { bits, skipped: 0 }
    }

    /// `x`, which is not secret, as a factor: small numbers make quick products.
    #[inline]
    #[allow(dead_code, reason = "a build for shuffles of bytes leaves no baseline")]
    pub(crate) fn public(x: u8) -> Self {
        Self { skipped: x.leading_zeros() as usize, ..Self::new(x) }
    }

    /// The products with all elements of `a`: as many doublings and sums as a factor has bits.
    #[inline]
    #[allow(dead_code, reason = "a build for shuffles of bytes leaves no baseline")]
    pub(crate) fn times(&self, a: Elements) -> Elements {
        let mut product = [0; 64];
        for bit in &self.bits[self.skipped..] {
            for i in 0..64 {
                product[i] = double(product[i]) ^ a[i] & bit;
            }
        }
        product
    }
}

#[dispatch(targets = crate::targets::bytes)]
#[allow(dead_code, reason = "not every architecture has shuffles of bytes")]
impl Tables {
    /// `x` as a factor: its products with all elements of four bits, and with all whose lowest four bits are zero.
    #[inline]
    pub(crate) fn new(x: u8) -> Self {
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
        Self(tables)
    }

    #[inline]
    pub(crate) fn public(x: u8) -> Self {
        Self::new(x)
    }

    /// The products with all elements of `a`: those with the lower and with the upper halves of all bytes are shuffles.
    #[inline]
    pub(crate) fn times(&self, a: Elements) -> Elements {
        match_target! {
            "x86_64: avx2" => {
                let [a0, a1]: [__m256i; 2] = wide(a).into();
                let [low, high]: [__m128i; 2] = zerocopy::transmute!(self.0);
                let low = _mm256_broadcastsi128_si256(low);
                let high = _mm256_broadcastsi128_si256(high);
                let half = _mm256_set1_epi8(15);
                let times = |a| {
                    let low = _mm256_shuffle_epi8(low, _mm256_and_si256(a, half));
                    let high = _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi64::<4>(a), half));
                    _mm256_xor_si256(low, high)
                };
                elements([times(a0), times(a1)])
            }
            "x86_64: ssse3" => {
                let [a0, a1, a2, a3]: [__m128i; 4] = wide(a).into();
                let [low, high]: [__m128i; 2] = zerocopy::transmute!(self.0);
                let half = _mm_set1_epi8(15);
                let times = |a| {
                    let low = _mm_shuffle_epi8(low, _mm_and_si128(a, half));
                    let high = _mm_shuffle_epi8(high, _mm_and_si128(_mm_srli_epi64::<4>(a), half));
                    _mm_xor_si128(low, high)
                };
                elements([times(a0), times(a1), times(a2), times(a3)])
            }
            "aarch64: neon" => {
                let [a0, a1, a2, a3]: [uint8x16_t; 4] = wide(a).into();
                let [low, high]: [uint8x16_t; 2] = zerocopy::transmute!(self.0);
                let half = vdupq_n_u8(15);
                let times = |a| veorq_u8(vqtbl1q_u8(low, vandq_u8(a, half)), vqtbl1q_u8(high, vshrq_n_u8::<4>(a)));
                elements([times(a0), times(a1), times(a2), times(a3)])
            }
            // The product of the factor and one.
            _ => Bits::new(self.0[0][1]).times(a),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[dispatch(targets = crate::targets::bytes)]
impl Byte {
    /// `x` as a factor.
    #[inline]
    pub(crate) fn new(x: u8) -> Self {
        Self(u32::from_ne_bytes([x; 4]))
    }

    #[inline]
    pub(crate) fn public(x: u8) -> Self {
        Self::new(x)
    }

    /// The products with all elements of `a`.
    #[inline]
    pub(crate) fn times(self, a: Elements) -> Elements {
        products(a, zerocopy::transmute!([self.0; 16]))
    }
}

#[dispatch(targets = crate::targets::bytes)]
mod elementwise {
    #![allow(unused_imports, clippy::wildcard_imports, reason = "which instructions are in use depends on the target")]
    use super::{Elements, double, elements, wide};
    use crate::arch::*;
    use crate::wide::Wide;
    use simd_core::match_target;

    #[inline]
    pub(crate) fn add(a: Elements, b: Elements) -> Elements {
        match_target! {
            "x86_64: avx512bw" => elements(_mm512_xor_si512(wide(a).into(), wide(b).into())),
            "x86_64: avx2" => {
                let ([a0, a1], [b0, b1]): ([__m256i; 2], [__m256i; 2]) = (wide(a).into(), wide(b).into());
                elements([_mm256_xor_si256(a0, b0), _mm256_xor_si256(a1, b1)])
            }
            "x86_64: ssse3" => {
                let ([a0, a1, a2, a3], [b0, b1, b2, b3]): ([__m128i; 4], [__m128i; 4]) = (wide(a).into(), wide(b).into());
                elements([_mm_xor_si128(a0, b0), _mm_xor_si128(a1, b1), _mm_xor_si128(a2, b2), _mm_xor_si128(a3, b3)])
            }
            "aarch64: neon" => {
                let [a0, a1, a2, a3]: [uint8x16_t; 4] = wide(a).into();
                let [b0, b1, b2, b3]: [uint8x16_t; 4] = wide(b).into();
                elements([veorq_u8(a0, b0), veorq_u8(a1, b1), veorq_u8(a2, b2), veorq_u8(a3, b3)])
            }
            _ => {
                let mut sum = a;
                for i in 0..64 {
                    sum[i] ^= b[i];
                }
                sum
            }
        }
    }

    /// The products of every two elements.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(crate) fn products(a: Elements, b: Elements) -> Elements {
        match_target! {
            "x86_64: avx512bw,gfni" => elements(_mm512_gf2p8mul_epi8(wide(a).into(), wide(b).into())),
            "x86_64: avx2,gfni" => {
                let ([a0, a1], [b0, b1]): ([__m256i; 2], [__m256i; 2]) = (wide(a).into(), wide(b).into());
                elements([_mm256_gf2p8mul_epi8(a0, b0), _mm256_gf2p8mul_epi8(a1, b1)])
            }
            _ => products_bitwise(a, b),
        }
    }

    /// The inverses of all elements. The instruction inverts, then multiplies by a matrix, here that of the identity.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(crate) fn inverses(a: Elements) -> Elements {
        match_target! {
            "x86_64: avx512bw,gfni" => {
                let identity = _mm512_set1_epi64(0x0102_0408_1020_4080);
                elements(_mm512_gf2p8affineinv_epi64_epi8::<0>(wide(a).into(), identity))
            }
            "x86_64: avx2,gfni" => {
                let [a0, a1]: [__m256i; 2] = wide(a).into();
                let identity = _mm256_set1_epi64x(0x0102_0408_1020_4080);
                let invert = |a| _mm256_gf2p8affineinv_epi64_epi8::<0>(a, identity);
                elements([invert(a0), invert(a1)])
            }
            _ => inverses_bitwise(a),
        }
    }

    /// The products of every two elements, for CPUs that have no instruction for them.
    #[inline]
    pub(crate) fn products_bitwise<const N: usize>(a: [u8; N], b: [u8; N]) -> [u8; N] {
        let mut product = [0; N];
        for bit in (0..8).rev() {
            for i in 0..N {
                product[i] = double(product[i]) ^ a[i] & 0u8.wrapping_sub(b[i] >> bit & 1);
            }
        }
        product
    }

    /// The inverses of all elements, likewise: their 254th powers.
    #[inline]
    pub(crate) fn inverses_bitwise<const N: usize>(a: [u8; N]) -> [u8; N] {
        let square = |a| products_bitwise(a, a);
        let second = square(a);
        let third = products_bitwise(second, a);
        let twelfth = square(square(third));
        let fifteenth = products_bitwise(twelfth, third);
        let nearly = square(square(square(square(fifteenth))));
        products_bitwise(products_bitwise(nearly, twelfth), second)
    }
}

/// The product with the element 2, that is with `x`.
#[inline]
fn double(a: u8) -> u8 {
    a << 1 ^ (a.cast_signed() >> 7).cast_unsigned() & 0x1b
}

/// [`weights`](super::bytes::weights), for `W` of them at a time.
///
/// Has no clones, but is inlined into those around its closures: a call would hide the target's instructions from it, and
/// the attribute would compile it for each target that the closures are not for.
#[allow(clippy::inline_always, reason = "as the documentation says")]
#[inline(always)]
pub(super) fn weights<const W: usize>(
    xs: &[u8],
    products: impl Fn([u8; W], [u8; W]) -> [u8; W],
    inverses: impl Fn([u8; W]) -> [u8; W],
    weights: &mut [u8; 256],
) {
    // Bytes, or they would be compared in eight times as many vectors.
    const NUMBERS: Elements = {
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
