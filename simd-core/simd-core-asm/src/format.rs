//! Kinds of program files, and sources of names.

use core::fmt;

/// The format of a program's file.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// let binary = simd_core_asm::Binary::current()?;
/// # #[cfg(target_os = "linux")]
/// assert_eq!(binary.format(), simd_core_asm::Format::Elf);
/// println!("{}, {:?}", binary.format(), binary.architecture());
/// # Ok::<(), simd_core_asm::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Linux, Android, the BSDs.
    Elf,
    /// Apple's systems.
    MachO,
    /// Windows and UEFI.
    Pe,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Elf => "ELF",
            Self::MachO => "Mach-O",
            Self::Pe => "PE",
        })
    }
}

/// Where a function's name comes from: see [`Symbol::source`](crate::Symbol::source).
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// use simd_core_asm::{Binary, NameSource};
///
/// let binary = Binary::current()?;
/// # #[cfg(target_os = "linux")]
/// assert!(binary.symbols().iter().all(|symbol| symbol.source() == NameSource::SymbolTable));
/// # Ok::<(), simd_core_asm::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameSource {
    /// A symbol table: the program's own, or that of its separate debug file.
    SymbolTable,
    /// DWARF debug information.
    Dwarf,
    /// A PDB file. A function that no other file can see has the compiler's name for debuggers there, without its
    /// hash, and an `impl` of a trait is a number in it: `app::impl$0::mul`.
    Pdb,
}

impl fmt::Display for NameSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SymbolTable => "symbol table",
            Self::Dwarf => "DWARF",
            Self::Pdb => "PDB",
        })
    }
}
