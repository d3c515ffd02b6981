//! The code of a function in print.

use core::fmt::Write as _;
use std::collections::BTreeMap;

use crate::code::Code;
use crate::function::Function;

/// Longer code is printed around its marked lines only.
const LONG: usize = 400;
const AROUND: usize = 6;

/// A line of a listing to point at: the copy, the instruction, and what is wrong with it.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) copy: usize,
    pub(crate) index: usize,
    pub(crate) note: String,
}

/// The path, the target and the size.
pub(crate) fn heading(function: &Function, copy: &Code) -> String {
    let needs = function.needs();
    let target = match function.target() {
        Some(target) => format!(" [{target}]"),
        None if needs.is_empty() => String::new(),
        None => format!(" [hand-written, its instructions need {needs}]"),
    };
    let (size, count) = (copy.range.end - copy.range.start, copy.instructions.len());
    format!("{}{target}: {count} instructions, {size} bytes", function.path())
}

/// The code, with `>` and a note at each marked line. Copies without a mark are left out if another has one.
pub(crate) fn listing(function: &Function, marks: &[Mark]) -> String {
    let mut out = String::new();
    for (number, copy) in function.code().enumerate() {
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

/// Notes behind a line whatever is asked: callees, the feature words, the heads of loops.
fn comments(function: &Function, copy: &Code) -> BTreeMap<usize, String> {
    let mut out = BTreeMap::new();
    let program = &function.binary.program;
    for found in copy.loops() {
        if let Some(at) = copy.instructions.iter().position(|i| i.address() == found.start) {
            let kind = if found.width == 0 { "scalar".to_owned() } else { format!("{} bits wide", found.width) };
            out.insert(at, format!("loop, {kind}"));
        }
    }
    if let Some(words) = &program.words {
        for at in copy.references(words) {
            out.insert(at, "the feature words".to_owned());
        }
    }
    for call in copy.calls(program) {
        out.insert(call.index, call.callee.to_string());
    }
    out
}

impl Function {
    /// The function's code as it is printed where an assertion fails.
    #[must_use]
    pub fn listing(&self) -> String {
        listing(self, &[])
    }
}
