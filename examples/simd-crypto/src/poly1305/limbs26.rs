//! Poly1305 in eight lanes and limbs of 26 bits, of which a vector multiplies eight at a time. 2^130 is 5.
pub(super) use radix26::absorb_groups;

#[simd_core::dispatch(targets = crate::targets::chacha20)]
mod radix26 {
    #![allow(dead_code, reason = "the baseline has no vectors")]
    use crate::poly1305::lanes::{self, Factor, and, in_order, left, load, or, plus, right, times};
    use crate::poly1305::state::{LIMB, Limbs, State, carried, multiply};
    use crate::wide::Wide;
    use core::hint::black_box;
    use core::num::Wrapping;

    const SMALL: u64 = (1 << 26) - 1;

    const ZERO: [Wide; 5] = [lanes::ZERO; 5];

    /// Adds groups of eight blocks.
    ///
    /// A lane has the sum of its blocks, each times a power of the eighth power of the multiplier; in the end, the lanes are
    /// multiplied by the `powers` from the eighth to the first.
    pub(in crate::poly1305) fn absorb_groups(state: &mut State, powers: &[Limbs; 8], groups: &[[[u8; 16]; 8]]) {
        let [r1, r2, r3, r4, r5, r6, r7, r8] = *powers;
        // Unknown to the compiler, which would undo the products by five: it adds before it multiplies, and works twice as long.
        let (eighth, sixteenth) = black_box((Factor::splat(small(r8), 5), Factor::splat(small(multiply(r8, r8)), 5)));

        // The sum so far belongs to the first block.
        let mut before = small(state.sum).map(|limb| Wide([limb, 0, 0, 0, 0, 0, 0, 0]));
        let mut sum = ZERO;
        let (odd, pairs) = groups.as_rchunks::<2>();
        for group in odd {
            sum = add_all(message(group), before);
            before = ZERO;
        }
        for [one, two] in pairs {
            let one = add_all(message(one), before);
            before = ZERO;
            // Carried here and not at the end, so that LLVM sees in one block that factors have no upper halves.
            let carried = carry(sum);
            sum = multiply_add(multiply_add(message(two), carried, &sixteenth), one, &eighth);
        }
        let last = Factor::new(in_order([r8, r7, r6, r5, r4, r3, r2, r1].map(small)), 5);
        state.sum = total(carry(multiply_add(ZERO, carry(sum), &last)));
    }

    /// The same number in limbs of 26 bits.
    #[inline]
    fn small([a, b, c]: Limbs) -> [u64; 5] {
        [
            a & SMALL,
            (a >> 26) | ((b & 0xff) << 18),
            (b >> 8) & SMALL,
            (b >> 34).wrapping_add((c & 0xffff) << 10),
            c >> 16,
        ]
    }

    fn total(lanes: [Wide; 5]) -> Limbs {
        let sum = |limb: &Wide| {
            let sum = limb.0.iter().fold(Wrapping(0), |sum, lane| sum + Wrapping(*lane));
            Wrapping(u128::from(sum.0))
        };
        let low = sum(&lanes[0]) + (sum(&lanes[1]) << 26) + (sum(&lanes[2]) << 52);
        let high = (low >> 44) + (sum(&lanes[3]) << 34) + (sum(&lanes[4]) << 60);
        let limbs = [low.0 as u64 & LIMB, high.0 as u64 & LIMB, (high.0 >> 44) as u64];
        carried(limbs.map(Wrapping)).map(|limb| limb.0)
    }

    #[inline]
    fn message(blocks: &[[u8; 16]; 8]) -> [Wide; 5] {
        let (low, high) = load(blocks);
        let mask = Wide([SMALL; 8]);
        [
            and(low, mask),
            and(right::<26>(low), mask),
            and(or(right::<52>(low), left::<12>(high)), mask),
            and(right::<14>(high), mask),
            or(right::<40>(high), Wide([1 << 24; 8])),
        ]
    }

    /// `sum + a * b`, the limbs of which are not carried.
    #[inline]
    fn multiply_add(sum: [Wide; 5], a: [Wide; 5], b: &Factor<5>) -> [Wide; 5] {
        let (r, s) = (&b.limbs, &b.multiples);
        let row = |sum: Wide, [b0, b1, b2, b3, b4]: [Wide; 5]| {
            let one = plus(plus(times(a[0], b0), times(a[1], b1)), times(a[2], b2));
            plus(one, plus(plus(times(a[3], b3), times(a[4], b4)), sum))
        };
        [
            row(sum[0], [r[0], s[4], s[3], s[2], s[1]]),
            row(sum[1], [r[1], r[0], s[4], s[3], s[2]]),
            row(sum[2], [r[2], r[1], r[0], s[4], s[3]]),
            row(sum[3], [r[3], r[2], r[1], r[0], s[4]]),
            row(sum[4], [r[4], r[3], r[2], r[1], r[0]]),
        ]
    }

    /// The same number, its limbs hardly larger than 26 bits.
    #[inline]
    fn carry([a, b, c, d, e]: [Wide; 5]) -> [Wide; 5] {
        let mask = Wide([SMALL; 8]);
        let (b, a) = (plus(b, right::<26>(a)), and(a, mask));
        let (e, d) = (plus(e, right::<26>(d)), and(d, mask));
        let (c, b) = (plus(c, right::<26>(b)), and(b, mask));
        let over = right::<26>(e);
        let (a, e) = (plus(a, plus(over, left::<2>(over))), and(e, mask));
        let (d, c) = (plus(d, right::<26>(c)), and(c, mask));
        let (b, a) = (plus(b, right::<26>(a)), and(a, mask));
        let (e, d) = (plus(e, right::<26>(d)), and(d, mask));
        [a, b, c, d, e]
    }

    #[inline]
    fn add_all(a: [Wide; 5], b: [Wide; 5]) -> [Wide; 5] {
        [plus(a[0], b[0]), plus(a[1], b[1]), plus(a[2], b[2]), plus(a[3], b[3]), plus(a[4], b[4])]
    }
}
