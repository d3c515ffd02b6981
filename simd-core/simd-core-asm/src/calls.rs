//! The calls of a function.

use core::fmt;

use crate::code::Code;
use crate::decode;
use crate::image::Value;
use crate::instruction::Flow;
use crate::path;
use crate::program::{Program, Symbol};
use crate::runtime;
use crate::target::{self, Target};

/// A call, or a jump that leaves the function for good.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// #[inline(never)]
/// pub fn apply_to_one(operation: fn(u64, u64) -> u64, value: u64) -> u64 {
///     operation(value, 1) + 1
/// }
///
/// # core::hint::black_box(apply_to_one as fn(fn(u64, u64) -> u64, u64) -> u64)(|a, b| a ^ b, 3);
/// let apply_to_one = simd_core_asm::function("apply_to_one")?;
/// for call in apply_to_one.calls() {
///     println!("{}: {}", apply_to_one.instructions()[call.index], call.callee);
/// }
/// # Ok::<(), simd_core_asm::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Call {
    /// The place of the instruction in [`Function::instructions`](crate::Function::instructions).
    pub index: usize,
    /// Whether the callee returns to this function's caller.
    pub is_tail: bool,
    /// The callee.
    pub callee: Callee,
}

/// The target of a call.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// use simd_core_asm::Callee;
///
/// #[inline(never)]
/// pub fn ask_callback(callback: &dyn Fn(u64) -> u64) -> u64 {
///     callback(3) ^ 1
/// }
///
/// # ask_callback(core::hint::black_box(&|x| x + 1));
/// let calls = simd_core_asm::function("ask_callback")?.calls();
/// assert!(calls.iter().any(|call| call.callee == Callee::Indirect && call.callee.name().is_none()));
/// # Ok::<(), simd_core_asm::Error>(())
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
        /// The target of the clone that it is, or is part of.
        target: Option<Target>,
    },
    /// A function of another library, by its symbol.
    Import(String),
    /// Only known at run time: a function pointer or a method of a trait object.
    Indirect,
}

impl Callee {
    /// The path or symbol, unless the call is indirect.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Function { path, .. } | Self::Import(path) => Some(path),
            Self::Indirect => None,
        }
    }

    /// The target of the clone that it is, or is part of.
    pub(crate) fn target(&self) -> Option<Target> {
        match self {
            Self::Function { target, .. } => *target,
            Self::Import(_) | Self::Indirect => None,
        }
    }

    /// Whether it is a function of simd-core that tests CPU features.
    pub(crate) fn decides(&self) -> bool {
        self.name().is_some_and(runtime::decides)
    }
}

impl fmt::Display for Callee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name().unwrap_or("(indirect)"))
    }
}

impl Program {
    pub(crate) fn code(&self, symbol: &Symbol) -> Code {
        Code::new(&self.image, symbol.address, symbol.size)
    }

    /// The code of the callee, if it is a function of this file.
    pub(crate) fn code_of(&self, callee: &Callee) -> Option<Code> {
        let Callee::Function { address, .. } = callee else { return None };
        self.symbol_at(*address).map(|symbol| self.code(symbol))
    }

    /// Names the function at an address; follows the stubs through which other libraries are called.
    pub(crate) fn resolve(&self, address: u64) -> Callee {
        let symbol = self.symbol_at(address);
        // Windows' stubs have symbols, by the name of what they lead to.
        if let Some(symbol) = symbol.filter(|symbol| !self.imports(symbol.plain())) {
            return self.function(symbol.path(), address);
        }
        if self.image.is_code(address) {
            const STUB: u64 = 24;
            let end = (1..=STUB).rev().find(|&size| self.image.read(address..address + size).is_some()).unwrap_or(0);
            let stub = Code::new(&self.image, address, end);
            let jump = stub.instructions.iter().position(|i| i.flow != Flow::Next);
            // In a static file the pointer can lead back to it.
            let leads = |at: &usize| stub.found.targets.get(at) != Some(&Value::Address(address));
            let target = jump.filter(|at| stub.instructions[*at].flow == Flow::JumpIndirect && leads(at));
            match target.map(|at| stub.indirect(self, at)) {
                Some(Callee::Indirect) | None => {}
                Some(callee) => return callee,
            }
        }
        if let Some(symbol) = symbol {
            return self.function(symbol.path(), address);
        }
        let path = match self.symbol_around(address) {
            Some(symbol) => format!("{}+{:#x}", symbol.path(), address - symbol.address),
            None => format!("{address:#x}"),
        };
        self.function(path, address)
    }

    fn imports(&self, name: &str) -> bool {
        self.image.imports.iter().any(|import| import == name)
    }

    fn function(&self, path: String, address: u64) -> Callee {
        let target = target::of(&path::parse(&path), self.image.architecture);
        Callee::Function { path, address, target }
    }
}

impl Code {
    pub(crate) fn calls(&self, program: &Program) -> Vec<Call> {
        let outside = |address: u64| !self.range.contains(&address);
        let mut calls = Vec::new();
        for (index, instruction) in self.instructions.iter().enumerate() {
            let (is_tail, callee) = match instruction.flow {
                Flow::Call(_) if instruction.is_self_call() => continue,
                Flow::Call(to) => (false, program.resolve(to)),
                Flow::Jump(to) | Flow::Branch(to) if outside(to) => (true, program.resolve(to)),
                Flow::CallIndirect => (false, self.indirect(program, index)),
                Flow::JumpIndirect => match self.indirect(program, index) {
                    Callee::Indirect if decode::is_jump_table(&self.instructions, index) => continue,
                    callee => (true, callee),
                },
                _ => continue,
            };
            calls.push(Call { index, is_tail, callee });
        }
        calls
    }

    fn indirect(&self, program: &Program, index: usize) -> Callee {
        match self.found.targets.get(&index) {
            Some(&Value::Address(address)) => program.resolve(address),
            Some(&Value::Import(number)) => Callee::Import(program.image.import(number).to_owned()),
            _ => Callee::Indirect,
        }
    }

    /// The instructions that test CPU features: see [`Function::dispatches`](crate::Function::dispatches).
    pub(crate) fn dispatches(&self, program: &Program) -> Vec<usize> {
        let mut out = program.words.as_ref().map_or_else(Vec::new, |words| self.references(words));
        out.extend(self.calls(program).iter().filter(|call| call.callee.decides()).map(|call| call.index));
        out.sort_unstable();
        out.dedup();
        out
    }
}
