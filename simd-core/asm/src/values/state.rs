//! The state at one place of a function, and what is found on the way.

use std::collections::{BTreeMap, HashMap};

use super::bits::Flags;
use crate::image::Value;

/// The registers, and the return address that a call to the next instruction has pushed.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) registers: [Value; 32],
    /// By base register and offset: the bytes, and what they hold.
    pub(crate) stack: BTreeMap<(usize, i64), (u64, Value)>,
    pub(crate) flags: Flags,
    pub(crate) pushed: Option<u64>,
}

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
        Self { registers: [Value::Unknown; 32], stack, flags, pushed: None }
    }

    /// Forgets what differs from `other`, in numbers all of it or some bits, and says whether that was anything.
    pub(crate) fn merge(&mut self, other: &Self, all: bool) -> bool {
        let before = self.clone();
        let joined = |mine: Value, theirs: Value| match mine.join(theirs) {
            joined if joined != mine && all => Value::Unknown,
            joined => joined,
        };
        for (mine, theirs) in self.registers.iter_mut().zip(other.registers) {
            *mine = joined(*mine, theirs);
        }
        self.stack.retain(|slot, (size, value)| {
            let theirs = other.stack.get(slot).filter(|(theirs, _)| theirs == size);
            *value = theirs.map_or(Value::Unknown, |(_, theirs)| joined(*value, *theirs));
            *value != Value::Unknown
        });
        self.flags = self.flags.join(other.flags);
        if self.pushed != other.pushed {
            self.pushed = None;
        }
        *self != before
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
        let held = self.stack.get(&slot).filter(|(held, _)| size <= *held);
        match held {
            Some(&(held, value)) if held == size || value.address().is_none() => value,
            _ => Value::Unknown,
        }
    }
}
