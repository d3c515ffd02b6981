//! Random programs: an annotated module, and other modules and crates that use its names.

use super::super::folding::random::Random;
use super::fill::{Place, kinds_of_extras};
use super::{options, outside};

/// The names of everything: items, parameters, generics, labels and macros. A part of them is the expansion's own.
pub(super) const POOL: [&str; 12] =
    ["W", "V", "lanes", "go", "__go__avx2", "__proof", "__body", "B", "R", "core", "target_lost", "Proof"];

/// A macro outside of the annotated module, with a `static`.
const COUNTER: &str = "macro_rules! counter { () => { { static C: ::std::sync::atomic::AtomicUsize = \
                       ::std::sync::atomic::AtomicUsize::new(0); &C } } }";

/// The kind of a piece of a program, as far as it decides whether the program may be refused.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// The module with the attribute, and everything in it.
    Annotated,
    Macro,
    Constant,
    Alias,
    Function,
    /// An item of the annotated module that exists once for all clones.
    Shared,
    /// Code outside of the annotated module.
    Outside,
}

/// A piece of a program, which can be removed from it.
#[derive(Clone)]
pub(crate) struct Piece {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    /// The content of the braces after the text.
    pub(crate) inside: Option<Vec<Piece>>,
}

impl Piece {
    pub(super) fn new(kind: Kind, text: impl Into<String>) -> Piece {
        Piece { kind, text: text.into(), inside: None }
    }

    pub(super) fn of(kind: Kind, text: impl Into<String>, inside: Vec<Piece>) -> Piece {
        Piece { kind, text: text.into(), inside: Some(inside) }
    }
}

pub(crate) fn render(pieces: &[Piece]) -> String {
    let piece = |piece: &Piece| match &piece.inside {
        Some(inside) => format!("{} {{\n{}}}\n", piece.text, render(inside)),
        None => format!("{}\n", piece.text),
    };
    pieces.iter().map(piece).collect()
}

#[derive(Clone)]
pub(crate) struct Program {
    pub(crate) edition: &'static str,
    pub(crate) targets: &'static [&'static str],
    /// A feature that the build enables, or none.
    pub(crate) build: &'static str,
    /// Options of the compiler, and the same as cargo writes them.
    pub(crate) spelled: Vec<String>,
    pub(crate) usual: Vec<String>,
    /// Options that have no influence on the program.
    pub(crate) others: Vec<String>,
    /// The crates by their names; the first has the attribute, and the last is the program.
    pub(crate) crates: Vec<(&'static str, Vec<Piece>)>,
}

/// The items of the annotated module.
#[derive(Default)]
pub(super) struct Names {
    pub(super) constants: Vec<&'static str>,
    pub(super) aliases: Vec<&'static str>,
    /// With generic parameters.
    pub(super) functions: Vec<(&'static str, &'static str)>,
    /// The ends of the names of functions that only the program calls.
    pub(super) late: Vec<&'static str>,
    pub(super) const_functions: Vec<&'static str>,
    /// Other names that no binding can have.
    solid: Vec<&'static str>,
    /// Macros, and whether their definitions name constants.
    macros: Vec<(&'static str, bool)>,
    taken: Vec<&'static str>,
}

/// The generic arguments of a function with such parameters.
pub(super) fn arguments(generics: &str) -> &'static str {
    match generics {
        "<const>" => "::<2>",
        "<type>" => "::<usize>",
        "<size>" => "::<u16>",
        _ => "",
    }
}

#[derive(Clone, Copy)]
enum Slot {
    Macro(usize),
    Constant(usize),
    Alias(usize),
    /// A function, one of two definitions of it, or the other.
    Function(usize, Option<bool>),
    /// An item of some kind, with its name.
    Extra(usize, &'static str),
}

pub(super) struct Generator {
    pub(super) random: Random,
    pub(super) names: Names,
    seed: u64,
    targets: &'static [&'static str],
}

impl Generator {
    /// Usually a feature that makes a difference, and sometimes one that a target implies.
    pub(super) fn feature(&mut self) -> &'static str {
        let all: &[&str] = if self.random.chance(85) { self.targets } else { &["sse4.1", "avx2", "avx", "ssse3"] };
        self.random.pick(all)
    }

    pub(super) fn free(&mut self, lists: &[&[&'static str]]) -> Option<&'static str> {
        pick_free(&mut self.random, lists)
    }

    fn fresh(&mut self) -> Option<&'static str> {
        let name = pick_free(&mut self.random, &[&self.names.taken])?;
        self.names.taken.push(name);
        Some(name)
    }

    fn attribute(&mut self) -> String {
        let list = self.targets.join(" | ");
        match self.random.below(6) {
            0 => format!("#[cfg_attr(all(d, not(any())), ::simd_core::dispatch(targets = \"{list}\"))]"),
            1 => format!("#[cfg_attr(d, simd_core::dispatch(targets = {:?}))]", self.targets),
            _ => format!("#[cfg_attr(d, simd_core::dispatch(targets = \"{list}\"))]"),
        }
    }

    fn outer_macros(&mut self) -> Vec<Piece> {
        for _ in 0..self.random.below(3) {
            let name = self.random.pick(&POOL[..4]);
            self.names.macros.push((name, false));
        }
        let definition = |(name, _): &(&str, bool)| format!("macro_rules! {name} {{ () => {{ {} }} }}", name.len());
        let pieces = self.names.macros.iter().map(definition).chain([COUNTER.to_owned()]);
        pieces.map(|text| Piece::new(Kind::Outside, text)).collect()
    }

    /// The items of the annotated module, in the order of the text.
    fn slots(&mut self) -> Vec<Slot> {
        let mut slots = Vec::new();
        for _ in 0..self.random.below(3) {
            slots.extend(vec![Slot::Macro(self.names.macros.len()); 1 + self.random.below(2)]);
            let one = (self.random.pick(&POOL[..6]), self.random.chance(20));
            self.names.macros.push(one);
        }
        for at in 0..=self.random.below(3) {
            slots.extend(self.fresh().map(|name| self.names.constants.push(name)).map(|()| Slot::Constant(at)));
        }
        for at in 0..self.random.below(2) {
            slots.extend(self.fresh().map(|name| self.names.aliases.push(name)).map(|()| Slot::Alias(at)));
        }
        if self.random.chance(50) {
            let name = self.fresh();
            self.names.const_functions.extend(name);
        }
        for at in 0..=self.random.below(3) {
            let Some(name) = self.fresh() else { break };
            self.names.functions.push((name, self.random.pick(&["", "", "", "", "", "<const>", "<type>", "<size>"])));
            if self.random.chance(35) {
                slots.extend([true, false].map(|part| Slot::Function(at, Some(part))));
            } else {
                slots.push(Slot::Function(at, None));
            }
        }
        let kind = self.random.below(kinds_of_extras());
        for kind in (kind..).take(self.random.below(3)) {
            let Some(name) = self.fresh() else { break };
            slots.push(Slot::Extra(kind % kinds_of_extras(), name));
            self.names.solid.push(name);
        }
        for at in (1..slots.len()).rev() {
            slots.swap(at, self.random.below(at + 1));
        }
        slots
    }

    fn module(&mut self, attribute: &str) -> Piece {
        let outer: Vec<&str> = self.names.macros.iter().map(|one| one.0).collect();
        let slots = self.slots();
        let mut pieces =
            ["use super::*;", "use ::std::cfg as has;"].map(|text| Piece::new(Kind::Shared, text)).to_vec();
        for (at, &slot) in slots.iter().enumerate() {
            let before = slots[..at].iter().filter_map(|slot| match slot {
                Slot::Macro(at) => Some(self.names.macros[*at].0),
                _ => None,
            });
            let place = self.place(outer.iter().copied().chain(before).collect());
            pieces.extend(match slot {
                Slot::Macro(at) => vec![self.definition(at)],
                Slot::Constant(at) => {
                    let place = self.constant_place(at, place);
                    let (name, value) = (self.names.constants[at], self.expression(&place, 3));
                    vec![Piece::new(Kind::Constant, format!("pub const {name}: usize = {value};"))]
                }
                Slot::Alias(at) => self.alias(at, place),
                Slot::Function(at, part) => vec![self.function(at, part, place)],
                Slot::Extra(kind, name) => {
                    let tests = self.random.chance(if kind == 0 { 10 } else { 70 });
                    self.extra(kind, name, &Place { words: vec!["x"], tests, ..place })
                }
            });
        }
        for name in self.names.const_functions.clone() {
            let tests = self.random.chance(4);
            let place = Place { words: vec!["n"], is_constant: true, tests, hidden: vec![name], ..Place::default() };
            let body = self.expression(&place, 1);
            pieces.push(Piece::new(Kind::Shared, format!("pub const fn {name}(n: usize) -> usize {{ {body} }}")));
        }
        Piece::of(Kind::Annotated, format!("{attribute}\npub mod k"), pieces)
    }

    fn place(&self, macros: Vec<&'static str>) -> Place {
        Place {
            solid: [&*self.names.constants, &self.names.solid].concat(),
            macros,
            constants: self.names.constants.clone(),
            functions: self.names.functions.clone(),
            tests: true,
            ..Place::default()
        }
    }

    /// A place for the value of a constant: it names those before it, and no macro that could name others.
    fn constant_place(&mut self, at: usize, mut place: Place) -> Place {
        place.macros.retain(|name| !self.names.macros.iter().any(|other| other.0 == *name && other.1));
        place.constants.truncate(at);
        Place { is_constant: true, tests: self.random.chance(60), ..place }
    }

    fn definition(&mut self, at: usize) -> Piece {
        let (name, names_constant) = self.names.macros[at];
        let value = match self.random.below(90) {
            value if names_constant => format!("({} + {value})", self.names.constants[0]),
            value if value < 3 => format!("({} as usize)", self.test(true)),
            value => value.to_string(),
        };
        Piece::new(Kind::Macro, format!("macro_rules! {name} {{ () => {{ {value} }} }}"))
    }

    fn alias(&mut self, at: usize, place: Place) -> Vec<Piece> {
        let name = self.names.aliases[at];
        let place = self.constant_place(usize::MAX, place);
        let cfgs = if place.tests && self.random.chance(50) {
            let predicate = self.predicate();
            vec![format!("#[cfg({predicate})] "), format!("#[cfg(not({predicate}))] ")]
        } else {
            vec![String::new()]
        };
        let alias = |cfg: &String| {
            Piece::new(Kind::Alias, format!("{cfg}pub type {name} = [u8; ({}) % 32];", self.expression(&place, 1)))
        };
        cfgs.iter().map(alias).collect()
    }

    fn function(&mut self, at: usize, part: Option<bool>, place: Place) -> Piece {
        let (name, generics) = self.names.functions[at];
        let mut place = Place { functions: place.functions[..at].to_vec(), ..place };
        // Both definitions have the same signature, whatever else was chosen before.
        let same = Random::new(self.seed.wrapping_mul(16).wrapping_add(at as u64));
        let own = core::mem::replace(&mut self.random, same);
        let predicate = self.predicate();
        let parameter = self.free(&[&place.solid, &[name]]).unwrap_or("x");
        // It hides a constant or an alias of its name.
        let other = self.free(&[&[parameter, name]]).unwrap_or("N");
        self.random = own;
        place.hidden.push(parameter);
        let (generic, ty, start) = match generics {
            "<const>" => (format!("<const {other}: usize>"), "usize", format!("{other} + ")),
            "<type>" => (format!("<{other}: Into<usize>>"), other, format!("{parameter}.into() + ")),
            "<size>" => (format!("<{other}>"), "usize", format!("::std::mem::size_of::<{other}>() + ")),
            _ => (String::new(), "usize", String::new()),
        };
        if ty == "usize" {
            place.words.push(parameter);
        }
        if !generics.is_empty() {
            place.hidden.push(other);
            place.solid.push(other);
        }
        let body = self.expression(&place, 3);
        let attribute = self.random.pick(&["inline", "track_caller", "track_caller", "must_use", "cold"]);
        let attribute = match self.random.below(100) {
            chance if chance >= if part.is_some() { 10 } else { 5 } => String::new(),
            chance if chance % 3 == 0 => format!("#[cfg_attr({}, {attribute})] ", self.predicate()),
            _ => format!("#[{attribute}] "),
        };
        let tracks = attribute.contains("track_caller") || self.random.chance(5);
        let caller = if tracks { " + ::std::panic::Location::caller().line() as usize" } else { "" };
        let cfg = match part {
            None => String::new(),
            Some(true) => format!("#[cfg({predicate})] "),
            Some(false) => format!("#[cfg(not({predicate}))] "),
        };
        let signature = format!("{cfg}{attribute}pub fn {name}{generic}({parameter}: {ty}) -> usize");
        Piece::new(Kind::Function, format!("{signature} {{ {start}({body}){caller} }}"))
    }
}

fn pick_free(random: &mut Random, lists: &[&[&'static str]]) -> Option<&'static str> {
    let names: Vec<&str> = POOL.into_iter().filter(|name| !lists.iter().any(|list| list.contains(name))).collect();
    (!names.is_empty()).then(|| random.pick(&names))
}

pub(crate) fn program(seed: u64) -> Program {
    let mut random = Random::new(seed.wrapping_mul(0x2545_F491_4F6C_DD1D) ^ 0x6D6F_6475);
    let edition = random.pick(&["2018", "2021", "2024", "2024"]);
    let targets: &[&str] = random.pick(&[&["avx2"][..], &["avx2"], &["avx2", "sse4.1"], &["sse4.1"]]);
    let build = random.pick(&["", "", "", "", "", "sse4.1", "avx2"]);
    let ((spelled, usual), others) = (options::level(&mut random), options::others(&mut random));
    let mut generator = Generator { random, names: Names::default(), seed, targets };
    let attribute = generator.attribute();
    let mut root = generator.outer_macros();
    root.push(generator.module(&attribute));
    if generator.random.chance(30) {
        root.push(generator.methods(&attribute));
    }
    let crates = outside::crates(&mut generator, root);
    Program { edition, targets, build, spelled, usual, others, crates }
}
