//! What is known at one place of a function, and what is found on the way.

use std::collections::HashMap;

use crate::image::Value;

/// The registers, and the return address that a call to the next instruction has pushed.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) registers: [Value; 32],
    pub(crate) pushed: Option<u64>,
}

/// What the analysis found.
#[derive(Default)]
pub(crate) struct Found {
    /// Instructions, by index, and the addresses that they compute, load from or store to.
    pub(crate) references: Vec<(usize, u64)>,
    /// Where indirect calls and jumps go.
    pub(crate) targets: HashMap<usize, Value>,
}

impl State {
    pub(crate) fn unknown() -> Self {
        Self { registers: [Value::Unknown; 32], pushed: None }
    }

    /// Forgets what differs from `other`, and says whether that was anything.
    pub(crate) fn merge(&mut self, other: &Self) -> bool {
        let before = self.clone();
        for (mine, theirs) in self.registers.iter_mut().zip(other.registers) {
            if *mine != theirs {
                *mine = Value::Unknown;
            }
        }
        if self.pushed != other.pushed {
            self.pushed = None;
        }
        *self != before
    }
}
