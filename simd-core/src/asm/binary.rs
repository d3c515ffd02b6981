use crate::asm::prelude::*;
use core::fmt;
use core::ops::Range;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::code::Code;
use super::optimization::Optimization;
use super::values::Value;
use super::{Clones, Error, Features, Function, path, target};

mod load;

/// The symbol that is the feature word: see `simd_core::known`.
const WORDS: &str = "simd_core::known::WORDS";

/// An architecture that this module can decode.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// # mod architectures { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
/// # architectures::sum(core::hint::black_box(&[1, 2]));
/// let binary = simd_core::asm::Binary::current()?;
/// println!("{:?}", binary.architecture());
/// # Ok::<(), simd_core::asm::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Architecture {
    /// 32-bit x86.
    X86,
    /// x86-64.
    X86_64,
    /// 64-bit Arm.
    Aarch64,
}

impl Architecture {
    /// The one that this crate was compiled for.
    pub(super) fn of_this_build() -> Option<Self> {
        match std::env::consts::ARCH {
            "x86" => Some(Self::X86),
            "x86_64" => Some(Self::X86_64),
            "aarch64" => Some(Self::Aarch64),
            _ => None,
        }
    }

    /// Do both share their features' names?
    pub(super) fn same_family(self, other: Self) -> bool {
        (self == Self::Aarch64) == (other == Self::Aarch64)
    }
}

/// A function symbol.
pub(super) struct Symbol {
    pub(super) address: u64,
    pub(super) size: u64,
    /// As the linker knows it.
    pub(super) name: String,
}

impl Symbol {
    /// The path in Rust's syntax, without the hash.
    pub(super) fn path(&self) -> String {
        format!("{:#}", rustc_demangle::demangle(plain_symbol(&self.name)))
    }
}

/// The parts of a file that the analyses ask for.
pub(super) struct Image {
    pub(super) architecture: Architecture,
    pub(super) windows: bool,
    /// Is it loaded where it says, so that a number in the code can be an address?
    pub(super) fixed: bool,
    /// Where code and constant data lie in memory, and where in `bytes`.
    sections: Vec<Section>,
    bytes: Vec<u8>,
    /// Pointers that the loader writes, and that nothing writes afterwards.
    slots: HashMap<u64, Value>,
    imports: Vec<String>,
}

struct Section {
    memory: Range<u64>,
    file: Range<usize>,
    code: bool,
}

impl Image {
    /// The bytes that the file holds for these addresses.
    pub(super) fn read(&self, addresses: Range<u64>) -> Option<&[u8]> {
        let section = self.sections.iter().find(|s| s.memory.contains(&addresses.start))?;
        let start = section.file.start + usize::try_from(addresses.start - section.memory.start).ok()?;
        let end = start.checked_add(usize::try_from(addresses.end.checked_sub(addresses.start)?).ok()?)?;
        (end <= section.file.end).then(|| &self.bytes[start..end])
    }

    pub(super) fn is_code(&self, address: u64) -> bool {
        self.sections.iter().any(|s| s.code && s.memory.contains(&address))
    }

    /// The pointer at this address, if the loader writes it there for good.
    pub(super) fn slot(&self, address: u64) -> Value {
        self.slots.get(&address).copied().unwrap_or(Value::Unknown)
    }

    /// One with nothing in it but pointers.
    #[cfg(test)]
    pub(super) fn of_slots(architecture: Architecture, slots: HashMap<u64, Value>) -> Self {
        let (sections, bytes, imports) = (Vec::new(), Vec::new(), Vec::new());
        Self { architecture, windows: false, fixed: false, sections, bytes, slots, imports }
    }

    /// An address computed in 64 bits, as the CPU computes it.
    pub(super) fn wrap(&self, address: u64) -> u64 {
        if self.architecture == Architecture::X86 { address & 0xffff_ffff } else { address }
    }

    pub(super) fn import(&self, number: usize) -> &str {
        &self.imports[number]
    }
}

pub(super) struct Inner {
    pub(super) file: PathBuf,
    pub(super) image: Image,
    /// By address; several names can share one.
    symbols: Vec<Symbol>,
    words: Option<Range<u64>>,
}

/// An executable or shared library, with its symbol table.
///
/// [`Binary::current`] is the running test; [`Binary::open`] reads another one, say a program that was built for other
/// flags or another architecture.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// # mod binaries { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
/// # binaries::sum(core::hint::black_box(&[1, 2]));
/// let binary = simd_core::asm::Binary::current()?;
/// println!("{}", binary.function("binaries::sum")?.listing());
/// # Ok::<(), simd_core::asm::Error>(())
/// ```
#[derive(Clone)]
pub struct Binary {
    pub(super) inner: Arc<Inner>,
    pub(super) optimization: Optimization,
    pub(super) enabled: Features,
}

impl fmt::Debug for Binary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Binary").field("file", &self.inner.file).finish_non_exhaustive()
    }
}

impl Binary {
    /// The program that is running. It is read once and kept.
    ///
    /// Whether its code is optimised is measured in the crate that calls this: see
    /// [the module](super#debug-builds).
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod current { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # current::sum(core::hint::black_box(&[1, 2]));
    /// let binary = simd_core::asm::Binary::current()?;
    /// assert!(binary.function("current::sum").is_ok());
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::Format`], [`Error::Architecture`], [`Error::Stripped`].
    #[inline]
    pub fn current() -> Result<Self, Error> {
        Self::running(super::optimization::probe)
    }

    /// The running program, with the probe of the crate that asks.
    #[doc(hidden)]
    pub fn running(probe: fn(u32) -> u32) -> Result<Self, Error> {
        static RUNNING: OnceLock<Result<Binary, Error>> = OnceLock::new();
        let running = RUNNING.get_or_init(|| {
            let unreadable = |reason: std::io::Error| Error::Read {
                file: PathBuf::from("the running program"),
                reason: reason.to_string(),
            };
            Self::open(std::env::current_exe().map_err(unreadable)?)
        });
        let mut binary = running.clone()?;
        binary.enabled = Features::enabled(binary.architecture());
        binary.optimization = Optimization::measure(&binary.inner, probe);
        Ok(binary)
    }

    /// Reads a file. Its code is taken to be optimised, and its build to have enabled no features beyond those of the
    /// architecture; [`unoptimized`](Self::unoptimized) and [`with_enabled`](Self::with_enabled) say otherwise.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// let binary = simd_core::asm::Binary::open(std::env::current_exe().unwrap())?;
    /// println!("{:?}", binary.architecture());
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Binary::current`].
    pub fn open(file: impl AsRef<Path>) -> Result<Self, Error> {
        let inner = load::load(file.as_ref())?;
        let enabled = Features::architectural(inner.image.architecture);
        Ok(Self { inner: Arc::new(inner), optimization: Optimization::On, enabled })
    }

    /// Says that the code was compiled without optimisation: checks that need it are then skipped.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod unoptimized { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # unoptimized::sum(core::hint::black_box(&[1, 2]));
    /// let binary = simd_core::asm::Binary::current()?;
    /// let sum = binary.unoptimized().function("unoptimized::sum")?;
    /// assert_eq!(sum.assert().no_calls().skipped().len(), 1);
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn unoptimized(mut self) -> Self {
        self.optimization = Optimization::Off;
        self
    }

    /// Says that the code was compiled with optimisation, whatever was measured. For code of a dependency that a
    /// profile optimises while the tests are not.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod optimized { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # optimized::sum(core::hint::black_box(&[1, 2]));
    /// let binary = simd_core::asm::Binary::current()?;
    /// let sum = binary.optimized().function("optimized::sum")?;
    /// assert!(sum.assert().at_most(500).skipped().is_empty());
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn optimized(mut self) -> Self {
        self.optimization = Optimization::On;
        self
    }

    /// Says which features the build had enabled for all code (`-C target-feature`, `-C target-cpu`), beyond those of
    /// the architecture.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod with_enabled { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # with_enabled::sum(core::hint::black_box(&[1, 2]));
    /// let binary = simd_core::asm::Binary::current()?;
    /// # if cfg!(target_arch = "x86_64") {
    /// let sum = binary.with_enabled("avx2")?.function("with_enabled::sum")?;
    /// assert!(sum.features().contains("avx2"));
    /// # }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownFeature`].
    pub fn with_enabled(mut self, names: &str) -> Result<Self, Error> {
        let architecture = self.architecture();
        self.enabled = Features::architectural(architecture).union(&Features::parse(architecture, names)?);
        Ok(self)
    }

    /// The architecture of the code.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod architecture { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # architecture::sum(core::hint::black_box(&[1, 2]));
    /// let binary = simd_core::asm::Binary::current()?;
    /// println!("{:?}", binary.architecture());
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn architecture(&self) -> Architecture {
        self.inner.image.architecture
    }

    /// The addresses of the feature words that dispatchers read, if this program has any.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # #[simd_core::dispatch(targets = "avx2 | x86_64:sse4.1 | aarch64:aes")]
    /// # mod feature_words { pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # feature_words::sum(core::hint::black_box(&[1, 2]));
    /// let binary = simd_core::asm::Binary::current()?;
    /// println!("{:x?}", binary.feature_words());
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn feature_words(&self) -> Option<Range<u64>> {
        self.inner.words.clone()
    }

    /// The one function whose path ends like this: `kernels::root`, `Gf::square`, `<Gf as Mul>::mul`.
    ///
    /// Copies that the compiler made of one function, in several codegen units, come as one.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod one_function { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # one_function::sum(core::hint::black_box(&[1, 2]));
    /// let binary = simd_core::asm::Binary::current()?;
    /// binary.function("one_function::sum")?.assert().at_most(500);
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFound`] with similar names, [`Error::Ambiguous`] with all candidates.
    pub fn function(&self, path: &str) -> Result<Function, Error> {
        let mut functions = self.functions(path)?;
        if functions.len() > 1 {
            let candidates = functions.iter().map(|f| format!("{} ({})", f.path(), f.symbol())).collect();
            return Err(Error::Ambiguous { path: path.to_owned(), candidates });
        }
        functions.pop().ok_or_else(|| self.not_found(path))
    }

    /// All functions whose paths end like this: the instances of a generic function, and namesakes.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod some_functions { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # some_functions::sum(core::hint::black_box(&[1, 2]));
    /// let binary = simd_core::asm::Binary::current()?;
    /// assert_eq!(binary.functions("some_functions::sum")?.len(), 1);
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub fn functions(&self, path: &str) -> Result<Vec<Function>, Error> {
        let query = path::parse(path);
        let found = self.select(path::identifier(&query), |have| path::ends_with(have, &query));
        if found.is_empty() { Err(self.not_found(path)) } else { Ok(found) }
    }

    /// The clones of a dispatched function, in the order of their addresses. The path is that of the function as it is
    /// written: `kernels::root`, `Gf::square`, `<Gf as Mul>::mul`.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # #[simd_core::dispatch(targets = "avx2 | x86_64:sse4.1 | aarch64:aes")]
    /// # mod some_clones { pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # some_clones::sum(core::hint::black_box(&[1, 2]));
    /// let binary = simd_core::asm::Binary::current()?;
    /// for clone in &binary.clones("some_clones::sum")? {
    ///     println!("{}", clone.path());
    /// }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub fn clones(&self, path: &str) -> Result<Clones, Error> {
        let query = path::parse(path);
        let architecture = self.architecture();
        let found = self.select(path::identifier(&query), |have| target::is_clone_of(have, &query, architecture));
        if found.is_empty() { Err(self.not_found(path)) } else { Ok(Clones::new(path, found)) }
    }

    /// Every clone, and every closure and coroutine that lies in one, whose path holds `part`: the name of a crate, of a
    /// module, of a type, or several with `::` between them. All of them for an empty one.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # #[simd_core::dispatch(targets = "avx2 | x86_64:sse4.1 | aarch64:aes")]
    /// # mod clones_in { pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # clones_in::sum(core::hint::black_box(&[1, 2]));
    /// let binary = simd_core::asm::Binary::current()?;
    /// for clone in binary.clones_in("clones_in")? {
    ///     println!("{}", clone.path());
    /// }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none.
    pub fn clones_in(&self, part: &str) -> Result<Vec<Function>, Error> {
        let architecture = self.architecture();
        let is_clone = |have: &[path::Segment]| have.len() > 1 && target::of(have, architecture).is_some();
        let mut found = self.select("__", is_clone);
        found.retain(|function| path::mentions(function.path(), part));
        if found.is_empty() { Err(self.not_found(part)) } else { Ok(found) }
    }

    /// For each of [`clones_in`](Self::clones_in), the calls that are left in it, and whether each callee is a clone, a
    /// dispatcher, or not dispatched at all. In optimised code a tree that is whole calls clones alone, if anything.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # #[simd_core::dispatch(targets = "avx2 | x86_64:sse4.1 | aarch64:aes")]
    /// # mod report_of_binary { pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # report_of_binary::sum(core::hint::black_box(&[1, 2]));
    /// let binary = simd_core::asm::Binary::current()?;
    /// println!("{}", binary.report("report_of_binary")?);
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none.
    pub fn report(&self, part: &str) -> Result<String, Error> {
        Ok(self.clones_in(part)?.iter().map(Function::report).collect::<Vec<_>>().join("\n"))
    }

    /// The functions whose paths satisfy `wanted`. All symbols that hold `identifier` are tried.
    pub(super) fn select(&self, identifier: &str, wanted: impl Fn(&[path::Segment]) -> bool) -> Vec<Function> {
        let mut found: Vec<Function> = Vec::new();
        for symbol in self.inner.symbols.iter().filter(|symbol| symbol.name.contains(identifier)) {
            let path = symbol.path();
            if !wanted(&path::parse(&path)) {
                continue;
            }
            let name = plain_symbol(&symbol.name);
            match found.iter_mut().find(|function| function.symbol() == name) {
                Some(function) => function.add(symbol),
                None => found.push(Function::new(self, path, name.to_owned(), symbol)),
            }
        }
        found
    }

    fn not_found(&self, path: &str) -> Error {
        let paths: Vec<String> = self.inner.symbols.iter().map(Symbol::path).collect();
        Error::NotFound { path: path.to_owned(), similar: path::similar(path, paths.iter().map(String::as_str)) }
    }
}

/// A symbol without what LLVM adds where it makes one visible to other units (`.llvm.1234`) or joins units that have
/// one of the same name (`.123`).
fn plain_symbol(name: &str) -> &str {
    let name = name.find(".llvm.").map_or(name, |at| &name[..at]);
    match name.rsplit_once('.') {
        Some((plain, number)) if !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit()) => plain,
        _ => name,
    }
}

impl Inner {
    /// The function symbol that starts at this address.
    pub(super) fn symbol_at(&self, address: u64) -> Option<&Symbol> {
        let at = self.symbols.partition_point(|symbol| symbol.address < address);
        self.symbols.get(at).filter(|symbol| symbol.address == address)
    }

    /// The function symbol whose code holds this address.
    pub(super) fn symbol_around(&self, address: u64) -> Option<&Symbol> {
        let after = self.symbols.partition_point(|symbol| symbol.address <= address);
        self.symbols[..after].iter().rev().take(8).find(|symbol| address < symbol.address + symbol.size)
    }

    pub(super) fn words(&self) -> Option<&Range<u64>> {
        self.words.as_ref()
    }

    pub(super) fn code(&self, symbol: &Symbol) -> Code {
        Code::new(self, symbol.address, symbol.size)
    }
}

#[cfg(test)]
mod tests {
    use super::plain_symbol;

    #[test]
    fn suffixes_of_link_time_optimisation_are_no_part_of_a_symbol() {
        for name in ["_ZN1a1b17h0123456789abcdefE", "_RNvC1a1b"] {
            for suffix in ["", ".167", ".llvm.9670422247866930045"] {
                assert_eq!(plain_symbol(&[name, suffix].concat()), name);
            }
        }
        assert_eq!(plain_symbol("f.cold"), "f.cold");
    }
}
