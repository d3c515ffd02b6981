//! Dispatched code of every kind under every lint of rustc and clippy, denied.
//!
//! Nothing here is for use: that it compiles, in each edition, is the test.
#![forbid(unsafe_code)]
#![deny(warnings)]
#![deny(
    future_incompatible,
    keyword_idents,
    let_underscore,
    nonstandard_style,
    refining_impl_trait,
    rust_2018_compatibility,
    rust_2018_idioms,
    rust_2021_compatibility,
    rust_2024_compatibility,
    unused
)]
// Lints that rustc allows unless it is told otherwise.
#![deny(
    absolute_paths_not_starting_with_crate,
    ambiguous_negative_literals,
    closure_returning_async_block,
    deprecated_in_future,
    deprecated_safe_2024,
    deref_into_dyn_supertrait,
    edition_2024_expr_fragment_specifier,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    ffi_unwind_calls,
    if_let_rescope,
    impl_trait_overcaptures,
    impl_trait_redundant_captures,
    keyword_idents_2018,
    keyword_idents_2024,
    let_underscore_drop,
    macro_use_extern_crate,
    meta_variable_misuse,
    missing_copy_implementations,
    missing_debug_implementations,
    missing_docs,
    missing_unsafe_on_extern,
    non_ascii_idents,
    redundant_imports,
    redundant_lifetimes,
    rust_2021_incompatible_closure_captures,
    rust_2021_incompatible_or_patterns,
    rust_2021_prefixes_incompatible_syntax,
    rust_2021_prelude_collisions,
    rust_2024_guarded_string_incompatible_syntax,
    rust_2024_incompatible_pat,
    rust_2024_prelude_collisions,
    single_use_lifetimes,
    tail_expr_drop_order,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unsafe_attr_outside_unsafe,
    unsafe_op_in_unsafe_fn,
    unstable_features,
    unused_crate_dependencies,
    unused_extern_crates,
    unused_import_braces,
    unused_lifetimes,
    unused_macro_rules,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
#![allow(
    clippy::blanket_clippy_restriction_lints,
    reason = "restriction lints are denied as a group on purpose, but for those below"
)]
#![allow(clippy::implicit_return, reason = "the opposite of `needless_return`")]
#![allow(clippy::separated_literal_suffix, reason = "the opposite of `unseparated_literal_suffix`")]
#![allow(clippy::question_mark_used, reason = "the opposite of `question_mark`")]
#![allow(clippy::single_call_fn, reason = "trees of small functions are what the attribute is for")]
#![allow(clippy::missing_const_for_fn, reason = "what is dispatched cannot be `const`")]
#![allow(clippy::missing_trait_methods, reason = "nobody writes out all methods of an iterator")]
#![allow(clippy::arbitrary_source_item_ordering, reason = "the order is one for readers")]
#![allow(clippy::impl_trait_in_params, reason = "one of the kinds of parameters")]
#![allow(clippy::arithmetic_side_effects, reason = "the operators here have none")]
#![allow(clippy::cargo_common_metadata, reason = "about the manifests of other packages")]

use core::cmp::Ordering;
use core::fmt;
use core::future::ready;
use core::iter::repeat_n;
use core::ops::{Add, AddAssign, Index, Mul, Sub};
use core::panic::Location;
use simd_core::dispatch;

/// Where a thing is called from, and how many attempts there were.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Call {
    /// The line of the caller.
    pub line: u32,
    /// The number of tries.
    pub tries: usize,
}

/// Adds one.
#[dispatch(targets = "avx2,aes | aes")]
#[must_use]
#[inline]
pub fn plain(number: u64) -> u64 {
    number.wrapping_add(1)
}

/// Clippy knows the bodies of its impls.
#[derive(Copy, Debug, Eq, PartialEq)]
pub struct Canonical(u32);

#[expect(clippy::expl_impl_clone_on_copy, reason = "a derived impl cannot be dispatched")]
#[dispatch(targets = "avx2,aes | aes")]
impl Clone for Canonical {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

#[dispatch(targets = "avx2,aes | aes")]
impl PartialOrd for Canonical {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Canonical {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

/// A sum, by a reference.
#[dispatch(targets = "avx2,aes | aes")]
#[must_use]
#[inline]
pub fn summed(numbers: &[u64]) -> u64 {
    numbers.iter().copied().fold(0, u64::wrapping_add)
}

/// The first of some.
///
/// # Errors
///
/// If there is none.
#[dispatch(targets = "avx2,aes | aes")]
#[inline]
pub fn first<T, const N: usize>(all: &[T; N]) -> Result<T, fmt::Error>
where
    T: Copy,
{
    let Some(&found) = all.first() else { return Err(fmt::Error) };
    Ok(found)
}

/// Works on patterns and closures.
#[dispatch(targets = "avx2,aes | aes")]
#[must_use]
#[inline]
pub fn patterns((left, right): (u64, u64), mut sum: u64, _unused: &str) -> u64 {
    let add = |one: u64, other: u64| one.wrapping_add(other);
    sum = add(sum, left);
    let added: Vec<u64> = [right, left].into_iter().map(|one| add(one, sum)).map(plain).collect();
    summed(&added)
}

/// Takes functions.
#[dispatch(targets = "avx2,aes | aes")]
#[inline]
pub fn calls<F>(mut action: F, other: impl Fn(&str) -> usize) -> usize
where
    F: FnMut(usize),
{
    let length = other("some text");
    action(length);
    length
}

/// Borrows from one of two.
#[dispatch(targets = "avx2,aes | aes")]
#[must_use]
#[inline]
pub fn longer<'text>(one: &'text str, other: &'text str) -> &'text str {
    if one.len() > other.len() { one } else { other }
}

/// Chooses by feature.
#[dispatch(targets = "avx2,aes | aes")]
#[must_use]
#[inline]
pub fn chosen(number: u64) -> u64 {
    #[cfg(target_feature = "aes")]
    {
        number.rotate_left(1)
    }
    #[cfg(not(target_feature = "aes"))]
    {
        number.rotate_right(1)
    }
}

/// Asks by feature, and has functions of its own.
#[dispatch(targets = "avx2,aes | aes")]
#[must_use]
#[inline]
pub fn nested(number: u64) -> u64 {
    /// As deep as it goes.
    const DEPTH: u64 = 3;
    /// Goes deeper.
    fn deeper(rest: u64) -> u64 {
        if rest == 0 { 0 } else { plain(rest).wrapping_add(chosen(rest)) }
    }
    let start = if cfg!(target_feature = "avx2") { number } else { DEPTH };
    deeper(start)
}

/// Says where it is called.
#[dispatch(targets = "avx2,aes | aes")]
#[must_use]
#[inline]
#[track_caller]
pub fn tracked() -> Call {
    Call { line: Location::caller().line(), tries: 1 }
}

/// Waits.
#[dispatch(targets = "avx2,aes | aes")]
#[inline]
pub async fn waited(number: &u64) -> u64 {
    let one = ready(*number).await;
    let other = async { ready(one).await.wrapping_add(1) };
    other.await.wrapping_add(chosen(one))
}

/// A function that nobody should use.
#[dispatch(targets = "avx2,aes | aes")]
#[deprecated(since = "0.1.0", note = "for the lint")]
#[must_use]
#[inline]
pub fn old(number: u64) -> u64 {
    if number == 0 { 0 } else { old(number.wrapping_sub(1)) }
}

/// Is compiled on some platforms.
#[dispatch(targets = "avx2,aes | aes")]
#[cfg(not(target_os = "none"))]
#[cold]
#[inline(never)]
#[must_use]
pub fn rarely(number: u64, #[cfg(target_os = "none")] other: u64) -> u64 {
    number
}

/// Expects a lint.
#[dispatch(targets = "avx2,aes | aes")]
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "what this is about")]
#[must_use]
#[inline]
pub fn expecting(number: u32) -> u64 {
    u64::from(number.rotate_left(1) as u8)
}

/// A number of a field.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Element(u64);

#[dispatch(targets = "avx2,aes | aes")]
impl Element {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// From a number.
    #[must_use]
    #[inline]
    pub fn new(number: u64) -> Self {
        Self(number)
    }

    /// To a number.
    #[must_use]
    #[inline]
    pub fn get(self) -> u64 {
        self.0
    }

    /// Twice the number.
    #[must_use]
    #[inline]
    pub fn doubled(&self) -> Self {
        Self(self.0.wrapping_mul(2))
    }

    /// Twice the number, in place.
    #[inline]
    pub fn double(&mut self) -> &mut Self {
        self.0 = self.private();
        self
    }

    /// By its place.
    #[inline]
    #[must_use]
    #[expect(clippy::boxed_local, reason = "what this is about")]
    pub fn unboxed(self: Box<Self>) -> Self {
        *self
    }

    /// Waits for it.
    #[inline]
    pub async fn later(&self) -> u64 {
        ready(self.0).await
    }

    /// Where it is called.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn caller(&self) -> Call {
        Call { line: Location::caller().line(), tries: usize::try_from(self.0).unwrap_or_default() }
    }

    /// Not for others.
    fn private(self) -> u64 {
        #[cfg(target_feature = "aes")]
        let result = self.0 << 1_u32;
        #[cfg(not(target_feature = "aes"))]
        let result = self.0.wrapping_add(self.0);
        result
    }
}

#[dispatch(targets = "avx2,aes | aes")]
impl Add for Element {
    type Output = Self;

    #[inline]
    fn add(self, rhs: Self) -> Self::Output {
        Self(self.0.wrapping_add(rhs.0))
    }
}

#[dispatch(targets = "avx2,aes | aes")]
impl Mul<&Element> for &Element {
    type Output = Element;

    #[inline]
    fn mul(self, rhs: &Element) -> Self::Output {
        Element(self.0.wrapping_mul(rhs.0))
    }
}

#[dispatch(targets = "avx2,aes | aes")]
impl AddAssign for Element {
    #[inline]
    fn add_assign(&mut self, rhs: Self) {
        *self = *self + rhs;
    }
}

#[dispatch(targets = "avx2,aes | aes")]
impl fmt::Display for Element {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}", self.0)
    }
}

/// With a single method that has the attribute.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone(u64);

impl Alone {
    /// A method of its own targets.
    #[inline]
    #[must_use]
    #[dispatch(targets = "avx2,aes | aes")]
    pub fn alone(mut self, (first, _): (u64, u64), other: &Self) -> Self {
        self.0 = self.0.wrapping_add(first ^ other.0);
        self
    }

    /// Wipes a part that nobody reads again.
    #[must_use]
    #[dispatch(targets = "avx2,aes | aes")]
    pub fn wiped(mut self, other: &Self) -> u64 {
        let sum = self.0.wrapping_add(other.0);
        self.0 = 0;
        sum
    }
}

impl Sub for Element {
    type Output = Self;

    #[inline]
    #[dispatch(targets = "avx2,aes | aes")]
    fn sub(self, rhs: Self) -> Self::Output {
        #[cfg(target_feature = "aes")]
        let result = self.0.wrapping_sub(rhs.0);
        #[cfg(not(target_feature = "aes"))]
        let result = self.0.wrapping_add(rhs.0.wrapping_neg());
        Self(result)
    }
}

/// Several in a row.
#[derive(Clone, Debug, Default)]
pub struct Row<T>(Vec<T>);

#[dispatch(targets = "avx2,aes | aes")]
impl<T: Clone> Row<T> {
    /// The same many times.
    #[must_use]
    #[inline]
    pub fn filled(value: &T, length: usize) -> Self {
        Self(repeat_n(value, length).cloned().collect())
    }

    /// Each changed.
    #[must_use]
    #[inline]
    pub fn mapped<U, F>(&self, change: F) -> Row<U>
    where
        F: Fn(&T) -> U,
    {
        Row(self.0.iter().map(change).collect())
    }
}

#[dispatch(targets = "avx2,aes | aes")]
impl<T> Index<usize> for Row<T> {
    type Output = T;

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "what this is for")]
    fn index(&self, index: usize) -> &Self::Output {
        &self.0[index]
    }
}

#[dispatch(targets = "avx2,aes | aes")]
impl<T> FromIterator<T> for Row<T> {
    #[inline]
    fn from_iter<I>(iter: I) -> Self
    where
        I: IntoIterator<Item = T>,
    {
        Self(iter.into_iter().collect())
    }
}

/// Counts down.
#[derive(Clone, Debug)]
pub struct Countdown(u32);

#[dispatch(targets = "avx2,aes | aes")]
impl Iterator for Countdown {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0 = self.0.checked_sub(1)?;
        Some(self.0)
    }
}

/// Is emptied when it is dropped.
#[derive(Debug)]
pub struct Emptied(Vec<u64>);

#[dispatch(targets = "avx2,aes | aes")]
impl Drop for Emptied {
    #[inline]
    fn drop(&mut self) {
        self.0.clear();
    }
}

/// A thing with a size.
#[dispatch(targets = "avx2,aes | aes")]
pub trait Sized2 {
    /// The unit that it is measured in.
    type Unit: Default;

    /// The size.
    #[must_use]
    fn size(&self) -> usize;

    /// Twice the size.
    #[inline]
    #[must_use]
    fn doubled_size(&self) -> usize {
        self.size().wrapping_mul(2)
    }

    /// Nothing.
    #[must_use]
    #[inline]
    fn nothing() -> Self::Unit
    where
        Self: Sized,
    {
        Self::Unit::default()
    }

    /// With something else.
    #[must_use]
    #[inline]
    fn paired<'one>(&'one self, other: &'one str) -> (&'one str, usize) {
        (other, self.size())
    }
}

#[dispatch(targets = "avx2,aes | aes")]
impl<T> Sized2 for [T] {
    type Unit = u8;

    #[inline]
    fn size(&self) -> usize {
        self.len()
    }
}

/// A module of kernels.
#[dispatch(targets = "avx2,aes | aes")]
pub mod kernels {
    use super::{Call, Element, Location};

    /// Evaluates a polynomial.
    #[must_use]
    #[inline]
    pub fn evaluate(coefficients: &[Element], at: Element) -> Element {
        coefficients.iter().fold(Element::ZERO, |sum, &next| step(sum, next, at))
    }

    /// One step of it.
    fn step(sum: Element, next: Element, at: Element) -> Element {
        &sum * &at + next
    }

    /// Says where it is called.
    #[must_use]
    #[inline]
    #[track_caller]
    pub fn tracked() -> Call {
        Call { line: Location::caller().line(), tries: 2 }
    }

    /// There are two of it.
    #[cfg(target_feature = "aes")]
    fn one_of_two(number: u64) -> u64 {
        number.swap_bytes()
    }

    /// There are two of it.
    #[cfg(not(target_feature = "aes"))]
    fn one_of_two(number: u64) -> u64 {
        number.reverse_bits()
    }

    /// There are two of it.
    #[cfg(target_feature = "aes")]
    pub const WITH_AES: u64 = 1;
    /// There are two of it.
    #[cfg(not(target_feature = "aes"))]
    pub const WITH_AES: u64 = 0;

    /// Through another.
    type Lanes = [u64; LANES];
    /// Of a clone.
    const LANES: usize = if WITH_AES == 1 { 2 } else { 1 };

    /// There are two of it, and an import in each.
    #[cfg(target_feature = "aes")]
    fn one_of_two_with_an_import(number: u64) -> u64 {
        use core::num::Wrapping;
        Wrapping(number).0
    }

    /// There are two of it, and an import in each.
    #[cfg(not(target_feature = "aes"))]
    fn one_of_two_with_an_import(number: u64) -> u64 {
        use core::num::Saturating;
        Saturating(number).0
    }

    /// Calls one of two.
    #[must_use]
    #[inline]
    pub fn two(number: u64) -> u64 {
        one_of_two(one_of_two_with_an_import(number)).wrapping_add(WITH_AES)
    }

    /// Sums lanes of its clone.
    #[must_use]
    #[inline]
    pub fn lanes(number: u64) -> u64 {
        let lanes: Lanes = [number; LANES];
        lanes.iter().fold(0, |sum, lane| sum.wrapping_add(*lane))
    }

    /// Deeper.
    pub mod deeper {
        /// Is left as it is.
        #[must_use]
        #[inline]
        #[simd_core::dispatch(skip)]
        pub const fn skipped() -> u64 {
            1
        }

        /// For fewer targets.
        #[must_use]
        #[inline]
        #[simd_core::dispatch(targets = "aes")]
        pub fn overridden(number: u64) -> u64 {
            number.wrapping_add(skipped())
        }
    }
}

/// Compiled for a list with a name.
#[must_use]
#[simd_core::dispatch(targets = "avx2,aes | aes", list = pub LISTED)]
#[inline]
pub fn listed(number: u64) -> u64 {
    number.rotate_left(1)
}

/// The same list again.
pub const AGAIN: simd_core::Targets = simd_core::targets!("avx2,aes | aes");

/// A pointer to a function in it.
#[must_use]
#[inline]
pub fn pointer() -> fn(&[u64]) -> u64 {
    #[dispatch(targets = "avx2,aes | aes")]
    fn folded(numbers: &[u64]) -> u64 {
        numbers.iter().copied().fold(0, |sum, next| sum ^ listed(next))
    }
    folded
}

simd_core::target_list! {
    /// A list that others may name.
    pub named = ["avx2,aes", narrow]
}

simd_core::target_list!(narrow = "aes");

/// Says what it is compiled for, with a list that has a name.
#[dispatch(targets = named)]
#[must_use]
#[inline]
pub fn for_a_list(number: u64) -> u64 {
    let lanes: u64 = simd_core::match_target!("avx2" => 8, "aes" => 2, _ => 1);
    simd_core::match_target! {
        "aes" => plain(number),
        _ => {
            let less = number.wrapping_sub(1);
            plain(less).wrapping_add(lanes)
        }
    }
}

/// Returns nothing.
#[dispatch(targets = named)]
#[inline]
pub fn changes_for_a_list(number: &mut u64) {
    *number = number.wrapping_add(1);
}

/// Arms that are items, constants and statements.
#[dispatch(targets = crate::narrow)]
pub mod arms {
    use simd_core::match_target;

    use core::convert::identity as pass;

    /// Of a clone.
    const LANES: u64 = match_target! { "aes" => 2, _ => 1 };

    match_target! {
        "aes" => {
            /// One of two.
            fn step(number: u64) -> u64 {
                number.wrapping_add(2)
            }
        }
        _ => {
            /// The other one.
            fn step(number: u64) -> u64 {
                number.wrapping_add(1)
            }
        }
    }

    /// Uses them all.
    #[must_use]
    #[inline]
    pub fn all(number: u64) -> u64 {
        let mut sum = pass(number);
        match_target! {
            "aes" => sum = step(sum),
            _ => sum = step(sum ^ 1),
        }
        let scaled = (1..LANES).map(|lane| match_target! { "aes" => lane, _ => 0 }).fold(sum, u64::wrapping_add);
        let deeper = |other: u64| match_target!("aes" => step(other), _ => other).wrapping_mul(LANES);
        deeper(scaled)
    }
}

/// Goes by the build.
#[must_use]
#[inline]
pub const fn of_the_build() -> usize {
    simd_core::match_target! { "avx512f" => 16, "x86, x86_64: avx2" => 8, _ => 1 }
}
