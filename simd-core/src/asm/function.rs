use crate::asm::prelude::*;
use core::fmt;
use core::ops::Deref;
use std::collections::{HashSet, VecDeque};

use super::binary::{Binary, Symbol};
use super::code::{Call, Callee, Code, Loop};
use super::{Assert, CallLeft, Error, Features, Instruction, Target, left, listing, path, target};

/// A function of a binary, with its machine code.
pub struct Function {
    binary: Binary,
    path: String,
    symbol: String,
    target: Option<Target>,
    copies: Vec<Code>,
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function").field("path", &self.path).field("copies", &self.copies.len()).finish_non_exhaustive()
    }
}

impl Function {
    pub(super) fn new(binary: &Binary, path: String, symbol: String, from: &Symbol) -> Self {
        let target = target::of(&path::parse(&path), binary.architecture());
        let copies = vec![binary.inner.code(from)];
        Self { binary: binary.clone(), path, symbol, target, copies }
    }

    /// Another copy of the same function, unless it is a second name of one that is known.
    pub(super) fn add(&mut self, from: &Symbol) {
        if self.copies.iter().all(|copy| copy.range.start != from.address) {
            self.copies.push(self.binary.inner.code(from));
        }
    }

    pub(super) fn binary(&self) -> &Binary {
        &self.binary
    }

    pub(super) fn code(&self) -> &[Code] {
        &self.copies
    }

    /// The demangled path, without hashes.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The symbol as the linker knows it.
    #[must_use]
    pub fn symbol(&self) -> &str {
        &self.symbol
    }

    /// What this function was compiled for, if it is a clone or lies in one (as a closure does).
    #[must_use]
    pub fn target(&self) -> Option<Target> {
        self.target
    }

    /// The features that every instruction may use: those of the target, and those that the build had enabled.
    #[must_use]
    pub fn features(&self) -> Features {
        match self.target {
            Some(Target::Features(features)) => features.union(&self.binary.enabled),
            Some(Target::Baseline) | None => self.binary.enabled,
        }
    }

    /// How many copies of the code the binary holds. The compiler makes one for each codegen unit that uses an
    /// `#[inline]` function. Assertions are about all of them; the other methods here are about the first.
    #[must_use]
    pub fn copies(&self) -> usize {
        self.copies.len()
    }

    /// The instructions, in the order of their addresses.
    #[must_use]
    pub fn instructions(&self) -> &[Instruction] {
        &self.copies[0].instructions
    }

    /// The number of instructions whose mnemonic is this; `*` stands for any text.
    #[must_use]
    pub fn count(&self, mnemonic: &str) -> usize {
        self.instructions().iter().filter(|i| path::glob(mnemonic, i.mnemonic())).count()
    }

    /// All calls, and jumps to other functions.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.copies[0].calls(&self.binary.inner)
    }

    /// The natural loops, in the order of their first instructions.
    #[must_use]
    pub fn loops(&self) -> Vec<Loop> {
        self.copies[0].loops()
    }

    /// The bytes of stack that the function takes at most: what it pushes and reserves, on all ways together.
    #[must_use]
    pub fn stack_frame(&self) -> u64 {
        self.copies[0].stack().iter().map(|effect| effect.grows).sum()
    }

    /// The instructions, by index, that write into the stack frame. Saving a register of the caller's is not counted;
    /// local arrays are, as they cannot be told from spilled registers.
    #[must_use]
    pub fn stack_stores(&self) -> Vec<usize> {
        let effects = self.copies[0].stack();
        effects.iter().enumerate().filter(|(_, effect)| effect.stores > 0).map(|(at, _)| at).collect()
    }

    /// The instructions, by index, that take a decision: those that read the feature words or point to them, and calls
    /// into `simd_core::known`.
    #[must_use]
    pub fn dispatches(&self) -> Vec<usize> {
        self.copies[0].dispatches(&self.binary.inner)
    }

    /// The functions that lie in this one by their paths, and were compiled alone: closures, nested functions.
    #[must_use]
    pub fn nested(&self) -> Vec<Self> {
        let outer = path::parse(&self.path);
        self.binary.select(path::identifier(&outer), |have| have.len() > outer.len() && have.starts_with(&outer))
    }

    /// The function's code as it is printed where an assertion fails.
    #[must_use]
    pub fn listing(&self) -> String {
        listing::listing(self, &[])
    }

    /// What this function calls, each callee once, and what it is: a clone, a dispatcher, or ordinary code.
    #[must_use]
    pub fn calls_left(&self) -> Vec<CallLeft> {
        left::calls_left(&self.binary.inner, &self.copies[0])
    }

    /// [`calls_left`](Self::calls_left) in words, for each copy of the code.
    #[must_use]
    pub fn report(&self) -> String {
        listing::report(self)
    }

    /// Starts a chain of assertions.
    #[must_use]
    pub fn assert(&self) -> Assert<'_> {
        Assert::new(self)
    }

    /// Follows all calls whose callee is known, breadth first. `goal` is asked about each callee, before the `descend`
    /// that says whether to look into it. Returns, for the first goal met, the index of the call in this function and
    /// the names on the way.
    pub(super) fn search(
        &self,
        copy: &Code,
        goal: impl Fn(&Callee, Option<&Code>) -> bool,
        descend: impl Fn(&str) -> bool,
    ) -> Vec<(usize, Vec<String>)> {
        let inner = &self.binary.inner;
        let mut hits = Vec::new();
        for call in copy.calls(inner) {
            let mut seen = HashSet::from([copy.range.start]);
            let mut open = VecDeque::from([(call.callee, Vec::<String>::new())]);
            while let Some((callee, mut way)) = open.pop_front() {
                way.push(callee.to_string());
                let code = match &callee {
                    Callee::Function { path, address, .. } if descend(path) => {
                        if !seen.insert(*address) {
                            continue;
                        }
                        inner.symbol_at(*address).map(|symbol| inner.code(symbol))
                    }
                    _ => None,
                };
                if goal(&callee, code.as_ref()) {
                    hits.push((call.index, way));
                    break;
                }
                for next in code.iter().flat_map(|code| code.calls(inner)) {
                    open.push_back((next.callee, way.clone()));
                }
            }
        }
        hits
    }
}

/// The clones of one dispatched function, instances of a generic one included.
#[derive(Debug)]
pub struct Clones {
    path: String,
    functions: Vec<Function>,
}

impl Clones {
    pub(super) fn new(path: &str, functions: Vec<Function>) -> Self {
        Self { path: path.to_owned(), functions }
    }

    /// The clone for the target with these features, as `"avx2,pclmulqdq"`; the order and implied names do not matter.
    ///
    /// # Errors
    /// [`Error::UnknownFeature`]; [`Error::NoSuchTarget`] with the targets that there are; [`Error::Ambiguous`] for a
    /// generic function with several instances.
    pub fn target(&self, features: &str) -> Result<&Function, Error> {
        let architecture = self.functions[0].binary.architecture();
        self.one(features, Target::Features(Features::parse(architecture, features)?))
    }

    /// The clone for CPUs that have none of the targets.
    ///
    /// # Errors
    /// As [`Clones::target`].
    pub fn baseline(&self) -> Result<&Function, Error> {
        self.one("baseline", Target::Baseline)
    }

    fn one(&self, name: &str, target: Target) -> Result<&Function, Error> {
        let mut found = self.functions.iter().filter(|function| function.target == Some(target));
        match (found.next(), found.next()) {
            (Some(function), None) => Ok(function),
            (Some(one), Some(_)) => Err(Error::Ambiguous {
                path: format!("{} for {name}", self.path),
                candidates: self.iter().filter(|f| f.target == one.target).map(|f| f.symbol.clone()).collect(),
            }),
            _ => Err(Error::NoSuchTarget {
                path: self.path.clone(),
                target: name.to_owned(),
                targets: self.iter().filter_map(|f| f.target).map(|target| format!("{target}")).collect(),
            }),
        }
    }

    /// The clones by themselves.
    #[must_use]
    pub fn into_vec(self) -> Vec<Function> {
        self.functions
    }

    /// [`Function::report`] of each.
    #[must_use]
    pub fn report(&self) -> String {
        self.iter().map(Function::report).collect::<Vec<_>>().join("\n")
    }
}

impl Deref for Clones {
    type Target = [Function];

    fn deref(&self) -> &[Function] {
        &self.functions
    }
}

impl<'a> IntoIterator for &'a Clones {
    type Item = &'a Function;
    type IntoIter = core::slice::Iter<'a, Function>;

    fn into_iter(self) -> Self::IntoIter {
        self.functions.iter()
    }
}
