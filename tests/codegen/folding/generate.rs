//! Writes a random program of dispatched functions and of callers that are not.
//!
//! Everything is written twice from one template: once dispatched, and once as it should behave, where each function
//! looks the number of its clone up in a table. `print` says what a template may hold.

use super::features::{FEATURES, closure};
use super::print;
use super::random::Random;

/// How a function is called.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Shape {
    /// `§f(x, y)`
    Free,
    /// `§g(x, closure)`
    Generic,
    /// `§M(x).m(y)`
    Method,
    /// `§T::new(x).op(y).get()`, and through `T: Op`.
    Operator,
    /// `§E(x).d(y)`, a default method.
    Default,
    /// `§a(x, &slot).await`
    Async,
    /// `§v(x, y).await`
    Value,
    /// `§b(x)(y)`, a boxed closure.
    Boxed,
    /// `§q(x)(y)`, a pointer to what is in its body.
    Pointer,
    /// `§k::f(x, y)`
    Module,
    /// `§t(x, y)`, which may unwind.
    Throws,
    /// `<[u8; 3] as §R>::run(x)`, which unwinds if the CPU lacks a target.
    Carried,
    /// `§w(closure, x)`, a function with features that is not dispatched.
    Frame,
}

pub(crate) struct Function {
    pub(crate) shape: Shape,
    /// It calls functions of lower levels only.
    pub(crate) level: usize,
    /// Whether a `Frame` can be called.
    pub(crate) guard: String,
}

/// The code around a block.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Functions below this level can be called.
    pub(crate) level: usize,
    /// How deep blocks may still be nested.
    pub(crate) depth: usize,
    /// The list of the function that the block is in.
    pub(crate) list: Option<usize>,
    pub(crate) is_async: bool,
}

impl Place {
    pub(crate) fn inside(self) -> Place {
        Place { depth: self.depth.saturating_sub(1), is_async: false, ..self }
    }
}

pub(crate) struct Generator {
    pub(crate) random: Random,
    pub(crate) lists: Vec<Vec<Vec<&'static str>>>,
    pub(crate) functions: Vec<Function>,
    /// The templates of the library, if it is a crate of its own, and of the program.
    templates: [String; 2],
    two: bool,
    /// Whether some crate of the program is built with flags, so that clones may be missing, or others than their lists say.
    pub(crate) flags: bool,
    names: usize,
}

pub(crate) struct Program {
    /// The library that the program uses, if it is a crate of its own, and the program: names, kinds and sources.
    pub(crate) crates: Vec<(&'static str, &'static str, String)>,
    /// The features that each is built with, besides those of the tests.
    pub(crate) features: [&'static [&'static str]; 2],
    pub(crate) limits: Vec<String>,
}

/// A program with `small` callers of a few lines each and `large` ones, of one crate or of two.
///
/// Merges of reads by LLVM show in the small ones: they are calls in branches and loops, and nothing else, of
/// functions whose targets are subsets of one another.
pub(crate) fn program(seed: u64, small: usize, large: usize, two: bool) -> Program {
    let mut random = Random::new(seed);
    let mut features: [&'static [&'static str]; 2] = [&[], &[]];
    let flags = super::features::flags();
    if two && !flags.is_empty() && random.chance(80) {
        features[random.below(2)] = random.pick(&flags);
    }
    let mut generator = Generator {
        random,
        lists: Vec::new(),
        functions: Vec::new(),
        templates: Default::default(),
        two,
        flags: features.iter().any(|features| !features.is_empty()) || super::features::some_are_built(),
        names: 0,
    };
    let limits = generator.chain();
    for level in 0..3 {
        generator.level(level);
    }
    for number in 0..small {
        generator.small_caller(number, 6);
    }
    let last = small + large - 1;
    for number in small..last {
        generator.caller(number);
    }
    // Of the platforms that have priorities of initialisers this is the one that names them here.
    // The portable reader detects on first use, in an initialiser too.
    if cfg!(all(target_os = "linux", not(simd_core_portable))) {
        let text = generator.early(last);
        generator.line(3, &text);
    } else {
        generator.caller(last);
    }
    let crates = print::crates(&generator.templates, two, &generator.lists, small + large);
    Program { crates, features, limits }
}

impl Generator {
    /// Adds an item that calls functions below `level`. The lower ones are in the library.
    pub(crate) fn line(&mut self, level: usize, text: &str) {
        self.templates[usize::from(!self.two || level > 1)] += &format!("{text}\n");
    }

    /// Lists whose targets are subsets of one another, with a function each that says which clone ran; returns the
    /// features of each target.
    fn chain(&mut self) -> Vec<String> {
        let mut chain: Vec<Vec<&'static str>> = vec![Vec::new()];
        while chain.len() < 4 {
            let name = self.feature();
            let last = &chain[chain.len() - 1];
            if !closure(last).contains(&name) {
                chain.push(last.iter().copied().chain([name]).collect());
            }
        }
        let limits = chain.iter().map(|target| closure(target).join(",")).collect();
        chain.remove(0);
        chain.reverse();
        for places in [&[0, 1, 2][..], &[0, 1], &[2], &[1, 2], &[1], &[0, 2]] {
            self.lists.push(places.iter().map(|&place| chain[place].clone()).collect());
            self.constant();
        }
        limits
    }

    /// A list of targets of which each can be reached.
    pub(crate) fn list(&mut self) -> usize {
        let mut list: Vec<Vec<&'static str>> = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let mut target = Vec::new();
            for _ in 0..1 + self.random.below(3) {
                let name = self.feature();
                if !target.contains(&name) {
                    target.push(name);
                }
            }
            let full = closure(&target);
            let hidden = |earlier: &Vec<&'static str>| closure(earlier).iter().all(|name| full.contains(name));
            if !list.iter().any(hidden) {
                list.push(target);
            }
        }
        self.lists.push(list);
        self.lists.len() - 1
    }

    pub(crate) fn some_list(&mut self) -> usize {
        if self.random.chance(70) { self.random.below(self.lists.len()) } else { self.list() }
    }

    fn feature(&mut self) -> &'static str {
        FEATURES[self.random.below(FEATURES.len())].name
    }

    pub(crate) fn features(&mut self) -> String {
        let (one, other) = (self.feature(), self.feature());
        if one == other || self.random.chance(60) { one.to_owned() } else { format!("{one},{other}") }
    }

    /// An attribute with features, and an expression for whether this CPU has them. Usually they are those of a target,
    /// or more, or some of them and others.
    pub(crate) fn featured(&mut self) -> (String, String) {
        let list = self.random.below(self.lists.len());
        let target = self.random.below(self.lists[list].len());
        let mut features: Vec<&str> = self.lists[list][target].clone();
        match self.random.below(5) {
            0 => features.push(self.feature()),
            1 => {
                features.truncate(1);
                features.push(self.feature());
            }
            2 => features = vec![self.feature()],
            _ => {}
        }
        let has: Vec<String> =
            features.iter().map(|name| format!("(enabled(\"{name}\") || detected(\"{name}\"))")).collect();
        (format!("#[target_feature(enable = \"{}\")]", features.join(",")), format!("({})", has.join(" && ")))
    }

    pub(crate) fn callee(&mut self, level: usize, fits: impl Fn(Shape) -> bool) -> Option<usize> {
        let fits = |function: &Function| function.level < level && fits(function.shape);
        let all: Vec<usize> = (0..self.functions.len()).filter(|&i| fits(&self.functions[i])).collect();
        (!all.is_empty()).then(|| self.random.pick(&all))
    }

    /// A name of its own for something in a body.
    pub(crate) fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// The number of the clone that a block is in, or whether it sees a feature: one that another clone around it may have.
    pub(crate) fn tag(&mut self, place: Place) -> String {
        let Some(list) = place.list else { return "1".to_owned() };
        if self.random.chance(50) {
            return format!("«{list}»");
        }
        let other = self.random.below(self.lists.len());
        let target = self.random.below(self.lists[other].len());
        let feature = self.random.pick(&self.lists[other][target]);
        format!("¿{list}:{feature}¿")
    }

    /// The number of the clone of `list` that `cfg` speaks of outside of clones; `cfg` itself in both versions.
    pub(crate) fn of_build(place: Place) -> String {
        place.list.map_or_else(|| "1".to_owned(), |list| format!("‹{list}›"))
    }
}
