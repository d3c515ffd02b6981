//! What one function needs, and where its tests let it lead.

use std::collections::{BTreeMap, HashMap};

use super::facts::Facts;
use super::guards::{self, Guards, Outcome, Outcomes, Store, has_memory};
use super::sources::Sources;
use crate::calls::Callee;
use crate::code::Code;
use crate::features::Features;
use crate::image::Value as Known;
use crate::instruction::Flow;
use crate::program::{Program, Symbol};
use crate::values::landing_pads;

/// An instruction that the baseline lacks.
#[derive(Clone, Debug)]
pub(crate) struct Above {
    pub(crate) address: u64,
    pub(crate) text: String,
    /// Rustc's names or else the decoder's.
    pub(crate) needs: Vec<String>,
    /// What tests in the function have shown there.
    pub(crate) shown: Facts,
}

/// A way out of a function: a call, a jump, or an address that it makes known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) to: u64,
    pub(crate) shown: Facts,
}

/// Of one function.
#[derive(Default)]
pub(crate) struct Summary {
    pub(crate) above: Vec<Above>,
    pub(crate) ways: Vec<Way>,
    /// The pointers that it loads one by one.
    pub(crate) loads: Vec<u64>,
    /// Variables that it stores in what the CPU has.
    pub(crate) stores: Vec<Store>,
    /// What it reads and writes in memory.
    pub(crate) accesses: Vec<u64>,
    /// What it leaves of the CPU, if anything.
    pub(crate) outcome: Option<Outcome>,
}

/// What all functions are looked at with.
pub(crate) struct Around<'a> {
    pub(crate) program: &'a Program,
    pub(crate) sources: &'a Sources,
    pub(crate) baseline: &'a Features,
    /// All pointers in the file's data.
    pub(crate) pointers: &'a BTreeMap<u64, u64>,
    /// What functions leave of the CPU, by their addresses.
    pub(crate) outcomes: &'a HashMap<u64, Outcome>,
}

impl Around<'_> {
    /// What the calls of a function leave, where that is known.
    fn outcomes(&self, code: &Code) -> Outcomes {
        let mut out = Outcomes::new();
        for (at, instruction) in code.instructions.iter().enumerate() {
            let imported = |name: &str| self.sources.returned(name).map(guards::outcome);
            let returned = match instruction.flow {
                Flow::Call(to) => self.outcomes.get(&to).copied().or_else(|| {
                    if self.program.symbol_at(to).is_some() {
                        return None;
                    }
                    if let Callee::Import(name) = self.program.resolve(to) { imported(&name) } else { None }
                }),
                Flow::CallIndirect => match code.found.targets.get(&at) {
                    Some(Known::Address(to)) => self.outcomes.get(to).copied(),
                    Some(&Known::Import(number)) => imported(self.program.image.import(number)),
                    _ => None,
                },
                _ => None,
            };
            out.extend(returned.map(|returned| (at, returned)));
        }
        out
    }

    pub(crate) fn summary(&self, symbol: &Symbol) -> Summary {
        let code = self.program.code(symbol);
        let outcomes = self.outcomes(&code);
        let guards = if outcomes.is_empty() && !guards::asks(&code, self.sources) {
            Guards::none(&code)
        } else {
            Guards::new(&code, self.sources, &outcomes)
        };
        let data = data(&code);
        let executed = code.instructions.iter().zip(&guards.shown).zip(&data).filter(|(_, data)| !**data);
        let above = executed.filter_map(|((instruction, &shown), _)| {
            let needs = instruction.lacking(self.baseline);
            let (address, text) = (instruction.address, || instruction.to_string());
            (!needs.is_empty()).then(|| Above { address, text: text(), needs, shown })
        });
        let outcome = (guards.outcome != Outcome::NOTHING).then_some(guards.outcome);
        let mut summary =
            Summary { above: above.collect(), outcome, stores: guards.stores.clone(), ..Summary::default() };
        self.ways(&code, &guards, &mut summary);
        summary
    }

    fn ways(&self, code: &Code, guards: &Guards, summary: &mut Summary) {
        let outside = |address: u64| !code.range.contains(&address);
        let mut add = |to: u64, shown: Facts| summary.ways.push(Way { to, shown });
        for (at, instruction) in code.instructions.iter().enumerate() {
            let shown = guards.shown[at];
            match instruction.flow {
                Flow::Call(to) | Flow::Jump(to) if outside(to) => add(to, shown),
                Flow::Branch(to) if outside(to) => add(to, guards.taken.get(&at).copied().unwrap_or(shown)),
                // Recursion asks again.
                Flow::CallIndirect | Flow::JumpIndirect => {
                    if let Some(&Known::Address(to)) = code.found.targets.get(&at) {
                        add(to, shown);
                    }
                }
                Flow::Next if at + 1 == code.instructions.len() => add(instruction.end(), shown),
                _ => {}
            }
        }
        let mut accessed = None;
        for &(at, address) in &code.found.references {
            let shown = guards.selected.get(&at).copied().unwrap_or(guards.shown[at]);
            // A load takes what lies at the address; all else takes the address.
            if has_memory(&code.instructions[at]) && accessed != Some(at) {
                accessed = Some(at);
                summary.accesses.push(address);
                if let Some(&to) = self.pointers.get(&address) {
                    add(to, shown);
                    summary.loads.push(address);
                }
            } else {
                add(address, shown);
            }
        }
    }

    /// What functions leave that are known by their names.
    pub(crate) fn named(program: &Program, paths: &[String], sources: &Sources) -> HashMap<u64, Outcome> {
        let returned = |path: &str| sources.returned(path).map(guards::outcome);
        let named = program.symbols.iter().zip(paths);
        named.filter_map(|(symbol, path)| Some((symbol.address, returned(path)?))).collect()
    }
}

/// For each instruction, whether it is data: where nothing branches to, and what follows cannot be decoded. Between functions
/// of assembly that have no sizes there can be tables.
fn data(code: &Code) -> Vec<bool> {
    let mut data = vec![false; code.instructions.len()];
    let blocks = &code.graph.blocks;
    for pad in landing_pads(&code.instructions, &code.graph) {
        let (mut open, mut seen) = (vec![pad], vec![false; blocks.len()]);
        let mut known = true;
        while let Some(block) = open.pop() {
            if !core::mem::replace(&mut seen[block], true) {
                known &= code.instructions[blocks[block].clone()]
                    .iter()
                    .all(|instruction| instruction.mnemonic() != "(bad)");
                open.extend(&code.graph.successors[block]);
            }
        }
        if !known {
            data[blocks[pad].clone()].fill(true);
        }
    }
    data
}
