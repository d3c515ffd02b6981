//! The machine code of one function, and what can be said of it alone.

use crate::asm::prelude::*;
use core::fmt;
use core::ops::Range;

use super::binary::Inner;
use super::decode::{self, StackEffect};
use super::flow::Graph;
use super::instruction::{Flow, Instruction};
use super::values::{self, Found, Value};
use super::{Target, path, target};

/// Where simd-core's run-time decisions are taken.
pub(super) const DISPATCH: &str = "simd_core::known::";

/// One copy of a function's machine code.
pub(super) struct Code {
    pub(super) range: Range<u64>,
    pub(super) instructions: Vec<Instruction>,
    graph: Graph,
    found: Found,
}

/// A call, or a jump that leaves the function for good.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// # mod a_call { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
/// # a_call::sum(core::hint::black_box(&[1, 2]));
/// let sum = simd_core::asm::function("a_call::sum")?;
/// for call in sum.calls() {
///     println!("{}: {}", sum.instructions()[call.index], call.callee);
/// }
/// # Ok::<(), simd_core::asm::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Call {
    /// The place of the instruction in [`Function::instructions`](super::Function::instructions).
    pub index: usize,
    /// Does the callee return to this function's caller?
    pub is_tail: bool,
    /// What is called.
    pub callee: Callee,
}

/// What a call leads to.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// # mod a_callee { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
/// # a_callee::sum(core::hint::black_box(&[1, 2]));
/// let sum = simd_core::asm::function("a_callee::sum")?;
/// let indirect = |callee| matches!(callee, simd_core::asm::Callee::Indirect);
/// assert!(!sum.calls().into_iter().any(|call| indirect(call.callee)));
/// # Ok::<(), simd_core::asm::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Callee {
    /// A function of this file, by its demangled path.
    Function {
        /// Its path.
        path: String,
        /// Its address.
        address: u64,
        /// What it was compiled for, if it is a clone or lies in one.
        target: Option<Target>,
    },
    /// A function of another library, by its symbol.
    Import(String),
    /// Only known at run time: a function pointer or a method of a trait object.
    Indirect,
}

impl Callee {
    /// The path or symbol, unless the call is indirect.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod name_of_callee { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # name_of_callee::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("name_of_callee::sum")?;
    /// for call in sum.calls() {
    ///     println!("{}", call.callee.name().unwrap_or("through a pointer"));
    /// }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Function { path, .. } | Self::Import(path) => Some(path),
            Self::Indirect => None,
        }
    }
}

impl fmt::Display for Callee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name().unwrap_or("(indirect)"))
    }
}

/// A loop: the instructions from which a jump leads back to its first one.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// # mod a_loop { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
/// # a_loop::sum(core::hint::black_box(&[1, 2]));
/// let sum = simd_core::asm::function("a_loop::sum")?;
/// for inner in sum.loops() {
///     println!("{inner:?}");
/// }
/// # Ok::<(), simd_core::asm::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Loop {
    /// The address of the first instruction.
    pub start: u64,
    /// The places of its instructions in [`Function::instructions`](super::Function::instructions).
    pub body: Vec<usize>,
    /// The width in bits of the widest vector registers on which the body computes; 0 if it is scalar.
    pub width: u32,
    /// Does it hold no other loop?
    pub is_innermost: bool,
}

impl Code {
    pub(super) fn new(inner: &Inner, address: u64, size: u64) -> Self {
        let image = &inner.image;
        let bytes = image.read(address..address.saturating_add(size)).unwrap_or_default();
        let mut instructions = decode::decode(image.architecture, bytes, address);
        trim_padding(&mut instructions);
        let graph = Graph::new(&instructions);
        let found = values::analyse(image, &instructions, &graph);
        Self { range: address..address.saturating_add(size), instructions, graph, found }
    }

    /// The instructions that compute or access an address in this range.
    pub(super) fn references(&self, range: &Range<u64>) -> Vec<usize> {
        let mut out: Vec<usize> =
            self.found.references.iter().filter(|(_, address)| range.contains(address)).map(|&(at, _)| at).collect();
        out.dedup();
        out
    }

    /// The instructions that decide: see [`Function::dispatches`](super::Function::dispatches).
    pub(super) fn dispatches(&self, inner: &Inner) -> Vec<usize> {
        let mut out = inner.words().map_or_else(Vec::new, |words| self.references(words));
        let decides = |call: &Call| call.callee.name().is_some_and(|name| name.starts_with(DISPATCH));
        out.extend(self.calls(inner).iter().filter(|call| decides(call)).map(|call| call.index));
        out.sort_unstable();
        out.dedup();
        out
    }

    pub(super) fn calls(&self, inner: &Inner) -> Vec<Call> {
        let outside = |address: u64| !self.range.contains(&address);
        let mut calls = Vec::new();
        for (index, instruction) in self.instructions.iter().enumerate() {
            let (is_tail, callee) = match instruction.flow {
                Flow::Call(_) if values::is_self_call(instruction) => continue,
                Flow::Call(to) => (false, resolve(inner, to)),
                Flow::Jump(to) | Flow::Branch(to) if outside(to) => (true, resolve(inner, to)),
                Flow::CallIndirect => (false, self.indirect(inner, index)),
                Flow::JumpIndirect => match self.indirect(inner, index) {
                    Callee::Indirect if decode::is_jump_table(&self.instructions, index) => continue,
                    callee => (true, callee),
                },
                _ => continue,
            };
            calls.push(Call { index, is_tail, callee });
        }
        calls
    }

    fn indirect(&self, inner: &Inner, index: usize) -> Callee {
        match self.found.targets.get(&index) {
            Some(&Value::Address(address)) => resolve(inner, address),
            Some(&Value::Import(number)) => Callee::Import(inner.image.import(number).to_owned()),
            _ => Callee::Indirect,
        }
    }

    pub(super) fn loops(&self) -> Vec<Loop> {
        let loops = self.graph.loops();
        let mut out: Vec<Loop> = loops
            .iter()
            .map(|(header, blocks)| {
                let body: Vec<usize> = blocks.iter().flat_map(|&block| self.graph.blocks[block].clone()).collect();
                Loop {
                    start: self.instructions[self.graph.blocks[*header].start].address,
                    width: body.iter().map(|&at| self.instructions[at].arithmetic_width()).max().unwrap_or(0),
                    is_innermost: !loops.iter().any(|(other, _)| other != header && blocks.contains(other)),
                    body,
                }
            })
            .collect();
        out.sort_by_key(|found| found.start);
        out
    }

    pub(super) fn stack(&self) -> Vec<StackEffect> {
        decode::stack_effects(&self.instructions)
    }
}

/// Without sizes in the symbol table, a function's extent takes in the padding before the next one.
fn trim_padding(instructions: &mut Vec<Instruction>) {
    let is_padding = |i: &Instruction| matches!(i.mnemonic(), "nop" | "int3") || i.mnemonic() == "udf";
    let ends = |i: &Instruction| matches!(i.flow, Flow::Return | Flow::Jump(_) | Flow::JumpIndirect | Flow::Trap);
    while let [.., before, last] = instructions.as_slice() {
        if !(is_padding(last) && (ends(before) || is_padding(before))) {
            break;
        }
        instructions.pop();
    }
}

/// Names the function at an address; follows the stubs through which other libraries are called.
fn resolve(inner: &Inner, address: u64) -> Callee {
    if let Some(symbol) = inner.symbol_at(address) {
        return function(inner, symbol.path(), address);
    }
    if inner.image.is_code(address) {
        const STUB: u64 = 24;
        let end = (1..=STUB).rev().find(|&size| inner.image.read(address..address + size).is_some()).unwrap_or(0);
        let stub = Code::new(inner, address, end);
        let jump = stub.instructions.iter().position(|i| i.flow != Flow::Next);
        let target = jump.filter(|&at| stub.instructions[at].flow == Flow::JumpIndirect);
        match target.map(|at| stub.indirect(inner, at)) {
            Some(Callee::Indirect) | None => {}
            Some(callee) => return callee,
        }
    }
    let path = match inner.symbol_around(address) {
        Some(symbol) => format!("{}+{:#x}", symbol.path(), address - symbol.address),
        None => format!("{address:#x}"),
    };
    function(inner, path, address)
}

fn function(inner: &Inner, path: String, address: u64) -> Callee {
    let target = target::of(&path::parse(&path), inner.image.architecture);
    Callee::Function { path, address, target }
}
