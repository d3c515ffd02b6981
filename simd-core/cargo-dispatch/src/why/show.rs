//! The outcome, for people and as data.

use core::fmt::Write as _;

use serde::Serialize;

use super::join::{Gone, Why};
use super::loops::{Found, Place};
use super::reasons::Reason;
use crate::columns::broken;

#[derive(Serialize)]
pub(crate) struct Outcome {
    pub(super) functions: Vec<Entry>,
    /// The hot loops of a bench, the hottest first.
    pub(super) hot: Vec<Hot>,
    pub(super) notes: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct Entry {
    pub(super) function: String,
    pub(super) clones: Vec<Clone>,
}

/// The code of one of its clones, or of a part of it that was compiled by itself.
#[derive(Serialize)]
pub(super) struct Clone {
    pub(super) target: String,
    pub(super) path: String,
    pub(super) loops: Vec<Row>,
    /// Loops that are written and not in the machine code.
    pub(super) gone: Vec<Gone>,
}

/// A loop of a bench that takes part of its time.
#[derive(Serialize)]
pub(super) struct Hot {
    /// The part of the time of the bench.
    pub(super) share: f64,
    /// The function whose machine code has the loop.
    pub(super) function: String,
    #[serde(flatten)]
    pub(super) row: Row,
    /// With the attribute: the targets, and what the loop is there.
    pub(super) annotated: Vec<(String, String)>,
}

#[derive(Serialize)]
pub(super) struct Row {
    pub(super) file: String,
    pub(super) line: u32,
    column: u32,
    code: String,
    /// The calls through which it was inlined.
    through: Vec<(String, u32)>,
    /// The package of the loop's code, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<String>,
    pub(super) is_vectorized: bool,
    /// The width in bits of its vectors; 0 if it has none.
    pub(super) bits: u32,
    pub(super) what: String,
    /// It holds other loops.
    pub(super) is_outer: bool,
    /// The addresses of its copies in the program.
    addresses: Vec<String>,
    /// One reason, or all between which LLVM's remarks do not decide.
    reasons: Vec<Reason>,
    /// What it is with the settings of the user's own profile, if that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    own_build: Option<String>,
}

impl Clone {
    pub(super) fn new(target: String, path: String, found: &[Found], whys: Vec<Why>, gone: Vec<Gone>) -> Self {
        let mut loops: Vec<Row> = found.iter().zip(whys).map(|(found, why)| Row::new(found, why)).collect();
        loops.sort_by_key(|row| (row.file.clone(), row.line));
        Self { target, path, loops, gone }
    }
}

impl Row {
    pub(super) fn new(found: &Found, why: Why) -> Self {
        let main = found.main();
        let Place { file, start, text, through, of, .. } = found.place.clone();
        let silent = "LLVM gives none for a loop in this place".to_owned();
        let reasons = match why {
            _ if !main.is_innermost => Vec::new(),
            Why::Vectorized => Vec::new(),
            Why::Silent => vec![Reason { text: silent, advice: None, remark: String::new() }],
            Why::Known(reason) => vec![reason],
            Why::OneOf(reasons) => reasons,
        };
        let mut what = found.words();
        if found.is_vectorized() && !reasons.is_empty() {
            what = what.replacen("vectorised", "vectorised within each iteration", 1);
        }
        Self {
            file,
            line: start.0,
            column: start.1,
            code: text,
            through,
            of,
            is_vectorized: found.is_vectorized(),
            bits: main.work.width,
            what,
            is_outer: !main.is_innermost,
            addresses: found.copies.iter().map(|copy| format!("{:#x}", copy.start)).collect(),
            reasons,
            own_build: None,
        }
    }

    /// Takes note of a difference to the widest of these that stands in its place.
    pub(super) fn compare(&mut self, own: &[&Self]) {
        let widest = own.iter().filter(|other| other.is_as(self)).max_by_key(|other| other.rank());
        let differs = widest.filter(|one| one.rank() != self.rank());
        self.own_build = differs.map(|one| one.what.clone());
    }

    /// Whether both are of the same text.
    pub(super) fn is_as(&self, other: &Self) -> bool {
        (&self.file, self.line, self.column) == (&other.file, other.line, other.column)
    }

    pub(super) fn rank(&self) -> (bool, u32) {
        (self.is_vectorized, self.bits)
    }

    fn heading(&self) -> String {
        let mut text = format!("{}:{}", self.file, self.line);
        if !self.code.is_empty() {
            _ = write!(text, " `{}`", self.code);
        }
        if let Some(of) = &self.of {
            _ = write!(text, ", code of {of}");
        }
        let through: Vec<String> = self.through.iter().map(|(file, line)| format!("{file}:{line}")).collect();
        if !through.is_empty() {
            _ = write!(text, ", inlined in {}", through.join(", in "));
        }
        text
    }

    /// `said` is what the clone for `of` has for the same line.
    fn write(&self, text: &mut String, said: Option<(&str, &Self)>) {
        _ = writeln!(text, "{}", broken(&format!("  {}: {}", self.heading(), self.what)));
        let as_before = said.filter(|(_, other)| !self.reasons.is_empty() && other.reasons == self.reasons);
        if let Some((of, _)) = as_before {
            _ = writeln!(text, "    why: as for {of}");
        } else if self.reasons.len() > 1 {
            text.push_str("    one of these reasons is this loop's, the others those of loops next to it:\n");
        }
        for Reason { text: reason, advice, remark } in self.reasons.iter().filter(|_| as_before.is_none()) {
            _ = writeln!(text, "{}", indented(&format!("why: {reason}")));
            if let Some(advice) = advice {
                _ = writeln!(text, "{}", indented(&format!("help: {advice}")));
                _ = writeln!(text, "{}", indented(&format!("LLVM: {remark}")));
            }
        }
        if let Some(own) = &self.own_build {
            _ = writeln!(text, "{}", indented(&format!("in your own build: {own}")));
        }
    }
}

fn indented(text: &str) -> String {
    broken(text).lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

impl Outcome {
    pub(crate) fn text(&self) -> String {
        let mut text = String::from(
            "compiled in a copy, with one codegen unit and without link-time optimisation: otherwise LLVM\n\
             says nothing of loops\n",
        );
        for entry in &self.functions {
            for clone in &entry.clones {
                let part = if clone.path.contains("{closure") { ", a closure" } else { "" };
                _ = writeln!(text, "\n{} for {}{part}", entry.function, clone.target);
                if clone.loops.is_empty() && clone.gone.is_empty() {
                    text.push_str("  no loops\n");
                }
                for row in &clone.loops {
                    let first = &entry.clones[0];
                    let same = first.loops.iter().find(|other| (&other.file, other.line) == (&row.file, row.line));
                    let said = same.filter(|_| !core::ptr::eq(first, clone)).map(|same| (&*first.target, same));
                    row.write(&mut text, said);
                }
                for Gone { file, line, code, what } in &clone.gone {
                    _ = writeln!(text, "{}", broken(&format!("  {file}:{line} `{code}`: {what}")));
                }
            }
        }
        for Hot { share, function, row, annotated } in &self.hot {
            _ = writeln!(text, "\n{:.0} % of the time, in {function}", 100.0 * share);
            row.write(&mut text, None);
            for (target, what) in annotated {
                _ = writeln!(text, "{}", indented(&format!("with the attribute, for {target}: {what}")));
            }
        }
        if !self.notes.is_empty() {
            text.push('\n');
        }
        for note in &self.notes {
            _ = writeln!(text, "{}", broken(note));
        }
        text
    }
}

pub(super) fn compare(entries: &mut [Entry], own: &[Entry]) {
    for entry in entries {
        for clone in &mut entry.clones {
            let others = own.iter().filter(|other| other.function == entry.function).flat_map(|other| &other.clones);
            let others: Vec<&Row> =
                others.filter(|other| other.target == clone.target).flat_map(|other| &other.loops).collect();
            clone.loops.iter_mut().for_each(|row| row.compare(&others));
        }
    }
}
