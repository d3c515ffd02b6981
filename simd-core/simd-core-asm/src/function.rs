use core::fmt;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::architecture::Architecture;
use crate::binary::Binary;
use crate::calls::Call;
use crate::code::{Code, Loop};
use crate::error::Error;
use crate::features::Features;
use crate::instruction::Instruction;
use crate::left::{self, CallLeft};
use crate::path::{self, Segment};
use crate::program::Symbol;
use crate::target::{self, Target};

/// A function of a binary, with its machine code.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// #[inline(never)]
/// pub fn longest_run(bits: u64) -> u32 {
///     let mut rest = bits;
///     let mut length = 0;
///     while rest != 0 {
///         rest &= rest << 1;
///         length += 1;
///     }
///     length
/// }
///
/// # longest_run(core::hint::black_box(7));
/// let function = simd_core_asm::function("longest_run")?;
/// println!("{}, as the linker knows it {}", function.path(), function.symbol());
/// println!("{} instructions, {} of them `and`", function.instructions().len(), function.count("and"));
/// println!("{} loops, {} bytes of stack, for {}", function.loops().len(), function.stack_frame(), function.features());
/// assert!(function.target().is_none() && function.dispatches().is_empty()); // an unannotated function
/// println!("{}\n{}", function.report(), function.listing());
/// function.assert().at_most(500);
/// # Ok::<(), simd_core_asm::Error>(())
/// ```
pub struct Function {
    pub(crate) binary: Binary,
    path: String,
    symbol: String,
    target: Option<Target>,
    copies: Vec<Lazy>,
}

/// A copy of a function's code, decoded when it is first asked for: of most functions that are looked at, the name is
/// enough.
struct Lazy {
    address: u64,
    size: u64,
    code: OnceLock<Code>,
}

impl Lazy {
    fn new(from: &Symbol) -> Self {
        Self { address: from.address, size: from.size, code: OnceLock::new() }
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function").field("path", &self.path).field("copies", &self.copies.len()).finish_non_exhaustive()
    }
}

impl Function {
    fn new(binary: &Binary, path: String, from: &Symbol) -> Self {
        let target = target::of(&path::parse(&path), binary.architecture());
        let copies = vec![Lazy::new(from)];
        Self { binary: binary.clone(), path, symbol: from.plain().to_owned(), target, copies }
    }

    /// Another copy of the same function, unless it is a second name of one that is known.
    fn add(&mut self, from: &Symbol) {
        if self.copies.iter().all(|copy| copy.address != from.address) {
            self.copies.push(Lazy::new(from));
        }
    }

    /// The code of each copy.
    pub(crate) fn code(&self) -> impl Iterator<Item = &Code> {
        self.copies.iter().map(|copy| self.decoded(copy))
    }

    /// The address of each copy.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = u64> {
        self.copies.iter().map(|copy| copy.address)
    }

    fn first(&self) -> &Code {
        self.decoded(&self.copies[0])
    }

    fn decoded<'a>(&self, copy: &'a Lazy) -> &'a Code {
        copy.code.get_or_init(|| Code::new(&self.binary.program.image, copy.address, copy.size))
    }

    /// The demangled path, without hashes.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The symbol, as the linker spells it.
    #[must_use]
    pub fn symbol(&self) -> &str {
        &self.symbol
    }

    /// The target of the clone that this function is, or is part of (as a closure is).
    #[must_use]
    pub fn target(&self) -> Option<Target> {
        self.target
    }

    /// The [properties](https://docs.rs/simd-core/latest/simd_core/attr.dispatch.html#properties-of-cpus) that a CPU
    /// needs besides the target's features to select this clone: `fast-pext`.
    #[must_use]
    pub fn properties(&self) -> Vec<&'static str> {
        target::properties(&path::parse(&self.path), self.binary.architecture())
    }

    /// The path of the dispatched function, if this is one of its clones or a part of one, and the path of the part:
    /// empty for the clone itself.
    pub(crate) fn dispatched(&self) -> Option<(String, String)> {
        target::dispatched(&self.path, self.binary.architecture())
    }

    /// The architecture of the code.
    #[must_use]
    pub fn architecture(&self) -> Architecture {
        self.binary.architecture()
    }

    /// The features that every instruction may use: those of the target, and those that the build had enabled.
    #[must_use]
    pub fn features(&self) -> Features {
        match self.target {
            Some(Target::Features(features)) => features.union(&self.binary.enabled),
            Some(Target::Baseline) | None => self.binary.enabled,
        }
    }

    /// The number of copies of the code in the binary. The compiler makes one for each codegen unit that uses an
    /// `#[inline]` function. Assertions check all of them; the other methods here read the first.
    #[must_use]
    pub fn copies(&self) -> usize {
        self.copies.len()
    }

    /// The instructions, in the order of their addresses.
    #[must_use]
    pub fn instructions(&self) -> &[Instruction] {
        &self.first().instructions
    }

    /// The size of the code.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.first().range.end - self.first().range.start
    }

    /// The number of instructions with this mnemonic; `*` stands for any text.
    #[must_use]
    pub fn count(&self, mnemonic: &str) -> usize {
        self.instructions().iter().filter(|i| path::glob(mnemonic, i.mnemonic())).count()
    }

    /// All calls, and jumps to other functions.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.first().calls(&self.binary.program)
    }

    /// The natural loops, in the order of their first instructions.
    #[must_use]
    pub fn loops(&self) -> Vec<Loop> {
        self.first().loops()
    }

    /// The most bytes of stack that the function uses: all that it pushes and reserves, on all paths together.
    #[must_use]
    pub fn stack_frame(&self) -> u64 {
        self.first().stack().iter().map(|effect| effect.grows).sum()
    }

    /// The instructions, by index, that test CPU features: those that read the feature words or point to them, and
    /// calls into `simd_core::known`.
    #[must_use]
    pub fn dispatches(&self) -> Vec<usize> {
        self.first().dispatches(&self.binary.program)
    }

    /// The functions that are parts of this one by their paths, and were compiled separately: closures, nested
    /// functions.
    #[must_use]
    pub fn nested(&self) -> Vec<Self> {
        let outer = path::parse(&self.path);
        self.binary.select(path::identifier(&outer), |have| have.len() > outer.len() && have.starts_with(&outer))
    }

    /// [`calls_left`](Self::calls_left) of one copy.
    pub(crate) fn left(&self, copy: &Code) -> Vec<CallLeft> {
        left::calls_left(&self.binary.program, &self.binary.enabled, self.target, copy)
    }

    /// The features that its instructions need beyond those of the build. For a clone for a target, at most that
    /// target's; for any other function, at least those that its own `#[target_feature]` has to enable.
    #[must_use]
    pub fn needs(&self) -> Features {
        self.first().needs(&self.binary.enabled)
    }

    /// The callees of this function, each once, with their kind: a clone, a dispatcher, or unannotated code.
    #[must_use]
    pub fn calls_left(&self) -> Vec<CallLeft> {
        self.left(self.first())
    }
}

impl Binary {
    /// Decodes one of [`symbols`](Self::symbols). Copies of the same function are left out.
    #[must_use]
    pub fn decode(&self, symbol: &Symbol) -> Function {
        Function::new(self, symbol.path(), symbol)
    }

    /// The one function whose path ends with this: `kernels::root`, `Gf::square`, `<Gf as Mul>::mul`; or with this
    /// symbol.
    ///
    /// Copies of one function in several codegen units count as one.
    ///
    /// # Errors
    /// [`Error::NotFound`] with similar names, [`Error::Ambiguous`] with all candidates.
    pub fn function(&self, path: &str) -> Result<Function, Error> {
        let mut functions = self.functions(path)?;
        if functions.len() > 1 {
            let candidates = functions.iter().map(|f| format!("{} ({})", f.path(), f.symbol())).collect();
            return Err(Error::Ambiguous { path: path.to_owned(), candidates });
        }
        functions.pop().ok_or_else(|| self.no_function(path))
    }

    /// All functions whose paths end with this: the instances of a generic function, and other functions of the same
    /// name.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub fn functions(&self, path: &str) -> Result<Vec<Function>, Error> {
        let mut found = Vec::new();
        if rustc_demangle::try_demangle(path).is_err() {
            let query = path::parse(path);
            found = self.select(path::identifier(&query), |have| path::ends_with(have, &query));
        }
        if found.is_empty() {
            found = self.with_symbol(path);
        }
        if found.is_empty() { Err(self.no_function(path)) } else { Ok(found) }
    }

    fn with_symbol(&self, name: &str) -> Vec<Function> {
        let symbols = self.program.symbols.iter().filter(|symbol| symbol.plain() == name);
        self.join(symbols.map(|symbol| (symbol, symbol.path())))
    }

    /// The error for a path that no function has. A suggestion that can mean several functions is a symbol.
    fn no_function(&self, path: &str) -> Error {
        let all: Vec<(&Symbol, String)> = self.program.symbols.iter().map(|symbol| (symbol, symbol.path())).collect();
        let paths: BTreeSet<String> = all.iter().map(|(_, path)| path.clone()).collect();
        let one_each = |similar: &String| {
            let query = path::parse(similar);
            let identifier = path::identifier(&query);
            let named = all.iter().filter(|(_, path)| path.contains(identifier));
            let meant = named.filter(|(_, path)| path::ends_with(&path::parse(path), &query));
            let symbols: BTreeSet<&str> = meant.map(|(symbol, _)| symbol.plain()).collect();
            if symbols.len() == 1 { vec![similar.clone()] } else { symbols.into_iter().map(str::to_owned).collect() }
        };
        match Self::not_found(path, &paths) {
            Error::NotFound { path, similar } => {
                Error::NotFound { path, similar: similar.iter().flat_map(one_each).take(8).collect() }
            }
            other => other,
        }
    }

    /// The functions whose paths satisfy `wanted`. All symbols that hold `identifier` are tried.
    pub(crate) fn select(&self, identifier: &str, wanted: impl Fn(&[Segment]) -> bool) -> Vec<Function> {
        self.join(self.program.select(identifier, wanted))
    }

    /// Copies of one function come as one.
    pub(crate) fn join<'a>(&self, symbols: impl Iterator<Item = (&'a Symbol, String)>) -> Vec<Function> {
        let mut found: Vec<Function> = Vec::new();
        for (symbol, path) in symbols {
            match found.iter_mut().find(|function| function.symbol() == symbol.plain()) {
                Some(function) => function.add(symbol),
                None => found.push(Function::new(self, path, symbol)),
            }
        }
        found
    }
}
