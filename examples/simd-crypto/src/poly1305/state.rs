//! Numbers modulo 2^130 - 5, in limbs of 44 bits.
//!
//! Sums wrap, which they have no reason to: the check for overflow in a debug build would be a branch on a secret.
use core::num::Wrapping;

use zeroize::Zeroize;

pub(super) const LIMB: u64 = (1 << 44) - 1;

/// A number in limbs of 44, 44 and 42 bits, which may each be a little larger.
pub(super) type Limbs = [u64; 3];

/// The multiplier, and the sum so far.
#[derive(Clone)]
pub(super) struct State {
    pub(super) multiplier: Limbs,
    pub(super) sum: Limbs,
}

impl State {
    pub(super) fn new(multiplier: &[u8; 16]) -> Self {
        let clamped = u128::from_le_bytes(*multiplier) & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff;
        Self { multiplier: limbs(clamped, 0), sum: [0; 3] }
    }

    /// The sum modulo 2^130 - 5, and `pad`, modulo 2^128.
    pub(super) fn finish(&self, pad: u128) -> [u8; 16] {
        let limb = Wrapping(LIMB);
        let [a, b, c] = carried(carried(self.sum.map(Wrapping)));
        let (a, b) = (a & limb, b + (a >> 44));
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

/// The same number, in limbs that are hardly larger than they have to be.
pub(super) fn carried([a, b, c]: [Wrapping<u64>; 3]) -> [Wrapping<u64>; 3] {
    let limb = Wrapping(LIMB);
    let b = b + (a >> 44);
    let c = c + (b >> 44);
    [(a & limb) + Wrapping(5) * (c >> 42), b & limb, c & (limb >> 2)]
}

/// The limbs of `number + above * 2^128`.
#[inline]
pub(super) fn limbs(number: u128, above: u64) -> Limbs {
    let (low, high) = (number as u64, (number >> 64) as u64);
    [low & LIMB, ((low >> 44) | (high << 20)) & LIMB, (high >> 24) | above << 40]
}

#[inline]
pub(super) fn add(a: Limbs, b: Limbs) -> Limbs {
    [a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1]), a[2].wrapping_add(b[2])]
}

/// The product, in limbs that are hardly larger than they have to be.
#[inline]
pub(super) fn multiply(a: Limbs, b: Limbs) -> Limbs {
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
