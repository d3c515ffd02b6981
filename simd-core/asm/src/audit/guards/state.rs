//! What registers and flags say of the CPU at one place of a function.

use std::collections::BTreeMap;

use crate::audit::facts::{ANY, Facts};
use crate::audit::sources::{Meaning, Sources};

/// What a register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Const(u64),
    /// Bits of what a [source](Sources) says.
    Bits(Bits),
    /// The address of a place in the stack, as [`State::stack`] names it.
    Place(Place),
    /// What the CPU has if the value is not zero, and if it is.
    Truth {
        some: Facts,
        zero: Facts,
    },
}

/// A register that points into the stack, and the offset.
pub(crate) type Place = (usize, i64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bits {
    pub(crate) meaning: Meaning,
    /// The number of bit 0 among the source's bits.
    pub(crate) first: i32,
    /// The bits of the value that are the source's.
    pub(crate) mask: u64,
    /// Whether all others are zero.
    pub(crate) exact: bool,
    /// Whether the bits are inverted.
    pub(crate) flipped: bool,
}

impl Bits {
    /// Whether it is 1 if the source's bit is set, and 0 if not.
    fn is_bool(self) -> bool {
        self.exact && self.mask == 1 && !self.flipped
    }
}

/// Computed from what a source says in a way that is not followed. Tests of it are believed.
pub(crate) const DERIVED: Value = Value::Truth { some: ANY, zero: 0 };

/// Nothing known.
pub(crate) const PLAIN: Value = Value::Truth { some: 0, zero: 0 };

impl Value {
    pub(crate) fn is_plain(self) -> bool {
        self == PLAIN
    }

    /// Whether it comes from a source.
    pub(crate) fn is_derived(self) -> bool {
        self == DERIVED || matches!(self, Self::Bits(_))
    }

    /// Whether it says something of the CPU if it is not zero.
    pub(crate) fn is_answer(self) -> bool {
        self.is_derived() || matches!(self, Self::Truth { some, .. } if some != 0)
    }

    /// Whether it holds several bits of a source, of which one has yet to be picked.
    pub(crate) fn is_word(self) -> bool {
        matches!(self, Self::Bits(bits) if !bits.flipped && !bits.mask.is_power_of_two() && bits.meaning != Meaning::Flag)
    }

    /// A value of which a source fills this many bits.
    pub(crate) fn of(meaning: Meaning, first: i32, bits: u32) -> Self {
        Self::Bits(Bits { meaning, first, mask: ones(bits), exact: true, flipped: false })
    }

    /// What the CPU has if the value is not zero, and if it is.
    pub(crate) fn truth(self, sources: &Sources) -> (Facts, Facts) {
        match self {
            // What cannot be is known to imply anything.
            Self::Const(0) => (ANY, 0),
            Self::Const(_) => (0, ANY),
            Self::Place(_) => (0, 0),
            Self::Truth { some, zero } => (some, zero),
            Self::Bits(Bits { meaning, first, mask, exact, flipped }) => {
                let all = || {
                    (0..64)
                        .filter(|bit| mask >> bit & 1 == 1)
                        .fold(0, |all, bit| all | sources.facts(meaning, first + bit))
                };
                if flipped {
                    return (0, if mask == 0 { 0 } else { all() });
                }
                let one = exact && (mask.is_power_of_two() || meaning == Meaning::Flag);
                (if one { all() } else { 0 }, 0)
            }
        }
    }

    /// The same, on a way where these were shown.
    pub(crate) fn given(self, shown: Facts, sources: &Sources) -> Self {
        let (some, zero) = self.truth(sources);
        if shown == 0 || self.is_word() { self } else { Self::Truth { some: some | shown, zero: zero | shown } }
    }

    /// The bits that say something of the CPU where they are set, on a way where these were shown.
    fn said_by_bits(self, shown: Facts, sources: &Sources) -> Option<u64> {
        match self {
            _ if shown == ANY || self.truth(sources).0 == ANY && self != Self::Const(0) => Some(u64::MAX),
            Self::Const(set) => Some(!set),
            Self::Bits(bits) if !bits.flipped => Some(bits.mask),
            _ => None,
        }
    }

    /// Either of two values, of which one is a word: that it is not zero says nothing, but its bits do.
    fn joint_word(self, shown: Facts, other: Self, shown_by_other: Facts, sources: &Sources) -> Option<Self> {
        if !self.is_word() && !other.is_word() {
            return None;
        }
        let mask = self.said_by_bits(shown, sources)? & other.said_by_bits(shown_by_other, sources)?;
        let word = match (self, other) {
            (Self::Bits(bits), Self::Const(_)) | (Self::Const(_), Self::Bits(bits)) => bits,
            (Self::Bits(bits), Self::Bits(others)) if (bits.meaning, bits.first) == (others.meaning, others.first) => {
                bits
            }
            _ => Bits { meaning: Meaning::Bits, first: 0, mask, exact: false, flipped: false },
        };
        let exact = word.exact && (self == Self::Const(0) || other == Self::Const(0));
        Some(Self::Bits(Bits { mask, exact, ..word }))
    }

    /// Either of two values.
    pub(crate) fn merge(self, other: Self, sources: &Sources) -> Self {
        if self == other {
            return self;
        }
        if let Some(word) = self.joint_word(0, other, 0, sources) {
            return word;
        }
        let ((some, zero), (other_some, other_zero)) = (self.truth(sources), other.truth(sources));
        Self::Truth { some: some & other_some, zero: zero & other_zero }
    }

    pub(crate) fn and(self, other: Self, sources: &Sources) -> Self {
        match (self, other) {
            (Self::Const(a), Self::Const(b)) => Self::Const(a & b),
            (Self::Bits(bits), Self::Const(mask)) | (Self::Const(mask), Self::Bits(bits)) => {
                let exact = bits.exact || mask & !bits.mask == 0;
                Self::Bits(Bits { mask: bits.mask & mask, exact, ..bits })
            }
            // Of two answers, each 0 or 1, both hold.
            (Self::Bits(bits), Self::Bits(other)) if bits.is_bool() && other.is_bool() => {
                let ((some, _), (other_some, _)) = (self.truth(sources), Self::Bits(other).truth(sources));
                Self::Truth { some: some | other_some, zero: 0 }
            }
            // A bit that is set is so in both; what the other one says of the CPU is given up.
            (Self::Bits(bits), Self::Bits(other)) if !bits.flipped && !other.flipped && (bits.exact || other.exact) => {
                Self::Bits(Bits { mask: bits.mask & other.mask, exact: bits.exact && other.exact, ..bits })
            }
            _ => {
                let ((some, zero), (other_some, other_zero)) = (self.truth(sources), other.truth(sources));
                Self::Truth { some: some | other_some, zero: zero & other_zero }
            }
        }
    }

    pub(crate) fn or(self, other: Self, sources: &Sources) -> Self {
        match (self, other) {
            (Self::Const(a), Self::Const(b)) => return Self::Const(a | b),
            // A bit that is always set, as in `FEATURES = KNOWN | if has_avx2 { 2 } else { 0 }`: the others still say it.
            (answer, Self::Const(set)) | (Self::Const(set), answer) if set != 0 && answer.truth(sources).0 == ANY => {
                return Self::Bits(Bits { meaning: Meaning::Bits, first: 0, mask: !set, exact: false, flipped: false });
            }
            (word @ Self::Bits(bits), Self::Const(set)) | (Self::Const(set), word @ Self::Bits(bits))
                if word.is_word() =>
            {
                return Self::Bits(Bits { mask: bits.mask & !set, exact: bits.exact && set == 0, ..bits });
            }
            _ => {}
        }
        let ((some, zero), (other_some, other_zero)) = (self.truth(sources), other.truth(sources));
        Self::Truth { some: some & other_some, zero: zero | other_zero }
    }

    /// The sum of values of which at least one is from a source: compilers add what has no bits in common.
    pub(crate) fn joined(self, other: Self, sources: &Sources) -> Option<Self> {
        let is_answer =
            |value: Self| value.is_answer() && !matches!(value, Self::Bits(Bits { meaning: Meaning::Flag, .. }));
        let is_part = |value: Self| is_answer(value) || matches!(value, Self::Const(_));
        let sum = (is_answer(self) || is_answer(other)) && is_part(self) && is_part(other);
        sum.then(|| self.or(other, sources)).filter(|sum| sum.is_answer())
    }

    pub(crate) fn xor(self, other: Self, sources: &Sources) -> Self {
        match (self, other) {
            (Self::Const(a), Self::Const(b)) => Self::Const(a ^ b),
            (Self::Bits(bits), Self::Const(mask)) if bits.exact && mask & bits.mask == bits.mask => {
                Self::Bits(Bits { flipped: !bits.flipped, exact: mask == bits.mask, ..bits })
            }
            (_, Self::Const(1)) => {
                // Of what is 0 or 1.
                let (some, zero) = self.truth(sources);
                Self::Truth { some: zero, zero: some }
            }
            _ => PLAIN,
        }
    }

    pub(crate) fn not(self, bits: u32) -> Self {
        match self {
            Self::Const(value) => Self::Const(!value & ones(bits)),
            Self::Bits(old) => {
                let exact = old.exact && old.mask == ones(bits);
                Self::Bits(Bits { flipped: !old.flipped, exact, ..old })
            }
            Self::Place(_) | Self::Truth { .. } => PLAIN,
        }
    }

    /// Shifted to the right by `by`, to the left if that is negative.
    pub(crate) fn shifted(self, by: i32) -> Self {
        let shift = |value: u64| match u32::try_from(by) {
            Ok(by) => value.checked_shr(by).unwrap_or(0),
            Err(_) => value.checked_shl(by.unsigned_abs()).unwrap_or(0),
        };
        match self {
            Self::Const(value) => Self::Const(shift(value)),
            Self::Bits(bits) => Self::Bits(Bits { first: bits.first + by, mask: shift(bits.mask), ..bits }),
            DERIVED => DERIVED,
            Self::Place(_) | Self::Truth { .. } => PLAIN,
        }
    }

    /// One of two values: the first where a condition holds, which shows the first facts.
    pub(crate) fn chosen((yes, no): (Self, Self), (holds, not): (Facts, Facts), sources: &Sources) -> Self {
        let ((some, zero), (other_some, other_zero)) = (yes.truth(sources), no.truth(sources));
        let some = (some | holds) & (other_some | not);
        let word = if some == 0 { yes.joint_word(holds, no, not, sources) } else { None };
        word.unwrap_or(Self::Truth { some, zero: (zero | holds) & (other_zero | not) })
    }

    /// The same, with something else in the bits that are not the source's.
    pub(crate) fn inexact(self) -> Self {
        match self {
            Self::Bits(bits) => Self::Bits(Bits { exact: false, ..bits }),
            DERIVED => DERIVED,
            _ => PLAIN,
        }
    }

    /// The lowest bits of it, with zeros before them.
    pub(crate) fn low(self, bits: u32) -> Self {
        match self {
            Self::Const(value) => Self::Const(value & ones(bits)),
            Self::Bits(old) => Self::Bits(Bits { mask: old.mask & ones(bits), ..old }),
            Self::Place(_) | Self::Truth { .. } => self,
        }
    }
}

pub(crate) fn ones(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// What the CPU has if the last comparison came out like this.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    pub(crate) equal: Facts,
    pub(crate) unequal: Facts,
    pub(crate) below: Facts,
    pub(crate) not_below: Facts,
    pub(crate) negative: Facts,
    pub(crate) not_negative: Facts,
    /// Whether what was compared is zero, where that is known when the program is built.
    pub(crate) zero: Option<bool>,
}

impl Flags {
    /// A value compared with zero, or a result.
    pub(crate) fn of(value: Value, bits: u32, sources: &Sources) -> Self {
        let (some, zero) = value.truth(sources);
        let mut flags = Self { equal: zero, unequal: some, ..Self::default() };
        if let Value::Const(value) = value {
            flags.zero = Some(value == 0);
        }
        if let Value::Bits(old) = value {
            let sign = Value::Bits(Bits { mask: old.mask & (1 << (bits - 1)), exact: true, ..old });
            (flags.negative, flags.not_negative) = sign.truth(sources);
        }
        flags
    }

    pub(crate) fn compared(value: Value, with: u64, bits: u32, sources: &Sources) -> Self {
        let with = with & ones(bits);
        if with == 0 {
            return Self::of(value, bits, sources);
        }
        match value {
            Value::Bits(Bits { meaning: Meaning::Flag, flipped: false, mask, .. }) => {
                let known = if with == mask { 0 } else { ANY };
                Self { equal: known, not_below: known, ..Self::default() }
            }
            Value::Bits(Bits { meaning, first, mask, exact, flipped: false }) => {
                let all = (0..64).filter(|bit| (mask & with) >> bit & 1 == 1);
                let facts = all.fold(0, |all, bit| all | sources.facts(meaning, first + bit));
                let single = exact && mask.is_power_of_two() && with == mask;
                Self { equal: facts, unequal: if single { value.truth(sources).1 } else { 0 }, ..Self::default() }
            }
            _ if with == 1 => {
                Self { equal: value.truth(sources).0, unequal: value.truth(sources).1, ..Self::default() }
            }
            _ => Self::default(),
        }
    }

    /// One bit of a value, as the carry.
    pub(crate) fn carry(value: Value, bit: u64, sources: &Sources) -> Self {
        let (some, zero) = value.and(Value::Const(1_u64.checked_shl(bit as u32).unwrap_or(0)), sources).truth(sources);
        Self { below: some, not_below: zero, ..Self::default() }
    }

    pub(crate) fn merge(self, other: Self) -> Self {
        Self {
            equal: self.equal & other.equal,
            unequal: self.unequal & other.unequal,
            below: self.below & other.below,
            not_below: self.not_below & other.not_below,
            negative: self.negative & other.negative,
            not_negative: self.not_negative & other.not_negative,
            zero: self.zero.filter(|_| self.zero == other.zero),
        }
    }
}

/// At one place of a function.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) registers: [Value; 32],
    pub(crate) stack: BTreeMap<Place, Value>,
    pub(crate) flags: Flags,
    /// What tests have shown on all ways to here.
    pub(crate) shown: Facts,
}

impl State {
    pub(crate) fn new() -> Self {
        Self { registers: [PLAIN; 32], stack: BTreeMap::new(), flags: Flags::default(), shown: 0 }
    }

    /// The same where a condition holds that shows these.
    pub(crate) fn with(&self, facts: Facts) -> Self {
        Self { shown: self.shown | facts, ..self.clone() }
    }

    /// Forgets what differs from `other`, and says whether that was anything.
    pub(crate) fn merge(&mut self, other: &Self, sources: &Sources) -> bool {
        let before = self.clone();
        // What differs carries what was shown on its way, so that `a && b` says both.
        let merged = |mine: Value, theirs: Value| {
            if mine == theirs {
                return mine;
            }
            mine.given(before.shown, sources).merge(theirs.given(other.shown, sources), sources)
        };
        for (mine, theirs) in self.registers.iter_mut().zip(other.registers) {
            *mine = merged(*mine, theirs);
        }
        self.stack.retain(|place, value| match other.stack.get(place) {
            Some(theirs) => {
                *value = merged(*value, *theirs);
                true
            }
            None => false,
        });
        self.flags = self.flags.merge(other.flags);
        self.shown &= other.shown;
        *self != before
    }

    /// The stack pointer changes, and with it the names of all places.
    pub(crate) fn move_stack(&mut self) {
        self.stack.clear();
        for register in &mut self.registers {
            if matches!(register, Value::Place(_)) {
                *register = PLAIN;
            }
        }
    }

    /// A function that identifies the CPU has filled what these registers point to.
    pub(crate) fn fill(&mut self, pointers: &[usize]) {
        for &pointer in pointers {
            let Value::Place((base, offset)) = self.registers[pointer] else { continue };
            for register in 0..4 {
                let place = (base, offset + 4 * i64::from(register));
                self.stack.insert(place, Value::of(Meaning::Bits, 32 * register, 32));
            }
        }
    }

    pub(crate) fn set(&mut self, register: usize, value: Value) {
        self.registers[register] = value;
    }
}

/// What a call leaves of the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// In the two registers of a result.
    pub(crate) values: [Value; 2],
    /// Whether the function writes it to where its first parameter points.
    pub(crate) fills: bool,
}

impl Outcome {
    pub(crate) const NOTHING: Self = Self { values: [PLAIN; 2], fills: false };
}
