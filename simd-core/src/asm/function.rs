use crate::asm::prelude::*;
use core::fmt;
use core::ops::Deref;
use std::collections::{HashSet, VecDeque};

use super::binary::{Binary, Symbol};
use super::code::{Call, Callee, Code, Loop};
use super::{Assert, CallLeft, Error, Features, Instruction, Target, left, listing, path, target};

/// A function of a binary, with its machine code.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// # mod functions { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
/// # functions::sum(core::hint::black_box(&[1, 2]));
/// let sum = simd_core::asm::function("functions::sum")?;
/// println!("{} has {} instructions", sum.path(), sum.instructions().len());
/// # Ok::<(), simd_core::asm::Error>(())
/// ```
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
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod path { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # path::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("path::sum")?;
    /// assert!(sum.path().ends_with("path::sum"));
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The symbol as the linker knows it.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod symbol { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # symbol::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("symbol::sum")?;
    /// assert!(sum.symbol().contains("sum"));
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn symbol(&self) -> &str {
        &self.symbol
    }

    /// What this function was compiled for, if it is a clone or lies in one (as a closure does).
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # #[simd_core::dispatch(targets = "avx2 | x86_64:sse4.1 | aarch64:aes")]
    /// # mod targets { pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # targets::sum(core::hint::black_box(&[1, 2]));
    /// let clones = simd_core::asm::clones("targets::sum")?;
    /// assert!(clones.iter().all(|clone| clone.target().is_some()));
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn target(&self) -> Option<Target> {
        self.target
    }

    /// The features that every instruction may use: those of the target, and those that the build had enabled.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # #[simd_core::dispatch(targets = "avx2 | x86_64:sse4.1 | aarch64:aes")]
    /// # mod features { pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # features::sum(core::hint::black_box(&[1, 2]));
    /// let clones = simd_core::asm::clones("features::sum")?;
    /// for clone in &clones {
    ///     println!("{}: {}", clone.path(), clone.features());
    /// }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn features(&self) -> Features {
        match self.target {
            Some(Target::Features(features)) => features.union(&self.binary.enabled),
            Some(Target::Baseline) | None => self.binary.enabled,
        }
    }

    /// How many copies of the code the binary holds. The compiler makes one for each codegen unit that uses an
    /// `#[inline]` function. Assertions are about all of them; the other methods here are about the first.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod copies { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # copies::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("copies::sum")?;
    /// assert!(sum.copies() >= 1);
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn copies(&self) -> usize {
        self.copies.len()
    }

    /// The instructions, in the order of their addresses.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod instructions { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # instructions::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("instructions::sum")?;
    /// assert!(sum.instructions().iter().any(|instruction| instruction.mnemonic() == "ret"));
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn instructions(&self) -> &[Instruction] {
        &self.copies[0].instructions
    }

    /// The number of instructions whose mnemonic is this; `*` stands for any text.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod count { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # count::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("count::sum")?;
    /// assert_eq!(sum.count("aesenc"), 0);
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn count(&self, mnemonic: &str) -> usize {
        self.instructions().iter().filter(|i| path::glob(mnemonic, i.mnemonic())).count()
    }

    /// All calls, and jumps to other functions.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod calls { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # calls::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("calls::sum")?;
    /// for call in sum.calls() {
    ///     println!("{}", call.callee);
    /// }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.copies[0].calls(&self.binary.inner)
    }

    /// The natural loops, in the order of their first instructions.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod loops { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # loops::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("loops::sum")?;
    /// println!("{} loops", sum.loops().len());
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn loops(&self) -> Vec<Loop> {
        self.copies[0].loops()
    }

    /// The bytes of stack that the function takes at most: what it pushes and reserves, on all ways together.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod stack_frame { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # stack_frame::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("stack_frame::sum")?;
    /// println!("{} bytes of stack", sum.stack_frame());
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn stack_frame(&self) -> u64 {
        self.copies[0].stack().iter().map(|effect| effect.grows).sum()
    }

    /// The instructions, by index, that write into the stack frame. Saving a register of the caller's is not counted;
    /// local arrays are, as they cannot be told from spilled registers.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod stack_stores { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # stack_stores::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("stack_stores::sum")?;
    /// for index in sum.stack_stores() {
    ///     println!("spills: {}", sum.instructions()[index]);
    /// }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn stack_stores(&self) -> Vec<usize> {
        let effects = self.copies[0].stack();
        effects.iter().enumerate().filter(|(_, effect)| effect.stores > 0).map(|(at, _)| at).collect()
    }

    /// The instructions, by index, that take a decision: those that read the feature words or point to them, and calls
    /// into `simd_core::known`.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod dispatches { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # dispatches::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("dispatches::sum")?;
    /// assert!(sum.dispatches().is_empty());
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn dispatches(&self) -> Vec<usize> {
        self.copies[0].dispatches(&self.binary.inner)
    }

    /// The functions that lie in this one by their paths, and were compiled alone: closures, nested functions.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod nested { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # nested::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("nested::sum")?;
    /// for closure in sum.nested() {
    ///     println!("not inlined: {}", closure.path());
    /// }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn nested(&self) -> Vec<Self> {
        let outer = path::parse(&self.path);
        self.binary.select(path::identifier(&outer), |have| have.len() > outer.len() && have.starts_with(&outer))
    }

    /// The function's code as it is printed where an assertion fails.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod listing { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # listing::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("listing::sum")?;
    /// println!("{}", sum.listing());
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn listing(&self) -> String {
        listing::listing(self, &[])
    }

    /// What this function calls, each callee once, and what it is: a clone, a dispatcher, or ordinary code.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod left { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # left::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("left::sum")?;
    /// for call in sum.calls_left() {
    ///     println!("{} times {}: {:?}", call.times, call.callee, call.kind);
    /// }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn calls_left(&self) -> Vec<CallLeft> {
        left::calls_left(&self.binary.inner, &self.copies[0])
    }

    /// [`calls_left`](Self::calls_left) in words, for each copy of the code.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod report { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # report::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("report::sum")?;
    /// println!("{}", sum.report());
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn report(&self) -> String {
        listing::report(self)
    }

    /// Starts a chain of assertions.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod assertions { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # assertions::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("assertions::sum")?;
    /// sum.assert().at_most(500);
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
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
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// # #[simd_core::dispatch(targets = "avx2 | x86_64:sse4.1 | aarch64:aes")]
/// # mod clones { pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
/// # clones::sum(core::hint::black_box(&[1, 2]));
/// let clones = simd_core::asm::clones("clones::sum")?;
/// for clone in &clones {
///     println!("{}", clone.path());
/// }
/// # Ok::<(), simd_core::asm::Error>(())
/// ```
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
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # #[simd_core::dispatch(targets = "avx2 | x86_64:sse4.1 | aarch64:aes")]
    /// # mod one_target { pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # one_target::sum(core::hint::black_box(&[1, 2]));
    /// let clones = simd_core::asm::clones("one_target::sum")?;
    /// # if cfg!(all(target_arch = "x86_64", not(target_feature = "avx2"))) {
    /// clones.target("avx2")?.assert().within_target();
    /// # }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
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
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # #[simd_core::dispatch(targets = "avx2 | x86_64:sse4.1 | aarch64:aes")]
    /// # mod the_baseline { pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # the_baseline::sum(core::hint::black_box(&[1, 2]));
    /// let clones = simd_core::asm::clones("the_baseline::sum")?;
    /// # if cfg!(all(target_arch = "x86_64", not(target_feature = "sse4.1"))) {
    /// clones.baseline()?.assert().within_target();
    /// # }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
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
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # #[simd_core::dispatch(targets = "avx2 | x86_64:sse4.1 | aarch64:aes")]
    /// # mod all_of_them { pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # all_of_them::sum(core::hint::black_box(&[1, 2]));
    /// let clones = simd_core::asm::clones("all_of_them::sum")?;
    /// let clones: Vec<simd_core::asm::Function> = clones.into_vec();
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn into_vec(self) -> Vec<Function> {
        self.functions
    }

    /// [`Function::report`] of each.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # #[simd_core::dispatch(targets = "avx2 | x86_64:sse4.1 | aarch64:aes")]
    /// # mod report_of_clones { pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # report_of_clones::sum(core::hint::black_box(&[1, 2]));
    /// let clones = simd_core::asm::clones("report_of_clones::sum")?;
    /// println!("{}", clones.report());
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
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
