//! Whether the CPU has the features that the build enables, in code that runs on every CPU of the architecture.

use core::fmt;
use core::num::NonZeroU64;

use crate::features::Features;
use crate::mask::Mask;

macro_rules! machine {
    ($listed:meta) => {
        #[cfg(all($listed, not(any(miri, simd_core_no_detect, simd_core_portable))))]
        pub(crate) mod machine;

        /// Nothing is checked here.
        #[cfg(not(all($listed, not(any(miri, simd_core_no_detect, simd_core_portable)))))]
        #[path = "check/nothing.rs"]
        pub(crate) mod machine;
    };
}
machine!(all(
    target_pointer_width = "64",
    any(
        all(target_arch = "x86_64", any(target_os = "linux", target_os = "android", target_os = "windows")),
        all(target_arch = "aarch64", any(target_os = "linux", target_os = "android")),
    )
));

/// Ends the program before `main` if the CPU lacks a feature that the build enables (`-C target-cpu`, `-C target-feature`).
///
/// Without it, such a program dies of an illegal instruction, or runs on with wrong results. With it, the program writes one
/// line to standard error and exits with code 2:
///
/// ```text
/// resize: built for x86-64-v3; this CPU lacks avx, avx2, fma, f16c, bmi1, bmi2, lzcnt, movbe, xsave
/// ```
///
/// Write it once, next to `main` in the program's own crate:
///
/// ```
/// simd_core::check_cpu!();
///
/// fn main() {}
/// ```
///
/// - The check is written in assembly and uses no feature of the build. It is the program's first initialiser. Initialisers of
///   shared libraries run earlier, and so do, on Windows, callbacks for thread-local storage.
/// - x86-64 Linux, Android and Windows; AArch64 Linux and Android. Elsewhere, and with `--cfg simd_core_no_detect` or
///   `--cfg simd_core_portable`, it expands to nothing.
/// - The features are those that `simd-core` is compiled with: flags in `RUSTFLAGS` or in cargo's configuration, but not those of
///   `cargo rustc`, which are for one crate.
/// - Not checked: `kl` and `widekl` on x86-64; on AArch64 those that the kernel reports no bit for, and under
///   Android all but `aes`, `sha2` and `crc`; unstable features.
/// - In a library that other programs load, it would end those. Call the [function](check_cpu()) there.
/// - A program that no C runtime starts has no initialisers. Call the function there.
#[macro_export]
macro_rules! check_cpu {
    () => {
        $crate::__check_cpu! {}
    };
}

/// Whether this CPU has the features that the build enables: the [macro](macro@crate::check_cpu)'s check as a value, for libraries.
///
/// The function itself uses no feature of the build. Its caller, and the methods of the error, are compiled with them.
///
/// # Errors
///
/// If the CPU lacks a feature that the build of `simd-core` enables.
///
/// ```
/// if let Err(error) = simd_core::check_cpu() {
///     eprintln!("{error}"); // built for x86-64-v3; this CPU lacks avx, avx2, …
/// }
/// ```
#[inline]
pub fn check_cpu() -> Result<(), UnsupportedCpu> {
    checked::<true>()
}

/// [`check_cpu`], compiled only where that is used, and not into code that may use wide registers. Its result is one word, in which
/// zero is `Ok`: there is nothing that it could use one for.
#[inline(never)]
fn checked<const USED: bool>() -> Result<(), UnsupportedCpu> {
    NonZeroU64::new(machine::lacking()).map_or(Ok(()), |lacking| Err(UnsupportedCpu(lacking)))
}

/// The CPU lacks features that the build enables.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct UnsupportedCpu(NonZeroU64);

impl UnsupportedCpu {
    /// The features that the build enables and the CPU lacks.
    #[must_use]
    pub fn missing(self) -> Features {
        Features::of(machine::features(self.0.get()).fold(Mask::INIT, |all, feature| all.or(feature.leaf)))
    }
}

/// `built for x86-64-v3; this CPU lacks avx, avx2`
impl fmt::Display for UnsupportedCpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", machine::built_for(), self.missing())
    }
}

impl fmt::Debug for UnsupportedCpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UnsupportedCpu({})", self.missing())
    }
}

impl core::error::Error for UnsupportedCpu {}
