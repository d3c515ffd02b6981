//! Assertions on machine code, for your own tests: that a helper was inlined, that an instruction is present, that no
//! calls are left.
//!
//! No other test finds these failures: an attribute is lost, a helper is no longer inlined, a `cfg` is false, and the
//! code is several times slower while every test passes. This crate disassembles the running test's own file, or
//! another program's; nothing has to be installed. Use it in `[dev-dependencies]` only. A crate that uses
//! `simd_core::dispatch` can use the same crate as `simd_core::asm`:
//!
//! ```toml
//! [dev-dependencies]
//! simd-core = { version = "0.1", features = ["asm"] } # simd_core::asm
//! simd-core-asm = "0.1" # or by itself
//! ```
//!
//! Then name a function of the running test binary by the end of its path:
//!
//! ```no_run
//! # fn main() -> Result<(), simd_core_asm::Error> {
//! // Any function can be checked, dispatched or not.
//! simd_core_asm::function("codec::decode_block")?.assert().at_most(120).stack_stores_at_most(4);
//!
//! // The clones of a function with `#[simd_core::dispatch]`.
//! let clones = simd_core_asm::clones("kernels::root")?;
//! for clone in &clones {
//!     clone.assert().no_calls().no_panics().no_dispatch().within_target();
//! }
//! clones.target("avx2,pclmulqdq")?.assert().at_least("vpclmulqdq", 1).vectorized(256);
//! clones.baseline()?.assert().not_contains("*pclmul*");
//!
//! // The calls that are left in a whole module, in words.
//! println!("{}", simd_core_asm::report("kernels")?);
//! # Ok(())
//! # }
//! ```
//!
//! An assertion that does not hold panics with the function's listing, the offending lines marked, and a hint:
//!
//! ```text
//! no_calls() does not hold for `app::kernels::root::__root__avx2`: it calls `app::helper`
//! app::kernels::root::__root__avx2 [avx2]: 9 instructions, 28 bytes
//! …
//! >    1a2b4  call      0x1a280                       ; app::helper  ; not dispatched: no clone, …
//! …
//! help: a function that should have been inlined needs the attribute as well, or `#[inline]` if it is unannotated code; …
//! ```
//!
//! Each type below has an example of its own.
//!
//! # Functions in a binary
//!
//! A test binary contains the functions that it uses and that are not inlined everywhere. If unannotated code calls a
//! dispatched function, its clones for targets are in the binary. To keep another function, take its address:
//! `std::hint::black_box(f as fn(_) -> _)`. The symbol table is needed; debug information is not, except [with
//! MSVC](#platforms).
//!
//! # Debug builds
//!
//! Without optimisation nothing is inlined, and most assertions are meaningless. They are then skipped: each prints a
//! line to standard error, even where the test harness captures output, and [`Assert::skipped`] lists them. Only
//! [`Assert::within_target`] and [`Assert::within_features`] are checked in every build. Optimisation is measured in
//! the code of the crate that calls [`function`], [`functions`], [`clones`] or [`Binary::current`], since
//! `debug_assertions` does not show it. A profile may optimise a dependency in another way than the test; call
//! [`Binary::optimized`] or [`Binary::unoptimized`] then.
//!
//! # Platforms
//!
//! x86, x86-64 and aarch64; ELF, Mach-O and PE files. On aarch64 the instructions of the scalable vector extension are
//! recognised but not named.
//!
//! Names come from the symbol table. A program without one can be read if it has DWARF, or if its separate debug file,
//! of the same build, is where debuggers look for it: `prog.debug`, the name in `.gnu_debuglink` and `/usr/lib/debug`
//! for ELF, the bundle `prog.dSYM` for Mach-O, and the PDB file for Windows. MSVC's PDB files name private functions
//! only if there is debug information; `debug = "line-tables-only"` in the profile is enough.

// The layers, from the ground up: a module uses those of earlier groups and none of its own or later groups. A test of the
// workspace reads these lines.

// Names: of functions, architectures, features and targets.
mod architecture;
mod error;
mod format;
mod path;
mod runtime;

mod features;

mod standard;
mod target;

// Files.
mod image;

mod program;

mod load;

// Instructions.
mod instruction;
mod needs;

mod decode;

// One function's code by itself.
mod flow;
mod lanes;

mod values;

mod code;

// One function's code within its file.
mod callers;
mod calls;

mod left;
mod optimization;

// Binaries and functions.
mod binary;

mod function;

mod clones;

// Reports and assertions.
mod audit;
mod listing;

mod assert;
mod report;

pub use architecture::Architecture;
pub use assert::Assert;
pub use audit::{Above, Allow, Audit, Finding, Trust};
pub use binary::Binary;
pub use calls::{Call, Callee};
pub use clones::Clones;
pub use code::Loop;
pub use error::Error;
pub use features::Features;
pub use format::{Format, NameSource};
pub use function::Function;
pub use instruction::{Flow, Instruction};
pub use lanes::{Lanes, Work};
pub use left::{CallLeft, CalleeKind};
pub use program::Symbol;
pub use report::{Caller, Dispatched, Dispatches, Report};
pub use target::Target;

/// The one function of the running program whose path ends like this: [`Binary::function`].
///
/// # Errors
/// As [`Binary::current`] and [`Binary::function`].
#[inline]
pub fn function(path: &str) -> Result<Function, Error> {
    Binary::current()?.function(path)
}

/// All functions of the running program whose paths end like this: [`Binary::functions`].
///
/// # Errors
/// As [`Binary::current`] and [`Binary::functions`].
#[inline]
pub fn functions(path: &str) -> Result<Vec<Function>, Error> {
    Binary::current()?.functions(path)
}

/// The clones of a dispatched function of the running program: [`Binary::clones`].
///
/// # Errors
/// As [`Binary::current`] and [`Binary::clones`].
#[inline]
pub fn clones(path: &str) -> Result<Clones, Error> {
    Binary::current()?.clones(path)
}

/// The calls that are left in the clones of the running program whose paths contain the names in `part`: [`Binary::report`].
///
/// # Errors
/// As [`Binary::current`] and [`Binary::report`].
#[inline]
pub fn report(part: &str) -> Result<Report, Error> {
    Binary::current()?.report(part)
}

/// The examples of the package's page are compiled as well.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
