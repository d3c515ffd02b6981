//! Hundreds of signatures compiled under the attribute: whatever compiles without it, compiles with it.
//!
//! Some are made by putting together qualifiers, generics, receivers, parameters and results; some are of the shapes that
//! known libraries have; some are headers of impls. rustc sees all of them twice, and the first time, without the attribute, shows that the fault of
//! a failure is the attribute's.

use core::fmt::Write;

use integration_tests::build::{Crate, DEBUG};

const DISPATCH: &str = "#[cfg_attr(dispatched, simd_core::dispatch(targets = \"avx2 | sve2\"))]";

/// Words before `fn`.
const QUALIFIERS: &[&str] = &["", "unsafe ", "async ", "async unsafe ", "extern \"C\" ", "unsafe extern \"C\" "];

/// Attributes that may stand on any function.
const ATTRIBUTES: &[&str] = &[
    "",
    "#[inline] ",
    "#[inline(always)] ",
    "#[inline(never)] ",
    "#[cold] ",
    "#[must_use = \"as said\"] ",
    "#[track_caller] ",
    "/// Documented.\n",
    "#[deprecated] ",
    "#[allow(unused_variables)] ",
    "#[expect(unused_variables)] ",
    "#[cfg(all())] ",
    "#[doc(alias = \"other\")] ",
];

/// Generics, parameters, the result and what is required: any of them for free functions and methods.
const SHAPES: &[[&str; 4]] = &[
    ["", "", "", ""],
    ["", "x: u8", "u8", ""],
    ["", "x: u8, y: u16, z: i128", "(u8, (u16,), [i128; 2])", ""],
    ["", "mut x: u8", "", ""],
    ["", "_: u8, _: u8", "", ""],
    ["", "(a, (b, _)): (u8, (u8, u8))", "u8", ""],
    ["", "[first, .., last]: [u8; 4], Pair { a, b: ref c }: Pair", "", ""],
    ["", "&x: &u8, &mut ref y: &mut u8", "", ""],
    ["", "x @ (1..=3 | _): u8", "", ""],
    ["", "x: &[u8]", "&[u8]", ""],
    ["", "x: &mut [u8]", "&mut [u8]", ""],
    ["", "x: &mut &mut Vec<&str>", "usize", ""],
    ["'a", "x: &'a str, y: &str", "&'a str", ""],
    ["'a, 'b: 'a", "x: &'a mut Vec<&'b u8>", "Option<&'a mut &'b u8>", ""],
    ["'a, 'b", "x: &'a str, y: &'b str", "(&'a str, &'b str)", "'b: 'a"],
    ["", "x: Wrapper<'_>", "Wrapper<'_>", ""],
    ["", "x: &'static [&'static str; 3]", "&'static str", ""],
    ["T", "x: T", "T", ""],
    ["T: Copy + Default", "x: [T; 4]", "[T; 4]", ""],
    ["T, U", "x: T", "Result<U, T::Error>", "T: TryInto<U>, T::Error: core::fmt::Debug, U: Sized"],
    ["T: ?Sized", "x: &T", "usize", ""],
    ["T: ?Sized + AsRef<[u8]>", "x: &T", "&[u8]", ""],
    ["const N: usize", "x: [u8; N]", "[u8; N]", ""],
    ["T: Copy, const N: usize, const FLAG: bool", "x: &[T; N]", "Option<T>", ""],
    ["const C: char", "x: char", "bool", ""],
    ["'a, T: 'a + Ord, const N: usize", "x: &'a [T; N]", "&'a T", ""],
    ["F: Fn(u8) -> u8", "f: F, x: u8", "u8", ""],
    ["F", "mut f: F", "", "F: FnMut(&mut [u8], usize) -> Option<u8> + Send + 'static"],
    ["F", "f: F", "String", "F: for<'x> FnOnce(&'x str) -> &'x str"],
    ["I", "x: I", "Vec<I::Item>", "I: IntoIterator, I::Item: Copy"],
    ["I: Iterator<Item = (u8, T)>, T", "x: I", "Option<T>", ""],
    ["T, E", "x: Result<T, E>", "Option<T>", "E: std::error::Error + 'static"],
    ["T", "x: <T as Iterator>::Item", "Option<<T as Iterator>::Item>", "T: Iterator + ?Sized, T::Item: Clone"],
    ["T", "x: T::Out<'_>", "", "T: Lending"],
    ["'x, T", "x: T::Out<'x>, y: T::Out<'x>", "T::Out<'x>", "T: Lending"],
    ["", "x: impl Fn(u8) -> u8", "u8", ""],
    ["", "x: impl Iterator<Item = u8> + Clone, y: &mut impl Iterator", "u8", ""],
    ["T: Copy", "x: &[T], f: impl Fn(T) -> bool", "usize", ""],
    ["", "x: &dyn Fn(u8) -> u8", "Box<dyn Fn(u8) -> u8>", ""],
    ["'a", "x: &'a (dyn core::fmt::Debug + Send + 'a)", "Box<dyn core::fmt::Debug + 'a>", ""],
    ["", "x: fn(&u8) -> &u8, y: unsafe extern \"C\" fn(u8)", "fn(&u8) -> &u8", ""],
    ["", "x: for<'x> fn(&'x u8, &u8) -> &'x u8", "", ""],
    ["", "x: *const u8, y: *mut [u8]", "*const u8", ""],
    ["", "x: [u8; 2 + 2], y: [[u8; SIZE]; { SIZE * 2 }]", "[u8; size()]", ""],
    ["", "x: core::pin::Pin<&mut (dyn core::future::Future<Output = u8> + Send)>", "bool", ""],
    ["", "x: Box<[u8]>, y: std::sync::Arc<str>, z: std::borrow::Cow<'_, str>", "", ""],
    ["", "r#type: u8, r#fn: u16", "u8", ""],
    ["", "p: u8, n: u8, first: u8, found: u8, this: u8", "", ""],
    ["", "x: (), y: (((u8))), z: (u8,)", "()", ""],
    ["", "x: core::num::NonZero<u8>, y: core::ops::RangeInclusive<usize>", "core::cmp::Ordering", ""],
    ["", "#[cfg(all())] x: u8, #[cfg(any())] y: NoSuchType, #[allow(unused)] z: u8", "u8", ""],
    ["", "x: [core::mem::MaybeUninit<u8>; 4]", "[core::mem::MaybeUninit<u8>; 4]", ""],
    ["", "x: Option<&mut dyn FnMut(&[u8]) -> Result<(), Box<dyn std::error::Error>>>", "", ""],
];

/// The shapes of known functions of the standard library and of libraries for text, images, checksums and numbers.
const COLLECTED: &[&str] = &[
    "fn find(needle: u8, haystack: &[u8]) -> Option<usize>",
    "fn find_any(n1: u8, n2: u8, n3: u8, haystack: &[u8]) -> Option<usize>",
    "fn find_iter<'h, 'n, B: ?Sized + AsRef<[u8]>>(haystack: &'h B, needle: &'n [u8]) -> FindIter<'h, 'n>",
    "fn update(state: u32, data: &[u8]) -> u32",
    "fn hash_one<B: core::hash::BuildHasher, T: core::hash::Hash + ?Sized>(state: &B, value: &T) -> u64",
    "fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]])",
    "fn hash_many<const N: usize>(inputs: &[&[u8; N]], key: &[u32; 8], counter: u64, out: &mut [u8])",
    "fn encode_to_slice<T: AsRef<[u8]>>(input: T, output: &mut [u8]) -> Result<(), Error>",
    "fn decode<'i, 'o>(src: &'i [u8], dst: &'o mut [core::mem::MaybeUninit<u8>]) -> Result<&'o mut [u8], (usize, Error)>",
    "fn validate(bytes: &[u8]) -> Result<&str, core::str::Utf8Error>",
    "fn resize(source: &[[f32; 4]], width: core::num::NonZeroU32, into: &mut [[f32; 4]], weights: &[(usize, Vec<f32>)])",
    "fn convolve<P, K>(image: &[P], width: usize, kernel: &[K; 9]) -> Vec<P> where P: Copy + Into<f32> + From<u8>, K: Copy + Into<f32>",
    "fn blend(dst: &mut [u8], src: &[u8], mode: fn(u8, u8) -> u8)",
    "fn gemm(m: usize, k: usize, n: usize, alpha: f32, a: *const f32, rsa: isize, b: *const f32, rsb: isize, beta: f32, c: *mut f32)",
    "fn dot<T>(a: &[T], b: &[T]) -> T where T: Copy + core::ops::Mul<Output = T> + core::iter::Sum",
    "fn fft(buffer: &mut [Complex<f64>], twiddles: &[Complex<f64>], scratch: Option<&mut [Complex<f64>]>)",
    "fn sort_unstable_by_key<T, K: Ord>(xs: &mut [T], f: impl FnMut(&T) -> K)",
    "fn binary_search_by<'a, T, F: FnMut(&'a T) -> core::cmp::Ordering>(xs: &'a [T], f: F) -> Result<usize, usize>",
    "fn from_fn<T, const N: usize, F: FnMut(usize) -> T>(f: F) -> [T; N]",
    "fn as_chunks<T, const N: usize>(xs: &[T]) -> (&[[T; N]], &[T])",
    "fn read_until<R: std::io::BufRead + ?Sized>(reader: &mut R, byte: u8, into: &mut Vec<u8>) -> std::io::Result<usize>",
    "fn write_fmt(out: &mut dyn core::fmt::Write, args: core::fmt::Arguments<'_>) -> core::fmt::Result",
    "fn apply_keystream_b2b<'i>(input: &'i [u8], output: &mut [u8]) -> Result<(), Error>",
    "fn reduce<A, I, F>(mut items: I, f: F) -> Option<A> where I: Iterator<Item = A> + DoubleEndedIterator, F: Fn(A, A) -> A",
    "fn map_array<T, U, const N: usize>(xs: [T; N], f: impl Fn(T) -> U) -> [U; N]",
    "fn visit<'de, V>(text: &'de str, visitor: V) -> Result<V::Value, Error> where V: Visitor<'de>",
    "fn intersect<'a>(a: &'a [u32], b: &'a [u32], out: &mut Vec<u32>) -> Result<core::slice::Iter<'a, u32>, Error>",
    "fn count_ones(words: impl IntoIterator<Item = impl Into<u64>>) -> u32",
    "fn score<Q: AsRef<[u8]>, T: AsRef<[u8]>, C: Fn(u8, u8) -> i32 + ?Sized>(q: Q, t: T, costs: &C, band: core::ops::Range<i32>) -> i32",
    "fn lookup<K, V, S>(map: &std::collections::HashMap<K, V, S>, key: &K) -> Option<V> where K: Eq + core::hash::Hash, V: Clone, S: core::hash::BuildHasher",
];

/// Headers of impls that are easy to repeat wrongly: generics and types.
const HEADERS: &[[&str; 2]] = &[
    ["", "fn(&u8) -> &u8"],
    ["", "Box<dyn Fn(&u8) -> &u8>"],
    ["", "Box<dyn for<'x> Fn(&'x u8) -> &'x u8 + Send>"],
    ["", "dyn Fn(&u8) -> &u8"],
    ["", "Holder<fn(&u8) -> &u8>"],
    ["const N: usize", "[[u8; N]; 3]"],
    ["F: for<'a> Fn(&'a u8) -> &'a u8", "Option<F>"],
    ["", "dyn core::fmt::Debug"],
    ["", "dyn core::fmt::Display + '_"],
    ["", "dyn core::fmt::Debug + Send + '_"],
    ["", "(u8, &str, [&mut u16; 2])"],
    ["", "Halves<'_>"],
    ["T, #[cfg(any())] U", "Holder<Option<T>>"],
];

/// Impls for types without a size, and with `Self` where a closure has its own.
const IMPLS: &str = "
impl Sizes for Holder<[u8]> {
    fn first(&self) -> u32 { self.1[0].into() }
    fn same(&self, other: &Self) -> bool { Self::first(self) == other.first() }
    fn boxed(self: Box<Self>) -> u32 { Self::first(&self) }
}
impl Sizes for Holder<dyn core::fmt::Debug> {
    fn first(&self) -> u32 { self.0.into() }
    fn same(&self, other: &Self) -> bool { <Self as Sizes>::first(self) == Self::first(other) }
    fn boxed(self: Box<Self>) -> u32 { Self::first(&self) }
}
impl PartialEq<Bytes> for Holder<[u8]> {
    fn eq(&self, other: &Bytes) -> bool { Self::same(self, self) && Self::first(self) == other.first() }
}
impl PartialEq for Bytes { fn eq(&self, other: &Self) -> bool { Self::first(self) == other.first() } }
impl PartialOrd for Bytes {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> { Self::first(self).partial_cmp(&other.first()) }
}
impl Bytes { pub fn first(&self) -> u32 { self.0[0].into() } }
impl Against for Bytes { fn against(&self, x: &Bytes) -> u32 { Self::first(self) + x.first() } }
impl Against<str> for Bytes { fn against(&self, x: &str) -> u32 { Self::first(self) + u32::from(x.as_bytes()[0]) } }
impl Against for u8 { fn against(&self, x: &Self) -> u32 { (*self + *x).into() } }
impl Has for Bytes { type Out = u64; fn out(&self) -> Self::Out { Self::Out::default() + 4 } }
impl Halved for Halves<'_> {
    fn swapped(self, other: Option<Self>) -> [Self; 2] { [Halves(self.1, self.0), other.unwrap_or(self)] }
    fn shorter(one: Self, limit: &str) -> &str { if one.0.len() < limit.len() { &limit[..one.0.len()] } else { limit } }
}
impl Mapped for Halves<'_> { fn mapped<'x>(&'x self, map: fn(&Self) -> &Self) -> &'x Self { map(self) } }
impl Mapped for dyn core::fmt::Debug { fn mapped<'x>(&'x self, map: fn(&Self) -> &Self) -> &'x Self { map(self) } }
impl<T, #[cfg(any())] U> Holder<T> {
    fn size<V>(&self, _: V) -> usize {
        fn of<W, #[cfg(any())] Y>() -> usize { size_of::<W>() }
        of::<V>()
    }
}
";

/// Types that the signatures name.
const PRELUDE: &str = r#"
#![allow(dead_code, unused, deprecated, clippy::all, improper_ctypes_definitions, unused_parens, async_fn_in_trait, unfulfilled_lint_expectations)]
pub struct Pair { a: u8, b: u8 }
pub struct Wrapper<'a>(&'a u8);
pub struct Error;
pub struct Complex<T>(T, T);
pub struct FindIter<'h, 'n>(&'h [u8], &'n [u8]);
pub trait Lending { type Out<'x> where Self: 'x; }
pub trait Visitor<'de> { type Value; }
pub const SIZE: usize = 4;
pub const fn size() -> usize { 8 }
pub struct Plain;
pub struct Generic<'s, S, const M: usize>(&'s [S; M]);
pub struct Holder<T: ?Sized>(u8, T);
pub struct Bytes([u8]);
#[derive(Clone, Copy)] pub struct Halves<'a>(&'a str, &'a str);
pub trait Number { fn number(&self) -> u32; fn same<'x>(&'x self, other: Option<&'x Self>) -> (&'x Self, String); }
pub trait Sizes { fn first(&self) -> u32; fn same(&self, other: &Self) -> bool; fn boxed(self: Box<Self>) -> u32; }
pub trait Against<X: ?Sized = Self> { fn against(&self, x: &X) -> u32; }
pub trait Has { type Out: Default; fn out(&self) -> Self::Out; }
pub trait Halved: Sized { fn swapped(self, other: Option<Self>) -> [Self; 2]; fn shorter(one: Self, limit: &str) -> &str; }
pub trait Mapped { fn mapped<'x>(&'x self, map: fn(&Self) -> &Self) -> &'x Self; }
"#;

/// Whether rustc takes the combination.
fn possible(qualifier: &str, attribute: &str, [generics, parameters, ..]: &[&str; 4]) -> bool {
    let foreign = qualifier.contains("extern");
    // `track_caller` wants Rust's ABI, and a coroutine has no caller. Names after the ABI's are of no use.
    !(attribute.contains("track_caller") && (foreign || qualifier.contains("async")))
        // An attribute that wants a finding cannot be told from one that finds none.
        && !(attribute.contains("must_use") && qualifier.contains("async") && generics.is_empty() && parameters.is_empty())
}

/// One function.
fn function(name: &str, qualifier: &str, attribute: &str, receiver: &str, shape: &[&str; 4]) -> String {
    let [generics, parameters, result, bounds] = shape;
    let mut text = format!("{attribute}{qualifier}fn {name}");
    if !generics.is_empty() {
        write!(text, "<{generics}>").unwrap();
    }
    let comma = if receiver.is_empty() || parameters.is_empty() { "" } else { ", " };
    write!(text, "({receiver}{comma}{parameters})").unwrap();
    if !result.is_empty() {
        write!(text, " -> {result}").unwrap();
    }
    if !bounds.is_empty() {
        write!(text, " where {bounds}").unwrap();
    }
    text + " { loop {} }"
}

/// The items, those that belong together as one, and the number of functions among them.
fn corpus() -> (Vec<String>, usize) {
    let mut lines = Vec::new();
    let mut count = 0;
    let mut attributes = ATTRIBUTES.iter().cycle();
    let receivers = [
        "self",
        "&self",
        "&mut self",
        "mut self",
        "self: Box<Self>",
        "self: core::pin::Pin<&mut Self>",
        "self: &std::rc::Rc<Self>",
        "",
    ];
    let mut receivers = receivers.iter().cycle();
    for (number, shape) in SHAPES.iter().enumerate() {
        for (kind, qualifier) in QUALIFIERS.iter().enumerate() {
            let attribute = attributes.find(|attribute| possible(qualifier, attribute, shape)).unwrap();
            let name = format!("f{number}_{kind}");
            let public = format!("pub {qualifier}");
            lines.push(format!("{DISPATCH} {}", function(&name, &public, attribute, "", shape)));
            count += 1;
            // Elided lifetimes would be the receiver's.
            let own = shape[2].contains('&') && !shape[2].contains('\'') || shape[2].contains("'_");
            let receiver = receivers.next().filter(|_| !own).unwrap_or(&"");
            let method = function(&name, qualifier, attribute, receiver, shape);
            let place = match (number + kind) % 4 {
                0 => format!("{DISPATCH} impl Plain {{ {method} }}"),
                1 => {
                    format!("{DISPATCH} impl<'s, S: Copy, const M: usize> Generic<'s, S, M> {{ {method} }}")
                }
                2 => format!(
                    "{DISPATCH} mod m{name} {{ use super::*; mod inner {{ use super::*; {} }} }}",
                    function(&name, qualifier, attribute, "", shape)
                ),
                _ => String::new(),
            };
            if !place.is_empty() {
                lines.push(place);
                count += 1;
            }
        }
        // What has no body takes names only.
        if ["(a,", "[first", "&x", "x @", "mut x", "mut f"].iter().any(|pattern| shape[1].starts_with(pattern)) {
            continue;
        }
        // One trait for each shape, with everything an implementation can have.
        let required = |receiver| function("required", "", "", receiver, shape).replace(" { loop {} }", ";");
        let receiver =
            if shape[2].contains('&') && !shape[2].contains('\'') || shape[2].contains("'_") { "" } else { "&self" };
        let given = function("given", "", "", receiver, shape);
        let method = function("required", "", "", receiver, shape);
        let items = [
            format!("pub trait Tr{number}: Sized {{ {} {given} }}", required(receiver)),
            format!("impl Tr{number} for Plain {{ {method} }}"),
            format!(
                "impl<'s, S, const M: usize> Tr{number} for Generic<'s, S, M> where S: Copy {{ {method} {given} }}"
            ),
            format!("impl<S: Clone> Tr{number} for Vec<S> {{ {method} }}"),
        ];
        lines.push(items.map(|item| format!("{DISPATCH} {item}")).join("\n"));
        count += 5;
    }
    for (number, signature) in COLLECTED.iter().enumerate() {
        lines.push(format!("pub mod c{number} {{ use super::*; {DISPATCH} pub {signature} {{ loop {{}} }} }}"));
        lines.push(format!(
            "{DISPATCH} pub mod d{number} {{ use super::*; pub(super) unsafe {signature} {{ loop {{}} }} }}"
        ));
        count += 2;
    }
    for [generics, ty] in HEADERS {
        lines.push(format!(
            "{DISPATCH} impl<{generics}> Number for {ty} {{ fn number(&self) -> u32 {{ loop {{}} }} \
             fn same<'x>(&'x self, other: Option<&'x Self>) -> (&'x Self, String) {{ loop {{}} }} }}"
        ));
        count += 2;
    }
    // In each edition.
    lines.extend(["one", "other"].map(|name| format!("{DISPATCH} pub mod {name} {{ use super::*; {IMPLS} }}")));
    count += 2 * IMPLS.matches("fn ").count();
    (lines, count)
}

#[test]
fn hundreds_of_signatures() {
    let (lines, count) = corpus();
    for (at, edition) in ["2021", "2024"].into_iter().enumerate() {
        let half: Vec<&str> = lines.iter().skip(at).step_by(2).map(String::as_str).collect();
        let source = format!("{PRELUDE}{}", half.join("\n"));
        for flags in [&["--emit=metadata"][..], &["--cfg=dispatched"]] {
            let built = DEBUG.compile(&[Crate::library("corpus", &source).edition(edition).flags(flags)]);
            assert!(built.is_ok(), "half of {count} functions in edition {edition}, {flags:?}: {}", built.unwrap_err());
        }
    }
    assert!(count > 500);
}
