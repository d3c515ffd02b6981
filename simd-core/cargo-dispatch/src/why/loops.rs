//! The loops of a program's functions, placed in the user's sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use addr2line::{FrameIter, Loader};
use anyhow::{Result, anyhow};
use simd_core_asm::{Binary, Flow, Function, Lanes, Loop, Work};

use super::remarks::At;
use super::source::{self, File, Position};

/// Where code comes from, from the innermost function outwards.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Chain(Vec<Frame>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Frame {
    at: At,
    /// It lies in the user's sources; its file's path then begins at the workspace's root.
    is_own: bool,
    function: String,
}

/// A loop as it is written, in one of the places that it was inlined into.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) file: String,
    /// Where it begins: of a `for`, `while` or `loop` the keyword, of others the call of what loops.
    pub(super) start: Position,
    pub(super) end: u32,
    /// The code there, shortened.
    pub(super) text: String,
    /// The calls in the user's sources through which it was inlined, from the inner to the outer one, by file and line.
    pub(super) through: Vec<(String, u32)>,
    /// The crate that the loop's code is of, if it is neither the user's nor the standard library's.
    pub(super) of: Option<String>,
}

pub(super) struct Found {
    pub(super) place: Place,
    /// The innermost places of its own instructions, which remarks have.
    pub(super) innermost: BTreeSet<At>,
    /// Its copies: the main one, one for what is left, those for special cases.
    pub(super) copies: Vec<Copy>,
}

pub(super) struct Copy {
    pub(super) start: u64,
    /// The addresses of its own instructions.
    pub(super) own: Vec<u64>,
    pub(super) work: Work,
    pub(super) is_innermost: bool,
    /// The functions that it calls, and that are not inlined.
    pub(super) calls: BTreeSet<String>,
    pub(super) exits: usize,
    pub(super) divides: bool,
}

impl Found {
    /// The copy that most of a long input runs through: the widest of those without inner loops.
    pub(super) fn main(&self) -> &Copy {
        let rank = |copy: &&Copy| {
            let kind = match copy.work.lanes() {
                Lanes::Vectors => 5,
                Lanes::Mixed => 4,
                Lanes::Gathered => 3,
                Lanes::Moved => 2,
                Lanes::Assembled => 1,
                _ => 0,
            };
            (copy.is_innermost, kind.min(4), copy.work.width, kind, copy.own.len())
        };
        self.copies.iter().max_by_key(rank).unwrap_or_else(|| unreachable!("a loop has a copy"))
    }

    /// Whether it has instructions of this innermost place.
    pub(super) fn has(&self, at: &At) -> bool {
        let start = At { file: String::new(), ..*at };
        let mut same =
            self.innermost.range(start..).take_while(|other| (other.line, other.column) == (at.line, at.column));
        same.any(|other| at.is(other))
    }

    /// Whether it has such instructions, or the place lies in its lines.
    pub(super) fn is_around(&self, at: &At) -> bool {
        let place = &self.place;
        self.has(at) || at.is_in(&place.file) && (place.start.0..=place.end).contains(&at.line)
    }

    pub(super) fn is_vectorized(&self) -> bool {
        self.main().is_innermost && is_vector(&self.main().work)
    }

    pub(super) fn words(&self) -> String {
        let main = self.main();
        match main.work.width {
            _ if main.is_innermost => words(&main.work),
            0 => "an outer loop: LLVM vectorises innermost loops only".to_owned(),
            bits => format!("an outer loop, with vectors of {bits} bits between its inner loops"),
        }
    }
}

pub(super) struct Lines<'a> {
    pub(super) binary: Binary,
    loader: Loader,
    root: &'a Path,
    files: &'a [File],
}

impl<'a> Lines<'a> {
    pub(super) fn new(program: &Path, root: &'a Path, files: &'a [File]) -> Result<Self> {
        let loader = Loader::new(program).map_err(|error| anyhow!("{}: {error}", program.display()))?;
        Ok(Self { binary: Binary::open(program)?, loader, root, files })
    }

    fn chain(&self, address: u64) -> Chain {
        let mut chain = Vec::new();
        let mut frames = self.loader.find_frames(address).ok();
        while let Some(Ok(Some(frame))) = frames.as_mut().map(FrameIter::next) {
            let Some(location) = &frame.location else { continue };
            let (Some(file), Some(line)) = (location.file, location.line) else { continue };
            if line == 0 {
                continue;
            }
            let own = Path::new(file).strip_prefix(self.root).ok();
            let file = own.map_or_else(|| file.to_owned(), |own| own.display().to_string());
            let function =
                frame.function.as_ref().and_then(|name| name.demangle().ok()).unwrap_or_default().into_owned();
            let at = At { file, line, column: location.column.unwrap_or(0) };
            chain.push(Frame { at, is_own: own.is_some(), function });
        }
        Chain(chain)
    }

    fn file(&self, path: &str) -> Option<&'a File> {
        self.files.iter().find(|one| one.path == Path::new(path))
    }

    pub(super) fn loops(&self, function: &Function) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        let instructions = function.instructions();
        let calls: BTreeMap<usize, String> = function
            .calls()
            .iter()
            .map(|call| (call.index, call.callee.name().unwrap_or("a function pointer").to_owned()))
            .collect();
        for one in function.loops() {
            let Some((place, innermost)) = self.place(function, &one) else { continue };
            let copy = Copy {
                start: one.start,
                own: one.own.iter().map(|&at| instructions[at].address()).collect(),
                work: one.work,
                is_innermost: one.is_innermost,
                exits: one.exits.len(),
                divides: one
                    .own
                    .iter()
                    .any(|&at| ["div", "idiv", "udiv", "sdiv"].contains(&instructions[at].mnemonic())),
                calls: one.own.iter().filter_map(|at| calls.get(at)).cloned().collect(),
            };
            match found.iter_mut().find(|other| other.place == place) {
                Some(other) => {
                    other.innermost.extend(innermost);
                    other.copies.push(copy);
                }
                None => found.push(Found { place, innermost: innermost.into_iter().collect(), copies: vec![copy] }),
            }
        }
        found
    }

    /// Where a loop is written, and the innermost places of its instructions.
    fn place(&self, function: &Function, one: &Loop) -> Option<(Place, Vec<At>)> {
        let instructions = function.instructions();
        let repeats =
            |at: &&usize| matches!(instructions[**at].flow(), Flow::Branch(to) | Flow::Jump(to) if to == one.start);
        let back: Vec<Chain> =
            one.body.iter().filter(repeats).map(|&at| self.chain(instructions[at].address())).collect();
        let own: Vec<Chain> = one.own.iter().map(|&at| self.chain(instructions[at].address())).collect();
        let is_placed = |chain: &&Chain| chain.0.iter().any(|frame| frame.is_own);
        // A jump without a line, or one that has only a call's, does not say where it is: the loop's own instructions do.
        let mut counts: BTreeMap<&Chain, usize> = BTreeMap::new();
        own.iter().filter(is_placed).for_each(|chain| *counts.entry(chain).or_default() += 1);
        let mut usual: Vec<(&Chain, usize)> = counts.into_iter().collect();
        usual.sort_by_key(|(_, count)| core::cmp::Reverse(*count));
        usual.truncate(8);
        let chains = back.iter().filter(is_placed).chain(usual.into_iter().map(|(chain, _)| chain)).chain(back.first());
        let mut places = chains.filter_map(|chain| self.written(chain, &own));
        let (mut place, is_loop) = places.next()?;
        if !is_loop && let Some((other, _)) = places.find(|(_, is_loop)| *is_loop) {
            place = other;
        }
        let innermost = back.iter().chain(&own).filter_map(|chain| Some(chain.0.first()?.at.clone())).collect();
        Some((place, innermost))
    }

    /// The place of code in the user's sources, and whether something loops there.
    fn written(&self, chain: &Chain, own: &[Chain]) -> Option<(Place, bool)> {
        // It is in the innermost function that its instructions are of. An optimisation may have put a few others between them.
        let has_all = |at: &usize| {
            let all = own.iter().filter(|other| !other.0.is_empty());
            let of = all.clone().filter(|other| other.0.ends_with(&chain.0[at + 1..]));
            5 * of.count() >= 4 * all.count()
        };
        let first = (0..chain.0.len()).find(has_all)?;
        let inner = &chain.0[first];
        // Of code without a line of the user's, the package that it is of.
        let is_of_package = |frame: &Frame| !is_standard(&frame.at.file);
        let outwards = (first..chain.0.len()).find(|at| chain.0[*at].is_own);
        let at = outwards.or_else(|| chain.0.iter().rposition(|frame| frame.is_own));
        let at = at.or_else(|| chain.0.iter().position(is_of_package)).unwrap_or(first);
        let frame = &chain.0[at];
        let outer = chain.0[at + 1..].iter().filter(|frame| frame.is_own);
        let through: Vec<(String, u32)> = outer.map(|frame| (frame.at.file.clone(), frame.at.line)).collect();
        let of = (!inner.is_own && is_of_package(inner)).then(|| package(&inner.at.file).0);
        let position = (frame.at.line, frame.at.column.max(1));
        let Some(file) = frame.is_own.then(|| self.file(&frame.at.file)).flatten() else {
            let (name, within) = package(&frame.at.file);
            let file = if frame.is_own { frame.at.file.clone() } else { format!("{name}/{within}") };
            let text = frame.function.clone();
            return Some((Place { file, start: position, end: position.0, text, through, of: None }, true));
        };
        // What stands in the same function, at the end of the same chain of calls.
        let outer = &chain.0[at + 1..];
        let beside = own.iter().filter_map(|other| {
            let start = other.0.len().checked_sub(outer.len() + 1)?;
            let frame = &other.0[start];
            (frame.is_own && frame.at.file == file_name(&file.path) && other.0[start + 1..] == *outer)
                .then_some((frame.at.line, frame.at.column.max(1)))
        });
        let beside: BTreeSet<Position> = beside.collect();
        let around = file.loops_around(position);
        let is_of = |one: &&&source::Loop| {
            one.header.contains(&position) || !one.is_bare && beside.iter().any(|other| one.header.contains(other))
        };
        let is_direct = at == first;
        let written = around.iter().find(is_of).or_else(|| around.first().filter(|_| is_direct));
        let (start, end) = written.map_or((position, position.0), |one| (*one.all.start(), one.all.end().0));
        let is_loop = written.is_some() || !is_direct;
        let text = file.line(start.0);
        Some((Place { file: frame.at.file.clone(), start, end, text, through, of }, is_loop))
    }
}

fn file_name(path: &Path) -> String {
    path.display().to_string()
}

pub(super) fn is_standard(file: &str) -> bool {
    file.starts_with("/rustc/")
        || file.starts_with("/rust/deps/")
        || file.starts_with("library/")
        || file.contains("/lib/rustlib/src/rust/library/")
}

/// The directory of the package that a file is of, and the path within.
fn package(file: &str) -> (String, String) {
    let parts: Vec<&str> = file.split(['/', '\\']).collect();
    let source = parts.iter().rposition(|part| *part == "src").unwrap_or(parts.len().saturating_sub(1));
    (parts[source.saturating_sub(1)].to_owned(), parts[source..].join("/"))
}

/// The kind of a loop's code, in words.
fn words(work: &Work) -> String {
    let bits = work.width;
    match work.lanes() {
        Lanes::Vectors => format!("vectorised, {bits} bits"),
        Lanes::Mixed => format!(
            "vectorised in part: {} instructions compute on {bits} bits, {} on one floating-point value",
            work.computes, work.singles
        ),
        Lanes::Gathered => format!("vectorised, {bits} bits, with {} gathers", work.gathers),
        Lanes::Moved => format!("moves vectors of {bits} bits, and computes on none"),
        Lanes::Assembled => "not vectorised: its vectors are put together from single values".to_owned(),
        _ => "not vectorised".to_owned(),
    }
}

/// Whether the loop computes on whole vectors.
pub(super) fn is_vector(work: &Work) -> bool {
    matches!(work.lanes(), Lanes::Vectors | Lanes::Moved)
}
