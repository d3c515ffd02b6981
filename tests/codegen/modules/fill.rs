//! Expressions and items from templates.
//!
//! | in a template | stands for |
//! |---|---|
//! | `@e`, `@k` | an expression of type `usize`, one for the value of an item in a body |
//! | `@n`, `@i` | a name of the template's own, an expression in which it is a word |
//! | `@o` | the name of the item |
//! | `@l` | any name of the pool, the same in the whole template |
//! | `@w`, `@c`, `@m`, `@a`, `@q`, `@g` | a variable, a constant, a macro, an alias, a `const fn`, a function of the place |
//! | `@t`, `@p`, `@f` | a test of a feature, a predicate of `cfg`, a feature |

use super::generate::{Generator, Kind, POOL, Piece, arguments};

#[derive(Clone, Default)]
pub(super) struct Place {
    /// Variables of type `usize`.
    pub(super) words: Vec<&'static str>,
    /// Names of items that mean something else here.
    pub(super) hidden: Vec<&'static str>,
    /// Names that a binding cannot have.
    pub(super) solid: Vec<&'static str>,
    pub(super) macros: Vec<&'static str>,
    pub(super) constants: Vec<&'static str>,
    /// Functions with their generic parameters.
    pub(super) functions: Vec<(&'static str, &'static str)>,
    pub(super) is_constant: bool,
    /// Whether features are tested.
    pub(super) tests: bool,
}

const SIMPLE: &[&str] = &["3", "@w", "@w", "@c", "@c", "@m!()", "@m!()", "(@t as usize)"];

const IN_CONSTANTS: &[&str] = &[
    "(@t as usize)",
    "if @t { @e } else { @e }",
    "match @t { true => @e, _ => @e }",
    "(@e + @e)",
    "'@l: { if @e > 3 { break '@l 5; } 6 }",
    "@q(@e)",
    "@q(@e)",
    "{ let @n = @e; @n + @i }",
    "{ const @n: usize = @k; @i }",
    "{ static @n: usize = @k; 1 }",
    "{ fn @n(_: usize) -> usize { @k } 4 }",
    "{ #[derive(Clone)] struct @n([u8; 3]); ::std::mem::size_of::<@n>() }",
    "{ macro_rules! @n { () => { 6 } } @n!() + @e }",
];

const IN_FUNCTIONS: &[&str] = &[
    "@g(@e)",
    "@g(@e)",
    "(|@n: usize| @n + 1)(@e)",
    "(matches!(@e, @c) as usize)",
    "[0_u8; @c % 50].len()",
    "::std::mem::size_of_val(&@c)",
    "::std::mem::size_of::<@a>()",
    "<@a as Default>::default().len()",
    "::std::format!(\"{:>@c$} {@c:>1$} {@c}\", @e, 7).len()",
    "{ static @n: usize = @k; @n }",
    "{ fn @n(_: usize) -> usize { @k } @n(2) }",
];

const TESTS_IN_CONSTANTS: &[&str] = &[
    "cfg!(@p)",
    "cfg!(@p)",
    "cfg!(@p)",
    "cfg!(@p)",
    "::std::cfg!(@p)",
    "has!(@p)",
    "r#cfg![@p]",
    "[cfg!(@p), false][0]",
    "match cfg!(@p) { true => true, _ => false }",
    "{ #[cfg(@p)] { true } #[cfg(not(@p))] { false } }",
    "{ let mut t = false; #[cfg(@p)] { t = true; } t }",
    "{ let mut t = true; #[cfg_attr(@p, cfg(any()))] { t = false; } t }",
    "{ #[cfg(@p)] const T: bool = true; #[cfg(not(@p))] const T: bool = false; T }",
    "::simd_core::match_target! { \"@f\" => true, _ => false }",
    "::std::cfg_select! { @p => { true } _ => { false } }",
    "{ macro_rules! @l { ($f:literal) => { cfg!(target_feature = $f) } } @l!(\"@f\") }",
    "{ macro_rules! @l { ($m:ident, $($r:tt)*) => { $m!($($r)*) } } @l!(cfg, @p) }",
    "{ use ::std::cfg as @l; @l!(@p) }",
    "include!(\"test.inc\")",
];

const TESTS_IN_FUNCTIONS: &[&str] = &[
    "(|| cfg!(@p))()",
    "(::std::format!(\"{}\", cfg!(@p)).len() == 4)",
    "{ fn t() -> bool { cfg!(@p) } t() }",
    "{ macro_rules! @l { ($($t:tt)*) => { cfg!($($t)*) } } ::std::vec![@l!(@p)][0] }",
    "matches!((1, cfg!(@p)), (1, true))",
];

/// Items of which a module has at most two. Functions whose names begin with `late` are called by the program.
const EXTRAS: &[&[(Kind, &str)]] = &[
    &[(Kind::Shared, "pub static @o: usize = @k;")],
    // State behind a constant.
    &[
        (
            Kind::Constant,
            "const @o: &::std::sync::atomic::AtomicUsize = { static C: ::std::sync::atomic::AtomicUsize = ::std::sync::atomic::AtomicUsize::new(@k); &C };",
        ),
        (
            Kind::Function,
            "pub fn late_add(n: usize) -> usize { @o.fetch_add(n, ::std::sync::atomic::Ordering::Relaxed) }",
        ),
        (Kind::Function, "pub fn late_get(n: usize) -> usize { @o.load(::std::sync::atomic::Ordering::Relaxed) }"),
    ],
    &[
        (Kind::Constant, "const @o: fn(usize) -> usize = |n| ::std::format!(\"{n:>@c$}\").len();"),
        (Kind::Function, "pub fn late_format(n: usize) -> usize { @o(n) }"),
    ],
    &[
        (Kind::Shared, "pub struct @o { v: usize }"),
        (Kind::Function, "impl @o { pub fn m(&self, @n: usize) -> usize { @i } }"),
        (
            Kind::Function,
            "impl ::std::ops::Add<usize> for @o { type Output = usize; fn add(self, @n: usize) -> usize { @i } }",
        ),
        (Kind::Function, "pub fn late_methods(x: usize) -> usize { let s = @o { v: x }; s.m(x) + (s + x) }"),
    ],
    // A name of a macro in two scopes.
    &[
        (
            Kind::Shared,
            "pub mod @o { use super::*; macro_rules! @l { () => { 70 } } pub fn inner(x: usize) -> usize { @l!() + @e } }",
        ),
        (Kind::Function, "pub fn late_inner(x: usize) -> usize { @o::inner(x) }"),
    ],
    &[(
        Kind::Shared,
        "macro_rules! make { ($f:literal) => { pub fn late_made(x: usize) -> usize { x + cfg!(target_feature = $f) as usize } } } make!(\"@f\");",
    )],
    &[(Kind::Shared, "include!(\"items.inc\");")],
    &[(Kind::Macro, "#[macro_use] pub mod @o { macro_rules! @m { () => { 70 } } }")],
    // State that a macro outside of the module makes.
    &[
        (Kind::Constant, "const @o: &::std::sync::atomic::AtomicUsize = if @t { counter!() } else { counter!() };"),
        (
            Kind::Function,
            "pub fn late_count(n: usize) -> usize { @o.fetch_add(n, ::std::sync::atomic::Ordering::Relaxed) }",
        ),
        (Kind::Function, "pub fn late_counted(n: usize) -> usize { @o.load(::std::sync::atomic::Ordering::Relaxed) }"),
    ],
    &[
        (Kind::Shared, "pub trait Method { fn method<T>(&self) -> usize; }"),
        (
            Kind::Function,
            "impl Method for u8 { fn method<@l>(&self) -> usize { ::std::mem::size_of::<@l>() + @e + @m!() } }",
        ),
        (Kind::Function, "pub fn late_method(x: usize) -> usize { x + 1_u8.method::<u16>() }"),
    ],
    // A function that exists in some clones only: rustc accepts the call without the attribute for these only.
    &[
        (Kind::Shared, "pub trait Has { fn has(&self) -> usize { 7 } }"),
        (Kind::Function, "pub fn promise() { @h }"),
        (Kind::Function, "pub fn late_promise(x: usize) -> usize { fn has(x: impl Has) -> usize { x.has() } has(x) }"),
    ],
];

pub(crate) const INCLUDED_ITEM: &str = "pub fn late_included(x: usize) -> usize { x + cfg!(any(target_feature = \"avx2\", target_feature = \"sse4.1\")) as usize }";

/// The kind of [`EXTRAS`] that is in another file.
const INCLUDED: usize = 6;

/// Impls that code outside of a clone could take as evidence of a feature.
const IMPLS: &[&str] = &[
    "#[cfg(@p)] impl Has for usize {}",
    "#[cfg(@p)] { struct @l; impl<@l> Has for @l {} }",
    "#[cfg(@p)] assert!({ impl Has for usize {} true });",
    "#[cfg(@p)] { let x = &&3; let y = **x + **x; const _: () = { impl Has for usize {} }; }",
    "macro_rules! @l { () => { impl Has for usize {} } } #[cfg(@p)] @l!();",
];

impl Generator {
    pub(super) fn expression(&mut self, place: &Place, depth: usize) -> String {
        let depth = depth.saturating_sub(1);
        let tables: &[&[&str]] = match (depth, place.is_constant) {
            (0, _) => &[SIMPLE],
            (_, true) => &[SIMPLE, IN_CONSTANTS],
            (_, false) => &[SIMPLE, IN_CONSTANTS, IN_FUNCTIONS],
        };
        let template = self.random.pick(&tables.concat());
        let number = self.random.below(9).to_string();
        self.fill(template, "", place, depth).unwrap_or(number)
    }

    pub(super) fn test(&mut self, is_constant: bool) -> String {
        let all = if is_constant { TESTS_IN_CONSTANTS } else { &[TESTS_IN_CONSTANTS, TESTS_IN_FUNCTIONS].concat() };
        let template = self.random.pick(all);
        self.fill(template, "", &Place::default(), 0).expect("a test needs nothing")
    }

    pub(super) fn predicate(&mut self) -> String {
        let feature = self.feature();
        let key = if self.random.chance(8) { "r#target_feature" } else { "target_feature" };
        let literal = match self.random.below(12) {
            0 => format!("r\"{feature}\""),
            1 => format!("r#\"{feature}\"#"),
            2 => format!("\"\\x{:x}{}\"", feature.as_bytes()[0], &feature[1..]),
            _ => format!("\"{feature}\""),
        };
        let forms = [
            "@",
            "@",
            "@",
            "@",
            "all(@, not(any()))",
            "any(@, target_os = \"none\",)",
            "not(not(@))",
            "not(@)",
            "any(all(@), all(any(), unix))",
        ];
        self.random.pick(&forms).replace('@', &format!("{key} = {literal}"))
    }

    /// The template with everything in it, or nothing if the place lacks something.
    pub(super) fn fill(&mut self, template: &str, own: &str, place: &Place, depth: usize) -> Option<String> {
        let mut parts = template.split('@');
        let mut text = parts.next().unwrap_or_default().to_owned();
        let (any, predicate) = (self.random.pick(&POOL), self.predicate());
        let name = self.free(&[&place.solid, &place.hidden, &[own_name(own)]]);
        let inner = || {
            let hidden = name.iter().chain(&place.hidden).copied().collect();
            let solid = name.iter().chain(&place.solid).copied().collect();
            Place { words: name.into_iter().collect(), hidden, solid, ..place.clone() }
        };
        let item = || Place { is_constant: true, words: Vec::new(), constants: Vec::new(), ..inner() };
        for part in parts {
            let one = match &part[..1] {
                "e" => self.expression(place, depth),
                "k" => self.expression(&item(), depth),
                "i" => self.expression(&inner(), depth),
                "n" => name?.to_owned(),
                "o" => own.to_owned(),
                "l" => any.to_owned(),
                "p" => predicate.clone(),
                "f" => self.feature().to_owned(),
                "t" if place.tests => self.test(place.is_constant),
                "h" => {
                    let template = self.random.pick(IMPLS);
                    self.fill(template, own, place, depth)?
                }
                "w" => self.one_of(&place.words, &[])?.to_owned(),
                "c" => self.one_of(&place.constants, &place.hidden)?.to_owned(),
                "m" => self.one_of(&place.macros, &[])?.to_owned(),
                "a" if !place.is_constant => self.one_of(&self.names.aliases.clone(), &place.hidden)?.to_owned(),
                "q" => self.one_of(&self.names.const_functions.clone(), &place.hidden)?.to_owned(),
                "g" => {
                    let functions: Vec<_> =
                        place.functions.iter().filter(|one| !place.hidden.contains(&one.0)).collect();
                    let (name, generics) = functions.get(self.random.below(functions.len().max(1)))?;
                    format!("{name}{}", arguments(generics))
                }
                _ => return None,
            };
            text += &one;
            text += &part[1..];
        }
        Some(text)
    }

    fn one_of(&mut self, names: &[&'static str], hidden: &[&'static str]) -> Option<&'static str> {
        let names: Vec<&str> = names.iter().copied().filter(|name| !hidden.contains(name)).collect();
        (!names.is_empty()).then(|| self.random.pick(&names))
    }

    /// Items of this kind, with functions that the program calls.
    pub(super) fn extra(&mut self, kind: usize, name: &'static str, place: &Place) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for (of, template) in EXTRAS[kind] {
            // Without one of them the others have no meaning.
            let Some(text) = self.fill(template, name, place, 2) else { return Vec::new() };
            pieces.push(Piece::new(*of, text));
        }
        let texts =
            EXTRAS[kind].iter().map(|(_, text)| *text).chain([INCLUDED_ITEM].into_iter().filter(|_| kind == INCLUDED));
        let names = texts.filter_map(|text| text.split_once("pub fn late")?.1.split_once('('));
        self.names.late.extend(names.map(|(name, _)| name));
        pieces
    }
}

pub(super) fn kinds_of_extras() -> usize {
    EXTRAS.len()
}

fn own_name(own: &str) -> &'static str {
    POOL.into_iter().find(|name| *name == own).unwrap_or_default()
}
