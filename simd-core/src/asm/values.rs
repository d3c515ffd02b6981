//! Which registers hold a known address: what `lea`, `adrp` with `add`, and loads from the global offset table give.
//!
//! A forward analysis over the blocks of one function, until nothing changes. A register that holds different values
//! on two ways to a block is unknown there.

mod aarch64;
mod x86;

use crate::asm::prelude::*;
use std::collections::HashMap;

use super::binary::Image;
use super::flow::Graph;
use super::instruction::{Flow, Instruction, Raw};

/// What a register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Unknown,
    /// An address in this file.
    Address(u64),
    /// The address of a symbol of another file, by its number in [`Image`].
    Import(usize),
}

/// The registers, and the return address that a call to the next instruction has pushed.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct State {
    registers: [Value; 32],
    pushed: Option<u64>,
}

/// What the analysis found.
#[derive(Default)]
pub(super) struct Found {
    /// Instructions, by index, and the addresses that they compute, load from or store to.
    pub(super) references: Vec<(usize, u64)>,
    /// Where indirect calls and jumps go.
    pub(super) targets: HashMap<usize, Value>,
}

impl State {
    fn unknown() -> Self {
        Self { registers: [Value::Unknown; 32], pushed: None }
    }

    fn merge(&mut self, other: &Self) -> bool {
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

    fn step(&mut self, image: &Image, at: usize, instruction: &Instruction, found: &mut Found) {
        match &instruction.raw {
            Raw::X86(raw) => x86::step(self, image, at, raw, found),
            Raw::Aarch64(word, raw) => aarch64::step(self, image, at, instruction, *word, raw.as_ref(), found),
        }
    }
}

pub(super) fn analyse(image: &Image, instructions: &[Instruction], graph: &Graph) -> Found {
    let mut entries: Vec<Option<State>> = vec![None; graph.blocks.len()];
    let mut open = Vec::new();
    // A block that is not reached from the entry (an exception's landing pad) starts with nothing known.
    let mut reached = vec![false; graph.blocks.len()];
    graph.successors.iter().flatten().for_each(|&to| reached[to] = true);
    for (block, reached) in reached.into_iter().enumerate() {
        if block == 0 || !reached {
            entries[block] = Some(State::unknown());
            open.push(block);
        }
    }
    let mut scratch = Found::default();
    while let Some(block) = open.pop() {
        let Some(mut state) = entries[block].clone() else { continue };
        for at in graph.blocks[block].clone() {
            state.step(image, at, &instructions[at], &mut scratch);
        }
        for &next in &graph.successors[block] {
            let changed = match &mut entries[next] {
                Some(entry) => entry.merge(&state),
                entry @ None => {
                    *entry = Some(state.clone());
                    true
                }
            };
            if changed {
                open.push(next);
            }
        }
    }
    let mut found = Found::default();
    for (range, entry) in graph.blocks.iter().zip(entries) {
        let mut state = entry.unwrap_or_else(State::unknown);
        for at in range.clone() {
            state.step(image, at, &instructions[at], &mut found);
        }
    }
    found
}

/// Does this call only push its own address, as 32-bit code does to find out where it is?
pub(super) fn is_self_call(instruction: &Instruction) -> bool {
    instruction.flow == Flow::Call(instruction.end())
}
