//! The calls that are left, in words.

use core::fmt::Write as _;

use crate::binary::Binary;
use crate::clones::Clones;
use crate::error::Error;
use crate::function::Function;
use crate::left::{self, CallLeft};
use crate::listing::heading;

impl Function {
    /// [`calls_left`](Self::calls_left) in words, for each copy of the code.
    #[must_use]
    pub fn report(&self) -> String {
        let mut out = String::new();
        for copy in self.code() {
            _ = writeln!(out, "{}", heading(self, copy));
            let left = left::calls_left(&self.binary.program, copy);
            if left.is_empty() {
                _ = writeln!(out, "    no calls");
            }
            for CallLeft { callee, kind, times, is_tail } in left {
                let times = if times == 1 { String::new() } else { format!(" ({times} times)") };
                let verb = if is_tail { "jumps to" } else { "calls" };
                _ = writeln!(out, "    {verb} {callee}{times}: {}", left::describe(self.target(), &callee, kind));
            }
        }
        out
    }
}

impl Clones {
    /// [`Function::report`] of each.
    #[must_use]
    pub fn report(&self) -> String {
        reports(self)
    }
}

impl Binary {
    /// For each of [`clones_in`](Self::clones_in), the calls that are left in it, and whether each callee is a clone, a
    /// dispatcher, or not dispatched at all. In optimised code a tree that is whole calls clones alone, if anything.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none.
    pub fn report(&self, part: &str) -> Result<String, Error> {
        Ok(reports(&self.clones_in(part)?))
    }
}

fn reports(functions: &[Function]) -> String {
    functions.iter().map(Function::report).collect::<Vec<_>>().join("\n")
}
