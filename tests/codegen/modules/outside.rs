//! Code outside of the annotated module that uses its names: other modules, and other crates.

use super::generate::{Generator, Kind, Piece, arguments};

/// How a module names `@`: before the function, in it, and the path.
const PATHS: &[[&str; 3]] = &[
    ["", "", "super::k::@"],
    ["use super::k::@;", "", "@"],
    ["use super::k::*;", "", "@"],
    ["pub mod all { pub use super::super::k::*; } pub use self::all::*;", "", "@"],
    ["use super::k::@ as own;", "", "own"],
    // A glob in a block, with another item outside of it.
    ["OTHER", "use super::k::*;", "@"],
];

const VALUES: &[&str] = &[
    "x + @",
    "::std::matches!(x, @) as usize",
    "::std::matches!(x, @) as usize",
    "::std::matches!(x, @..) as usize",
    "match x { @ => 1, _ => 2 }",
    "match (x, 1) { (@, _) | (1, @) => 1, _ => 2 }",
    "if let @ = x { 1 } else { 2 }",
    "let @ = x else { return 9; }; 3",
    "[0_u8; @ % 64].len()",
    "const C: usize = @; C",
    "static C: usize = @; C",
    "fn t<T>(_: T) -> usize { ::std::mem::size_of::<T>() } t(@)",
    "::std::format!(\"{:?}\", @).len()",
    "::std::mem::size_of_val(&@)",
    "::std::any::type_name_of_val(&@).len()",
    "unsafe { ::std::mem::size_of_val(&@) }",
    "let p = &@ as *const _ as *const u8; (unsafe { *p }) as usize",
    "(unsafe { ::std::slice::from_raw_parts(&@, 1) }).len()",
];

const TYPES: &[&str] = &[
    "::std::mem::size_of::<@>()",
    "<@ as Default>::default().len()",
    "fn t(v: @) -> usize { v.len() } t(Default::default())",
    "struct S(@); ::std::mem::size_of::<S>()",
    "type T = @; ::std::mem::size_of::<T>()",
    "trait T { const C: usize = 5; } impl T for @ {} <@ as T>::C",
    "(unsafe { ::std::mem::zeroed::<@>() }).len()",
    "const C: usize = ::std::mem::size_of::<@>(); C",
];

const CALLS: &[&str] =
    &["super::k::@G(x)", "{ use super::k::@ as own; ownG(x) }", "::std::iter::once(x).map(super::k::@G).sum()"];

/// A module whose output has the order of drops, and one with a generic type. `T` may have the name of a primitive type.
const METHODS: &[&str] = &[
    "pub struct D(pub &'static str); impl Drop for D { fn drop(&mut self) { ::std::println!(\"drop {}\", self.0); } }",
    "pub struct TYPE(pub &'static str); impl Drop for TYPE { fn drop(&mut self) { ::std::println!(\"drop {}\", self.0); } }",
    "pub trait Tr { fn m(self, a: TYPE, b: D, c: TYPE) -> usize; }",
    "ATTRIBUTE impl Tr for D { fn m(self, PATTERN: TYPE, PATTERN: D, PATTERN: TYPE) -> usize { BODY (TEST as usize) } }",
    "pub struct S<T>(pub T); impl<T: Copy> S<T> { ATTRIBUTE pub fn id(VALUE: T) -> (T, bool) { (VALUE, TEST) } }",
    "pub fn run() -> usize { GENERIC D(\"self\").m(TYPE(\"a\"), D(\"b\"), TYPE(\"c\")) }",
];

/// The crates, of which the first has the modules in `root`.
pub(super) fn crates(generator: &mut Generator, mut root: Vec<Piece>) -> Vec<(&'static str, Vec<Piece>)> {
    let names: &[&'static str] =
        generator.random.pick(&[&["main"][..], &["main"], &["lib", "main"], &["lib", "mid", "main"]]);
    let has_methods = root.iter().any(|piece| piece.text == "pub mod methods");
    root.extend((0..generator.random.below(3)).filter_map(|at| generator.exported(at)));
    let mut crates = vec![(names[0], root)];
    for pair in names.windows(2) {
        // The last crate sees the names through the one before it.
        let export = generator.random.pick(&["pub use @::*;", "pub use @::k; pub use k::*;", "pub use @::k;"]);
        crates.push((pair[1], vec![Piece::new(Kind::Outside, export.replace('@', pair[0]))]));
    }
    let mut calls = Vec::new();
    let last = names.len() - 1;
    for (at, (own, pieces)) in crates.iter_mut().enumerate() {
        let own: &str = if at == last { "crate" } else { own };
        for number in 0..=generator.random.below(2) {
            let Some(text) = generator.user() else { continue };
            pieces.push(Piece::new(Kind::Outside, format!("pub mod u{number} {{ {text} }}")));
            calls.push(format!("{own}::u{number}::u(5)"));
        }
    }
    let functions = generator.names.functions.iter().map(|(name, generics)| format!("{name}{}", arguments(generics)));
    let late = generator.names.late.iter().map(|name| format!("late{name}"));
    calls.extend(functions.chain(late).enumerate().map(|(at, name)| format!("k::{name}({})", [0, 8, 3][at % 3])));
    if has_methods {
        calls.push(format!("{}::methods::run()", if last == 0 { "crate" } else { names[0] }));
    }
    let line = |(at, call)| Piece::new(Kind::Outside, format!("::std::println!(\"{at} {{:?}}\", {call});"));
    let main = Piece::of(Kind::Outside, "pub fn main()", calls.iter().enumerate().map(line).collect());
    crates[last].1.push(main);
    for (_, pieces) in &mut crates {
        let lint = generator.random.pick(&[
            "unsafe_code",
            "unused_mut",
            "trivial_casts",
            "unused_variables",
            "dead_code",
            "non_upper_case_globals",
        ]);
        let text =
            if generator.random.chance(15) { format!("#![forbid({lint})]") } else { "#![allow(warnings)]".to_owned() };
        pieces.insert(0, Piece::new(Kind::Outside, text));
    }
    crates
}

impl Generator {
    /// A name that a crate exports besides the module: some, all, or one under another name.
    fn exported(&mut self, at: usize) -> Option<Piece> {
        let all = [&*self.names.constants, &self.names.aliases].concat();
        let name = *all.get(self.random.below(all.len().max(1)))?;
        let forms = [
            "pub use self::k::*;",
            "pub use k::{@};",
            "pub use k::@ as other;",
            "pub mod all_AT { pub use super::k::*; }",
        ];
        Some(Piece::new(Kind::Outside, self.random.pick(&forms).replace('@', name).replace("AT", &at.to_string())))
    }

    /// The item of a module that uses one of the names. Most use a function, which always compiles.
    fn user(&mut self) -> Option<String> {
        if self.random.chance(55) {
            let (name, generics) = *self.names.functions.get(self.random.below(self.names.functions.len().max(1)))?;
            let text = self.random.pick(CALLS).replace('G', arguments(generics)).replace('@', name);
            return Some(format!("pub fn u(x: usize) -> usize {{ {text} }}"));
        }
        let at = self.random.below(self.names.constants.len() + self.names.aliases.len());
        let (name, uses, other) = match self.names.constants.get(at) {
            Some(name) => (*name, VALUES, "const @: usize = 1;"),
            None => (self.names.aliases[at - self.names.constants.len()], TYPES, "type @ = [u8; 1];"),
        };
        let [before, inside, path] = self.random.pick(PATHS);
        let uses = self.random.pick(uses).replace('@', path);
        let before = before.replace("OTHER", other);
        Some(format!("{before} pub fn u(x: usize) -> usize {{ {inside} {uses} }}").replace('@', name))
    }

    pub(super) fn methods(&mut self, attribute: &str) -> Piece {
        let ty = self.random.pick(&["u8", "char", "W", "B", "R", "__body"]);
        let body = self.random.pick(&[
            "",
            "::std::println!(\"body\");",
            "let own = SECOND; ::std::println!(\"body\");",
            "::std::println!(\"{}\", FIRST.0);",
        ]);
        let mut pieces = vec![Piece::new(Kind::Outside, "use ::std::cfg as has;")];
        let is_generic = self.random.chance(25);
        for (at, template) in METHODS.iter().enumerate() {
            if at == 4 && !is_generic {
                continue;
            }
            let mut names = Vec::from([ty, "D"]);
            let generic = if is_generic { "::std::println!(\"{:?}\", S::<usize>::id(2));" } else { "" };
            let mut text = template.replace("BODY", body).replace("GENERIC", generic);
            while let Some(place) = text.find("PATTERN") {
                let Some(name) = self.free(&[&names]) else { break };
                names.push(name);
                let before = self.random.pick(&["", "", "mut ", "ref ", "_"][..if names.len() < 5 { 4 } else { 5 }]);
                text.replace_range(
                    place..place + "PATTERN".len(),
                    &format!("{before}{}", if before == "_" { "" } else { name }),
                );
            }
            let value = self.free(&[&[ty]]).unwrap_or("x");
            let name = |at: usize| names.get(at).copied().unwrap_or_default();
            text = text.replace("FIRST", name(2)).replace("SECOND", name(3)).replace("VALUE", value);
            text = text.replace("TEST", &self.test(false)).replace("TYPE", ty).replace("ATTRIBUTE", attribute);
            pieces.push(Piece::new(if at == 3 || at == 4 { Kind::Annotated } else { Kind::Outside }, text));
        }
        Piece::of(Kind::Outside, "pub mod methods", pieces)
    }
}
