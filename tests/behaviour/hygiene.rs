//! Names of the user's never meet names of the macro's, however the two are called, and wherever code comes from.
#![forbid(unsafe_code)]
#![allow(
    clippy::just_underscores_and_digits,
    dead_code,
    non_camel_case_types,
    clippy::never_loop,
    non_upper_case_globals,
    reason = "names that nobody should use are what the tests are about"
)]

use integration_tests::{block_on, expected, ran, sees};

/// Names of the prelude and of the standard library that the generated code could mean are something else here.
mod shadowed {
    pub(super) mod core {}
    pub(super) mod std {}
    pub(super) mod alloc {}
    pub(super) mod simd_core {}
    pub(super) struct Some;
    pub(super) struct None;
    pub(super) struct Ok;
    pub(super) struct Err;
    pub(super) struct Box;
    pub(super) enum Option {}
    pub(super) enum Result {}
    pub(super) trait Sized {}
    pub(super) trait Copy {}
    pub(super) trait Send {}
    pub(super) trait Drop {}
    pub(super) trait Fn {}
    pub(super) trait Future {}
    pub(super) trait IntoFuture {}
    pub(super) fn drop() {}
    pub(super) type u64 = ::core::primitive::u32;
    pub(super) type bool = ::core::primitive::u8;
    pub(super) type usize = ::core::primitive::u8;

    macro_rules! define {
        ($($name:ident)*) => {$(
            #[allow(unused_macros, reason = "it is only there to be in the way")]
            macro_rules! $name { () => { compile_error!("this macro is the user's own") }; }
        )*};
    }
    define! { assert debug_assert panic unreachable matches pin vec }

    pub(super) struct Holder(pub(super) ::core::primitive::u64);

    #[::simd_core::dispatch(targets = "avx2,aes | aes")]
    pub(super) fn free(x: u64) -> (u64, &'static str) {
        let closure = |y: u64| y + 1;
        fn nested(y: u64) -> u64 {
            y + 1
        }
        (nested(closure(x)), ::integration_tests::ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    #[::simd_core::dispatch(targets = "avx2,aes | aes")]
    pub(super) async fn future(x: u64) -> u64 {
        ::core::future::ready(x).await
    }

    #[::simd_core::dispatch(targets = "avx2,aes | aes")]
    #[track_caller]
    pub(super) fn tracked() -> ::core::primitive::u32 {
        ::core::panic::Location::caller().line()
    }

    #[::simd_core::dispatch(targets = "avx2,aes | aes")]
    impl Holder {
        pub(super) fn method(&self) -> ::core::primitive::u64 {
            self.0
        }
        pub(super) async fn future(&self) -> ::core::primitive::u64 {
            ::core::future::ready(self.0).await
        }
    }

    #[::simd_core::dispatch(targets = "avx2,aes | aes")]
    pub(super) trait Provides {
        type Item;
        fn required(&self) -> Self::Item;
        fn provided(&self) -> (Self::Item, Self::Item) {
            (self.required(), self.required())
        }
    }

    #[::simd_core::dispatch(targets = "avx2,aes | aes")]
    impl Provides for Holder {
        type Item = ::core::primitive::u64;
        fn required(&self) -> Self::Item {
            let Holder(value) = self;
            *value
        }
    }

    #[::simd_core::dispatch(targets = "avx2,aes | aes")]
    impl ::core::ops::Drop for Holder {
        fn drop(&mut self) {
            self.0 = 0;
        }
    }

    #[::simd_core::dispatch(targets = "avx2,aes | aes")]
    impl ::core::ops::Add<&u64> for &Holder {
        type Output = ::core::primitive::u64;
        fn add(self, other: &u64) -> Self::Output {
            self.0 + ::core::primitive::u64::from(*other)
        }
    }

    pub(super) fn detects() -> ::core::primitive::bool {
        ::simd_core::detected!("aes")
    }
}

#[test]
#[simd_core::testing::each_target("avx2,aes | aes")]
fn shadowed_names() {
    use shadowed::Provides as _;
    let ran = expected();
    assert_eq!(shadowed::free(1), (3, ran));
    assert_eq!(block_on(shadowed::future(1)), 1);
    assert_eq!(shadowed::tracked(), line!());
    let holder = shadowed::Holder(1);
    assert_eq!((holder.method(), holder.provided(), &holder + &2), (1, (1, 1), 3));
    assert_eq!(block_on(holder.future()), 1);
    assert_eq!(shadowed::detects(), sees().1);
}

/// Nothing is in scope here but what is declared.
#[simd_core::dispatch(targets = "avx2,aes | aes")]
mod without_prelude {
    #![no_implicit_prelude]

    pub(super) fn free(x: u64) -> u64 {
        let closure = |y: u64| y + 1;
        closure(x)
    }

    pub(super) async fn future(x: u64) -> u64 {
        ::core::future::ready(x).await
    }

    pub(super) struct Holder(pub(super) u64);

    impl Holder {
        #[track_caller]
        pub(super) fn method(&self) -> u64 {
            self.0
        }
    }

    pub(super) trait Provides {
        fn provided(&self) -> u64 {
            1
        }
    }

    impl Provides for Holder {}

    impl ::core::iter::Iterator for Holder {
        type Item = u64;

        fn next(&mut self) -> ::core::option::Option<Self::Item> {
            ::core::option::Option::Some(self.0)
        }
    }

    #[cfg(target_feature = "aes")]
    pub(super) fn one_of_two() -> bool {
        true
    }
    #[cfg(not(target_feature = "aes"))]
    pub(super) fn one_of_two() -> bool {
        false
    }
}

#[test]
#[simd_core::testing::each_target("avx2,aes | aes")]
fn no_prelude() {
    use without_prelude::Provides as _;
    let mut holder = without_prelude::Holder(3);
    assert_eq!((without_prelude::free(1), block_on(without_prelude::future(2)), holder.method()), (2, 2, 3));
    assert_eq!((holder.provided(), holder.next()), (1, Some(3)));
    assert_eq!(without_prelude::one_of_two(), sees().1);
}

/// Items called like the variables of the generated code.
#[simd_core::dispatch(targets = "avx2,aes | aes")]
mod items_like_locals {
    pub(super) const found: u64 = 1;
    pub(super) static present: u64 = 2;
    pub(super) struct value;
    pub(super) struct absent;
    pub(super) const p: u64 = 3;
    pub(super) const arg0: u64 = 4;
    pub(super) const first: u64 = 5;
    pub(super) const clone: u64 = 6;
    pub(super) const baseline: u64 = 7;
    pub(super) fn ensure() -> u64 {
        8
    }
    pub(super) fn choose() -> u64 {
        9
    }
    pub(super) struct __Dispatch;
    pub(super) trait __This {}

    pub(super) fn sum((a, b): (u64, u64)) -> u64 {
        a + b + found + present + p + arg0 + first + clone + baseline + ensure() + choose()
    }

    #[track_caller]
    pub(super) fn tracked((a, _): (u64, u64)) -> u64 {
        a + found
    }

    pub(super) async fn future((a, _): (u64, u64)) -> u64 {
        ::core::future::ready(a).await + ::core::future::ready(found).await
    }

    pub(super) trait Provides {
        fn provided(&self, (a, _): (u64, u64)) -> u64 {
            a + found
        }
    }

    impl Provides for value {}

    impl Provides for __Dispatch {
        fn provided(&self, (a, b): (u64, u64)) -> u64 {
            let _ = __Dispatch;
            a + b
        }
    }
}

#[test]
#[simd_core::testing::each_target("avx2,aes | aes")]
fn items_called_like_locals() {
    use items_like_locals::Provides as _;
    assert_eq!(items_like_locals::sum((10, 20)), 75);
    assert_eq!(items_like_locals::tracked((1, 2)), 2);
    assert_eq!(block_on(items_like_locals::future((1, 2))), 2);
    assert_eq!(items_like_locals::value.provided((1, 2)), 2);
    assert_eq!(items_like_locals::__Dispatch.provided((1, 2)), 3);
}

#[allow(non_snake_case, reason = "parameters called like clones")]
#[simd_core::dispatch(targets = "avx2,aes | aes")]
fn parameters(
    present: u64,
    absent: u64,
    p: u64,
    found: u64,
    arg0: u64,
    (arg6, arg7): (u64, u64),
    first: u64,
    clone: u64,
    parameters: u64,
    value: u64,
    __parameters__avx2_aes: u64,
    __parameters__baseline: u64,
    __parameters__first: u64,
    __arg5: u64,
    __found: u64,
) -> u64 {
    let locals = [present, absent, p, found, arg0, arg6, arg7, first, clone, parameters, value];
    locals.iter().sum::<u64>()
        + __parameters__avx2_aes
        + __parameters__baseline
        + __parameters__first
        + __arg5
        + __found
}

#[simd_core::dispatch(targets = "avx2,aes | aes")]
async fn of_a_future(found: u64, __awaited: u64, value: u64, of_a_future: u64) -> u64 {
    let closure = |value: u64| value + found;
    closure(core::future::ready(value).await) + core::future::ready(__awaited).await + of_a_future
}

#[simd_core::dispatch(targets = "avx2,aes | aes")]
fn label(limit: u64) -> u64 {
    let mut n = 0;
    'first: loop {
        loop {
            n += 1;
            if n > limit {
                break 'first n;
            }
        }
    }
}

/// Modules that a body declares without a word of theirs in it. Each is called as the generated code could call a path.
mod unseen {
    macro_rules! modules {
        () => {
            mod simd_core {}
            mod core {}
            mod __private {}
            mod __simd {}
        };
    }

    pub(super) mod declared {
        pub(in super::super) mod simd_core {}
        pub(in super::super) mod core {}
        pub(in super::super) mod __private {}
        pub(in super::super) mod __simd {}
    }

    #[::simd_core::dispatch(targets = "avx2,aes | aes")]
    pub(super) fn by_a_macro(x: u64) -> (u64, &'static str) {
        modules!();
        let closure = |y: u64| y + 1;
        fn nested(y: u64) -> u64 {
            y + 1
        }
        (nested(closure(x)), integration_tests::ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    #[::simd_core::dispatch(targets = "avx2,aes | aes")]
    pub(super) async fn by_an_import(x: u64) -> u64 {
        #[allow(unused_imports, reason = "it is only there to be in the way")]
        use crate::hygiene::unseen::declared::*;
        let closure = async |y: u64| y + 1;
        closure(x).await + async { 1 }.await
    }

    pub(super) struct Holder(pub(super) u64);

    #[::simd_core::dispatch(targets = "avx2,aes | aes")]
    impl Holder {
        pub(super) fn raw<r#__T: Copy>(&self, r#__proof: r#__T) -> (u64, r#__T) {
            mod r#simd_core {}
            mod r#__simd {}
            let closure = |y: u64| (y + 1, r#__proof);
            closure(self.0)
        }
    }

    #[::simd_core::dispatch(targets = "avx2,aes | aes")]
    impl ::core::iter::Iterator for Holder {
        type Item = u64;

        fn next(&mut self) -> Option<u64> {
            modules!();
            let closure = |y: u64| y + 1;
            Some(closure(self.0))
        }
    }
}

#[test]
#[simd_core::testing::each_target("avx2,aes | aes")]
fn modules_that_nobody_sees() {
    assert_eq!(unseen::by_a_macro(1), (3, expected()));
    assert_eq!(block_on(unseen::by_an_import(1)), 3);
    assert_eq!(unseen::Holder(1).raw(7), (2, 7));
    assert_eq!(unseen::Holder(1).next(), Some(2));
}

/// Neighbours called like clones.
#[allow(non_snake_case, reason = "clones have two underscores before their target")]
#[simd_core::dispatch(targets = "avx2,aes | aes")]
mod like_clones {
    pub(super) struct Holder;

    pub(super) fn f() -> u64 {
        __f__avx2_aes() + __f__aes() + __f__baseline() + __f__first()
    }
    pub(super) fn __f__avx2_aes() -> u64 {
        1
    }
    pub(super) fn __f__aes() -> u64 {
        2
    }
    pub(super) fn __f__baseline() -> u64 {
        3
    }
    pub(super) fn __f__first() -> u64 {
        4
    }

    impl Holder {
        #[track_caller]
        pub(super) fn f(&self) -> u64 {
            self.__f__avx2_aes() + Self::__f__aes(self) + self.__f__baseline() + self.__f__first()
        }
        pub(super) fn __f__avx2_aes(&self) -> u64 {
            1
        }
        pub(super) fn __f__aes(&self) -> u64 {
            2
        }
        pub(super) fn __f__baseline(&self) -> u64 {
            3
        }
        pub(super) fn __f__first(&self) -> u64 {
            4
        }
    }

    pub(super) trait Provides {
        fn g(&self) -> u64 {
            self.__g__avx2_aes() + self.__g__baseline()
        }
        fn __g__avx2_aes(&self) -> u64 {
            1
        }
        fn __g__baseline(&self) -> u64 {
            2
        }
    }

    impl Provides for Holder {
        fn __g__baseline(&self) -> u64 {
            3
        }
    }
}

#[test]
#[simd_core::testing::each_target("avx2,aes | aes")]
fn names_like_ours() {
    use like_clones::Provides as _;
    assert_eq!(parameters(1, 2, 3, 4, 5, (6, 7), 8, 9, 10, 11, 12, 13, 14, 15, 16), 136);
    assert_eq!(block_on(of_a_future(1, 2, 3, 4)), 10);
    assert_eq!(label(3), 4);
    assert_eq!((like_clones::f(), like_clones::Holder.f(), like_clones::Holder.g()), (10, 10, 4));
}

#[simd_core::dispatch(targets = "avx2,aes | aes")]
fn r#type(r#fn: u64, r#match: u64) -> (u64, &'static str) {
    (r#fn + r#match, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
}

#[simd_core::dispatch(targets = "avx2,aes | aes")]
mod r#mod {
    pub(super) struct r#Struct<'r#a>(pub(super) &'r#a u64);

    impl<'r#a> r#Struct<'r#a> {
        pub(super) fn r#match(&self, r#if: u64) -> u64 {
            *self.0 + r#if
        }
    }

    pub(super) trait r#Trait {
        fn r#move(&self, (r#let, _): (u64, u64)) -> u64 {
            r#let
        }
    }

    impl r#Trait for r#Struct<'_> {
        fn r#move(&self, (r#let, r#else): (u64, u64)) -> u64 {
            r#let + r#else
        }
    }

    impl r#Trait for u64 {}
}

#[test]
#[simd_core::testing::each_target("avx2,aes | aes")]
fn raw_identifiers() {
    use r#mod::r#Trait as _;
    assert_eq!(r#type(1, 2), (3, expected()));
    assert_eq!(r#mod::r#Struct(&1).r#match(2), 3);
    assert_eq!((r#mod::r#Struct(&1).r#move((1, 2)), 1.r#move((1, 2))), (3, 1));
}

/// A function of a macro's, with everything in its place from outside.
macro_rules! function {
    ($(#[$meta:meta])* $vis:vis fn $name:ident<$t:ident: $bound:path>($($arg:ident: $ty:ty),*) -> $out:ty $body:block) => {
        #[simd_core::dispatch(targets = "avx2,aes | aes")]
        $(#[$meta])*
        $vis fn $name<$t: $bound>($($arg: $ty),*) -> $out $body
    };
}
function! {
    /// Documented.
    #[inline]
    #[must_use]
    pub(crate) fn made<T: Copy>(one: u64, other: T) -> (u64, T, &'static str) {
        (one, other, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }
}

macro_rules! item {
    ($($item:item)*) => {$(
        #[simd_core::dispatch(targets = "avx2,aes | aes")]
        $item
    )*};
}
struct Made(u64);
item! {
    fn whole((a, b): (u64, u64)) -> (u64, &'static str) {
        (a + b, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }
    impl Made {
        fn method(&self) -> (u64, &'static str) {
            (self.0, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
        }
    }
    impl core::ops::Neg for Made {
        type Output = (u64, &'static str);
        fn neg(self) -> Self::Output {
            (!self.0, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
        }
    }
}

/// Several impls at once, as for the number types.
macro_rules! impls {
    ($($ty:ty: $value:expr, $pat:pat, $lt:lifetime, $tr:path;)*) => {$(
        #[simd_core::dispatch(targets = "avx2,aes | aes")]
        impl<$lt> $tr for &$lt $ty {
            type Output = (Option<$ty>, &'static str);
            fn neg(self) -> Self::Output {
                let here = ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                match *self {
                    $pat => (Some($value), here),
                    _ => (None, here),
                }
            }
        }
    )*};
}
struct Wrapped(u8);
impls! {
    Made: Made(7), Made(1), 'a, core::ops::Neg;
    Wrapped: Wrapped(8), Wrapped(2..=3), 'b, core::ops::Neg;
}

/// A variable of the macro's own next to one of the same name from outside.
macro_rules! hygienic {
    ($name:ident, $parameter:ident, $value:expr) => {
        #[simd_core::dispatch(targets = "avx2,aes | aes")]
        fn $name(number: u64, $parameter: u64) -> (u64, u64, u64) {
            let local = number * 2;
            let closure = |inner: u64| inner + local + $value;
            (closure(1), $parameter, $value)
        }
    };
}
hygienic!(same_names, number, {
    let local = 100;
    local + 1
});

/// Two parameters of one name, of which the macro's caller has the second.
macro_rules! one_name_twice {
    ($name:ident, $number:ident, $_number:ident, $Number:ident) => {
        #[simd_core::dispatch(targets = "avx2,aes | aes")]
        #[allow(non_snake_case, clippy::used_underscore_binding, reason = "what the test is about")]
        fn $name(number: u64, $number: u64, _number: u64, $_number: u64, Number: u64, $Number: u64) -> [u64; 6] {
            [number, $number, _number, $_number, Number, $Number]
        }
    };
}
one_name_twice!(twice_the_same, number, _number, Number);

#[cfg_attr(not(any()), simd_core::dispatch(targets = "avx2,aes | aes"))]
fn conditionally() -> &'static str {
    ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
}

use simd_core::dispatch as renamed;

#[renamed(targets = "avx2,aes | aes")]
fn under_another_name() -> &'static str {
    ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
}

fn inside_a_function() -> (u64, &'static str) {
    const OUTER: u64 = 5;
    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    fn inner(n: u64) -> (u64, &'static str) {
        (n + OUTER, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }
    inner(1)
}

#[simd_core::dispatch(targets = "avx2")]
mod in_a_module {
    use integration_tests::ran;

    #[cfg_attr(all(), simd_core::dispatch(targets = "avx2,aes | aes"))]
    pub(super) fn conditionally() -> &'static str {
        ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
    }
}

#[test]
#[simd_core::testing::each_target("avx2,aes | aes")]
fn in_an_annotated_module() {
    assert_eq!(in_a_module::conditionally(), expected());
}

#[test]
#[simd_core::testing::each_target("avx2,aes | aes")]
fn made_by_macros() {
    let ran = expected();
    assert_eq!(made(1, 'x'), (1, 'x', ran));
    assert_eq!((whole((1, 2)), Made(3).method(), -Made(0)), ((3, ran), (3, ran), (!0, ran)));
    let (made, clone) = -&Made(1);
    assert_eq!((made.map(|made| made.0), clone), (Some(7), ran));
    assert!((-&Wrapped(9)).0.is_none());
    assert!((-&Wrapped(3)).0.is_some_and(|wrapped| wrapped.0 == 8));
    assert_eq!(same_names(1, 7), (1 + 2 + 101, 7, 101));
    assert_eq!(twice_the_same(1, 2, 3, 4, 5, 6), [1, 2, 3, 4, 5, 6]);
    assert_eq!((conditionally(), under_another_name(), inside_a_function()), (ran, ran, (6, ran)));
}

struct Halves;

#[simd_core::dispatch(targets = "avx2,aes")]
impl Halves {
    fn half(&self) -> u64 {
        1 + u64::from(cfg!(all(target_feature = "aes", not(target_feature = "aes"))))
    }
}

/// Its baseline and target are the same as those of the method above, with a name that ends like a target.
#[simd_core::dispatch(targets = "aes")]
impl Halves {
    fn half_avx2(&self) -> u64 {
        2 + u64::from(cfg!(all(target_feature = "aes", not(target_feature = "aes"))))
    }
}

#[test]
#[simd_core::testing::each_target("avx2,aes | aes")]
fn impls_of_one_type() {
    assert_eq!((Halves.half(), Halves.half_avx2()), (1, 2));
}
