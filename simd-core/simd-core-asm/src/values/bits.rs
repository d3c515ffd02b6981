//! Numbers of which some bits are known.

use crate::image::Value;

pub(crate) const ZERO: Value = Value::Bits(!0, 0);

pub(crate) fn ones(bits: u32) -> u64 {
    if bits >= 64 { !0 } else { (1 << bits) - 1 }
}

impl Value {
    pub(crate) fn bits(zero: u64, one: u64) -> Self {
        if zero | one == 0 { Self::Unknown } else { Self::Bits(zero, one) }
    }

    pub(crate) fn constant(number: u64) -> Self {
        Self::Bits(!number, number)
    }

    /// The bits that are zero, and those that are one.
    pub(crate) fn known(self) -> (u64, u64) {
        if let Self::Bits(zero, one) = self { (zero, one) } else { (0, 0) }
    }

    pub(crate) fn number(self) -> Option<u64> {
        let (zero, one) = self.known();
        (zero | one == !0).then_some(one)
    }

    pub(crate) fn address(self) -> Option<u64> {
        if let Self::Address(to) | Self::AddressUnused(to) = self { Some(to) } else { None }
    }

    /// Either of two.
    pub(crate) fn join(self, other: Self) -> Self {
        match self.address() {
            _ if self == other => self,
            Some(to) if other.address() == Some(to) => Self::Address(to),
            _ => {
                let ((zero, one), (other_zero, other_one)) = (self.known(), other.known());
                Self::bits(zero & other_zero, one & other_one)
            }
        }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        let ((zero, one), (other_zero, other_one)) = (self.known(), other.known());
        Self::bits(zero | other_zero, one & other_one)
    }

    pub(crate) fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    pub(crate) fn xor(self, other: Self) -> Self {
        self.and(other.not()).or(self.not().and(other))
    }

    pub(crate) fn not(self) -> Self {
        let (zero, one) = self.known();
        Self::bits(one, zero)
    }

    /// The lowest bits of it, with zeros before them.
    pub(crate) fn low(self, bits: u32) -> Self {
        if bits >= 64 { self } else { self.and(Self::constant(ones(bits))) }
    }

    /// The sum of both and a carry.
    pub(crate) fn add(self, other: Self, carry: bool) -> Self {
        let ((zero, one), (other_zero, other_one)) = (self.known(), other.known());
        let most = (!zero).wrapping_add(!other_zero).wrapping_add(carry.into());
        let least = one.wrapping_add(other_one).wrapping_add(carry.into());
        let carries = !(most ^ zero ^ other_zero) | least ^ one ^ other_one;
        let known = (zero | one) & (other_zero | other_one) & carries;
        Self::bits(!most & known, least & known)
    }

    pub(crate) fn sub(self, other: Self) -> Self {
        self.add(other.not(), true)
    }

    pub(crate) fn shl(self, by: u32) -> Self {
        let (zero, one) = self.known();
        let shifted = |bits: u64| bits.checked_shl(by).unwrap_or(0);
        Self::bits(shifted(zero) | ones(by), shifted(one))
    }

    pub(crate) fn shr(self, by: u32) -> Self {
        let (zero, one) = self.known();
        let shifted = |bits: u64| bits.checked_shr(by).unwrap_or(0);
        Self::bits(shifted(zero) | !shifted(!0), shifted(one))
    }

    /// Of one bit.
    pub(crate) fn bit(self, bit: u32) -> Option<bool> {
        let (zero, one) = self.known();
        ((zero | one) >> bit & 1 == 1).then_some(one >> bit & 1 == 1)
    }

    /// Whether a value of this many bits is zero.
    pub(crate) fn is_zero(self, bits: u32) -> Option<bool> {
        let (zero, one) = self.known();
        if self.address().is_some() || one & ones(bits) != 0 {
            Some(false)
        } else {
            (zero & ones(bits) == ones(bits)).then_some(true)
        }
    }
}

/// The outcome of the last comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    pub(crate) zero: Option<bool>,
    /// Without signs.
    pub(crate) below: Option<bool>,
    pub(crate) negative: Option<bool>,
    /// With signs.
    pub(crate) less: Option<bool>,
}

pub(crate) fn not(condition: Option<bool>) -> Option<bool> {
    condition.map(|holds| !holds)
}

impl Flags {
    /// Of a result of bitwise logic.
    pub(crate) fn of(result: Value, bits: u32) -> Self {
        let negative = result.bit(bits - 1);
        Self { zero: result.is_zero(bits), below: Some(false), negative, less: negative }
    }

    /// Of another result.
    pub(crate) fn of_sum(result: Value, bits: u32) -> Self {
        Self { below: None, less: None, ..Self::of(result, bits) }
    }

    pub(crate) fn compared(a: Value, b: Value, bits: u32) -> Self {
        let range = |value: Value| (value.known().1 & ones(bits), !value.known().0 & ones(bits));
        let below = |a: Value, b: Value| {
            let ((low, high), (other_low, other_high)) = (range(a), range(b));
            if high < other_low { Some(true) } else { (low >= other_high).then_some(false) }
        };
        let sign = Value::constant(1 << (bits - 1));
        let difference = a.sub(b);
        let zero = if b.number() == Some(0) { a.is_zero(bits) } else { a.xor(b).is_zero(bits) };
        Self { zero, below: below(a, b), negative: difference.bit(bits - 1), less: below(a.xor(sign), b.xor(sign)) }
    }

    /// Whether a condition holds, by x86's numbers: the even ones, each before its opposite.
    pub(crate) fn holds(self, code: u32) -> Option<bool> {
        let or_zero = |other: Option<bool>| match (other, self.zero) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (other, zero) => other.and(zero),
        };
        let holds = match code >> 1 {
            1 => self.below,
            2 => self.zero,
            3 => or_zero(self.below),
            4 => self.negative,
            6 => self.less,
            7 => or_zero(self.less),
            _ => None,
        };
        if code & 1 == 1 { not(holds) } else { holds }
    }

    pub(crate) fn join(self, other: Self) -> Self {
        let of = |flag: fn(Self) -> Option<bool>| flag(self).filter(|_| flag(self) == flag(other));
        Self { zero: of(|f| f.zero), below: of(|f| f.below), negative: of(|f| f.negative), less: of(|f| f.less) }
    }
}
