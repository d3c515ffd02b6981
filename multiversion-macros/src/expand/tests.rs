//! The expansion as a whole, on tokens.

mod bounds;
mod mutated;
mod page;
mod paths;
mod snapshots;
mod unsafe_code;

use core::str::FromStr;
use std::fs;
use std::path::Path;

use proc_macro2::TokenStream;

use crate::attrs;

/// The tokens of `text`.
fn tokens(text: &str) -> TokenStream {
    TokenStream::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The source files of this repository that use the attribute; none where there is the package only.
fn sources() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut open =
        ["tests", "examples/simd-crypto/src", "examples/quickstart/src"].map(|path| root.join(path)).to_vec();
    let mut files = Vec::new();
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files.iter().filter_map(|path| fs::read_to_string(path).ok()).filter(|text| text.contains("dispatch(")).collect()
}

/// The arguments and the item of each outermost `#[dispatch(…)]` in those files.
fn collected() -> Vec<(TokenStream, TokenStream)> {
    let mut found = Vec::new();
    for source in sources() {
        if let Ok(file) = syn::parse_file(&source) {
            collect(file.items, &mut found);
        }
    }
    found
}

fn collect(items: Vec<syn::Item>, found: &mut Vec<(TokenStream, TokenStream)>) {
    for mut item in items {
        let attrs = match &mut item {
            syn::Item::Fn(item) => &mut item.attrs,
            syn::Item::Impl(item) => &mut item.attrs,
            syn::Item::Mod(item) => &mut item.attrs,
            syn::Item::Trait(item) => &mut item.attrs,
            _ => continue,
        };
        match attrs.iter().position(|attr| attrs::is(attr, "dispatch")).map(|at| attrs.remove(at).meta) {
            Some(syn::Meta::List(list)) => found.push((list.tokens, quote::quote!(#item))),
            _ => {
                if let syn::Item::Mod(syn::ItemMod { content: Some((_, items)), .. }) = item {
                    collect(items, found);
                }
            }
        }
    }
}

/// Items of every kind, small enough to be changed everywhere.
const ITEMS: &[&str] = &[
    "fn f() {}",
    "pub(crate) unsafe fn f<'a, T: Copy + 'a, const N: usize>(mut x: &'a [T; N], (a, _): (u8, u8)) -> &'a T where T: Ord { &x[a as usize] }",
    "#[inline] #[must_use] async fn f(x: impl Fn(u8) -> u8) -> u8 { let y = async { x(1) }; y.await + (|z| z + 1)(2) }",
    "extern \"C\" fn f(x: u8, #[cfg(unix)] y: u8) -> u8 { #![allow(unused)] #[cfg(target_feature = \"avx2\")] { 1 } #[cfg(not(target_feature = \"avx2\"))] { 2 } }",
    "impl<T: Copy> S<T> { const A: u8 = 1; pub fn new() -> Self { Self::make() } fn make(self: Box<Self>, &x: &u8) {} #[dispatch(skip)] fn left(&self) {} }",
    "impl<'a, T> Tr<T> for &'a mut [S<T>; 4] where Self: Sized { type A = T; fn get<U>(&mut self, x: Self::A) -> [Self::A; { Self::N }] { fn inner() {} inner(); loop {} } }",
    "pub unsafe trait Tr<'a, T = u8>: Sized + Other { fn required(&self); fn given(&self) -> <Self as Other>::A<'a> { self.a() } }",
    "pub mod m { #![allow(x)] use super::*; #[cfg(target_feature = \"avx2\")] fn a() {} #[cfg(not(target_feature = \"avx2\"))] fn a() {} macro_rules! mac { ($x:expr) => { cfg!(target_feature = \"avx2\") && $x }; } const C: bool = cfg!(target_feature = \"aes\"); mod n { #[dispatch(targets = \"aes\")] fn b() { mac!(C); } } const fn c() {} }",
    "mod m { match_target! { \"avx2\" => { use a as b; } _ => { fn b() {} } } const W: u8 = m::match_target!(\"neon\" | \"aes\" => 1, _ => 2) + 1; #[dispatch(targets = [\"aes\", crate::list])] fn f() { match_target! { \"avx2\" => |x| x.await, _ => if a { 1 } else { 2 } } } macro_rules! m { ($x:expr) => { match_target!(\"aes\" => $x, _ => 1) }; } }",
];

const LISTS: &[&str] = &[
    "targets = \"avx2,aes | aes\"",
    "targets = [\"x86-64-v4\", \"avx2 | x86_64: sse4.1\", \"neon\"], crate = some::path, list = pub(crate) LIST",
    "skip",
];
