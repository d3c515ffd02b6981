//! The machine code of one function, and what can be said of it by itself.

use core::ops::Range;
use std::collections::{BTreeSet, HashSet};

use crate::decode;
use crate::features::Features;
use crate::flow::Graph;
use crate::image::{Image, Value};
use crate::instruction::{Flow, Instruction, StackEffect};
use crate::lanes::Work;
use crate::values::{self, oracle::Unknown, state::Analysis};

/// One copy of a function's machine code.
pub(crate) struct Code {
    pub(crate) range: Range<u64>,
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) found: Analysis,
    pub(crate) graph: Graph,
    /// The places to which its jump tables lead.
    pub(crate) cases: Vec<u64>,
}

/// A loop: the instructions from which a jump leads back to its first one.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// #[inline(never)]
/// pub fn rotating_sum(bytes: &[u8]) -> u8 {
///     bytes.iter().fold(7, |sum, byte| sum.rotate_left(1) ^ byte)
/// }
///
/// # rotating_sum(core::hint::black_box(&[1, 2]));
/// for found in simd_core_asm::function("rotating_sum")?.loops().iter().filter(|found| found.is_innermost) {
///     println!("{:#x}: {} instructions, {} bits wide", found.start, found.body.len(), found.width);
/// }
/// # Ok::<(), simd_core_asm::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Loop {
    /// The address of the first instruction.
    pub start: u64,
    /// The places of its instructions in [`Function::instructions`](crate::Function::instructions).
    pub body: Vec<usize>,
    /// The width in bits of the widest vector registers on which the body computes; 0 if it is scalar.
    pub width: u32,
    /// Whether it holds no other loop.
    pub is_innermost: bool,
    /// The places where it ends: one for a loop that runs to its end.
    pub exits: Vec<usize>,
    /// The places of the instructions that are in no loop within it.
    pub own: Vec<usize>,
    /// Their work on vectors.
    pub work: Work,
}

impl Code {
    pub(crate) fn new(image: &Image, address: u64, size: u64) -> Self {
        let instructions = instructions(image, &(address..address.saturating_add(size)));
        let graph = Graph::new(&instructions);
        let found = values::analyse(image, &instructions, &graph, &Unknown);
        let end = instructions.last().map_or(address, Instruction::end);
        Self { range: address..end, instructions, found, graph, cases: Vec::new() }
    }

    /// A function with all ways into it: its parts, the first one first, and where else other code enters it.
    pub(crate) fn entered(image: &Image, parts: &[Range<u64>], entries: &BTreeSet<u64>) -> Self {
        let entries: Vec<u64> = entries.iter().copied().collect();
        let mut instructions: Vec<Instruction> =
            parts.iter().flat_map(|part| self::instructions(image, part)).collect();
        // A jump can lead into an instruction.
        let mut starts: HashSet<u64> = instructions.iter().map(|i| i.address).collect();
        let mut open: Vec<u64> = entries.iter().copied().chain(instructions.iter().filter_map(target)).collect();
        while let Some(to) = open.pop() {
            let Some(part) = parts.iter().find(|part| part.contains(&to) && !starts.contains(&to)) else { continue };
            let bytes = image.read(to..part.end).unwrap_or_default();
            let mut goes_on = true;
            let more = decode::each(image.architecture, bytes, to)
                .take_while(|i| core::mem::replace(&mut goes_on, i.flow.goes_on()) && starts.insert(i.address));
            let more: Vec<Instruction> = more.collect();
            // A number in the code can look like an address.
            if more.iter().all(|i| i.mnemonic() != "(bad)") {
                open.extend(more.iter().filter_map(target));
                instructions.extend(more);
            }
        }
        let analysed = |entries: &[u64], cases: &[u64]| {
            let graph = Graph::with(&instructions, entries, cases);
            (values::analyse(image, &instructions, &graph, &Unknown), graph)
        };
        let (mut found, mut graph) = analysed(&entries, &[]);
        let mut cases: Vec<u64> = found.uses.iter().map(|&(_, to)| to).filter(|to| graph.at(*to).is_some()).collect();
        if instructions.iter().any(|i| i.flow == Flow::JumpIndirect) {
            tables(image, &instructions, &graph, &found, &mut cases);
            (found, graph) = analysed(&entries, &cases);
        } else if !cases.is_empty() {
            // Nothing here jumps to the places whose addresses it takes.
            (found, graph) = analysed(&[&entries[..], &cases].concat(), &[]);
        }
        Self { range: parts[0].clone(), instructions, found, graph, cases }
    }

    /// The instructions that compute or access an address in this range.
    pub(crate) fn references(&self, range: &Range<u64>) -> Vec<usize> {
        let mut out: Vec<usize> =
            self.found.references.iter().filter(|(_, address)| range.contains(address)).map(|&(at, _)| at).collect();
        out.dedup();
        out
    }

    pub(crate) fn loops(&self) -> Vec<Loop> {
        let loops = self.graph.loops();
        let mut out: Vec<Loop> = loops
            .iter()
            .map(|(header, blocks)| {
                let instructions = |block: usize| self.graph.blocks[block].clone();
                let body: Vec<usize> = blocks.iter().copied().flat_map(instructions).collect();
                let inner: Vec<_> =
                    loops.iter().filter(|(other, _)| other != header && blocks.contains(other)).collect();
                let is_own = |block: &usize| !inner.iter().any(|(_, within)| within.contains(block));
                let own: Vec<usize> = blocks.iter().copied().filter(is_own).flat_map(instructions).collect();
                let leaves = |block: &usize| self.graph.successors[*block].iter().any(|to| !blocks.contains(to));
                let exits = blocks.iter().copied().filter(leaves).map(|block| self.graph.blocks[block].end - 1);
                Loop {
                    exits: exits.collect(),
                    start: self.instructions[self.graph.blocks[*header].start].address,
                    width: body.iter().map(|&at| self.instructions[at].arithmetic_width()).max().unwrap_or(0),
                    is_innermost: inner.is_empty(),
                    work: Work::of(own.iter().map(|&at| &self.instructions[at])),
                    own,
                    body,
                }
            })
            .collect();
        out.sort_by_key(|found| found.start);
        out
    }

    /// The features by rustc's names that the instructions need beyond these.
    pub(crate) fn needs(&self, have: &Features) -> Features {
        let names: BTreeSet<String> = self.instructions.iter().flat_map(|i| i.lacking(have)).collect();
        // A feature without a name in rustc is enabled for no function.
        let known = names.iter().filter_map(|name| Features::parse(have.architecture(), name).ok());
        known.fold(Features::none(have.architecture()), |all, one| all.union(&one))
    }

    /// Whether one of these instructions computes on vectors.
    pub(crate) fn has_vectors(&self, wanted: impl Fn(&Instruction) -> bool) -> bool {
        self.instructions.iter().any(|i| i.arithmetic_width() > 0 && wanted(i))
    }

    pub(crate) fn stack(&self) -> Vec<StackEffect> {
        decode::stack_effects(&self.instructions)
    }
}

fn target(instruction: &Instruction) -> Option<u64> {
    if let Flow::Branch(to) | Flow::Jump(to) = instruction.flow { Some(to) } else { None }
}

fn instructions(image: &Image, range: &Range<u64>) -> Vec<Instruction> {
    let bytes = image.read(range.clone()).unwrap_or_default();
    let mut instructions = decode::decode(image.architecture, bytes, range.start);
    trim_padding(image, &mut instructions);
    instructions
}

/// Adds the places to which jump tables lead: all blocks, if one of them is not found.
fn tables(image: &Image, instructions: &[Instruction], graph: &Graph, found: &Analysis, cases: &mut Vec<u64>) {
    /// Instructions before a jump, among which is the one that reads its table.
    const NEAR: usize = 12;
    let inside = |to: &u64| graph.at(*to).is_some();
    let width = image.width() as usize;
    let mut readers = BTreeSet::new();
    let used: BTreeSet<u64> = found.uses.iter().map(|&(_, to)| to).collect();
    for &table in used.iter().filter(|to| !image.is_code(**to)) {
        let held = |at: u64| {
            image.pointers.get(&at).copied().or_else(|| image.number(at, image.width()).filter(|_| image.fixed))
        };
        let before = cases.len();
        let bases = used.iter().copied().filter(|to| *to == table || inside(to));
        let distances = |base: u64| (table..).step_by(4).map_while(move |at| image.distant(base, at).filter(inside));
        cases.extend(bases.flat_map(distances));
        cases.extend((table..).step_by(width).map_while(|at| held(at).filter(inside)));
        if cases.len() > before {
            readers.extend(found.uses.iter().filter(|(_, to)| *to == table).map(|&(at, _)| at));
        }
    }
    let is_known = |at: &usize| matches!(found.targets.get(at), Some(Value::Address(_) | Value::Import(_)));
    let jumps = (0..instructions.len()).filter(|at| instructions[*at].flow == Flow::JumpIndirect && !is_known(at));
    let mut jumps = jumps.filter(|&at| decode::is_jump_table(instructions, at));
    if !jumps.all(|jump| readers.range(jump.saturating_sub(NEAR)..=jump).next().is_some()) {
        cases.extend(graph.blocks.iter().map(|block| instructions[block.start].address));
    }
    cases.sort_unstable();
    cases.dedup();
}

/// Whether an instruction only fills the space between functions.
pub(crate) fn fills(image: &Image, i: &Instruction) -> bool {
    matches!(i.mnemonic(), "nop" | "int3" | "udf")
        || image.read(i.address()..i.end()).is_some_and(|all| all.iter().all(|&byte| byte == 0))
}

/// Without sizes in the symbol table, a function's extent takes in the padding before the next one. A call can be the
/// last instruction: of a function that does not return.
fn trim_padding(image: &Image, instructions: &mut Vec<Instruction>) {
    let ends = |i: &Instruction| !matches!(i.flow, Flow::Next | Flow::Branch(_));
    while let [.., before, last] = instructions.as_slice() {
        if !(fills(image, last) && (ends(before) || fills(image, before))) {
            break;
        }
        instructions.pop();
    }
}
