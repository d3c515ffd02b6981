//! Inherent impls: attributes of methods, generics of the impl and of the method, visibility.

use core::fmt::Debug;
use core::panic::Location;

use integration_tests::{block_on, expected, ran};
use simd_core::dispatch;
use simd_core::testing::each_target;

type Ran = &'static str;

#[derive(Clone, Debug, PartialEq)]
struct Counter {
    count: u64,
}

#[dispatch(targets = "avx2,aes | aes")]
impl Counter {
    fn by_value(self) -> (u64, Ran) {
        (self.count, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn by_reference(&self) -> (u64, Ran) {
        (2 * self.count, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    #[track_caller]
    fn caller(&self) -> (u32, Ran) {
        (Location::caller().line(), ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    async fn future(&mut self, by: &u64) -> (u64, Ran) {
        self.count += core::future::ready(by).await;
        core::future::ready(()).await;
        (self.count, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    #[dispatch(skip)]
    fn skipped(&self) -> Ran {
        ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
    }

    #[dispatch(targets = "aes")]
    fn overridden(&self) -> Ran {
        ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
    }

    #[deprecated(note = "for the test")]
    fn deprecated(&self, n: u64) -> Ran {
        if n > 0 { self.deprecated(n - 1) } else { ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")) }
    }

    #[expect(unused_variables, reason = "what the test is about")]
    fn expecting(&self, n: u64) -> Ran {
        ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
    }

    #[expect(unused_variables, reason = "what the test is about")]
    #[must_use]
    fn expecting_nothing_of_features(&self, n: u64) -> u64 {
        self.count
    }

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "what the test is about")]
    #[cfg_attr(target_feature = "aes", doc = "Only seen in a clone.")]
    fn always_inlined(&self) -> Ran {
        ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn attributes() {
    let (ran, counter) = (expected(), Counter { count: 9 });
    #[allow(deprecated, reason = "what the test is about")]
    {
        assert_eq!(counter.deprecated(2), ran);
    }
    assert_eq!(counter.expecting(1), ran);
    assert_eq!(counter.expecting_nothing_of_features(1), 9);
    assert_eq!(counter.always_inlined(), ran);
}

#[test]
#[each_target("avx2,aes | aes")]
fn caller_location() {
    let counter = Counter { count: 0 };
    assert_eq!(counter.caller(), (line!(), expected()));
    assert_eq!(counter.caller(), (line!(), expected()));
}

#[test]
#[each_target("avx2,aes | aes")]
fn futures() {
    let mut counter = Counter { count: 0 };
    assert_eq!(block_on(counter.future(&1)), (1, expected()));
    assert_eq!(block_on(counter.future(&1)), (2, expected()));
}

#[test]
#[each_target("avx2,aes | aes")]
fn choices() {
    let counter = Counter { count: 0 };
    let built_for = ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
    assert_eq!(counter.skipped(), built_for);
    let aes = integration_tests::available("aes");
    assert_eq!(counter.overridden(), ran(cfg!(target_feature = "avx2"), aes));
}

#[test]
#[each_target("avx2,aes | aes")]
fn as_values() {
    let by_value: fn(Counter) -> (u64, Ran) = Counter::by_value;
    assert_eq!(by_value(Counter { count: 1 }), (1, expected()));
    let by_reference: for<'a> fn(&'a Counter) -> (u64, Ran) = Counter::by_reference;
    assert_eq!(by_reference(&Counter { count: 1 }), (2, expected()));
    let all: Vec<_> = [1, 2].map(|count| Counter { count }).iter().map(Counter::by_reference).collect();
    assert_eq!(all, [(2, expected()), (4, expected())]);
}

trait Unit {
    type Item: Default + Debug + PartialEq;
    const SIZE: usize;
}

impl Unit for u8 {
    type Item = u32;
    const SIZE: usize = 4;
}

#[derive(Clone, Debug, PartialEq)]
struct Block<T, const N: usize>([T; N]);

#[dispatch(targets = "avx2,aes | aes")]
impl<T, const N: usize> Block<T, N>
where
    T: Copy + Default + Unit<Item = u32>,
{
    const DOUBLE: usize = N * 2;

    fn filled(value: T) -> Self {
        Self([value; N])
    }

    fn sizes(&self) -> (usize, usize, Ran) {
        let clone = ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
        (self.0.len() + Self::DOUBLE, T::SIZE, clone)
    }

    fn copies<U: Into<usize>, const M: usize>(&self, take: U) -> ([Self; M], Ran)
    where
        Self: Clone,
    {
        let copies = core::array::from_fn(|_| self.clone());
        assert!(take.into() <= N);
        (copies, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn projected(_first: <T as Unit>::Item, _second: T::Item) -> (T::Item, Ran) {
        (T::Item::default(), ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn borrowed<'a, 'b: 'a>(&'b self, at: &'a usize) -> (&'a T, Ran) {
        (&self.0[*at], ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn doubled_array(&self) -> [T; N] {
        let mut array = [T::default(); N];
        for (to, from) in array.iter_mut().zip(self.0) {
            *to = from;
        }
        array
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn generic_impls() {
    let ran = expected();
    let block = Block::<u8, 3>::filled(7);
    assert_eq!(block.sizes(), (9, 4, ran));
    assert_eq!(block.copies::<u8, 2>(1), ([block.clone(), block.clone()], ran));
    assert_eq!(Block::<u8, 3>::projected(1, 2), (0, ran));
    assert_eq!(block.borrowed(&1), (&7, ran));
    assert_eq!(block.doubled_array(), [7; 3]);
}

struct Wrapper<T>(T);

#[dispatch(targets = "avx2,aes | aes")]
impl Wrapper<u8> {
    fn number(&self) -> (u64, Ran) {
        (u64::from(self.0), ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }
}

#[dispatch(targets = "avx2,aes | aes")]
impl Wrapper<u16> {
    fn number(&self) -> (u64, Ran) {
        (u64::from(self.0) + 1, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }
}

#[dispatch(targets = "avx2,aes | aes")]
impl<T> Wrapper<&T> {
    fn inner(&self) -> (&T, Ran) {
        let Wrapper(inner) = self;
        (inner, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }
}

#[dispatch(targets = "avx2,aes | aes")]
impl Wrapper<&str> {
    fn outlives<'a>(&self, other: &'a str) -> (&'a str, Ran) {
        (&other[self.0.len()..], ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }
}

trait Shape {
    fn corners(&self) -> u64;
}

struct Square;

impl Shape for Square {
    fn corners(&self) -> u64 {
        4
    }
}

#[dispatch(targets = "avx2,aes | aes")]
impl dyn Shape + '_ {
    fn twice(&self) -> (u64, Ran) {
        (2 * self.corners(), ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn several_impls() {
    let ran = expected();
    assert_eq!(Wrapper(1_u8).number(), (1, ran));
    assert_eq!(Wrapper(1_u16).number(), (2, ran));
    assert_eq!(Wrapper(&3).inner(), (&3, ran));
    assert_eq!(Wrapper("ab").outlives("abc"), ("c", ran));
    let shape: &dyn Shape = &Square;
    assert_eq!(shape.twice(), (8, ran));
}

mod outer {
    pub(crate) mod inner {
        #[derive(Default)]
        pub(crate) struct Hidden {
            secret: u64,
        }

        #[simd_core::dispatch(targets = "avx2,aes | aes")]
        impl Hidden {
            pub(in crate::impls::outer) fn seen_in_outer(&self) -> u64 {
                self.secret + 1
            }

            pub(super) fn seen_above(&self) -> u64 {
                self.seen_here() + 1
            }

            pub(self) fn seen_here(&self) -> u64 {
                self.secret
            }
        }
    }

    pub(crate) fn sum() -> u64 {
        let hidden = inner::Hidden::default();
        hidden.seen_in_outer() + hidden.seen_above()
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn visibility() {
    assert_eq!(outer::sum(), 2);
}
