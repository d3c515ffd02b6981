#![allow(
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "an assertion has done its work when it returns"
)]

use core::fmt;
use std::io::Write as _;

use crate::code::Code;
use crate::function::Function;
use crate::listing::{self, Mark};
use crate::optimization::Optimization;

mod calls;
mod instructions;
mod shape;

/// Assertions on the code of one function: see [`Function::assert`].
///
/// Each method panics if its assertion is false. The message names the function, prints its listing with the offending
/// lines marked, and ends with a hint. If the function's binary was compiled without optimisation, all but
/// [`within_target`](Self::within_target) and [`within_features`](Self::within_features) are skipped: each prints a
/// line to standard error, even where the test harness captures output, and [`skipped`](Self::skipped) lists them.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// #[inline(never)]
/// pub fn total(numbers: &[u32]) -> u32 {
///     numbers.iter().fold(1, |total, number| total ^ number)
/// }
///
/// # total(core::hint::black_box(&[1, 2]));
/// let total = simd_core_asm::function("total")?;
/// let assert = total
///     .assert()
///     .contains("ret")
///     .not_contains("*div*")
///     .at_most(500)
///     .no_calls_except(&["memcpy", "core::panicking::*"])
///     .no_panics()
///     .vectorized(128)
///     .stack_stores_at_most(0)
///     .stack_frame_at_most(64)
///     .within_target();
/// for check in assert.skipped() {
///     println!("not checked without optimisation: {check}");
/// }
/// # Ok::<(), simd_core_asm::Error>(())
/// ```
#[derive(Clone)]
pub struct Assert<'a> {
    function: &'a Function,
    skipped: Vec<String>,
}

impl fmt::Debug for Assert<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assert").field("function", self.function).field("skipped", &self.skipped).finish()
    }
}

/// The fault that an assertion found.
struct Fault {
    what: String,
    marks: Vec<Mark>,
    hint: &'static str,
}

impl Assert<'_> {
    /// The assertions of this chain that were skipped, and so not checked.
    #[must_use]
    pub fn skipped(&self) -> &[String] {
        &self.skipped
    }

    /// A check that needs optimised code.
    #[track_caller]
    fn check(mut self, check: &str, fault: impl Fn(&Code, usize) -> Option<Fault>) -> Self {
        if self.function.binary.optimization == Optimization::On {
            return self.run(check, fault);
        }
        let line = format!(
            "simd-core-asm: SKIPPED {check} on `{}`: compiled without optimisation, where the check is meaningless\n",
            self.function.path()
        );
        // Directly to the handle, since the harness captures the output of `eprintln!`. A failure to write loses
        // nothing.
        _ = std::io::stderr().write_all(line.as_bytes());
        self.skipped.push(check.to_owned());
        self
    }

    #[track_caller]
    fn run(self, check: &str, fault: impl Fn(&Code, usize) -> Option<Fault>) -> Self {
        let faults = self.function.code().enumerate().filter_map(|(number, copy)| fault(copy, number));
        let faults: Vec<Fault> = faults.collect();
        let Some(first) = faults.first() else { return self };
        let marks: Vec<Mark> = faults.iter().flat_map(|fault| fault.marks.iter().cloned()).collect();
        panic!(
            "{check} does not hold for `{}`: {}\n{}help: {}\n",
            self.function.path(),
            first.what,
            listing::listing(self.function, &marks),
            first.hint,
        );
    }
}

impl Function {
    /// Starts a chain of assertions.
    #[must_use]
    pub fn assert(&self) -> Assert<'_> {
        Assert { function: self, skipped: Vec::new() }
    }
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
