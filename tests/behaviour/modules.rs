//! Modules: what in them is cloned, what stays as it is, and how names and macros resolve.
#![forbid(unsafe_code)]

use integration_tests::{available, expected, sees};
use simd_core::testing::each_target;

type Ran = &'static str;

fn outside() -> u64 {
    5
}

mod sibling {
    pub(crate) fn one() -> u64 {
        1
    }
    pub(crate) mod inner {
        pub(crate) use super::one as renamed;
    }
}

/// From outside of the module.
macro_rules! function {
    ($name:ident) => {
        pub(super) fn $name(x: u64) -> (u64, Ran) {
            (x, integration_tests::ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
        }
    };
}

#[simd_core::dispatch(targets = "avx2,aes | aes")]
mod tree {
    //! A tree of functions that all run in one clone.
    #![allow(clippy::needless_pass_by_value, reason = "an attribute inside")]

    use std::collections::{BTreeMap, HashMap as Map};

    use self::nested::deep;
    pub(crate) use self::nested::deep as renamed_deep;
    use super::*;

    const CLONE: Ran = integration_tests::ran(cfg!(target_feature = "avx2"), AES);
    const AES: bool = cfg!(target_feature = "aes");

    /// In the clone that it is used in.
    macro_rules! clone {
        () => {
            CLONE
        };
    }

    /// Uses another.
    macro_rules! with_clone {
        ($value:expr) => {
            ($value, clone!())
        };
    }

    function!(made_by_a_macro);

    const LEN: usize = 3;
    static TABLE: [u64; LEN] = [1, 2, 3];
    thread_local! {
        static LOCAL: u64 = const { 4 };
    }

    pub(super) type Numbers = Map<u64, u64>;

    pub(super) fn root(numbers: &[u64]) -> (u64, Vec<Ran>) {
        let mut clones = vec![clone!()];
        let sum = numbers.iter().fold(0, |sum, &number| {
            let (sum, clone) = helper(sum, number);
            clones.push(clone);
            sum
        });
        let paths = outside()
            + super::outside()
            + crate::modules::outside()
            + self::deep(0).0
            + super::sibling::inner::renamed()
            + sibling::one();
        (sum + paths, clones)
    }

    fn helper(sum: u64, number: u64) -> (u64, Ran) {
        let mut seen = BTreeMap::new();
        seen.insert(number, sum);
        let from_table = TABLE[usize::try_from(number).unwrap_or_default() % LEN];
        with_clone!(sum + from_table + LOCAL.with(|local| *local) + twice(0))
    }

    /// Usable in constants.
    pub(super) const fn twice(n: u64) -> u64 {
        2 * n
    }

    pub(super) const CONSTANT: u64 = twice(4);

    #[simd_core::dispatch(skip)]
    pub(super) fn skipped() -> Ran {
        integration_tests::ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
    }

    #[simd_core::dispatch(targets = "aes")]
    pub(super) fn overridden() -> Ran {
        clone!()
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(super) struct Point {
        pub(super) x: u64,
    }

    impl Point {
        pub(super) fn moved(mut self, by: u64) -> (Self, Ran) {
            self.x += by;
            with_clone!(self)
        }

        #[simd_core::dispatch(skip)]
        pub(super) fn skipped() -> Ran {
            integration_tests::ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
        }
    }

    #[simd_core::dispatch(skip)]
    impl Point {
        pub(super) fn in_a_skipped_impl() -> Ran {
            integration_tests::ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
        }
    }

    #[simd_core::dispatch(targets = "aes")]
    impl Point {
        pub(super) fn in_an_overridden_impl() -> Ran {
            clone!()
        }
    }

    impl std::ops::Add for Point {
        type Output = (Self, Ran);

        fn add(self, other: Self) -> Self::Output {
            self.moved(other.x)
        }
    }

    impl From<Point> for u64 {
        fn from(point: Point) -> Self {
            point.x
        }
    }

    pub(super) trait Measured {
        fn size(&self) -> u64;

        fn doubled(&self) -> (u64, Ran) {
            let features = (cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
            (self.size() * 2, integration_tests::ran(features.0, features.1))
        }
    }

    impl Measured for Point {
        fn size(&self) -> u64 {
            self.x
        }
    }

    #[derive(Clone, Copy)]
    pub(super) enum Either {
        Left,
        Right { value: u64 },
    }

    impl Either {
        fn text(self) -> String {
            format!("{} {}", self.value(), clone!())
        }

        pub(super) fn value(self) -> u64 {
            use Either::{Left, Right};
            match self {
                Left => 1,
                Right { value } => value,
            }
        }
    }

    impl std::fmt::Display for Either {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(&self.text())
        }
    }

    pub(crate) mod nested {
        use integration_tests::ran;

        const CLONE: super::Ran = ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));

        pub(crate) fn deep(n: u64) -> (u64, super::Ran) {
            (super::super::outside() + n, clone!())
        }

        pub(in super::super) fn seen_two_up() -> u64 {
            deep(1).0 + super::TABLE[0]
        }

        #[simd_core::dispatch(targets = "aes")]
        pub(crate) mod overridden {
            const CLONE: super::super::Ran = super::ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));

            pub(crate) fn inside() -> super::super::Ran {
                clone!()
            }
        }

        #[simd_core::dispatch(skip)]
        pub(crate) mod skipped {
            const CLONE: super::super::Ran = super::ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));

            pub(crate) fn inside() -> super::super::Ran {
                clone!()
            }
        }
    }

    #[macro_use]
    mod exports_a_macro {
        macro_rules! from_a_nested_module {
            () => {
                AES
            };
        }
    }

    pub(super) fn uses_a_nested_macro() -> bool {
        from_a_nested_module!()
    }

    // A later definition holds from there on.
    macro_rules! with_clone {
        ($value:expr) => {
            ("shadowed", $value, clone!())
        };
    }

    pub(super) fn shadowed(x: u64) -> (&'static str, u64, Ran) {
        with_clone!(x)
    }

    #[allow(dead_code, reason = "an attribute of the function's")]
    fn unused() {}

    #[cfg(any())]
    fn not_compiled() -> NoSuchType {}

    #[test]
    #[simd_core::testing::each_target("avx2,aes | aes")]
    fn inside_the_module() {
        assert_eq!(helper(0, 0), (5, expected()));
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        #[each_target("avx2,aes | aes")]
        fn in_a_module_of_tests() {
            assert_eq!(root(&[]).0, 22);
        }
    }
}

fn built_for() -> Ran {
    integration_tests::ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
}

fn only_aes() -> Ran {
    integration_tests::ran(cfg!(target_feature = "avx2"), available("aes"))
}

#[test]
#[each_target("avx2,aes | aes")]
fn the_tree() {
    use tree::{Either, Measured as _, Point};
    let ran = expected();
    assert_eq!(tree::root(&[1, 2]), (1 + 6 + 7 + 21, vec![ran; 3]));
    assert_eq!(tree::renamed_deep(1), (6, ran));
    assert_eq!(tree::nested::seen_two_up(), 7);
    assert_eq!(tree::CONSTANT, 8);
    let point = Point { x: 1 };
    assert_eq!(point + point, (Point { x: 2 }, ran));
    assert_eq!(u64::from(point), 1);
    assert_eq!(point.doubled(), (2, ran));
    assert_eq!(Either::Left.to_string(), format!("1 {ran}"));
    assert_eq!(Either::Right { value: 3 }.value(), 3);
    assert_eq!(tree::uses_a_nested_macro(), available("aes"));
    assert_eq!(tree::shadowed(1), ("shadowed", 1, ran));
    assert!(tree::Numbers::new().is_empty());
}

#[test]
#[each_target("avx2,aes | aes")]
fn choices() {
    let (skipped, overridden) = (built_for(), only_aes());
    assert_eq!(tree::skipped(), skipped);
    assert_eq!(tree::Point::skipped(), skipped);
    assert_eq!(tree::Point::in_a_skipped_impl(), skipped);
    assert_eq!(tree::nested::skipped::inside(), skipped);
    assert_eq!(tree::overridden(), overridden);
    assert_eq!(tree::Point::in_an_overridden_impl(), overridden);
    assert_eq!(tree::nested::overridden::inside(), overridden);
    // The attribute does not see what a macro will make.
    assert_eq!(tree::made_by_a_macro(1), (1, skipped));
}

/// The problem that the attribute is for: `foo` calls `bar`, and there are two of `bar`.
#[simd_core::dispatch(targets = "avx2,aes | aes")]
mod recursion {
    pub(super) fn foo(n: u64) -> String {
        format!("foo calls {}", bar(n))
    }

    #[cfg(target_feature = "aes")]
    fn bar(n: u64) -> String {
        format!("the featured bar with {n}{}", if cfg!(target_feature = "avx2") { ", and avx2" } else { "" })
    }

    #[cfg(not(target_feature = "aes"))]
    fn bar(other_name: u64) -> String {
        format!("the portable bar with {other_name}")
    }

    pub(super) struct Chosen;

    impl Chosen {
        #[cfg(all(target_feature = "aes", target_feature = "avx2"))]
        pub(super) fn method(&self, (n, _): (u64, u64)) -> (u64, &'static str) {
            (n, "avx2,aes")
        }

        #[cfg(all(target_feature = "aes", not(target_feature = "avx2")))]
        pub(super) fn method(&self, (_, m): (u64, u64)) -> (u64, &'static str) {
            (m, "aes")
        }

        #[cfg(not(target_feature = "aes"))]
        pub(super) fn method(&self, both: (u64, u64)) -> (u64, &'static str) {
            (both.0 + both.1, "")
        }
    }

    impl Iterator for Chosen {
        type Item = &'static str;

        fn next(&mut self) -> Option<Self::Item> {
            Some(self.method((1, 2)).1)
        }
    }

    pub(super) trait Default: Iterator {
        fn provided(&mut self) -> Option<Self::Item> {
            self.next()
        }
    }

    impl Default for Chosen {}
}

#[test]
#[each_target("avx2,aes | aes")]
fn the_recursion_problem() {
    use recursion::Default as _;
    let path = recursion::foo(1);
    println!("{path}");
    let bar = match sees() {
        (true, true) => "the featured bar with 1, and avx2",
        (false, true) => "the featured bar with 1",
        (_, false) => "the portable bar with 1",
    };
    assert_eq!(path, format!("foo calls {bar}"));
    let method = match sees() {
        (true, true) => (1, "avx2,aes"),
        (false, true) => (2, "aes"),
        (_, false) => (3, ""),
    };
    assert_eq!(recursion::Chosen.method((1, 2)), method);
    assert_eq!(recursion::Chosen.next(), Some(method.1));
    assert_eq!(recursion::Chosen.provided(), Some(method.1));
}

/// Definitions under `cfg`s of which several test more than features, or features that no clone has.
#[simd_core::dispatch(targets = "avx2,aes | aes")]
mod pairs {
    mod system {
        #[cfg(all(target_feature = "aes", unix))]
        pub(super) fn number() -> u32 {
            1
        }
        #[cfg(all(target_feature = "aes", not(unix)))]
        pub(super) fn number() -> u32 {
            1
        }
        #[cfg(not(target_feature = "aes"))]
        pub(super) fn number() -> u32 {
            0
        }
    }

    // No clone differs on it.
    #[cfg(target_feature = "sve2p1")]
    fn vectors() -> u32 {
        10
    }
    #[cfg(not(target_feature = "sve2p1"))]
    fn vectors() -> u32 {
        10
    }

    struct Block;

    impl Block {
        #[cfg(target_feature = "aes")]
        fn number(&self) -> u32 {
            with_aes()
        }
        #[cfg(not(target_feature = "aes"))]
        fn number(&self) -> u32 {
            without()
        }
    }

    fn with_aes() -> u32 {
        100
    }

    fn without() -> u32 {
        0
    }

    pub(super) fn sum() -> u32 {
        system::number() + vectors() + Block.number()
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn several_definitions() {
    assert_eq!(pairs::sum(), if sees().1 { 111 } else { 10 });
}

/// Helpers that are `inline(always)` in some builds, and have clones in the others.
#[simd_core::dispatch(targets = "avx2,aes | aes")]
#[allow(clippy::inline_always, reason = "what the test is about")]
mod inlined_in_some_builds {
    #[cfg_attr(debug_assertions, inline(always))]
    fn in_debug_builds(x: u32) -> u32 {
        x + 1
    }

    #[cfg_attr(not(debug_assertions), cfg_attr(not(miri), inline(always)))]
    fn in_others(x: u32) -> u32 {
        #[cfg_attr(debug_assertions, must_use, inline(always))]
        fn debug(x: u32) -> u32 {
            x + 10
        }
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn other(x: u32) -> u32 {
            x + 100
        }
        debug(other(x))
    }

    pub(super) fn sum() -> u32 {
        in_debug_builds(in_others(0))
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn inlined_in_some_builds_only() {
    assert_eq!(inlined_in_some_builds::sum(), 111);
}
