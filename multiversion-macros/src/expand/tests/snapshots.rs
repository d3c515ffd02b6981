//! Expansions, as files to be read. `UPDATE_EXPECT=1 cargo test -p simd-core-expand` writes them anew.

use expect_test::expect_file;
use proc_macro2::{Group, TokenStream, TokenTree};

use super::tokens as tokens_of;
use crate::{each_target, expand, lists, match_target};

/// `tokens` as rustfmt would have them, more or less; of long lists of lints the beginning.
pub(super) fn pretty(tokens: TokenStream) -> String {
    let text = tokens.to_string();
    let file = syn::parse2(without_lints(tokens)).unwrap_or_else(|error| panic!("{error}: {text}"));
    prettyplease::unparse(&file)
}

fn without_lints(tokens: TokenStream) -> TokenStream {
    let mut allow = false;
    let shortened = |token| match token {
        TokenTree::Group(group) => {
            let content = if core::mem::take(&mut allow) && group.stream().into_iter().count() > 16 {
                let first = group.stream().into_iter().take_while(|token| token.to_string() != ",");
                first.chain(tokens_of(", and_others")).collect()
            } else {
                without_lints(group.stream())
            };
            TokenTree::from(Group::new(group.delimiter(), content))
        }
        token => {
            allow = matches!(&token, TokenTree::Ident(ident) if ident == "allow");
            token
        }
    };
    tokens.into_iter().map(shortened).collect()
}

macro_rules! snapshots {
    ($($name:ident($args:literal) $item:literal)*) => {
        $(
            #[test]
            fn $name() {
                let written = pretty(lists::dispatch(tokens_of($args), tokens_of($item), false));
                expect_file![concat!("snapshots/", stringify!($name), ".rs")].assert_eq(&written);
            }
        )*
    };
}

snapshots! {
    function("targets = \"pmull | x86_64: pclmulqdq\", list = pub(crate) TARGETS") "
        /// Multiplies.
        ///
        /// ```
        /// # product();
        /// ```
        ///
        /// # Safety
        ///
        /// The numbers are small.
        #[must_use]
        pub unsafe fn product(a: u64, b: u64) -> u64 {
            #[cfg(target_feature = \"pclmulqdq\")] { fast(a, b) }
            #[cfg(not(target_feature = \"pclmulqdq\"))] { slow(a, b) }
        }
    "
    inherent_impl("targets = \"sve2\"") "
        impl<T: Copy> Matrix<T> {
            const ROWS: usize = 4;
            pub fn row<'a>(&'a self, from: &[T]) -> &'a [T] { self.find(from) }
            pub fn new(rows: Vec<[T; 4]>) -> Self { Self { rows, changed: false } }
            pub fn rows(&self) -> &[[T; 4]] { &self.rows }
        }
    "
    trait_impl("targets = \"sve2\"") "
        impl Mul for Gf { type Output = Gf; fn mul(self, other: Gf) -> Gf { product(self, other) } }
    "
    trait_default("targets = \"sve2\"") "trait Sum { fn sum(&self) -> u32 { self.total() } }"
    asynchronous("targets = \"sve2\"") "async fn wait(x: u8) -> u8 { next(x).await }"
    closures_and_nested_functions("targets = \"sve2\"") "
        fn apply(xs: &[u32]) -> u32 { fn twice(x: u32) -> u32 { x * 2 } xs.iter().map(|&x| twice(x)).sum() }
    "
    several_definitions("targets = \"x86_64: avx2\"") "
        mod kernels {
            #[cfg(target_feature = \"avx2\")] fn width() -> u32 { 8 }
            #[cfg(not(target_feature = \"avx2\"))] fn width() -> u32 { 1 }
            #[dispatch(skip)] fn left() {}
        }
    "
    always_inlined("targets = \"sve2\"") "
        impl S {
            #[cfg_attr(not(small), inline(always), cold)] fn step(&self) -> u8 { g(|| self.x) }
            #[inline(always)] fn add(a: u32, b: u32) -> u32 { a.wrapping_add(b) }
        }
    "
    always_inlined_alone("targets = \"sve2\"") "#[inline(always)] fn add(a: u32, b: u32) -> u32 { a.wrapping_add(b) }"
    matched("targets = \"sve2\"") "
        mod kernels {
            match_target! { \"sve2\" => { const STEP: u32 = 4; } _ => { const STEP: u32 = 1; } }
            fn sum(x: u32) -> u32 { simd_core::match_target! { \"sve2\" => x * STEP, _ => 2 } }
        }
    "
    with_a_named_list("targets = crate::simd, list = TARGETS") "fn f() {}"
    with_a_mistake("targets = \"avx22\"") "fn f() { g() }"
}

#[test]
fn test_for_each_target() {
    let written = each_target::expand(tokens_of("\"avx2\""), &tokens_of("#[test] fn works() { assert!(true) }"));
    expect_file!["snapshots/test_for_each_target.rs"].assert_eq(&pretty(written));
}

#[test]
fn macros() {
    let targets = lists::targets(tokens_of("path; \"sve2\""));
    let matched = match_target::expand(tokens_of("\"x86_64: avx2\" | \"sve2\" => { 1 } \"x86_64: aes\" => 2"));
    let detected = expand::detected(tokens_of("path; \"x86_64: avx2,aes\""));
    let written = quote::quote! {
        fn macros() { let targets = #targets; let detected = #detected; #matched; }
    };
    expect_file!["snapshots/macros.rs"].assert_eq(&pretty(written));
}

#[test]
fn named_list() {
    let list = lists::declare(tokens_of("path; /** Docs. */ pub simd = [\"avx2\", \"sve2\"];"), "src/a/lists.rs", 3, 9);
    let extended = lists::declare(tokens_of("path; wide = [\"avx512f\", simd]"), "src/a/lists.rs", 4, 9);
    let wrong = lists::declare(tokens_of("path; wrong = \"avx22\""), "src/a/lists.rs", 5, 9);
    let private = lists::declare(tokens_of("[\"avx2\"] {simd} path; own = simd"), "src/a/lists.rs", 6, 9);
    let written = quote::quote!(#list #extended #wrong #private);
    expect_file!["snapshots/named_list.rs"].assert_eq(&pretty(written));
}
