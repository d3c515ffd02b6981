//! Who refers to a clone.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::architecture::Architecture;
use crate::image::{Image, Value};
use crate::program::{Callers, Program};

/// Found in one pass over the code.
fn callers(program: &Program) -> Callers {
    let clones = program.symbols.iter().filter(|symbol| symbol.may_be_clone());
    let mut of: HashMap<u64, HashSet<u64>> = clones.map(|symbol| (symbol.address, HashSet::new())).collect();
    let function = |address| program.symbol_around(address).map_or(address, |symbol| symbol.address);
    for (from, to) in references(&program.image, &of.keys().copied().collect()) {
        let (from, own) = (function(from), function(to));
        of.entry(to).or_default().extend((from != own).then_some(from));
    }
    let in_tables = program.image.slots.values().filter_map(|value| match value {
        Value::Address(to) if of.contains_key(to) => Some(*to),
        _ => None,
    });
    Callers { in_tables: in_tables.collect(), of }
}

impl Program {
    fn callers(&self) -> &Callers {
        self.callers.get_or_init(|| callers(self))
    }

    /// Whether only one function calls the clone at this address, or takes its address.
    pub(crate) fn has_one_caller(&self, address: u64) -> bool {
        let callers = self.callers();
        !callers.in_tables.contains(&address) && callers.of.get(&address).is_some_and(|callers| callers.len() == 1)
    }

    /// The addresses of the functions that refer to one of these clones.
    pub(crate) fn callers_of(&self, clones: &BTreeSet<u64>) -> BTreeSet<u64> {
        clones.iter().filter_map(|address| self.callers().of.get(address)).flatten().copied().collect()
    }
}

/// The places in the code from which the distance to one of these addresses is given, as calls, jumps and computed
/// addresses do, each with the address.
fn references(image: &Image, wanted: &HashSet<u64>) -> Vec<(u64, u64)> {
    let mut out = Vec::new();
    let (Some(first), Some(last)) = (wanted.iter().min(), wanted.iter().max()) else { return out };
    // Most numbers in code are no distances to anything wanted, and the range shows it sooner.
    let near = *first..=*last;
    let is_wanted = |to: u64| near.contains(&to) && wanted.contains(&to);
    for section in image.sections.iter().filter(|section| section.code) {
        let Some(code) = image.read(section.memory.clone()) else { continue };
        let start = section.memory.start;
        if image.architecture == Architecture::Aarch64 {
            let words: Vec<u32> = code.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
            for (at, n) in (start..).step_by(4).zip(0..words.len()) {
                out.extend(referred(&words[n..], at).filter(|&to| is_wanted(to)).map(|to| (at, to)));
            }
        } else {
            for (at, bytes) in (start..).zip(code.windows(4)) {
                // The distance is from the end of the instruction, where no constant follows it. That of 0 is padding.
                let distance = i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                let to = image.wrap((at + 4).wrapping_add_signed(distance.into()));
                if is_wanted(to) && distance != 0 {
                    out.push((at, to));
                }
            }
        }
    }
    out
}

/// Where the first of these words, at the address `at`, calls or jumps to, or what it computes with those that follow.
fn referred(words: &[u32], at: u64) -> impl Iterator<Item = u64> {
    const BRANCH: (u32, u32) = (0x7c00_0000, 0x1400_0000); // b and bl
    const ADRP: (u32, u32) = (0x9f00_0000, 0x9000_0000);
    const ADD: (u32, u32) = (0xffc0_0000, 0x9100_0000);
    /// How far the addition is from the page at most.
    const NEAR: usize = 8;
    let is = |word: u32, (mask, value): (u32, u32)| word & mask == value;
    let word = words[0];
    let branch = is(word, BRANCH).then(|| at.wrapping_add_signed(i64::from((word << 6).cast_signed() >> 6) * 4));
    let page = is(word, ADRP).then(|| {
        let pages = i64::from(((word >> 5 << 13).cast_signed() >> 11) | (word >> 29 & 3).cast_signed());
        (at & !0xfff).wrapping_add_signed(pages << 12)
    });
    let computed = page.into_iter().flat_map(move |page| {
        let adds = words.iter().take(NEAR).filter(move |&&add| is(add, ADD) && add >> 5 & 31 == word & 31);
        adds.map(move |add| page + u64::from(add >> 10 & 0xfff))
    });
    branch.into_iter().chain(computed)
}
