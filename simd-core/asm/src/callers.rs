//! Who refers to a function.

use std::collections::HashSet;

use crate::architecture::Architecture;
use crate::image::{Image, Value};
use crate::program::Program;

impl Program {
    /// Whether one function alone calls what is at this address, or takes its address; calls of itself do not count.
    pub(crate) fn has_one_caller(&self, address: u64) -> bool {
        if self.image.slots.values().any(|&value| value == Value::Address(address)) {
            return false; // a table of pointers
        }
        let own = self.symbol_around(address).map(|symbol| symbol.address);
        let callers: HashSet<u64> = references(&self.image, address)
            .into_iter()
            .map(|from| self.symbol_around(from).map_or(from, |symbol| symbol.address))
            .filter(|&from| Some(from) != own)
            .collect();
        callers.len() == 1
    }
}

/// The places in the code from which the distance to this address is given, as calls, jumps and computed addresses do.
fn references(image: &Image, address: u64) -> Vec<u64> {
    let mut out = Vec::new();
    for section in image.sections.iter().filter(|section| section.code) {
        let Some(code) = image.read(section.memory.clone()) else { continue };
        let start = section.memory.start;
        if image.architecture == Architecture::Aarch64 {
            let words: Vec<u32> = code.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
            let at = (start..).step_by(4);
            out.extend(at.zip(0..words.len()).filter(|&(at, n)| refers(&words[n..], at, address)).map(|(at, _)| at));
        } else {
            // The distance is from the end of the instruction, where no constant follows it. That of 0 is padding.
            let ends = (start..).zip(code.windows(4)).map(|(at, bytes)| {
                let distance = i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                (at, image.wrap((at + 4).wrapping_add_signed(distance.into())))
            });
            out.extend(ends.filter(|&(at, to)| to == address && at + 4 != address).map(|(at, _)| at));
        }
    }
    out
}

/// Whether the first of these words, at the address `at`, calls or jumps to `to`, or computes it with one that follows.
fn refers(words: &[u32], at: u64, to: u64) -> bool {
    const BRANCH: (u32, u32) = (0x7c00_0000, 0x1400_0000); // b and bl
    const ADRP: (u32, u32) = (0x9f00_0000, 0x9000_0000);
    const ADD: (u32, u32) = (0xffc0_0000, 0x9100_0000);
    /// How far the addition is from the page at most.
    const NEAR: usize = 8;
    let is = |word: u32, (mask, value): (u32, u32)| word & mask == value;
    let word = words[0];
    if is(word, BRANCH) {
        let distance = i64::from((word << 6).cast_signed() >> 6) * 4;
        return at.wrapping_add_signed(distance) == to;
    }
    if !is(word, ADRP) {
        return false;
    }
    let pages = i64::from(((word >> 5 << 13).cast_signed() >> 11) | (word >> 29 & 3).cast_signed());
    (at & !0xfff).wrapping_add_signed(pages << 12) == to & !0xfff
        && words
            .iter()
            .take(NEAR)
            .any(|&add| is(add, ADD) && add >> 5 & 31 == word & 31 && u64::from(add >> 10 & 0xfff) == to & 0xfff)
}
