//! What the CPU at hand can do.
//!
//! Who is asked; the first line that applies:
//!
//! | build | asked |
//! |---|---|
//! | `--cfg simd_core_no_detect`, and Miri, which emulates no CPU in particular | nobody |
//! | feature `std` | the standard library |
//! | x86 and x86-64; not SGX, UEFI and no system at all | `cpuid` |
//! | 64-bit Arm and `LoongArch` on Linux and Android | the kernel |
//! | 64-bit Arm on Apple's systems | the system |
//! | anything else | nobody |
//!
//! A feature that nobody can tell of is there if the build enables it, and otherwise not: a target that names it is left
//! out. [`DETECTABLE`] says at compile time which features can be told of.
use crate::mask::Mask;

#[cfg(any(miri, simd_core_no_detect))]
#[path = "detect/nobody.rs"]
mod asked;
#[cfg(all(feature = "std", not(any(miri, simd_core_no_detect))))]
#[path = "detect/standard.rs"]
mod asked;
#[cfg(not(any(feature = "std", miri, simd_core_no_detect)))]
#[path = "detect/without_std.rs"]
mod asked;

pub(crate) mod properties;

/// The features of this architecture that can be told of here, and the properties: where nobody can be asked, every CPU
/// has those.
pub(crate) const DETECTABLE: Mask = asked::DETECTABLE.or(Mask::PROPERTIES);

/// The features and properties of this CPU, with [`Mask::INIT`]: those that the build enables and those that are seen. A
/// feature counts only if all that it implies is present too.
#[must_use]
pub(crate) fn detect() -> Mask {
    let seen = asked::seen();
    let seen = seen.or(properties::seen(seen)).without(Mask::WITHOUT);
    Mask::INIT.or(Mask::STATIC.or(seen).closed())
}

#[cfg(test)]
mod tests;
