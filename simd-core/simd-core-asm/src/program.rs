//! A file with its symbols.

use core::ops::Range;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::format::NameSource;
use crate::image::Image;
use crate::path;

/// A function by its name and place, not yet decoded: see [`Binary::symbols`](crate::Binary::symbols).
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// let binary = simd_core_asm::Binary::current()?;
/// let largest = binary.symbols().iter().max_by_key(|symbol| symbol.size()).expect("a program has functions");
/// println!("{} at {:#x}, by its {}: {}", largest.path(), largest.address(), largest.source(), largest.name());
/// let code = binary.bytes(largest.address()..largest.address() + largest.size());
/// println!("{} bytes, {} instructions", code.map_or(0, <[u8]>::len), binary.decode(largest).instructions().len());
/// # Ok::<(), simd_core_asm::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Symbol {
    pub(crate) address: u64,
    pub(crate) size: u64,
    /// As the linker knows it.
    pub(crate) name: String,
    pub(crate) source: NameSource,
    /// It is one of code, and not of what may be data.
    pub(crate) is_typed: bool,
}

impl Symbol {
    /// The path in Rust's syntax, without the hash. A method of a type is `krate::Type::method`, whichever compiler made the name.
    #[must_use]
    pub fn path(&self) -> String {
        path::without_brackets(format!("{:#}", rustc_demangle::demangle(self.plain())))
    }

    /// The name as the linker knows it, or a debugger where [`source`](Self::source) says so. The underscore that some
    /// formats put before each name is left out.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The address in the file; a running program is moved by a constant.
    #[must_use]
    pub fn address(&self) -> u64 {
        self.address
    }

    /// The bytes of code; where the format does not have them, those up to the next function.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Where the name comes from.
    #[must_use]
    pub fn source(&self) -> NameSource {
        self.source
    }

    /// The name without what LLVM adds where it makes one visible to other units (`.llvm.1234`) or joins units that
    /// have one of the same name (`.123`).
    pub(crate) fn plain(&self) -> &str {
        plain(&self.name)
    }

    /// Whether the name holds what each clone's has.
    pub(crate) fn may_be_clone(&self) -> bool {
        self.name.contains("__")
    }
}

fn plain(name: &str) -> &str {
    let name = name.find(".llvm.").map_or(name, |at| &name[..at]);
    match name.rsplit_once('.') {
        Some((plain, number)) if !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit()) => plain,
        _ => name,
    }
}

/// The parts of an executable or a shared library that are kept.
pub(crate) struct Program {
    pub(crate) file: PathBuf,
    /// The separate file that names come from.
    pub(crate) names_file: Option<PathBuf>,
    pub(crate) image: Image,
    /// By address; several names can share one.
    pub(crate) symbols: Vec<Symbol>,
    /// Variables and constants that have symbols, by address.
    pub(crate) data: Vec<Symbol>,
    /// Where other files can enter this one: exported functions, and the program's entry point.
    pub(crate) exports: Vec<u64>,
    /// The addresses of the feature words.
    pub(crate) words: Option<Range<u64>>,
    /// Who refers to the clones, once this was asked for.
    pub(crate) callers: OnceLock<Callers>,
}

/// Who refers to the clones of a program.
pub(crate) struct Callers {
    /// The functions that call each clone or take its address, by the addresses of all. Calls of itself do not count.
    pub(crate) of: HashMap<u64, HashSet<u64>>,
    /// The clones in tables of pointers. Who uses these is not followed.
    pub(crate) in_tables: HashSet<u64>,
}

impl Program {
    /// The function symbol that starts at this address.
    pub(crate) fn symbol_at(&self, address: u64) -> Option<&Symbol> {
        let at = self.symbols.partition_point(|symbol| symbol.address < address);
        self.symbols.get(at).filter(|symbol| symbol.address == address)
    }

    /// The function symbol whose code holds this address.
    pub(crate) fn symbol_around(&self, address: u64) -> Option<&Symbol> {
        let after = self.symbols.partition_point(|symbol| symbol.address <= address);
        self.symbols[..after].iter().rev().take(8).find(|symbol| address < symbol.address + symbol.size)
    }

    /// The symbols whose paths satisfy `wanted`, each with its path. Those that hold `identifier` are tried.
    pub(crate) fn select(
        &self,
        identifier: &str,
        wanted: impl Fn(&[path::Segment]) -> bool,
    ) -> impl Iterator<Item = (&Symbol, String)> {
        let named = self.symbols.iter().filter(move |symbol| symbol.name.contains(identifier));
        named.map(|symbol| (symbol, symbol.path())).filter(move |(_, path)| wanted(&path::parse(path)))
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn suffixes_of_link_time_optimisation_are_no_part_of_a_symbol() {
        for name in ["_ZN1a1b17h0123456789abcdefE", "_RNvC1a1b"] {
            for suffix in ["", ".167", ".llvm.9670422247866930045"] {
                assert_eq!(plain(&[name, suffix].concat()), name);
            }
        }
        assert_eq!(plain("f.cold"), "f.cold");
    }
}
