//! The polynomial modulo 2^130 - 5.
//!
//! Few blocks are taken one after the other, in limbs of 44 bits. Many are taken in eight lanes, in limbs of 26 bits, of which
//! a vector multiplies eight at a time: a lane has every eighth block, and the key's powers put them together in the end
//! (M. Goll and S. Gueron, "Vectorization of Poly1305 message authentication code", ITNG 2015).
//!
//! Sums wrap, which they have no reason to: the check for overflow in a debug build would be a branch on a secret.
use core::num::Wrapping;

use zeroize::Zeroize;

pub(super) use tree::absorb;

const LIMB: u64 = (1 << 44) - 1;

/// A number in limbs of 44, 44 and 42 bits, which may each be a little larger.
type Limbs = [u64; 3];

/// The multiplier, and the sum so far.
#[derive(Clone)]
pub(super) struct State {
    multiplier: Limbs,
    sum: Limbs,
}

impl State {
    pub(super) fn new(multiplier: &[u8; 16]) -> Self {
        let clamped = u128::from_le_bytes(*multiplier) & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff;
        Self { multiplier: limbs(clamped, 0), sum: [0; 3] }
    }

    /// The sum modulo 2^130 - 5, and `pad`, modulo 2^128.
    pub(super) fn finish(&self, pad: u128) -> [u8; 16] {
        let [mut a, mut b, mut c] = self.sum.map(Wrapping);
        let limb = Wrapping(LIMB);
        for _ in 0..2 {
            b += a >> 44;
            a &= limb;
            c += b >> 44;
            b &= limb;
            a += Wrapping(5) * (c >> 42);
            c &= limb >> 2;
        }
        b += a >> 44;
        a &= limb;
        // The same less the modulus, unless that is negative.
        let x = a + Wrapping(5);
        let y = b + (x >> 44);
        let z = c + (y >> 44) - Wrapping(1 << 42);
        let keep = Wrapping(0) - (z >> 63);
        let choose = |less: Wrapping<u64>, same: Wrapping<u64>| u128::from(((less & limb & !keep) | (same & keep)).0);
        let number = choose(x, a).wrapping_add(choose(y, b) << 44).wrapping_add(choose(z & (limb >> 2), c) << 88);
        number.wrapping_add(pad).to_le_bytes()
    }
}

impl Zeroize for State {
    fn zeroize(&mut self) {
        self.multiplier.zeroize();
        self.sum.zeroize();
    }
}

/// The limbs of `number + above * 2^128`.
#[inline]
fn limbs(number: u128, above: u64) -> Limbs {
    let (low, high) = (number as u64, (number >> 64) as u64);
    [low & LIMB, ((low >> 44) | (high << 20)) & LIMB, (high >> 24) | above << 40]
}

/// The last block, in which a one stands behind the message.
pub(super) fn absorb_last(state: &mut State, block: &[u8; 16]) {
    let block = limbs(u128::from_le_bytes(*block), 0);
    state.sum = multiply(add(state.sum, block), state.multiplier);
}

#[inline]
fn add(a: Limbs, b: Limbs) -> Limbs {
    [a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1]), a[2].wrapping_add(b[2])]
}

/// The product, in limbs that are hardly larger than they have to be.
#[inline]
fn multiply(a: Limbs, b: Limbs) -> Limbs {
    let wide = |a: u64, b: u64| Wrapping(u128::from(a).wrapping_mul(u128::from(b)));
    // 2^132 is 20.
    let (b1, b2) = (b[1].wrapping_mul(20), b[2].wrapping_mul(20));
    let d0 = wide(a[0], b[0]) + wide(a[1], b2) + wide(a[2], b1);
    let d1 = wide(a[0], b[1]) + wide(a[1], b[0]) + wide(a[2], b2);
    let d2 = wide(a[0], b[2]) + wide(a[1], b[1]) + wide(a[2], b[0]);
    let d1 = d1 + (d0 >> 44);
    let d2 = d2 + (d1 >> 44);
    let low = (d0.0 as u64 & LIMB).wrapping_add(5_u64.wrapping_mul((d2.0 >> 42) as u64));
    [low & LIMB, (d1.0 as u64 & LIMB).wrapping_add(low >> 44), d2.0 as u64 & (LIMB >> 2)]
}

#[simd_core::dispatch(targets = crate::targets::chacha20)]
mod tree {
    #![allow(unused_imports, dead_code, clippy::wildcard_imports, reason = "the baseline has no vectors")]
    use super::{LIMB, Limbs, State, add, limbs, multiply};
    use crate::arch::*;
    use core::hint::black_box;
    use core::num::Wrapping;
    use simd_core::match_target;
    use zerocopy::transmute;

    /// The lowest 26 bits.
    const SMALL: u64 = (1 << 26) - 1;

    /// Eight lanes of one limb.
    #[derive(Clone, Copy)]
    #[repr(C, align(64))]
    struct Lanes([u64; 8]);

    const ZERO: [Lanes; 5] = [Lanes([0; 8]); 5];

    /// A factor in limbs of 26 bits, and five times these: 2^130 is 5.
    struct Factor {
        limbs: [Lanes; 5],
        fivefold: [Lanes; 5],
    }

    /// Adds whole blocks of the message.
    pub(in crate::poly1305) fn absorb(state: &mut State, blocks: &[[u8; 16]]) {
        /// From how many blocks on vectors pay for the powers that they need.
        const MANY: usize = 24;
        let mut blocks = blocks;
        if cfg!(target_feature = "avx2") && blocks.len() >= MANY {
            let (groups, rest) = blocks.as_chunks::<8>();
            absorb_groups(state, groups);
            blocks = rest;
        }
        let mut sum = state.sum;
        for block in blocks {
            sum = multiply(add(sum, limbs(u128::from_le_bytes(*block), 1)), state.multiplier);
        }
        state.sum = sum;
    }

    /// Adds groups of eight blocks.
    ///
    /// A lane has the sum of its blocks, each times a power of the eighth power of the multiplier; in the end, the lanes are
    /// multiplied by the powers from the eighth to the first.
    fn absorb_groups(state: &mut State, groups: &[[[u8; 16]; 8]]) {
        let r1 = state.multiplier;
        let r2 = multiply(r1, r1);
        let [r3, r4] = [multiply(r2, r1), multiply(r2, r2)];
        let [r5, r6, r7, r8] = [multiply(r4, r1), multiply(r4, r2), multiply(r4, r3), multiply(r4, r4)];
        // Unknown to the compiler, which would undo the products by five: it adds before it multiplies, and works twice as long.
        let (eighth, sixteenth) = black_box((Factor::splat(r8), Factor::splat(multiply(r8, r8))));

        // What was there before belongs to the first block.
        let mut before = small(state.sum).map(|limb| Lanes([limb, 0, 0, 0, 0, 0, 0, 0]));
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
        // In the order in which `message` has the blocks.
        let last = Factor::new([r8, r4, r7, r3, r6, r2, r5, r1]);
        state.sum = total(&carry(multiply_add(ZERO, carry(sum), &last)));
    }

    impl Factor {
        fn new(lanes: [Limbs; 8]) -> Self {
            let mut limbs = ZERO;
            for (lane, number) in lanes.into_iter().enumerate() {
                for (limb, value) in limbs.iter_mut().zip(small(number)) {
                    limb.0[lane] = value;
                }
            }
            let mut fivefold = limbs;
            for limb in fivefold.as_mut_slice() {
                *limb = Lanes(limb.0.map(|limb| limb.wrapping_mul(5)));
            }
            Self { limbs, fivefold }
        }

        fn splat(number: Limbs) -> Self {
            let limbs = small(number);
            Self {
                limbs: limbs.map(|limb| Lanes([limb; 8])),
                fivefold: limbs.map(|limb| Lanes([limb.wrapping_mul(5); 8])),
            }
        }
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

    /// The sum of the lanes.
    fn total(lanes: &[Lanes; 5]) -> Limbs {
        let sum = |limb: &Lanes| limb.0.iter().fold(Wrapping(0), |sum, lane| sum + Wrapping(*lane));
        let [mut a, mut b, mut c, mut d, mut e] =
            [sum(&lanes[0]), sum(&lanes[1]), sum(&lanes[2]), sum(&lanes[3]), sum(&lanes[4])];
        let mask = Wrapping(SMALL);
        for _ in 0..2 {
            b += a >> 26;
            a &= mask;
            c += b >> 26;
            b &= mask;
            d += c >> 26;
            c &= mask;
            e += d >> 26;
            d &= mask;
            a += Wrapping(5) * (e >> 26);
            e &= mask;
        }
        let low = a + (b << 26);
        let middle = (low >> 44) + (c << 8) + ((d & Wrapping(0x3ff)) << 34);
        let high = (middle >> 44) + (d >> 10) + (e << 16);
        [low.0 & LIMB, middle.0 & LIMB, high.0]
    }

    /// Eight blocks in limbs of 26 bits, in the order 0, 4, 1, 5, 2, 6, 3, 7: what unpacking two vectors gives.
    #[inline]
    fn message(blocks: &[[u8; 16]; 8]) -> [Lanes; 5] {
        let [first, second]: [[u64; 8]; 2] = transmute!(*blocks);
        let (low, high) = unpack(little_endian(Lanes(first)), little_endian(Lanes(second)));
        let mask = Lanes([SMALL; 8]);
        [
            and(low, mask),
            and(right::<26>(low), mask),
            and(or(right::<52>(low), left::<12>(high)), mask),
            and(right::<14>(high), mask),
            or(right::<40>(high), Lanes([1 << 24; 8])),
        ]
    }

    #[inline]
    fn little_endian(words: Lanes) -> Lanes {
        if cfg!(target_endian = "little") { words } else { Lanes(words.0.map(u64::swap_bytes)) }
    }

    /// `sum + a * b`, the limbs of which are not carried.
    #[inline]
    fn multiply_add(sum: [Lanes; 5], a: [Lanes; 5], b: &Factor) -> [Lanes; 5] {
        let (r, s) = (&b.limbs, &b.fivefold);
        let row = |sum: Lanes, [b0, b1, b2, b3, b4]: [Lanes; 5]| {
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
    fn carry([a, b, c, d, e]: [Lanes; 5]) -> [Lanes; 5] {
        let mask = Lanes([SMALL; 8]);
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
    fn add_all(a: [Lanes; 5], b: [Lanes; 5]) -> [Lanes; 5] {
        [plus(a[0], b[0]), plus(a[1], b[1]), plus(a[2], b[2]), plus(a[3], b[3]), plus(a[4], b[4])]
    }

    /// An instruction of two vectors on each lane, in the vectors that the target has; `$of_words` in the baseline.
    macro_rules! lanewise {
        ($a:expr, $b:expr => $of_512:path | $of_256:path, _ => $of_words:expr) => {
            Lanes(match_target! {
                "avx512vl" => transmute!($of_512(transmute!($a.0), transmute!($b.0))),
                "avx2" => {
                    let (a, b): ([__m256i; 2], [__m256i; 2]) = (transmute!($a.0), transmute!($b.0));
                    transmute!([$of_256(a[0], b[0]), $of_256(a[1], b[1])])
                }
                _ => core::array::from_fn(|i| $of_words($a.0[i], $b.0[i])),
            })
        };
    }

    /// The products of the lower halves.
    #[inline]
    fn times(a: Lanes, b: Lanes) -> Lanes {
        lanewise!(a, b => _mm512_mul_epu32 | _mm256_mul_epu32, _ => |a: u64, b: u64| (a & 0xffff_ffff) * (b & 0xffff_ffff))
    }

    /// The sums.
    #[inline]
    fn plus(a: Lanes, b: Lanes) -> Lanes {
        lanewise!(a, b => _mm512_add_epi64 | _mm256_add_epi64, _ => u64::wrapping_add)
    }

    /// The bits that both have.
    #[inline]
    fn and(a: Lanes, b: Lanes) -> Lanes {
        lanewise!(a, b => _mm512_and_si512 | _mm256_and_si256, _ => |a: u64, b: u64| a & b)
    }

    /// The bits that either has.
    #[inline]
    fn or(a: Lanes, b: Lanes) -> Lanes {
        lanewise!(a, b => _mm512_or_si512 | _mm256_or_si256, _ => |a: u64, b: u64| a | b)
    }

    /// Each lane shifted to the right.
    #[inline]
    fn right<const BY: u32>(a: Lanes) -> Lanes {
        Lanes(match_target! {
            "avx512vl" => transmute!(_mm512_srli_epi64::<BY>(transmute!(a.0))),
            "avx2" => {
                let (a, by): ([__m256i; 2], _) = (transmute!(a.0), _mm_cvtsi32_si128(BY.cast_signed()));
                transmute!([_mm256_srl_epi64(a[0], by), _mm256_srl_epi64(a[1], by)])
            }
            _ => a.0.map(|a| a >> BY),
        })
    }

    /// Each lane shifted to the left.
    #[inline]
    fn left<const BY: u32>(a: Lanes) -> Lanes {
        Lanes(match_target! {
            "avx512vl" => transmute!(_mm512_slli_epi64::<BY>(transmute!(a.0))),
            "avx2" => {
                let (a, by): ([__m256i; 2], _) = (transmute!(a.0), _mm_cvtsi32_si128(BY.cast_signed()));
                transmute!([_mm256_sll_epi64(a[0], by), _mm256_sll_epi64(a[1], by)])
            }
            _ => a.0.map(|a| a << BY),
        })
    }

    /// The even lanes of both by turns, and the odd ones.
    #[inline]
    fn unpack(a: Lanes, b: Lanes) -> (Lanes, Lanes) {
        match_target! {
            "avx512vl" => {
                let (a, b) = (transmute!(a.0), transmute!(b.0));
                (Lanes(transmute!(_mm512_unpacklo_epi64(a, b))), Lanes(transmute!(_mm512_unpackhi_epi64(a, b))))
            }
            _ => {
                let (a, b) = (a.0, b.0);
                (
                    Lanes([a[0], b[0], a[2], b[2], a[4], b[4], a[6], b[6]]),
                    Lanes([a[1], b[1], a[3], b[3], a[5], b[5], a[7], b[7]]),
                )
            }
        }
    }
}
