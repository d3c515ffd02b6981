//! Detection of this CPU's features.
//!
//! The source of detection is that of the first line that applies:
//!
//! | build | source |
//! |---|---|
//! | `--cfg simd_core_no_detect`, and Miri, which emulates no CPU in particular | none |
//! | feature `std` | the standard library |
//! | x86 and x86-64; not SGX, UEFI and no system at all | `cpuid` |
//! | 64-bit Arm and `LoongArch` on Linux and Android | the kernel |
//! | 64-bit Arm on Apple's systems | the system |
//! | anything else | none |
//!
//! A feature that cannot be detected is present if the build enables it, and absent otherwise: a target that names it
//! is left out. [`DETECTABLE`] holds the detectable features at compile time.
use crate::mask::Mask;

#[cfg(any(miri, simd_core_no_detect))]
#[path = "detect/none.rs"]
mod source;
#[cfg(all(feature = "std", not(any(miri, simd_core_no_detect))))]
#[path = "detect/standard.rs"]
mod source;
#[cfg(not(any(feature = "std", miri, simd_core_no_detect)))]
#[path = "detect/without_std.rs"]
mod source;

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[allow(dead_code, reason = "some builds have neither detection with these nor a check")]
pub(crate) mod cpuid_rows;
#[cfg(all(any(target_arch = "aarch64", target_arch = "loongarch64"), any(target_os = "linux", target_os = "android")))]
#[allow(dead_code, reason = "as above")]
pub(crate) mod kernel_rows;
pub(crate) mod properties;

/// The features of this architecture that can be detected here, and the properties: without detection, every CPU counts
/// as having those.
pub(crate) const DETECTABLE: Mask = source::DETECTABLE.or(Mask::PROPERTIES);

/// The features and properties of this CPU, with [`Mask::INIT`]: the enabled and the detected ones. A feature counts
/// only if all that it implies are present too.
#[must_use]
pub(crate) fn detect() -> Mask {
    let seen = source::detected();
    let seen = seen.or(properties::detected(seen)).without(Mask::WITHOUT);
    Mask::INIT.or(Mask::STATIC.or(seen).closed())
}

#[cfg(test)]
mod tests;
