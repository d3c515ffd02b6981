//! Sums of products of blocks by powers of the key, reduced once for many blocks.
//!
//! Everything is in the form of POLYVAL. GHASH is the same with the bytes of each block reversed and the key times `x`
//! ([RFC 8452](https://www.rfc-editor.org/rfc/rfc8452), appendix A).
use zeroize::{Zeroize, ZeroizeOnDrop};

pub(crate) use horner::{absorb, absorb_wide, alone, finish_wide, first, power};

/// A polynomial of 128 coefficients, the lowest word first.
pub(crate) use crate::pmul::lane::Lane;

/// The most blocks whose products are summed up before they are reduced.
pub(crate) const MOST: usize = 32;

/// The powers of a key, the first one last. Those that the target has no use for are zero.
#[derive(Clone)]
pub(crate) struct Powers(pub(crate) [Lane; MOST]);

impl Powers {
    /// The powers of a key: of GHASH if it is `REVERSED`, else of POLYVAL.
    pub(crate) fn new<const REVERSED: bool>(key: &[u8; 16]) -> Self {
        let mut powers = Self([[0; 2]; MOST]);
        powers.0[MOST - 1] = if REVERSED {
            let number = u128::from_be_bytes(*key);
            // Times x, modulo x^128 + x^127 + x^126 + x^121 + 1.
            let overflow = (number >> 127).wrapping_neg();
            halves((number << 1) ^ (overflow & (0xc200_0000_0000_0000_u128 << 64 | 1)))
        } else {
            halves(u128::from_le_bytes(*key))
        };
        horner::fill(&mut powers.0);
        powers
    }
}

impl Drop for Powers {
    fn drop(&mut self) {
        self.0.as_flattened_mut().zeroize();
    }
}

impl ZeroizeOnDrop for Powers {}

pub(crate) fn halves(number: u128) -> Lane {
    [number as u64, (number >> 64) as u64]
}

pub(crate) fn result<const REVERSED: bool>([low, high]: Lane) -> [u8; 16] {
    let number = u128::from(high) << 64 | u128::from(low);
    if REVERSED { number.to_be_bytes() } else { number.to_le_bytes() }
}

#[simd_core::dispatch(targets = crate::targets::modes)]
mod horner {
    use super::{Lane, MOST, Powers};
    use crate::modes::{Product, add_products, broadcast, multiply, reduce, sum_of_lanes, swap_bytes, xor};
    use crate::wide::Wide;
    use simd_core::match_target;
    use zerocopy::transmute;

    /// How many blocks' products are summed up before they are reduced: as many as the vectors in flight of AES hold. One
    /// where a product costs more than a reduction.
    #[inline]
    fn at_once() -> usize {
        match_target! { "vaes,vpclmulqdq,avx512bw" => MOST, "vaes,vpclmulqdq,avx2" => 16, "aes" => 8, _ => 1 }
    }

    /// The powers from the second on, as many as are of use.
    pub(super) fn fill(powers: &mut [Lane; MOST]) {
        let first = powers[MOST - 1];
        for i in 1..at_once().min(4) {
            powers[MOST - 1 - i] = product(powers[MOST - i], first);
        }
        let fourth = broadcast(powers[MOST - 4]);
        let mut below = load(powers, MOST - 4);
        for i in (4..at_once()).step_by(4) {
            below = reduce(multiply(below, fourth));
            let lanes: [Lane; 4] = below.into();
            powers[MOST - 4 - i..][..4].copy_from_slice(&lanes);
        }
    }

    #[inline]
    fn product(a: Lane, b: Lane) -> Lane {
        first(reduce(multiply(alone(a), alone(b))))
    }

    #[inline]
    pub(crate) fn alone([low, high]: Lane) -> Wide {
        Wide([low, high, 0, 0, 0, 0, 0, 0])
    }

    #[inline]
    pub(crate) fn first(wide: Wide) -> Lane {
        [wide.0[0], wide.0[1]]
    }

    #[inline]
    fn load(powers: &[Lane; MOST], at: usize) -> Wide {
        Wide::from([powers[at], powers[at + 1], powers[at + 2], powers[at + 3]])
    }

    /// Four powers, by which the four blocks are multiplied that come before the last `following` ones.
    #[inline]
    pub(crate) fn power(powers: &Powers, following: usize) -> Wide {
        load(&powers.0, MOST - 4 - following)
    }

    /// The sum so far, to be added to the first of the blocks that follow.
    #[inline]
    pub(crate) fn absorb_wide<const REVERSED: bool>(blocks: Wide) -> Wide {
        if REVERSED { swap_bytes(blocks) } else { blocks }
    }

    /// The sum of the products, reduced.
    #[inline]
    fn finish(sum: Product) -> Lane {
        first(finish_wide(sum))
    }

    /// The same in the first lane, the others being zero.
    #[inline]
    pub(crate) fn finish_wide(sum: Product) -> Wide {
        // A `map` over the three would be a call, in code without the target's features.
        let (low, middle, high) = (sum_of_lanes(sum.low), sum_of_lanes(sum.middle), sum_of_lanes(sum.high));
        let sum = reduce(Product { low, middle, high });
        // Where the lanes are several vectors, three are left out.
        if cfg!(target_feature = "avx512bw") { sum } else { alone(first(sum)) }
    }

    pub(crate) fn absorb<const REVERSED: bool>(powers: &Powers, sum: &mut Lane, blocks: &[[u8; 16]]) {
        if at_once() == 1 {
            for block in blocks {
                let [low, high] = if REVERSED {
                    super::halves(u128::from_be_bytes(*block))
                } else {
                    super::halves(u128::from_le_bytes(*block))
                };
                *sum = product([low ^ sum[0], high ^ sum[1]], powers.0[MOST - 1]);
            }
            return;
        }
        for blocks in blocks.chunks(at_once()) {
            // The rest comes first, behind blocks of zeros.
            let (few, quads) = blocks.as_rchunks::<4>();
            let mut following = quads.len() * 4;
            let mut product = Product::default();
            let mut start = alone(*sum);
            if !few.is_empty() {
                let mut padded = [[0; 16]; 4];
                padded[4 - few.len()..].copy_from_slice(few);
                let at = 4 - few.len();
                start = Wide([0; 8]);
                [start.0[2 * at], start.0[2 * at + 1]] = *sum;
                let lanes = xor(absorb_wide::<REVERSED>(Wide::new(&transmute!(padded))), start);
                product = add_products(product, lanes, power(powers, following));
                start = Wide([0; 8]);
            }
            for quad in quads {
                following -= 4;
                let lanes = xor(absorb_wide::<REVERSED>(Wide::new(&transmute!(*quad))), start);
                product = add_products(product, lanes, power(powers, following));
                start = Wide([0; 8]);
            }
            *sum = finish(product);
        }
    }
}
