//! Random programs: some modules each, with what the reference of `dispatch` says that may differ between clones.

use super::super::folding::random::Random;
pub(super) use super::scope::{Callable, Items, Named, Parameter, Scope};

/// For functions, bindings and parameters.
pub(super) const NAMES: [&str; 14] =
    ["a", "b", "c", "w", "n", "x", "y", "scale", "weight", "lanes", "body", "first", "found", "value"];
/// For constants, types and generic parameters.
pub(super) const TYPES: [&str; 10] = ["A", "B", "N", "W", "V", "T", "R", "K", "LANES", "Self_"];

/// The features that the program names as targets and in `cfg`. No target implies a later one of its list.
pub(super) const LISTS: &[&[&str]] = &[
    &["avx2", "sse4.1"],
    &["avx2,fma", "avx", "ssse3"],
    &["avx2,pclmulqdq", "aes"],
    &["vaes", "aes", "sse4.1"],
    &["avx2"],
    &["bmi2", "sha"],
    &["sse4.1"],
    &["sha", "avx2,bmi2", "avx2"],
];
pub(super) const FEATURES: &[&str] =
    &["sse4.1", "ssse3", "avx", "avx2", "aes", "pclmulqdq", "bmi2", "fma", "vaes", "sha"];
const BUILDS: &[&[&str]] = &[&[], &[], &[], &["sse4.1"], &["avx2"], &["aes"]];

/// A call whose result the program prints, and the list that selects its clone.
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) call: String,
    pub(crate) list: usize,
}

pub(crate) struct Unit {
    pub(crate) source: String,
    pub(crate) entries: Vec<Entry>,
}

pub(crate) struct Program {
    pub(crate) edition: &'static str,
    pub(crate) build: &'static [&'static str],
    pub(crate) lists: [Vec<&'static str>; 2],
    pub(crate) units: Vec<Unit>,
}

pub(super) struct Generator {
    pub(super) random: Random,
    pub(super) edition: &'static str,
    pub(super) lists: [Vec<&'static str>; 2],
    pub(super) features: Vec<&'static str>,
    pub(super) unit: usize,
}

/// The program of `seed`. `usable` says which targets this CPU has.
pub(crate) fn program(seed: u64, units: usize, usable: &dyn Fn(&str) -> bool) -> Program {
    let mut random = Random::new(seed.wrapping_mul(0x2545_F491_4F6C_DD1D));
    let edition = random.pick(&["2015", "2018", "2021", "2024", "2024"]);
    let mut list =
        || -> Vec<&'static str> { random.pick(LISTS).iter().copied().filter(|target| usable(target)).collect() };
    let lists = [list(), list()];
    let build = random.pick(BUILDS);
    let build = if build.iter().all(|feature| usable(feature)) { build } else { &[] };
    // Usually those that make a difference.
    let mut features: Vec<&str> = lists[0].iter().flat_map(|target| target.split(',')).collect();
    features.extend(features.clone());
    features.extend(lists[1].iter().flat_map(|target| target.split(',')));
    features.push(random.pick(FEATURES));
    let mut generator = Generator { random, edition, lists: lists.clone(), features, unit: 0 };
    let units = (0..units).map(|unit| {
        generator.unit = unit;
        generator.unit()
    });
    let units = units.collect();
    Program { edition, build, lists, units }
}

impl Program {
    pub(super) fn source(&self, units: &[usize]) -> String {
        // The edition 2015 imports no macro that is not exported.
        let named = format!("simd_core::target_list!(pub(crate) main_list = \"{}\");", self.lists[0].join(" | "));
        let list = if self.edition == "2015" { "" } else { &named };
        source(list, &units.iter().map(|&at| (at, &self.units[at])).collect::<Vec<_>>())
    }
}

pub(crate) fn source(list: &str, units: &[(usize, &Unit)]) -> String {
    let mut text = format!(
        "#![allow(warnings)]\n\
         extern crate simd_core;\n\
         {}\n\
         pub fn hash(text: &str) -> u64 {{ text.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31) ^ byte as u64) }}\n\
         pub mod fast {{ pub fn weight(x: u64) -> u64 {{ x.wrapping_add(9) }} pub type V = [u8; 8]; pub const K: usize = 11; }}\n\
         pub mod slow {{ pub fn weight(x: u64) -> u64 {{ x ^ 5 }} pub type V = [u8; 4]; pub const K: usize = 3; }}\n\
         pub trait Outer {{ fn outer(&self, x: u64) -> u64 {{ x ^ 77 }} }}\nimpl Outer for u64 {{}}\n",
        list
    );
    for (at, unit) in units {
        text += &format!("pub mod u{at} {{\n{}\npub fn run() {{\n", unit.source);
        for Entry { name, call, .. } in &unit.entries {
            text += &format!("println!(\"{{}} {{:x?}}\", \"{at}.{name}\", {call});\n");
        }
        text += "}\n}\n";
    }
    let calls: String = units.iter().map(|(at, _)| format!("u{at}::run(); ")).collect();
    text + &format!("fn main() {{ {calls} }}\n")
}

impl Generator {
    /// `simd_core`, from anywhere.
    pub(super) fn root(&self) -> &'static str {
        if self.edition == "2015" { "::simd_core" } else { "simd_core" }
    }

    pub(super) fn list(&mut self, list: usize) -> String {
        let targets = &self.lists[list];
        match self.random.below(4) {
            0 => format!("[{}]", targets.iter().map(|target| format!("\"{target}\"")).collect::<Vec<_>>().join(", ")),
            1 if list == 0 && self.edition != "2015" => "crate::main_list".to_owned(),
            _ => format!("\"{}\"", targets.join(" | ")),
        }
    }

    /// The attribute for a list, where the program is annotated.
    pub(super) fn dispatch(&mut self, list: usize) -> String {
        let targets = self.list(list);
        let more = if self.random.chance(10) { format!(", crate = {}", self.root()) } else { String::new() };
        let condition = if self.random.chance(15) { "all(d, not(any()))" } else { "d" };
        format!("#[cfg_attr({condition}, {}::dispatch(targets = {targets}{more}))]", self.root())
    }

    fn unit(&mut self) -> Unit {
        let mut entries = Vec::new();
        let mut source = String::new();
        let outside = self.outside(&mut source);
        let flat = !self.random.chance(75);
        let attr = if flat { String::new() } else { self.dispatch(0) + "\n" };
        let path = format!("crate::u{}::k", self.unit);
        let (text, _) = self.module(&outside, &path, 0, flat, &mut entries, "k::");
        source += &format!("{attr}pub mod k {{\n{text}\n}}\n");
        Unit { source, entries }
    }

    /// Items next to the annotated ones, with the build's features.
    fn outside(&mut self, source: &mut String) -> Items {
        let mut items = Items::default();
        for at in 0..2 {
            let scope = Scope { shared: true, ..Scope::default() };
            let name = self.binding(&scope);
            let body = self.block(&scope.with(&name), 1);
            *source += &format!("pub fn o{at}({name}: u64) -> u64 {body}\n");
            items.callables.push(Callable::simple(&format!("o{at}")));
        }
        items
    }
}
