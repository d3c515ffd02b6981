//! Inherent methods of every kind: every receiver, `Self`, generics of the impl and of the method.
#![allow(clippy::unused_self, clippy::needless_pass_by_value, reason = "the receivers are what the tests are about")]

use core::fmt::Debug;
use core::panic::Location;
use core::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

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
    const STEP: u64 = 1;

    fn new(count: u64) -> (Self, Ran) {
        (Self { count }, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    const fn constant(count: u64) -> Self {
        Self { count }
    }

    fn by_value(self) -> (u64, Ran) {
        (self.count, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn by_mutable_value(mut self) -> (Self, Ran) {
        self.count += Self::STEP;
        (self, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn by_reference(&self) -> (u64, Ran) {
        (self.private() + Self::private(self), ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn by_mutable_reference<'a>(&'a mut self, _other: &u64) -> (&'a mut u64, Ran) {
        self.count += Self::STEP;
        (&mut self.count, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn boxed(self: Box<Self>) -> (Self, Ran) {
        (*self, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn mutable_box(mut self: Box<Self>) -> (Box<Self>, Ran) {
        self.count = 0;
        (self, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn counted(self: Rc<Self>) -> (usize, Ran) {
        (Rc::strong_count(&self), ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn shared(self: &Arc<Self>) -> (usize, Ran) {
        (Arc::strong_count(self), ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn pinned(self: Pin<&mut Self>) -> (u64, Ran) {
        let this = self.get_mut();
        this.count += 1;
        (this.count, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn typed(&self) -> (u64, Ran) {
        (self.count, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn private(&self) -> u64 {
        self.count
    }

    fn recursive(&self, n: u64) -> (u64, Ran) {
        if n == 0 {
            return (self.count, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")));
        }
        let (below, clone) = self.recursive(n - 1);
        (below + Self::recursive(self, 0).0, clone)
    }

    fn takes_self_by_patterns(&mut self, Self { count: added }: Self, (a, b): (u64, u64)) -> (u64, Ran) {
        self.count += added + a + b;
        (self.count, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn closures(&self, f: impl Fn(&Self) -> u64) -> Vec<(u64, Ran)> {
        let clone = |x| (x, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")));
        (0..2).map(|x| x + f(self) + self.private()).map(clone).collect()
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

    /// # Safety
    ///
    /// `count` is valid for a read.
    unsafe fn from_pointer(count: *const u64) -> (Self, Ran) {
        // SAFETY: the caller promises it.
        let count = unsafe { *count };
        (Self { count }, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    extern "C" fn foreign(&self) -> usize {
        ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")).len()
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
fn receivers() {
    let ran = expected();
    let (mut counter, clone) = Counter::new(3);
    assert_eq!(clone, ran);
    const { assert!(Counter::constant(3).count == 3) };
    assert_eq!(counter.clone().by_value(), (3, ran));
    assert_eq!(counter.clone().by_mutable_value(), (Counter::constant(4), ran));
    assert_eq!(counter.by_reference(), (6, ran));
    assert_eq!(counter.by_mutable_reference(&1), (&mut 4, ran));
    assert_eq!(Box::new(counter.clone()).boxed(), (Counter::constant(4), ran));
    assert_eq!(Box::new(counter.clone()).mutable_box(), (Box::new(Counter::constant(0)), ran));
    assert_eq!(Rc::new(counter.clone()).counted(), (1, ran));
    assert_eq!(Arc::new(counter.clone()).shared(), (1, ran));
    assert_eq!(Pin::new(&mut counter).pinned(), (5, ran));
    assert_eq!(counter.typed(), (5, ran));
}

#[test]
#[each_target("avx2,aes | aes")]
fn other_kinds() {
    let ran = expected();
    let mut counter = Counter::constant(3);
    assert_eq!(counter.recursive(3), (12, ran));
    assert_eq!(counter.takes_self_by_patterns(Counter::constant(1), (2, 3)), (9, ran));
    assert_eq!(counter.closures(|counter| counter.count), [(18, ran), (19, ran)]);
    // SAFETY: it is a reference.
    assert_eq!(unsafe { Counter::from_pointer(&raw const counter.count) }, (counter.clone(), ran));
    assert_eq!(counter.foreign(), ran.len());
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
    let counter = Counter::constant(0);
    assert_eq!(counter.caller(), (line!(), expected()));
    assert_eq!(counter.caller(), (line!(), expected()));
}

#[test]
#[each_target("avx2,aes | aes")]
fn futures() {
    let mut counter = Counter::constant(0);
    assert_eq!(block_on(counter.future(&1)), (1, expected()));
    assert_eq!(block_on(counter.future(&1)), (2, expected()));
}

#[test]
#[each_target("avx2,aes | aes")]
fn choices() {
    let counter = Counter::constant(0);
    let built_for = ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
    assert_eq!(counter.skipped(), built_for);
    let aes = integration_tests::available("aes");
    assert_eq!(counter.overridden(), ran(cfg!(target_feature = "avx2"), aes));
}

#[test]
#[each_target("avx2,aes | aes")]
fn as_values() {
    let by_value: fn(Counter) -> (u64, Ran) = Counter::by_value;
    assert_eq!(by_value(Counter::constant(1)), (1, expected()));
    let by_reference: for<'a> fn(&'a Counter) -> (u64, Ran) = Counter::by_reference;
    assert_eq!(by_reference(&Counter::constant(1)), (2, expected()));
    let all: Vec<_> = [1, 2].map(Counter::constant).iter().map(Counter::typed).collect();
    assert_eq!(all, [(1, expected()), (2, expected())]);
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
            pub(in crate::methods::outer) fn seen_in_outer(&self) -> u64 {
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
