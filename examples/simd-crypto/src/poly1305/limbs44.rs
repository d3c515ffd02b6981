//! Poly1305 in eight lanes and limbs of 44 bits, with the multiply-add of AVX-512: it adds the lower or the upper 52 bits of a
//! product. 2^132 is 20.
//!
//! `carry` leaves limbs below 2^44, 2^44 + 2^9 and 2^42, so with a block added each is below 2^46. The factor's are below
//! 2^44 + 2^9, and twenty times these below 2^49. All fit into the 52 bits that are multiplied, and six products and a limb into
//! 64 bits.
pub(super) use radix44::absorb_groups;

#[simd_core::dispatch(targets = crate::targets::multiply_add52)]
mod radix44 {
    #![allow(unused_imports, dead_code, clippy::wildcard_imports, reason = "the baseline has no vectors")]
    use crate::arch::*;
    use crate::poly1305::lanes::{self, Factor, and, in_order, left, load, or, plus, right};
    use crate::poly1305::state::{LIMB, Limbs, State, carried, multiply};
    use crate::wide::Wide;
    use core::num::Wrapping;
    use simd_core::match_target;

    const ZERO: [Wide; 3] = [lanes::ZERO; 3];

    /// Sums of the lower 52 bits of products, and of the upper ones.
    #[derive(Clone, Copy)]
    struct Sum {
        low: [Wide; 3],
        high: [Wide; 3],
    }

    /// Adds groups of eight blocks, as the function of this name for limbs of 26 bits does.
    pub(in crate::poly1305) fn absorb_groups(state: &mut State, powers: &[Limbs; 8], groups: &[[[u8; 16]; 8]]) {
        let [r1, r2, r3, r4, r5, r6, r7, r8] = *powers;
        let (eighth, sixteenth) = (Factor::splat(r8, 20), Factor::splat(multiply(r8, r8), 20));

        // The sum so far belongs to the first block.
        let first = |limb: u64| Wide([limb, 0, 0, 0, 0, 0, 0, 0]);
        let [a, b, c] = state.sum;
        let mut before = [first(a), first(b), first(c)];
        let mut sum = only(ZERO);
        let (odd, pairs) = groups.as_rchunks::<2>();
        for group in odd {
            sum = only(add_all(message(group), before));
            before = ZERO;
        }
        for [one, two] in pairs {
            let one = add_all(message(one), before);
            before = ZERO;
            // First the products that do not wait for the carries.
            let next = multiply_add(only(message(two)), one, &eighth);
            sum = multiply_add(next, carry(sum), &sixteenth);
        }
        let last = Factor::new(in_order([r8, r7, r6, r5, r4, r3, r2, r1]), 20);
        state.sum = total(carry(multiply_add(only(ZERO), carry(sum), &last)));
    }

    #[inline]
    fn only(low: [Wide; 3]) -> Sum {
        Sum { low, high: ZERO }
    }

    #[inline]
    fn message(blocks: &[[u8; 16]; 8]) -> [Wide; 3] {
        let (low, high) = load(blocks);
        let mask = Wide([LIMB; 8]);
        [and(low, mask), and(or(right::<44>(low), left::<20>(high)), mask), or(right::<24>(high), Wide([1 << 40; 8]))]
    }

    #[inline]
    fn multiply_add(sum: Sum, a: [Wide; 3], b: &Factor<3>) -> Sum {
        let (r, s) = (&b.limbs, &b.multiples);
        let Sum { low, high } = sum;
        let rows = [[r[0], s[2], s[1]], [r[1], r[0], s[2]], [r[2], r[1], r[0]]];
        let lower = |sum, b: [Wide; 3]| add_low(add_low(add_low(sum, a[0], b[0]), a[1], b[1]), a[2], b[2]);
        let upper = |sum, b: [Wide; 3]| add_high(add_high(add_high(sum, a[0], b[0]), a[1], b[1]), a[2], b[2]);
        Sum {
            low: [lower(low[0], rows[0]), lower(low[1], rows[1]), lower(low[2], rows[2])],
            high: [upper(high[0], rows[0]), upper(high[1], rows[1]), upper(high[2], rows[2])],
        }
    }

    #[inline]
    fn carry(sum: Sum) -> [Wide; 3] {
        let ([a, b, c], [x, y, z]) = (sum.low, sum.high);
        let mask = Wide([LIMB; 8]);
        let b = plus(b, plus(right::<44>(a), left::<8>(x)));
        let c = plus(c, plus(right::<44>(b), left::<8>(y)));
        let over = plus(right::<42>(c), left::<10>(z));
        let a = plus(and(a, mask), plus(over, left::<2>(over)));
        let b = plus(and(b, mask), right::<44>(a));
        [and(a, mask), b, and(c, Wide([LIMB >> 2; 8]))]
    }

    #[inline]
    fn add_all(a: [Wide; 3], b: [Wide; 3]) -> [Wide; 3] {
        [plus(a[0], b[0]), plus(a[1], b[1]), plus(a[2], b[2])]
    }

    fn total(lanes: [Wide; 3]) -> Limbs {
        let sum = |limb: &Wide| limb.0.iter().fold(Wrapping(0), |sum, lane| sum + Wrapping(*lane));
        carried([sum(&lanes[0]), sum(&lanes[1]), sum(&lanes[2])]).map(|limb| limb.0)
    }

    /// `sum`, and the lower 52 bits of the product of the lower 52 bits.
    #[inline]
    fn add_low(sum: Wide, a: Wide, b: Wide) -> Wide {
        match_target! {
            "avx512ifma" => _mm512_madd52lo_epu64(sum.into(), a.into(), b.into()).into(),
            _ => Wide(core::array::from_fn(|i| sum.0[i].wrapping_add(product(a.0[i], b.0[i]) as u64 & BITS))),
        }
    }

    /// `sum`, and the upper 52 bits of the product of the lower 52 bits.
    #[inline]
    fn add_high(sum: Wide, a: Wide, b: Wide) -> Wide {
        match_target! {
            "avx512ifma" => _mm512_madd52hi_epu64(sum.into(), a.into(), b.into()).into(),
            _ => Wide(core::array::from_fn(|i| sum.0[i].wrapping_add((product(a.0[i], b.0[i]) >> 52) as u64))),
        }
    }

    const BITS: u64 = (1 << 52) - 1;

    fn product(a: u64, b: u64) -> u128 {
        u128::from(a & BITS) * u128::from(b & BITS)
    }
}
