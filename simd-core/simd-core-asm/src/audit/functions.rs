//! The functions of a file, with all ways into each.

use core::ops::Range;
use std::collections::{BTreeSet, HashMap};

use super::facts::Facts;
use super::summary::{Pointers, Summary, UNNAMED};
use crate::code::{Code, fills};
use crate::format::NameSource;
use crate::image::Image;
use crate::path;
use crate::program::{Program, Symbol};
use crate::target::{self, Target};

/// A function of a file.
pub(crate) struct Function<'a> {
    pub(crate) symbol: &'a Symbol,
    pub(crate) path: String,
    /// The facts from its name.
    pub(crate) own: Facts,
    /// Whether it lies in a clone, as a coroutine does, which only the clone makes.
    pub(crate) is_inner: bool,
    /// The first one first.
    pub(crate) parts: Vec<Range<u64>>,
    /// Where other code enters the parts, but at the start.
    pub(crate) entries: BTreeSet<u64>,
    /// The number of the function of which it is a part: its own, unless the compiler has split it.
    pub(crate) owner: usize,
}

/// The functions of a file in the order of their addresses, each address once. They are numbered.
pub(crate) struct Functions<'a>(pub(crate) Vec<Function<'a>>);

impl<'a> Functions<'a> {
    pub(crate) fn new(program: &Program, symbols: &[(&'a Symbol, String)]) -> Self {
        let mut all: Vec<Function<'a>> = Vec::new();
        for (symbol, path) in symbols.iter().filter(|(symbol, _)| symbol.size > 0) {
            let names = path::parse(path);
            let target = |names: &[path::Segment]| target::of(names, program.image.architecture);
            // Clones are Rust's, in a program with the feature words.
            let own = match target(&names) {
                Some(Target::Features(features)) if program.words.is_some() && names.len() > 1 => features.bits(),
                _ => 0,
            };
            match all.last_mut().filter(|last| last.symbol.address == symbol.address) {
                // One code with several names: what any of them promises by itself is no promise.
                Some(last) if last.own == 0 || own == 0 => last.own |= own,
                Some(last) => last.own &= own,
                None => all.push(Function {
                    symbol,
                    path: path.clone(),
                    own,
                    is_inner: names.last().is_none_or(|last| target(core::slice::from_ref(last)).is_none()),
                    parts: core::iter::once(symbol.address..symbol.address + symbol.size).collect(),
                    entries: BTreeSet::new(),
                    owner: all.len(),
                }),
            }
        }
        Self(all)
    }

    /// The function that holds this address.
    pub(crate) fn around(&self, address: u64) -> Option<usize> {
        let after = self.0.partition_point(|function| function.symbol.address <= address);
        let holds = |&at: &usize| self.0[at].symbol.address == address || self.0[at].parts[0].contains(&address);
        (after.saturating_sub(8)..after).rev().find(holds)
    }

    pub(crate) fn code(&self, image: &Image, at: usize) -> Code {
        Code::entered(image, &self.0[at].parts, &self.0[at].entries)
    }

    /// Joins what the compiler has split: those of which the rest has the name, before `.cold`, and jumps there or from there.
    pub(crate) fn join(&mut self, summaries: &mut [Summary]) -> BTreeSet<usize> {
        let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
        self.0.iter().enumerate().for_each(|(at, function)| named.entry(function.symbol.plain()).or_default().push(at));
        let leads = |from: usize, to: usize| summaries[from].effects.to.iter().any(|&at| self.around(at) == Some(to));
        let joined = (0..self.0.len()).filter_map(|cold| {
            let rest = named.get(self.0[cold].symbol.name.split_once(".cold")?.0)?;
            Some((cold, *rest.iter().find(|&&at| rest.len() == 1 || leads(at, cold) || leads(cold, at))?))
        });
        let joined: Vec<(usize, usize)> = joined.collect();
        for &(cold, rest) in &joined {
            self.0[cold].owner = rest;
            let part = self.0[cold].parts[0].clone();
            self.0[rest].parts.push(part);
            summaries[cold] = Summary::default();
        }
        joined.into_iter().map(|(_, rest)| rest).collect()
    }

    /// Finds where code is entered but at the start of a function: those functions of which that is news.
    pub(crate) fn enter(&mut self, program: &Program, summaries: &[Summary], pointers: &Pointers) -> BTreeSet<usize> {
        let mut news = BTreeSet::new();
        let ways = summaries.iter().enumerate().flat_map(|(at, s)| s.effects.to.iter().map(move |&to| (Some(at), to)));
        for (from, to) in ways.chain(pointers.values().chain(&program.exports).map(|&to| (None, to))) {
            let Some(owner) = self.around(to).map(|at| self.0[at].owner) else { continue };
            let is_own = from == Some(owner) || from.is_none() && summaries[owner].cases.binary_search(&to).is_ok();
            if !is_own && self.0[owner].symbol.address != to && self.0[owner].entries.insert(to) {
                news.insert(owner);
            }
        }
        news
    }
}

/// Code that no symbol names: each gap between functions that is not padding.
pub(crate) fn unnamed(program: &Program) -> Vec<Symbol> {
    let mut unnamed = Vec::new();
    for section in program.image.sections.iter().filter(|section| section.code) {
        let within = |symbol: &&Symbol| section.memory.contains(&symbol.address);
        let mut end = section.memory.start;
        let limit = (section.memory.end, 0);
        for (start, size) in program.symbols.iter().filter(within).map(|s| (s.address, s.size)).chain([limit]) {
            let code = Code::new(&program.image, end, start.saturating_sub(end));
            if !code.instructions.iter().all(|instruction| fills(&program.image, instruction)) {
                let (name, source) = (format!("{UNNAMED}{end:#x}"), NameSource::SymbolTable);
                unnamed.push(Symbol { address: end, size: start - end, name, source, is_typed: false });
            }
            end = end.max(start + size);
        }
    }
    unnamed
}
