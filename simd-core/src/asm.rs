//! Assertions on machine code, for your own tests: did the helper inline, is the instruction there, is nothing else?
//!
//! The failures that this finds are silent everywhere else: an attribute is lost, a helper stops inlining, a `cfg` is
//! false, and the code is several times slower with every other test green. Turn on the feature `asm` for your tests
//! alone, so that its dependencies reach no other build:
//!
//! ```toml
//! [dependencies]
//! simd-core = "0.1"
//!
//! [dev-dependencies]
//! simd-core = { version = "0.1", features = ["asm"] }
//! ```
//!
//! Then ask the running test binary about a function by the end of its path:
//!
//! ```no_run
//! # fn main() -> Result<(), simd_core::asm::Error> {
//! for clone in &simd_core::asm::clones("kernels::root")? {
//!     clone.assert().no_calls().no_panics().no_dispatch().within_target();
//! }
//! let clones = simd_core::asm::clones("kernels::root")?;
//! clones.target("avx2,pclmulqdq")?.assert().at_least("vpclmulqdq", 1).vectorized(256);
//! clones.baseline()?.assert().not_contains("*pclmul*");
//!
//! // Any function will do, dispatched or not.
//! simd_core::asm::function("codec::decode_block")?.assert().at_most(120).stack_stores_at_most(4);
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
//! help: a function that should have been inlined needs the attribute as well, or `#[inline]` if it is ordinary code; …
//! ```
//!
//! # Which functions are there
//!
//! Those that the test binary uses and that are not inlined everywhere. The clones of a function which other code calls
//! without features of its own are always there; for another, take its address: `std::hint::black_box(f as fn(_) -> _)`.
//! The symbol table is needed, debug information is not.
//!
//! # Debug builds
//!
//! Without optimisation nothing is inlined, and most assertions say nothing. They are then skipped, and each says so on
//! the standard error, past the capture of the test harness; [`Assert::skipped`] lists them. Only
//! [`Assert::within_target`] and [`Assert::within_features`] are checked in any build. Whether there is optimisation is
//! measured, in the code of the crate that calls [`function`], [`functions`], [`clones`] or [`Binary::current`]:
//! `debug_assertions` does not tell. Code of a dependency can differ from the test's by the profile;
//! [`Binary::optimized`] and [`Binary::unoptimized`] say what is so.
//!
//! # Platforms
//!
//! x86, x86-64 and aarch64; ELF files, and Mach-O and PE files that have a symbol table. On aarch64 the instructions of the
//! scalable vector extension are recognised but not named.

mod assert;
mod binary;
mod code;
mod decode;
mod error;
mod features;
mod flow;
mod function;
mod instruction;
mod left;
mod listing;
mod optimization;
mod path;
mod target;
mod values;

/// What the crate, being `no_std`, does not have in scope.
mod prelude {
    pub(super) use std::borrow::ToOwned;
    pub(super) use std::format;
    pub(super) use std::string::{String, ToString};
    pub(super) use std::vec;
    pub(super) use std::vec::Vec;
}

use std::string::String;
use std::vec::Vec;

pub use assert::Assert;
pub use binary::{Architecture, Binary};
pub use code::{Call, Callee, Loop};
pub use error::Error;
pub use features::Features;
pub use function::{Clones, Function};
pub use instruction::{Flow, Instruction};
pub use left::{CallLeft, CalleeKind};
pub use target::Target;

/// The one function of the running program whose path ends like this: [`Binary::function`].
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// # mod function { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
/// # function::sum(core::hint::black_box(&[1, 2]));
/// let sum = simd_core::asm::function("function::sum")?;
/// println!("{}", sum.listing());
/// # Ok::<(), simd_core::asm::Error>(())
/// ```
///
/// # Errors
/// As [`Binary::current`] and [`Binary::function`].
#[inline]
pub fn function(path: &str) -> Result<Function, Error> {
    Binary::current()?.function(path)
}

/// All functions of the running program whose paths end like this: [`Binary::functions`].
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// # mod functions_of_name { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
/// # functions_of_name::sum(core::hint::black_box(&[1, 2]));
/// let functions = simd_core::asm::functions("functions_of_name::sum")?;
/// assert_eq!(functions.len(), 1);
/// # Ok::<(), simd_core::asm::Error>(())
/// ```
///
/// # Errors
/// As [`Binary::current`] and [`Binary::functions`].
#[inline]
pub fn functions(path: &str) -> Result<Vec<Function>, Error> {
    Binary::current()?.functions(path)
}

/// The clones of a dispatched function of the running program: [`Binary::clones`].
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// # #[simd_core::dispatch(targets = "avx2 | x86_64:sse4.1 | aarch64:aes")]
/// # mod clones_of_function { pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
/// # clones_of_function::sum(core::hint::black_box(&[1, 2]));
/// let clones = simd_core::asm::clones("clones_of_function::sum")?;
/// for clone in &clones {
///     clone.assert().within_target();
/// }
/// # Ok::<(), simd_core::asm::Error>(())
/// ```
///
/// # Errors
/// As [`Binary::current`] and [`Binary::clones`].
#[inline]
pub fn clones(path: &str) -> Result<Clones, Error> {
    Binary::current()?.clones(path)
}

/// The calls that are left in the clones of the running program whose paths hold `part`: [`Binary::report`].
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// # #[simd_core::dispatch(targets = "avx2 | x86_64:sse4.1 | aarch64:aes")]
/// # mod report_of_module { pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
/// # report_of_module::sum(core::hint::black_box(&[1, 2]));
/// println!("{}", simd_core::asm::report("report_of_module")?);
/// # Ok::<(), simd_core::asm::Error>(())
/// ```
///
/// # Errors
/// As [`Binary::current`] and [`Binary::report`].
#[inline]
pub fn report(part: &str) -> Result<String, Error> {
    Binary::current()?.report(part)
}
