//! The needs of one function, and where it leads.

use std::collections::BTreeMap;

use iced_x86::Mnemonic;

use super::sources::Sources;
use crate::code::Code;
use crate::features::Features;
use crate::image::{Image, Value};
use crate::instruction::{Instruction, Raw};
use crate::program::{Program, Symbol};
use crate::values::state::Analysis;

/// The start of names for code that has none.
pub(crate) const UNNAMED: &str = "code without a symbol at ";

/// An instruction that the baseline lacks.
#[derive(Clone, Debug)]
pub(crate) struct Above {
    /// Among the function's instructions.
    pub(crate) at: usize,
    pub(crate) address: u64,
    pub(crate) text: String,
    /// Rustc's names or else the decoder's.
    pub(crate) needs: Vec<String>,
}

/// Of one function, whatever the CPU has.
pub(crate) struct Summary {
    pub(crate) above: Vec<Above>,
    pub(crate) ways: Ways,
    /// The addresses in memory that it reads or writes.
    pub(crate) accesses: Vec<u64>,
    /// Where it writes how many bytes, and what.
    pub(crate) stores: Vec<Store>,
    /// Whether it reads from the CPU itself, or by another library, what the CPU has.
    pub(crate) asks: bool,
    /// The value that it returns, unless it never does.
    pub(crate) returned: Option<[Value; 2]>,
}

pub(crate) type Store = (u64, u64, Value);

pub(crate) fn stores(found: &Analysis) -> Vec<Store> {
    found.accesses.iter().filter_map(|&(_, at, size, value)| Some((at, size, value?))).collect()
}

/// Where a function leads: what it calls, and the addresses that it makes known.
#[derive(Clone, Default)]
pub(crate) struct Ways {
    pub(crate) to: Vec<u64>,
    /// The places of pointers that it loads one by one.
    pub(crate) loads: Vec<u64>,
}

impl Ways {
    pub(crate) fn new(found: &Analysis, image: &Image, pointers: &BTreeMap<u64, u64>) -> Self {
        let mut ways = Self { to: found.uses.iter().map(|&(_, to)| to).collect(), loads: Vec::new() };
        for &(_, address, size, ref written) in &found.accesses {
            for (&at, &to) in pointers.range(address..address.saturating_add(size)).filter(|_| written.is_none()) {
                ways.loads.push(at);
                // Memory that nothing changes is followed in the registers.
                if image.slot(at) == Value::Unknown {
                    ways.to.push(to);
                }
            }
        }
        for list in [&mut ways.to, &mut ways.loads] {
            list.sort_unstable();
            list.dedup();
        }
        ways
    }
}

/// Whether it reads what the CPU has from the CPU.
fn identifies(instruction: &Instruction) -> bool {
    match &instruction.raw {
        Raw::X86(raw) => raw.mnemonic() == Mnemonic::Cpuid,
        Raw::Aarch64(word, _) => word & 0xffff_0000 == 0xd538_0000,
    }
}

impl Summary {
    pub(crate) fn new(
        program: &Program,
        sources: &Sources,
        baseline: &Features,
        pointers: &BTreeMap<u64, u64>,
        symbol: &Symbol,
    ) -> Self {
        let code = program.code(symbol);
        let found = &code.found;
        let data = data(&code);
        // Code without a symbol that has a type can be data altogether.
        let unread = |i: &Instruction| !symbol.is_typed && !i.is_known();
        let executed = code.instructions.iter().enumerate();
        let executed = executed.filter(|&(at, i)| found.reached[at] && !data[at] && !unread(i));
        let above = executed.filter_map(|(at, instruction)| {
            let needs = instruction.lacking(baseline);
            let (address, text) = (instruction.address, || instruction.to_string());
            (!needs.is_empty()).then(|| Above { at, address, text: text(), needs })
        });
        let imports = found.targets.values().any(|target| match target {
            Value::Import(number) => sources.answers(program.image.import(*number)),
            _ => false,
        });
        let mut accesses: Vec<u64> = found.accesses.iter().map(|&(_, address, ..)| address).collect();
        accesses.sort_unstable();
        accesses.dedup();
        let unread = code.instructions.is_empty().then_some([Value::Unknown; 2]);
        Self {
            above: above.collect(),
            ways: Ways::new(found, &program.image, pointers),
            accesses,
            stores: stores(found),
            asks: imports || code.instructions.iter().any(identifies),
            returned: found.returned.or(unread),
        }
    }
}

/// For each instruction, whether it is data: where nothing branches to, and what follows cannot be decoded. Between functions
/// of assembly that have no sizes there can be tables.
fn data(code: &Code) -> Vec<bool> {
    let mut data = vec![false; code.instructions.len()];
    let blocks = &code.graph.blocks;
    let mut led_to = vec![false; blocks.len()];
    code.graph.successors.iter().flatten().for_each(|&to| led_to[to] = true);
    for pad in (1..blocks.len()).filter(|&block| !led_to[block]) {
        let (mut open, mut seen) = (vec![pad], vec![false; blocks.len()]);
        let mut known = true;
        while let Some(block) = open.pop() {
            if !core::mem::replace(&mut seen[block], true) {
                known &= code.instructions[blocks[block].clone()].iter().all(|i| i.mnemonic() != "(bad)");
                open.extend(&code.graph.successors[block]);
            }
        }
        if !known {
            data[blocks[pad].clone()].fill(true);
        }
    }
    data
}
