//! The needs of one function, and where it leads.

use std::collections::{BTreeMap, BTreeSet};

use super::sources::Sources;
use crate::code::Code;
use crate::features::Features;
use crate::flow;
use crate::image::Value;
use crate::instruction::Instruction;
use crate::program::Program;
use crate::values::state::Analysis;

/// An instruction above the baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Above {
    /// The address in the file.
    pub address: u64,
    /// The instruction.
    pub text: String,
    /// The features of the instruction that the CPU can lack.
    pub needs: Vec<String>,
}

/// Where pointers stand, and where they lead.
pub(crate) type Pointers = BTreeMap<u64, u64>;

/// The start of names for code that has none.
pub(crate) const UNNAMED: &str = "code without a symbol at ";

/// Of one function, whatever the CPU has.
#[derive(Default)]
pub(crate) struct Summary {
    /// The instructions that the baseline lacks, with their places, and whether they are privileged.
    pub(crate) above: Vec<(usize, bool, Above)>,
    pub(crate) effects: Effects,
    /// The addresses in memory that it reads or writes.
    pub(crate) accesses: Vec<u64>,
    /// Whether it reads from the CPU itself, or by another library, what the CPU has.
    pub(crate) asks: bool,
    /// The value that it returns, unless it never does.
    pub(crate) returned: Option<[Value; 2]>,
    /// The places in it to which its own jumps lead by an address.
    pub(crate) cases: Vec<u64>,
}

/// What a function does, on all CPUs or on some.
#[derive(Default)]
pub(crate) struct Effects {
    /// What it calls, and the addresses that it makes known.
    pub(crate) to: Vec<u64>,
    /// The places of pointers that it loads one by one.
    pub(crate) loads: Vec<u64>,
    /// Where it writes how many bytes, and what.
    pub(crate) stores: Vec<(u64, u64, Value)>,
    /// By instruction, whether any way leads to it.
    pub(crate) reached: Vec<bool>,
}

impl Effects {
    pub(crate) fn new(found: Analysis, program: &Program, pointers: &Pointers) -> Self {
        let image = &program.image;
        let used: BTreeSet<u64> = found.uses.iter().map(|&(_, to)| to).collect();
        let (mut to, mut loads) = (used.clone(), BTreeSet::new());
        // Functions by their distances from an address, as compilers write them where the loader would have to write pointers.
        let moved = |from: u64| image.pointers.range(from..from.saturating_add(32)).next().is_some();
        for &table in used.iter().filter(|to| !image.is_code(**to) && !moved(**to)) {
            let bases = used.iter().filter(|to| **to == table || image.is_code(**to));
            for &base in bases.chain(image.fixed.then_some(&0)) {
                let function =
                    |at| image.distant(base, at).filter(|to| *to == base || program.symbol_at(*to).is_some());
                let all: Vec<u64> = (table..).step_by(4).map_while(function).collect();
                // A single number can be the distance between two functions by chance.
                to.extend(all.iter().filter(|_| !image.is_code(base) || all.len() > 1));
            }
        }
        for &(_, address, size, ref written) in &found.accesses {
            for (&at, &held) in pointers.range(address..address.saturating_add(size)).filter(|_| written.is_none()) {
                loads.insert(at);
                // Memory that nothing changes is followed in the registers.
                to.extend((image.slot(at) == Value::Unknown).then_some(held));
            }
        }
        let stores = found.accesses.iter().filter_map(|&(_, at, size, value)| Some((at, size, value?))).collect();
        Self { to: to.into_iter().collect(), loads: loads.into_iter().collect(), stores, reached: found.reached }
    }
}

impl Summary {
    pub(crate) fn new(program: &Program, baseline: &Features, pointers: &Pointers, is_typed: bool, code: Code) -> Self {
        let (data, found) = (data(&code), code.found);
        // Code without a symbol that has a type can be data altogether.
        let runs = |at: usize, i: &Instruction| found.reached[at] && !data[at] && (is_typed || i.is_known());
        let executed = code.instructions.iter().enumerate().filter(|&(at, i)| runs(at, i));
        let above = executed.map(|(at, i)| (at, i, i.lacking(baseline))).filter(|(.., needs)| !needs.is_empty());
        let above = above
            .map(|(at, i, needs)| (at, i.is_privileged(), Above { address: i.address, text: i.to_string(), needs }));
        let answers =
            |to: &Value| matches!(to, Value::Import(symbol) if Sources::answers(&program.image.import_path(*symbol)));
        let accesses: BTreeSet<u64> = found.accesses.iter().map(|&(_, address, ..)| address).collect();
        let unread = code.instructions.is_empty().then_some([Value::Unknown; 2]);
        Self {
            above: above.collect(),
            accesses: accesses.into_iter().collect(),
            asks: found.targets.values().any(answers) || code.instructions.iter().any(Instruction::identifies),
            returned: found.returned.or(unread),
            cases: code.cases,
            effects: Effects::new(found, program, pointers),
        }
    }
}

/// For each instruction, whether it can be a table in assembly: nothing leads there, and some of the function cannot be decoded.
fn data(code: &Code) -> Vec<bool> {
    let mut data = vec![false; code.instructions.len()];
    let mut all = code.instructions.iter();
    if all.clone().any(|i| i.mnemonic() == "(bad)") && !all.any(Instruction::is_call) {
        let reached = flow::reached(code.graph.entries.clone(), &code.graph.successors, None);
        let unreached = code.graph.blocks.iter().zip(reached).filter(|(_, reached)| !reached);
        unreached.for_each(|(block, _)| data[block.clone()].fill(true));
    }
    data
}
