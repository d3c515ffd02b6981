//! Listings and reports.

use crate::asm::prelude::*;
use core::fmt::Write as _;
use std::collections::BTreeMap;

use super::code::{Callee, Code};
use super::{CallLeft, Function, left};

/// Longer code is printed around its marked lines only.
const LONG: usize = 400;
const AROUND: usize = 6;

/// A line of a listing to point at: the copy, the instruction, and what is wrong with it.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) copy: usize,
    pub(super) index: usize,
    pub(super) note: String,
}

/// The path, the target and the size.
fn heading(function: &Function, copy: &Code) -> String {
    let target = function.target().map_or_else(String::new, |target| format!(" [{target}]"));
    let (size, count) = (copy.range.end - copy.range.start, copy.instructions.len());
    format!("{}{target}: {count} instructions, {size} bytes", function.path())
}

/// The code, with `>` and a note at each marked line. Copies without a mark are left out if another has one.
pub(super) fn listing(function: &Function, marks: &[Mark]) -> String {
    let mut out = String::new();
    for (number, copy) in function.code().iter().enumerate() {
        let notes: BTreeMap<usize, &str> =
            marks.iter().filter(|m| m.copy == number).map(|m| (m.index, m.note.as_str())).collect();
        if notes.is_empty() && (number > 0 || !marks.is_empty()) {
            continue;
        }
        if function.copies() > 1 {
            _ = writeln!(out, "copy {} of {}", number + 1, function.copies());
        }
        _ = writeln!(out, "{}", heading(function, copy));
        lines(function, copy, &notes, &mut out);
    }
    out
}

fn lines(function: &Function, copy: &Code, notes: &BTreeMap<usize, &str>, out: &mut String) {
    let comments = comments(function, copy);
    let shown = |at: usize| {
        copy.instructions.len() <= LONG
            || if notes.is_empty() { at < LONG } else { notes.keys().any(|&mark| mark.abs_diff(at) <= AROUND) }
    };
    let mut skipped = 0;
    for (at, instruction) in copy.instructions.iter().enumerate() {
        if !shown(at) {
            skipped += 1;
            continue;
        }
        if skipped > 0 {
            _ = writeln!(out, "         … {skipped} instructions");
            skipped = 0;
        }
        let mark = if notes.contains_key(&at) { '>' } else { ' ' };
        let mut line = format!("{mark} {:>8x}  {instruction}", instruction.address());
        for text in comments.get(&at).into_iter().map(String::as_str).chain(notes.get(&at).copied()) {
            _ = write!(line, "{:pad$}; {text}", "", pad = 56_usize.saturating_sub(line.chars().count()).max(2));
        }
        _ = writeln!(out, "{line}");
    }
    if skipped > 0 {
        _ = writeln!(out, "         … {skipped} instructions");
    }
}

/// What stands behind a line whatever is asked: callees, the feature words, the heads of loops.
fn comments(function: &Function, copy: &Code) -> BTreeMap<usize, String> {
    let mut out = BTreeMap::new();
    let inner = &function.binary().inner;
    for found in copy.loops() {
        if let Some(at) = copy.instructions.iter().position(|i| i.address() == found.start) {
            let kind = if found.width == 0 { "scalar".to_owned() } else { format!("{} bits wide", found.width) };
            out.insert(at, format!("loop, {kind}"));
        }
    }
    if let Some(words) = inner.words() {
        for at in copy.references(words) {
            out.insert(at, "the feature words".to_owned());
        }
    }
    for call in copy.calls(inner) {
        out.insert(call.index, call.callee.to_string());
    }
    out
}

/// All calls of a function, each with what its callee is.
pub(super) fn report(function: &Function) -> String {
    let mut out = String::new();
    for copy in function.code() {
        _ = writeln!(out, "{}", heading(function, copy));
        let left = left::calls_left(&function.binary().inner, copy);
        if left.is_empty() {
            _ = writeln!(out, "    no calls");
        }
        for CallLeft { callee, kind, times, is_tail } in left {
            let times = if times == 1 { String::new() } else { format!(" ({times} times)") };
            let verb = if is_tail { "jumps to" } else { "calls" };
            _ = writeln!(out, "    {verb} {callee}{times}: {}", left::describe(function, &callee, kind));
        }
    }
    out
}

/// What a callee is, seen from this function.
pub(super) fn kind(function: &Function, callee: &Callee) -> String {
    left::describe(function, callee, left::kind(&function.binary().inner, callee))
}

/// Is this one of the functions in which every panic starts?
pub(super) fn is_panic(path: &str) -> bool {
    const STARTS: &[&str] = &[
        "core::panicking::",
        "std::panicking::begin_panic",
        "std::panicking::panic",
        "std::panicking::rust_panic",
        "std::rt::begin_panic",
        "std::panic::panic_any",
        "std::panic::resume_unwind",
    ];
    STARTS.iter().any(|prefix| path.starts_with(prefix)) || path.contains("rust_begin_unwind")
}

/// Does this function panic and do nothing else? Those in which panics start, and the standard library's own for a
/// slice, an `unwrap` or a capacity that is wrong.
pub(super) fn only_panics(path: &str) -> bool {
    const ENDS: &[&str] = &["_fail", "_fail_rt", "_failed", "::capacity_overflow", "::handle_alloc_error"];
    let of_std = ["core::", "alloc::", "std::"].iter().any(|library| path.starts_with(library));
    is_panic(path) || of_std && ENDS.iter().any(|end| path.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_only_panic() {
        for path in [
            "core::panicking::panic_bounds_check",
            "core::slice::index::slice_index_fail",
            "core::slice::copy_from_slice_impl::len_mismatch_fail",
            "core::str::slice_error_fail_rt",
            "core::option::unwrap_failed",
            "alloc::raw_vec::capacity_overflow",
        ] {
            assert!(only_panics(path), "{path}");
        }
        for path in ["app::may_fail", "app::core::slice_fail", "core::slice::sort::stable::drift::sort"] {
            assert!(!only_panics(path), "{path}");
        }
    }
}
