//! A program on a CPU that lacks one feature: what its tests of the CPU come out with, and where they let it lead.
//!
//! Variables and functions that tell what the CPU has are zero there, and so are the bits of `cpuid` that stand for the feature or imply
//! it. The functions that read it are interpreted, then those that call these or read what they have stored, and so on.
//! All that is not known can be anything, so each round is right by itself.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::OnceLock;

use super::facts::Facts;
use super::functions::Functions;
use super::sources::{STD, Sources};
use super::summary::{Effects, Pointers, Summary};
use crate::calls::Callee;
use crate::code::Code;
use crate::image::Value;
use crate::program::{Program, Symbol};
use crate::values::bits::ZERO;
use crate::values::{self, oracle::Oracle, state::LONGEST};

/// The same for all these CPUs.
pub(crate) struct Context<'a> {
    program: &'a Program,
    sources: &'a Sources,
    pointers: &'a Pointers,
    functions: &'a Functions<'a>,
    summaries: &'a [Summary],
    codes: Vec<OnceLock<Code>>,
    /// Functions and stubs of other libraries that are known by name.
    named: BTreeMap<u64, String>,
    /// The functions by what they lead to, read or write.
    by_way: BTreeMap<u64, Vec<usize>>,
    by_access: BTreeMap<u64, Vec<usize>>,
    /// With the number of bytes.
    by_write: BTreeMap<u64, Vec<(usize, u64)>>,
    /// Addresses in the data that something may write through.
    escaped: BTreeSet<u64>,
}

struct Cpu<'a> {
    context: &'a Context<'a>,
    cpuid: HashMap<(u64, u64), [Value; 4]>,
    /// The values that functions return; nothing if they do not.
    returned: HashMap<u64, Option<[Value; 2]>>,
    /// Variables, with their sizes.
    cells: BTreeMap<u64, (u64, Value)>,
    lacking: Facts,
}

impl Oracle for Cpu<'_> {
    fn load(&self, from: Value, bytes: u64) -> Value {
        let address = match from {
            Value::Address(address) => address,
            Value::Import(symbol) if self.context.program.image.import_path(symbol) == STD => return ZERO,
            _ => return Value::Unknown,
        };
        if let Some(held) = self.context.sources.held(address, bytes, self.lacking) {
            return held;
        }
        match self.cells.range(..=address).next_back() {
            Some((start, (size, value))) if address + bytes <= start + size => {
                value.shr(8 * (address - start) as u32).low(8 * bytes as u32)
            }
            _ => Value::Unknown,
        }
    }

    fn identify(&self, leaf: Value, part: Value) -> [Value; 4] {
        // Only these have parts.
        let part = if matches!(leaf.number(), Some(7 | 13)) { part } else { ZERO };
        let known = leaf.number().zip(part.number()).and_then(|place| self.cpuid.get(&place));
        known.copied().unwrap_or([Value::Unknown; 4])
    }

    fn call(&self, to: Value, argument: Value) -> Option<[Value; 2]> {
        let known = |path: &str, is_import| self.context.sources.returned(path, argument, self.lacking, is_import);
        match to {
            Value::Address(to) => match self.context.named.get(&to) {
                Some(path) => known(path, false),
                None => self.returned.get(&to).copied().unwrap_or(Some([Value::Unknown; 2])),
            },
            Value::Import(symbol) => known(&self.context.program.image.import_path(symbol), true),
            _ => Some([Value::Unknown; 2]),
        }
    }
}

fn index<T>(pairs: impl Iterator<Item = (u64, T)>) -> BTreeMap<u64, Vec<T>> {
    let mut out: BTreeMap<u64, Vec<T>> = BTreeMap::new();
    pairs.for_each(|(address, one)| out.entry(address).or_default().push(one));
    out
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        program: &'a Program,
        sources: &'a Sources,
        pointers: &'a Pointers,
        functions: &'a Functions<'a>,
        all: &[(&Symbol, String)],
        summaries: &'a [Summary],
    ) -> Self {
        let all_of = || summaries.iter().enumerate();
        let by_way = index(all_of().flat_map(|(at, summary)| summary.effects.to.iter().map(move |&to| (to, at))));
        let by_access = index(all_of().flat_map(|(at, summary)| summary.accesses.iter().map(move |&to| (to, at))));
        let writes =
            |(at, summary): (_, &'a Summary)| summary.effects.stores.iter().map(move |&(to, size, _)| (to, (at, size)));
        let named = all.iter().filter(|(_, path)| Sources::answers(path));
        let mut named: BTreeMap<u64, String> = named.map(|(symbol, path)| (symbol.address, path.clone())).collect();
        let stubs = by_way.keys().filter(|&&to| program.image.is_code(to) && program.symbol_at(to).is_none());
        named.extend(stubs.filter_map(|&stub| match program.resolve(stub) {
            Callee::Import(name) if Sources::answers(&name) => Some((stub, name)),
            _ => None,
        }));
        let loads: HashSet<u64> = summaries.iter().flat_map(|summary| summary.effects.loads.iter().copied()).collect();
        let kept =
            pointers.iter().filter(|(at, _)| !(loads.contains(at) && program.image.slot(**at) != Value::Unknown));
        let escaped = by_way
            .keys()
            .chain(kept.map(|(_, to)| to))
            .chain(&program.exports)
            .filter(|&&to| !program.image.is_code(to));
        Self {
            program,
            sources,
            pointers,
            functions,
            summaries,
            codes: summaries.iter().map(|_| OnceLock::new()).collect(),
            escaped: escaped.copied().collect(),
            by_write: index(all_of().flat_map(writes)),
            by_access,
            by_way,
            named,
        }
    }

    /// The ways of the functions to which the lack of this makes a difference.
    pub(crate) fn without(&self, lacking: Facts) -> HashMap<usize, Effects> {
        /// Functions that return what a function returns, and so on.
        const DEEP: usize = 6;
        let never = self.functions.0.iter().zip(self.summaries).filter(|(_, summary)| summary.returned.is_none());
        let mut cpu = Cpu {
            context: self,
            cpuid: self.sources.cpuid(lacking),
            returned: never.map(|(function, _)| (function.symbol.address, None)).collect(),
            cells: BTreeMap::new(),
            lacking,
        };
        let fixed: HashSet<u64> = cpu.returned.keys().chain(self.named.keys()).copied().collect();
        let mut seen: HashMap<usize, Effects> = HashMap::new();
        let mut open: BTreeSet<usize> = (0..self.summaries.len()).filter(|&at| self.summaries[at].asks).collect();
        let returns = self.named.iter().filter(|(_, path)| !Sources::never_returns(path));
        open.extend(returns.flat_map(|(at, _)| self.by_way.get(at).into_iter().flatten()));
        let sources = self.by_access.iter().filter(|(address, _)| self.sources.variable(**address));
        open.extend(sources.flat_map(|(_, functions)| functions));
        for _ in 0..DEEP {
            let mut next = BTreeSet::new();
            for at in core::mem::take(&mut open) {
                let start = self.functions.0[at].symbol.address;
                let code = self.codes[at].get_or_init(|| self.functions.code(&self.program.image, at));
                let found = values::analyse(&self.program.image, &code.instructions, &code.graph, &cpu);
                if found.returned != self.summaries[at].returned
                    && !fixed.contains(&start)
                    && cpu.returned.insert(start, found.returned) != Some(found.returned)
                {
                    next.extend(self.by_way.get(&start).into_iter().flatten());
                }
                seen.insert(at, Effects::new(found, self.program, self.pointers));
            }
            let cells = self.cells(&seen, &mut next);
            let changed = |(at, cell): &(&u64, &(u64, Value))| cpu.cells.get(at) != Some(cell);
            for (&at, (size, _)) in cells.iter().filter(changed) {
                next.extend(self.by_access.range(at..at + size).flat_map(|(_, functions)| functions));
            }
            cpu.cells = cells;
            if next.is_empty() {
                break;
            }
            open = next;
        }
        seen
    }

    /// The variables of which all writes are seen, with what they can hold; adds to `next` what has yet to be looked at.
    fn cells(&self, seen: &HashMap<usize, Effects>, next: &mut BTreeSet<usize>) -> BTreeMap<u64, (u64, Value)> {
        let mut stored: BTreeMap<u64, Option<(u64, Value)>> = BTreeMap::new();
        for &(at, size, value) in seen.values().flat_map(|seen| &seen.stores) {
            let before = stored.get(&at).copied().unwrap_or(Some((size, value)));
            let joined = before.filter(|(other, _)| *other == size).map(|(_, other)| (size, other.join(value)));
            stored.insert(at, joined);
        }
        let news = seen.iter().filter(|(at, seen)| self.summaries[**at].effects.stores != seen.stores);
        let news: HashSet<u64> = news.flat_map(|(_, seen)| &seen.stores).map(|store| store.0).collect();
        let mut cells = BTreeMap::new();
        for (at, cell) in stored.into_iter().filter(|(at, _)| news.contains(at)) {
            let Some((size, value)) = cell.filter(|(size, _)| *size <= 8) else { continue };
            let is_std = self.sources.std.as_ref().is_some_and(|std| std.contains(&at));
            if self.sources.trusted(at) || !is_std && self.escaped.range(self.variable(at, size)).next().is_some() {
                continue;
            }
            // Writes that begin before it and reach it.
            let mut around =
                self.by_write.range(at.saturating_sub(LONGEST)..at + size).filter(|(other, _)| **other != at);
            if around.any(|(other, writes)| writes.iter().any(|(_, size)| other + size > at)) {
                continue;
            }
            let writers: Vec<usize> = self.by_write.get(&at).into_iter().flatten().map(|(writer, _)| *writer).collect();
            // All ones are what is not known yet where each reader can fill it, and the standard library's zero is.
            let starts: Vec<u64> = writers.iter().map(|&at| self.functions.0[at].symbol.address).collect();
            let leads = |at: usize, to: &u64| self.summaries[at].effects.to.binary_search(to).is_ok();
            let fills = |at: &usize| writers.contains(at) || starts.iter().any(|start| leads(*at, start));
            let initial = self.program.image.number(at, size).unwrap_or(0);
            let is_unset = initial == values::bits::ones(8 * size as u32);
            let unset = is_std || is_unset && self.by_access.range(at..at + size).flat_map(|(_, all)| all).all(fills);
            let value = if unset { value } else { value.join(Value::constant(initial)) };
            let missing: Vec<usize> = writers.into_iter().filter(|writer| !seen.contains_key(writer)).collect();
            if value != Value::Unknown && missing.is_empty() {
                cells.insert(at, (size, value));
            }
            next.extend(missing.into_iter().filter(|_| value != Value::Unknown));
        }
        cells
    }

    /// The variable that this is part of, as far as symbols say it.
    fn variable(&self, at: u64, size: u64) -> core::ops::Range<u64> {
        let after = self.program.data.partition_point(|symbol| symbol.address <= at);
        let around = self.program.data[..after].last().filter(|symbol| at < symbol.address + symbol.size);
        around.map_or(at..at + size, |symbol| symbol.address..symbol.address + symbol.size)
    }
}
