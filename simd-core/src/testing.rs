//! A kit for tests that run every clone, not only the one that this CPU selects.
//!
//! With the cargo feature `testing`, for `[dev-dependencies]`:
//!
//! ```
//! use simd_core::dispatch;
//! use simd_core::testing::{agree, each_target};
//!
//! #[dispatch(targets = "avx2 | sse4.1 | sve2", list = TARGETS)]
//! pub fn sum(xs: &[u32]) -> u32 {
//!     xs.iter().fold(0, |sum, &x| sum.wrapping_add(x))
//! }
//!
//! # const _: &str = stringify! {
//! #[test]
//! # };
//! #[each_target(TARGETS)] // or #[each_target("avx2 | sse4.1 | sve2")]
//! fn sums_of_one_and_none() {
//!     assert_eq!(sum(&[]), 0);
//!     assert_eq!(sum(&[7]), 7);
//! }
//!
//! # const _: &str = stringify! {
//! proptest::proptest! {
//!     #[test]
//!     #[each_target(TARGETS)]
//!     fn clones_agree(xs: Vec<u32>) {
//!         agree(|| sum(&xs));
//!     }
//! }
//! # };
//! # fn clones_agree(xs: Vec<u32>) { agree(|| sum(&xs)); }
//! ```
//!
//! Each target runs in a process of its own, in which [`SIMD_CORE_ONLY`](crate#testing-every-clone) keeps only the
//! target's features, since features must not change while a clone runs. The process is the test program, started again
//! for this one test. `docs/testing.md` in the repository describes how test runners and emulators work with it.

#![allow(clippy::test_attr_in_doctest, reason = "these show how tests are written")]

mod child;
mod parent;
mod program;

use core::fmt;
use std::process::ExitCode;
use std::string::String;

pub use child::agree;
pub use program::this_program;

use crate::targets::Targets;

/// Runs a test once for each target of a list that this CPU has, from the best to the baseline.
///
/// `#[each_target]` does not make a test: the function needs `#[test]` as well.
///
/// The list is a string, as for [`dispatch`](macro@crate::dispatch), or an expression of type [`Targets`]. After it,
/// `crate = path` names the path of `simd-core`, if it is not `::simd_core`. The attribute may stand before or after
/// `#[test]`. Other attributes and macros that make tests (`#[tokio::test]`, `proptest!`) have to keep the function's
/// name.
///
/// ```
/// # const _: &str = stringify! {
/// #[test]
/// # };
/// #[simd_core::testing::each_target("avx2,fma | sse4.1 | sve2")]
/// fn my_kernels() {
///     // …
/// }
/// ```
///
/// The test fails if it fails for any target. The message names the target and shows that run's output. A target that
/// the CPU lacks is reported as skipped on standard error, even where `cargo test` captures the output of passing
/// tests.
///
/// Where no process can be started (WebAssembly, Miri) the test runs once, with the CPU's own features, and the other
/// targets are skipped.
///
/// # Panics
///
/// If the test fails in a process, or if a process does not run the test or selects another target.
#[cfg(feature = "macros")]
pub use simd_core_macros::each_target;

/// A type that a test may return.
#[doc(hidden)]
pub trait Passed {
    /// The value that a passing test returns.
    fn passed() -> Self;
}

impl Passed for () {
    fn passed() -> Self {}
}

impl Passed for ExitCode {
    fn passed() -> Self {
        ExitCode::SUCCESS
    }
}

impl<T: Passed, E> Passed for Result<T, E> {
    fn passed() -> Self {
        Ok(T::passed())
    }
}

/// The first statement of a test with [`each_target`]: `None` if the rest of the test is to run.
#[doc(hidden)]
#[track_caller]
#[must_use]
pub fn __each_target<R: Passed>(targets: Targets, module: &str, function: &str) -> Option<R> {
    if child::begins(targets) || !parent::runs_each(targets, &test_name(module, function)) {
        return None;
    }
    Some(R::passed())
}

/// The test harness's name of the test: its path without the crate.
fn test_name(module: &str, function: &str) -> String {
    match module.split_once("::") {
        Some((_, path)) => std::format!("{path}::{function}"),
        None => function.into(),
    }
}

/// Writes `message` even where the test harness captures a test's output.
fn report(message: fmt::Arguments<'_>) {
    use std::io::Write;
    let _ = std::io::stderr().write_all(std::format!("{message}\n").as_bytes());
}

/// The variable that names the target of a process that was started for one.
const CHILD: &str = "SIMD_CORE_TESTING_CHILD";
/// The start of each line that such a process writes to its parent.
const MARK: &str = "\u{1}simd_core ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tests() {
        assert_eq!(test_name("program", "test"), "test");
        assert_eq!(test_name("program::a::b", "test"), "a::b::test");
    }

    #[test]
    fn whatever_a_test_returns() {
        <()>::passed();
        assert_eq!(Result::<(), u8>::passed(), Ok(()));
        let _: ExitCode = Passed::passed();
    }
}
