//! What tests of the CPU have shown at each place of a function.
//!
//! A forward analysis over the blocks, until nothing changes: a branch on what a [source](super::sources) says adds
//! features on one of its ways, and where ways meet only what all of them have shown is left.

mod aarch64;
mod state;
mod x86;

use std::collections::HashMap;

use iced_x86::{InstructionInfoFactory, OpKind};

pub(crate) use state::Outcome;

use super::facts::Facts;
use super::sources::{Meaning, Returned, Sources};
use crate::code::Code;
use crate::flow::is_padding;
use crate::instruction::{Flow, Instruction, Raw};
use crate::values::landing_pads;
use state::{PLAIN, State, Value};

/// What calls leave, by the index of the instruction.
pub(crate) type Outcomes = HashMap<usize, Outcome>;

/// A variable that what the CPU has is stored in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Store {
    pub(crate) address: u64,
    pub(crate) size: u64,
    pub(crate) meaning: Meaning,
}

/// Where an address becomes known to others, and what is shown there.
pub(crate) struct Guards {
    /// By instruction.
    pub(crate) shown: Vec<Facts>,
    /// What a branch to another function shows in addition, where it is taken.
    pub(crate) taken: HashMap<usize, Facts>,
    /// Where a computed address is used only as one side of a selection: the instruction that computes it, and what is
    /// shown where it is selected.
    pub(crate) selected: HashMap<usize, Facts>,
    /// Variables that what the CPU has is stored in.
    pub(crate) stores: Vec<Store>,
    /// What the function itself leaves.
    pub(crate) outcome: Outcome,
}

pub(crate) fn outcome(returned: Returned) -> Outcome {
    let values = match returned {
        Returned::Bits(meaning) => [Value::of(meaning, 0, 64), Value::of(meaning, 64, 64)],
        Returned::Whether(facts) => [Value::Truth { some: facts, zero: 0 }, PLAIN],
    };
    Outcome { values, fills: false }
}

/// The addresses of memory operands, by instruction.
fn accesses(code: &Code) -> HashMap<usize, u64> {
    let mut accesses = HashMap::new();
    for &(at, address) in &code.found.references {
        if has_memory(&code.instructions[at]) {
            accesses.entry(at).or_insert(address);
        }
    }
    accesses
}

/// Whether it reads or writes memory, other than by computing an address.
pub(crate) fn has_memory(instruction: &Instruction) -> bool {
    match &instruction.raw {
        Raw::X86(raw) => {
            raw.mnemonic() != iced_x86::Mnemonic::Lea && (0..raw.op_count()).any(|i| raw.op_kind(i) == OpKind::Memory)
        }
        // Loads and stores: bits 27 and 25.
        Raw::Aarch64(word, _) => word & 0x0a00_0000 == 0x0800_0000,
    }
}

/// Whether it reads what the CPU has from the CPU.
fn identifies(instruction: &Instruction) -> bool {
    match &instruction.raw {
        Raw::X86(raw) => raw.mnemonic() == iced_x86::Mnemonic::Cpuid,
        Raw::Aarch64(word, _) => word & 0xffff_0000 == 0xd538_0000,
    }
}

/// Whether the function asks for anything itself: then, and if it calls what does, there are tests to follow.
pub(crate) fn asks(code: &Code, sources: &Sources) -> bool {
    code.found.references.iter().any(|&(_, address)| sources.variable(address).is_some())
        || code.instructions.iter().any(identifies)
}

impl Guards {
    /// Where nothing is tested.
    pub(crate) fn none(code: &Code) -> Self {
        let (taken, selected) = (HashMap::new(), HashMap::new());
        Self { shown: vec![0; code.instructions.len()], taken, selected, stores: Vec::new(), outcome: Outcome::NOTHING }
    }

    pub(crate) fn new(code: &Code, sources: &Sources, outcomes: &Outcomes) -> Self {
        let mut walk = Walk {
            code,
            sources,
            outcomes,
            accesses: accesses(code),
            factory: InstructionInfoFactory::new(),
            entries: vec![None; code.graph.blocks.len()],
            open: Vec::new(),
        };
        walk.run();
        walk.collect()
    }
}

struct Walk<'a> {
    code: &'a Code,
    sources: &'a Sources,
    outcomes: &'a Outcomes,
    accesses: HashMap<usize, u64>,
    factory: InstructionInfoFactory,
    entries: Vec<Option<State>>,
    open: Vec<usize>,
}

impl Walk<'_> {
    fn enter(&mut self, block: usize, state: &State) {
        let changed = match &mut self.entries[block] {
            Some(entry) => entry.merge(state, self.sources),
            entry @ None => {
                *entry = Some(state.clone());
                true
            }
        };
        if changed {
            self.open.push(block);
        }
    }

    fn step(&mut self, state: &mut State, at: usize) {
        let instruction = &self.code.instructions[at];
        let accessed = self.accesses.get(&at).copied();
        if matches!(instruction.flow, Flow::Call(_) | Flow::CallIndirect) {
            let outcome = self.outcomes.get(&at).copied().unwrap_or(Outcome::NOTHING);
            return match &instruction.raw {
                Raw::X86(_) => x86::call(state, outcome),
                Raw::Aarch64(..) => aarch64::call(state, outcome),
            };
        }
        match &instruction.raw {
            Raw::X86(raw) => x86::step(state, raw, accessed, self.sources, &mut self.factory),
            Raw::Aarch64(word, raw) => aarch64::step(state, *word, raw.as_ref(), accessed, self.sources),
        }
    }

    /// What holds where the branch is taken, and where it is not.
    fn branch(&self, state: &State, at: usize) -> (Facts, Facts) {
        match &self.code.instructions[at].raw {
            Raw::X86(raw) => x86::branch(state, raw),
            Raw::Aarch64(word, _) => aarch64::branch(state, *word, self.sources),
        }
    }

    fn run(&mut self) {
        let code = self.code;
        let graph = &code.graph;
        if graph.blocks.is_empty() {
            return;
        }
        let pads = landing_pads(&code.instructions, graph);
        self.enter(0, &State::new());
        loop {
            while let Some(block) = self.open.pop() {
                let Some(mut state) = self.entries[block].clone() else { continue };
                for at in graph.blocks[block].clone() {
                    self.step(&mut state, at);
                    if matches!(code.instructions[at].flow, Flow::Call(_) | Flow::CallIndirect) {
                        for &pad in &pads {
                            self.enter(pad, &state);
                        }
                    }
                }
                let last = graph.blocks[block].end - 1;
                if let Flow::Branch(target) = code.instructions[last].flow {
                    let (taken, not) = self.branch(&state, last);
                    for &next in &graph.successors[block] {
                        let start = graph.blocks[next].start;
                        let is_target = code.instructions[start].address == target;
                        let facts = match (is_target, start == last + 1) {
                            (true, true) => taken & not,
                            (true, false) => taken,
                            _ => not,
                        };
                        self.enter(next, &state.with(facts));
                    }
                } else {
                    for &next in &graph.successors[block] {
                        self.enter(next, &state);
                    }
                }
            }
            // What nothing leads to may be entered in a way that is not seen.
            let is_open = |&block: &usize| {
                self.entries[block].is_none() && !is_padding(&code.instructions[graph.blocks[block].clone()])
            };
            match (0..graph.blocks.len()).find(is_open) {
                Some(block) => self.enter(block, &State::new()),
                None => break,
            }
        }
    }

    fn collect(mut self) -> Guards {
        /// A function that does little else than to identify the CPU.
        const SMALL: usize = 32;
        let code = self.code;
        let mut guards = Guards::none(code);
        let mut returns: Option<[Value; 2]> = None;
        for (range, entry) in code.graph.blocks.iter().zip(core::mem::take(&mut self.entries)) {
            let mut state = entry.unwrap_or_else(State::new);
            // Registers that hold an address which was computed in this block and only selected since.
            let mut held: Vec<(usize, usize)> = Vec::new();
            for at in range.clone() {
                guards.shown[at] = state.shown;
                guards.stores.extend(self.stored(&state, at));
                self.selections(&state, at, &mut held, &mut guards);
                match code.instructions[at].flow {
                    Flow::Branch(_) => _ = guards.taken.insert(at, state.shown | self.branch(&state, at).0),
                    Flow::Return => {
                        let second = if self.is_x86(at) { 2 } else { 1 };
                        let now =
                            [state.registers[0], state.registers[second]].map(|v| v.given(state.shown, self.sources));
                        let merged = returns.map_or(now, |before| {
                            [before[0].merge(now[0], self.sources), before[1].merge(now[1], self.sources)]
                        });
                        returns = Some(merged);
                    }
                    _ => {}
                }
                self.step(&mut state, at);
            }
            self.kept_on_one_way(&state, range, &held, &mut guards);
        }
        guards.outcome = Outcome {
            values: returns.unwrap_or([PLAIN; 2]),
            fills: code.instructions.len() <= SMALL && code.instructions.iter().any(identifies),
        };
        guards
    }

    /// Addresses that the block computes before a branch on a test, and that are overwritten on one of its ways.
    fn kept_on_one_way(
        &mut self,
        state: &State,
        block: &core::ops::Range<usize>,
        held: &[(usize, usize)],
        guards: &mut Guards,
    ) {
        let code = self.code;
        let last = block.end - 1;
        let Flow::Branch(target) = code.instructions[last].flow else { return };
        let (taken, not) = self.branch(state, last);
        let target = code.graph.blocks.iter().position(|b| code.instructions[b.start].address == target);
        let next = code.graph.blocks.iter().position(|b| b.start == last + 1);
        for &(register, computed) in held {
            let [taken_keeps, next_keeps] =
                [target, next].map(|way| way.is_none_or(|way| !self.overwrites(way, register)));
            let facts = match (taken_keeps, next_keeps) {
                (true, false) => taken,
                (false, true) => not,
                _ => continue,
            };
            if facts != 0 {
                guards.selected.entry(computed).or_insert(state.shown | facts);
            }
        }
    }

    /// Whether a block writes a register before it reads it.
    fn overwrites(&mut self, block: usize, register: usize) -> bool {
        for at in self.code.graph.blocks[block].clone() {
            let instruction = &self.code.instructions[at];
            if matches!(instruction.flow, Flow::Call(_) | Flow::CallIndirect) {
                return false;
            }
            let touched = match &instruction.raw {
                Raw::X86(raw) => x86::overwrites(raw, register, &mut self.factory),
                Raw::Aarch64(word, _) => {
                    aarch64::touches(*word, register).then(|| aarch64::overwrites(*word, register))
                }
            };
            if let Some(overwrites) = touched {
                return overwrites;
            }
        }
        false
    }

    /// The variable to which an instruction writes what the CPU has.
    fn stored(&self, state: &State, at: usize) -> Option<Store> {
        let address = *self.accesses.get(&at)?;
        let (value, size) = match &self.code.instructions[at].raw {
            Raw::X86(raw) => x86::stored(state, raw),
            Raw::Aarch64(word, _) => aarch64::stored(state, *word),
        }?;
        let meaning = if value.is_word() { Meaning::Bits } else { Meaning::Flag };
        let is_new = || self.sources.variable(address).is_none();
        (value.is_answer() && is_new()).then_some(Store { address, size, meaning })
    }

    fn is_x86(&self, at: usize) -> bool {
        matches!(self.code.instructions[at].raw, Raw::X86(_))
    }

    /// Keeps account of addresses that are computed without a test and selected by one.
    fn selections(&mut self, state: &State, at: usize, held: &mut Vec<(usize, usize)>, guards: &mut Guards) {
        let raw = &self.code.instructions[at].raw;
        let select = match raw {
            Raw::X86(raw) => x86::select(state, raw),
            Raw::Aarch64(word, _) => aarch64::select(state, *word),
        };
        let destination = match raw {
            Raw::X86(raw) => x86::destination(raw),
            Raw::Aarch64(word, _) => aarch64::destination(*word),
        };
        let written = match raw {
            Raw::X86(raw) => x86::selected(raw),
            Raw::Aarch64(word, _) => Some((word & 31) as usize),
        };
        let factory = &mut self.factory;
        held.retain(|&(register, computed)| {
            let touched = match raw {
                Raw::X86(raw) => x86::touches(raw, register, factory),
                Raw::Aarch64(word, _) => aarch64::touches(*word, register),
            };
            if !touched {
                return true;
            }
            let mut sides = select.iter().flatten().filter(|(side, _)| *side == register);
            match (sides.next(), sides.next()) {
                (Some((_, facts)), None) if !guards.selected.contains_key(&computed) => {
                    guards.selected.insert(computed, state.shown | facts);
                    // The register that is not written still holds the address.
                    written != Some(register)
                }
                _ => {
                    if destination != Some(register) {
                        guards.selected.remove(&computed);
                    }
                    false
                }
            }
        });
        held.extend(destination.map(|register| (register, at)));
    }
}

#[cfg(test)]
mod tests;
