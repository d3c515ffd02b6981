//! The state at one place of a function, and what is found on the way.

use std::collections::{BTreeMap, HashMap};

use super::bits::Flags;
use crate::image::Value;

/// The registers, and the return address that a call to the next instruction has pushed.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct State {
    /// On x86 the halves of vector registers stand behind the sixteen general-purpose ones.
    pub(crate) registers: [Value; 48],
    /// By base register and offset: the bytes, and what they hold.
    pub(crate) stack: BTreeMap<(usize, i64), (u64, Value)>,
    pub(crate) flags: Flags,
    pub(crate) pushed: Option<u64>,
}

/// The bytes that one instruction writes at most: `xsave`.
pub(crate) const LONGEST: u64 = 4096;

/// The outcome of an analysis.
#[derive(Default)]
pub(crate) struct Analysis {
    /// Instructions, by index, and the addresses that they compute, load from or store to.
    pub(crate) references: Vec<(usize, u64)>,
    /// Where indirect calls and jumps go.
    pub(crate) targets: HashMap<usize, Value>,
    /// Addresses that are stored, passed, returned, or used in a way that is not followed.
    pub(crate) uses: Vec<(usize, u64)>,
    /// Addresses that are read or written, how many bytes, and what is written.
    pub(crate) accesses: Vec<(usize, u64, u64, Option<Value>)>,
    /// The values that the function returns, unless it never does.
    pub(crate) returned: Option<[Value; 2]>,
    /// By instruction, whether any way leads to it.
    pub(crate) reached: Vec<bool>,
}

impl State {
    pub(crate) fn unknown() -> Self {
        let (stack, flags) = (BTreeMap::new(), Flags::default());
        Self { registers: [Value::Unknown; 48], stack, flags, pushed: None }
    }

    /// Forgets what differs from `other`, in numbers all of it or some bits, and says whether that was anything.
    pub(crate) fn merge(&mut self, other: &Self, all: bool) -> bool {
        let before = self.clone();
        let keeps = |mine: Value, theirs: Value| !all || mine.join(theirs) == mine;
        let joined = |mine: Value, theirs| if keeps(mine, theirs) { mine.join(theirs) } else { Value::Unknown };
        for (mine, theirs) in self.registers.iter_mut().zip(other.registers) {
            *mine = joined(*mine, theirs);
        }
        self.stack.retain(|slot, (size, value)| {
            let theirs = other.stack.get(slot).filter(|(theirs, _)| theirs == size);
            *value = theirs.map_or(Value::Unknown, |(_, theirs)| joined(*value, *theirs));
            *value != Value::Unknown
        });
        self.flags = self.flags.join(other.flags);
        self.pushed = self.pushed.filter(|_| self.pushed == other.pushed);
        *self != before
    }

    /// Forgets the registers that a call may change, and takes what it returns in the first one and in `second`.
    pub(crate) fn call(&mut self, returned: Option<[Value; 2]>, second: usize, kept: impl Fn(usize) -> bool) {
        for number in (0..self.registers.len()).filter(|&number| !kept(number)) {
            self.registers[number] = Value::Unknown;
        }
        [self.registers[0], self.registers[second]] = returned.unwrap_or([Value::Unknown; 2]);
        self.flags = Flags::default();
    }

    /// A selection whose outcome is known passes over this register: an address in it is loaded and not used.
    pub(crate) fn pass_over(&mut self, register: Option<usize>) {
        if let Some(value) = register.map(|register| &mut self.registers[register]) {
            *value = value.address().map_or(*value, Value::AddressUnused);
        }
    }

    /// Forgets slots, all or those that this one overlaps, and keeps this.
    pub(crate) fn store(&mut self, slot: Option<(usize, i64)>, size: u64, value: Value) {
        let Some((base, at)) = slot else { return self.stack.clear() };
        self.stack.retain(|&(other, from), (bytes, _)| {
            other == base && (from + bytes.cast_signed() <= at || at + size.cast_signed() <= from)
        });
        if value != Value::Unknown {
            self.stack.insert((base, at), (size, value));
        }
    }

    pub(crate) fn slot(&self, slot: (usize, i64), size: u64) -> Value {
        let holds = |(held, value): &&(u64, Value)| *held == size || *held > size && value.address().is_none();
        self.stack.get(&slot).filter(holds).map_or(Value::Unknown, |(_, value)| *value)
    }
}
