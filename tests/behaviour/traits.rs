//! Methods of trait impls and default methods of traits, for every kind of type and of trait.
#![allow(clippy::unused_self, clippy::needless_pass_by_value, reason = "the receivers are what the tests are about")]
#![allow(clippy::missing_safety_doc, clippy::len_without_is_empty, reason = "these traits are for the tests only")]

use std::borrow::Cow;
use std::fmt::{self, Debug, Display};
use std::future::Future;
use std::ops::{Add, Mul};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::task::{Context, Poll};

use integration_tests::{block_on, expected, ran};
use simd_core::dispatch;
use simd_core::testing::each_target;

type Ran = &'static str;

/// A number, and the clone that made it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Num(u64, Ran);

fn num(n: u64) -> Num {
    Num(n, "not computed")
}

#[dispatch(targets = "avx2,aes | aes")]
impl Add for Num {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }
}

struct Watched<'a>(&'a AtomicUsize, &'a mut Vec<Ran>);

#[dispatch(targets = "avx2,aes | aes")]
impl Drop for Watched<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Relaxed);
        self.1.push(ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")));
    }
}

struct ThirdTime(u64);

#[dispatch(targets = "avx2,aes | aes")]
impl Future for ThirdTime {
    type Output = (u64, Ran);

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        context.waker().wake_by_ref();
        self.0 += 1;
        if self.0 < 3 {
            return Poll::Pending;
        }
        Poll::Ready((self.0, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))))
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn drop_and_future() {
    let (drops, mut clones) = (AtomicUsize::new(0), Vec::new());
    drop(Watched(&drops, &mut clones));
    drop(Watched(&drops, &mut clones));
    assert_eq!((drops.into_inner(), clones), (2, vec![expected(); 2]));
    assert_eq!(block_on(ThirdTime(0)), (3, expected()));
}

/// A trait with some of everything.
trait Field: Copy + Add<Output = Self> {
    const BYTES: usize;
    type Wide: Default + Debug + PartialEq;

    fn doubled(self) -> Self {
        self + self
    }
    fn widen(&self, into: Self::Wide) -> [Self::Wide; 2];
    fn made_of<T: Into<u64>>(value: T) -> Option<Self>
    where
        Self: Sized;
    fn bytes(&self) -> ([u8; 4], Ran);
    fn folded(&self, f: impl Fn(u64) -> u64) -> (u64, Ran);
    fn longer<'a>(&self, one: &'a str, other: &'a str) -> Cow<'a, str>;
    fn later(&self, n: u64) -> impl Future<Output = (u64, Ran)> + Send;
}

#[dispatch(targets = "avx2,aes | aes")]
impl Field for Num {
    const BYTES: usize = 8;
    type Wide = u128;

    fn widen(&self, into: Self::Wide) -> [Self::Wide; 2] {
        let array: [u8; Self::BYTES] = [0; Self::BYTES];
        [into + array.len() as u128, u128::from(self.0)]
    }

    fn made_of<T: Into<u64>>(value: T) -> Option<Self>
    where
        Self: Sized,
    {
        Some(Self(value.into(), ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))))
    }

    fn bytes(&self) -> ([u8; Self::BYTES / 2], Ran) {
        ([1; Self::BYTES / 2], ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn folded(&self, f: impl Fn(u64) -> u64) -> (u64, Ran) {
        (f(self.0), ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn longer<'a>(&self, one: &'a str, other: &'a str) -> Cow<'a, str> {
        Cow::Borrowed(if one.len() > other.len() { one } else { other })
    }

    #[dispatch(skip)]
    async fn later(&self, n: u64) -> (u64, Ran) {
        self.inherent_later(n).await
    }
}

#[dispatch(targets = "avx2,aes | aes")]
impl Num {
    async fn inherent_later(&self, n: u64) -> (u64, Ran) {
        std::future::ready(()).await;
        let sum = std::future::ready(self.0).await + n;
        (sum, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }
}

fn through_a_bound<F: Field<Wide = u128>>(field: F) -> (F, [u128; 2], ([u8; 4], Ran)) {
    (field.doubled(), field.widen(1), field.bytes())
}

#[test]
#[each_target("avx2,aes | aes")]
fn a_trait_with_everything() {
    let ran = expected();
    assert_eq!(through_a_bound(num(3)), (Num(6, ran), [9, 3], ([1; 4], ran)));
    assert_eq!(Num::made_of(3_u8), Some(Num(3, ran)));
    assert_eq!(num(3).folded(|x| x + 1), (4, ran));
    assert_eq!(num(3).longer("ab", "abc"), "abc");
}

#[test]
#[each_target("avx2,aes | aes")]
fn futures() {
    assert_eq!(block_on(num(3).later(4)), (7, expected()));
    assert_eq!(block_on(num(3).later(5)), (8, expected()));
}

trait Lend<X> {
    type Lent<'a>
    where
        Self: 'a;

    fn lend<'a>(&'a mut self, with: &X) -> Self::Lent<'a>;
    fn lend_elided(&mut self) -> Self::Lent<'_>;
}

#[dispatch(targets = "avx2,aes | aes")]
impl<T: Field, X: Clone> Lend<X> for T {
    type Lent<'a>
        = (&'a mut T, Ran)
    where
        Self: 'a;

    fn lend<'a>(&'a mut self, with: &X) -> Self::Lent<'a> {
        let _copied = with.clone();
        (self, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn lend_elided(&mut self) -> Self::Lent<'_> {
        (self, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn generic_associated_types() {
    let mut number = num(1);
    let (lent, clone) = Lend::<u8>::lend(&mut number, &1);
    lent.0 = 2;
    assert_eq!((number, clone), (num(2), expected()));
    let (lent, clone) = Lend::<u8>::lend_elided(&mut number);
    assert_eq!((lent.0, clone), (2, expected()));
}

/// Its default methods are dispatched.
#[dispatch(targets = "avx2,aes | aes")]
trait Defaults<X = u8>: Debug {
    type Made: Default;

    fn required(&self) -> u64;

    fn provided(&self, x: X) -> (u64, Ran)
    where
        X: Into<u64>,
    {
        let sum = self.required() + x.into() + 5;
        (sum, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn made() -> (Self::Made, Ran)
    where
        Self: Sized,
    {
        (Self::Made::default(), ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn borrowed<'a>(&'a self, text: &'a str) -> (&'a str, Ran) {
        let _ = self.required();
        (text, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn pairs<T: Clone>(&self, one: &T) -> ((T, T), Ran)
    where
        Self: Sized,
    {
        ((one.clone(), one.clone()), ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn by_value(self) -> (u64, Ran)
    where
        Self: Sized,
    {
        (self.required(), ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn boxed(self: Box<Self>) -> (u64, Ran) {
        (self.required(), ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    fn closure(&self) -> (String, Ran) {
        let text = || (format!("{self:?}"), ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")));
        text()
    }
}

#[derive(Debug)]
struct Takes;

#[derive(Debug)]
struct Overrides;

impl Defaults for Takes {
    type Made = u16;

    fn required(&self) -> u64 {
        1
    }
}

#[dispatch(targets = "aes")]
impl Defaults<u16> for Overrides {
    type Made = u32;

    fn required(&self) -> u64 {
        2
    }

    fn provided(&self, x: u16) -> (u64, Ran) {
        let sum = Defaults::<u16>::required(self) + u64::from(x) + 50;
        (sum, ran(true, cfg!(target_feature = "aes")))
    }
}

fn through_an_object(object: &dyn Defaults<Made = u16>) -> (u64, Ran) {
    object.provided(1)
}

#[test]
#[each_target("avx2,aes | aes")]
fn default_methods() {
    let ran = expected();
    assert_eq!(Takes.provided(1), (7, ran));
    assert_eq!(Takes::made(), (0, ran));
    assert_eq!(Takes.borrowed("text"), ("text", ran));
    assert_eq!(Takes.pairs(&1), ((1, 1), ran));
    assert_eq!(Takes.by_value(), (1, ran));
    assert_eq!(Box::new(Takes).boxed(), (1, ran));
    assert_eq!(Takes.closure(), ("Takes".to_owned(), ran));
    assert_eq!(through_an_object(&Takes), (7, ran));
    let boxed: Box<dyn Defaults<Made = u16>> = Box::new(Takes);
    assert_eq!(boxed.boxed(), (1, ran));
    let overridden = if integration_tests::available("aes") { "avx2,aes" } else { "" };
    assert_eq!(Overrides.provided(1), (53, overridden));
    assert_eq!(Overrides.by_value(), (2, ran));
}

unsafe trait Dangerous {
    unsafe fn read(&self, at: *const u64) -> (u64, Ran);
    extern "C" fn len(&self) -> usize;
}

// SAFETY: it has nothing to promise.
#[dispatch(targets = "avx2,aes | aes")]
unsafe impl Dangerous for Num {
    unsafe fn read(&self, at: *const u64) -> (u64, Ran) {
        // SAFETY: the caller promises it.
        (unsafe { *at } + self.0, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }

    extern "C" fn len(&self) -> usize {
        ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")).len()
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn unsafe_and_foreign() {
    // SAFETY: it is a reference.
    assert_eq!(unsafe { num(1).read(&2) }, (3, expected()));
    assert_eq!(num(1).len(), expected().len());
}

/// Impls whose conditions have `Self` as an argument: a parameter is `Sized`.
mod conditions {
    use super::{Ran, dispatch, ran};

    pub(super) trait Make<T>: Sized {
        fn make(self) -> T;
    }

    #[derive(Clone, Debug, PartialEq)]
    pub(super) struct Lab<T>(pub(super) T);

    impl<T: Default> Make<Lab<T>> for Option<T> {
        fn make(self) -> Lab<T> {
            Lab(self.unwrap_or_default())
        }
    }

    #[dispatch(targets = "avx2,aes | aes")]
    impl<T: Default> Default for Lab<T>
    where
        Option<T>: Make<Self>,
    {
        fn default() -> Lab<T> {
            Some(T::default()).make()
        }
    }

    pub(super) trait Count {
        fn count(&self) -> (u64, Ran);
    }

    pub(super) trait Accepts<T> {}
    impl<T, U> Accepts<T> for U {}

    #[dispatch(targets = "avx2,aes | aes")]
    impl<T> Count for &mut T
    where
        (Self, u8): Accepts<Self>,
        [Self; 2]: Sized,
    {
        fn count(&self) -> (u64, Ran) {
            (1, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
        }
    }

    #[dispatch(targets = "avx2,aes | aes")]
    impl<'a, T: 'a> Count for Lab<&'a T>
    where
        Option<Self>: Accepts<Self>,
        u8: for<'b> Accepts<fn(&'b Self) -> &'b Self>,
    {
        fn count(&self) -> (u64, Ran) {
            (2, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
        }
    }

    #[dispatch(targets = "avx2,aes | aes")]
    impl Count for fn(&u8) -> &u8
    where
        Self: Sized,
        u8: Accepts<Self>,
    {
        fn count(&self) -> (u64, Ran) {
            ((*self)(&3).to_owned().into(), ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
        }
    }

    #[dispatch(targets = "avx2,aes | aes")]
    impl<T> Count for [T]
    where
        Box<Self>: Accepts<u8>,
    {
        fn count(&self) -> (u64, Ran) {
            (4, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
        }
    }

    #[dispatch(targets = "avx2,aes | aes")]
    impl<T: ?Sized> Count for std::marker::PhantomData<T>
    where
        Self: Sized,
    {
        fn count(&self) -> (u64, Ran) {
            (5, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
        }
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn conditions_on_self() {
    use conditions::{Count as _, Lab};
    assert_eq!(Lab::<u64>::default(), Lab(0));
    let identity: fn(&u8) -> &u8 = |number| number;
    let slice: &[u8] = &[1, 2];
    let counts = [
        (&mut 1_u8).count(),
        Lab(&1).count(),
        identity.count(),
        slice.count(),
        std::marker::PhantomData::<str>.count(),
    ];
    assert_eq!(counts, [1, 2, 3, 4, 5].map(|count| (count, expected())));
}

mod private {
    pub(crate) trait Sealed {
        fn sealed(&self, by: &Key) -> u64;
    }

    pub(crate) struct Key(u64);

    impl Key {
        pub(crate) fn new() -> Self {
            Self(4)
        }
    }

    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    impl Sealed for Key {
        fn sealed(&self, by: &Key) -> u64 {
            self.0 + by.0
        }
    }
}

struct Celsius(f64);

#[dispatch(targets = "avx2,aes | aes")]
impl Display for Celsius {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}°", self.0)
    }
}

#[dispatch(targets = "avx2,aes | aes")]
impl<'a, T> Mul<&'a [T]> for Celsius
where
    T: 'a + Copy + Into<f64>,
{
    type Output = Box<dyn Iterator<Item = f64> + 'a>;

    fn mul(self, all: &'a [T]) -> Self::Output {
        Box::new(all.iter().map(move |&one| self.0 * one.into()))
    }
}

impl<'a> From<&'a Num> for Celsius {
    fn from(number: &'a Num) -> Self {
        Self(f64::from(u32::try_from(number.0).unwrap_or_default()))
    }
}

#[dispatch(targets = "avx2,aes | aes")]
impl<'a> From<&'a mut Num> for Celsius {
    fn from(number: &'a mut Num) -> Self {
        number.0 += 1;
        Self::from(&*number)
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn names_and_lifetimes_of_headers() {
    use private::Sealed;
    assert_eq!(private::Key::new().sealed(&private::Key::new()), 8);
    assert_eq!(Celsius(21.25).to_string(), "21.2°");
    assert_eq!((Celsius(2.0) * &[1_u8, 2][..]).collect::<Vec<_>>(), [2.0, 4.0]);
    assert_eq!(Celsius::from(&mut num(1)).to_string(), "2.0°");
}

/// Bounds of `Self` that an impl implies, and a trait does not.
mod implied {
    use super::*;
    use std::iter::{Product, Sum};
    use std::ops::Add;

    #[derive(Clone, Copy, PartialEq, Debug)]
    pub(crate) struct Vector<T>(pub(crate) T);

    pub(crate) struct Borrowed<'b>(pub(crate) &'b u32);

    #[dispatch(targets = "avx2,aes | aes")]
    impl<'a> Sum<&'a Self> for Vector<u32> {
        fn sum<I: Iterator<Item = &'a Self>>(all: I) -> Self {
            Vector(all.map(|one| one.0).sum())
        }
    }

    #[dispatch(targets = "avx2,aes | aes")]
    impl<'a, T: Copy + Product<T>> Product<&'a Vector<T>> for Vector<T> {
        fn product<I>(all: I) -> Self
        where
            I: Iterator<Item = &'a Self>,
        {
            Vector(all.map(|one| one.0).product())
        }
    }

    #[dispatch(targets = "avx2,aes | aes")]
    impl<'a, 'b> Sum<&'a Borrowed<'b>> for Borrowed<'b> {
        fn sum<I>(mut all: I) -> Self
        where
            I: Iterator<Item = &'a Self>,
        {
            Borrowed(all.next().unwrap().0)
        }
    }

    pub(crate) trait Visit {
        fn count<'x, I: IntoIterator<Item = &'x Self>>(all: I) -> usize
        where
            Self: Sized + 'x;
    }

    #[dispatch(targets = "avx2,aes | aes")]
    impl<'b> Visit for Borrowed<'b> {
        fn count<'x, I: IntoIterator<Item = &'x Self>>(all: I) -> usize
        where
            'b: 'x,
        {
            all.into_iter().count()
        }
    }

    #[dispatch(targets = "avx2,aes | aes")]
    impl Add<&Self> for Vector<u8> {
        type Output = Self;

        fn add(self, other: &Self) -> Self::Output {
            Vector(self.0 + other.0)
        }
    }

    pub(crate) trait Scale<T> {
        type Output;

        fn scale(&self, by: T) -> Self::Output;
    }

    /// Two traits have an `Output`, and the condition has references.
    #[dispatch(targets = "avx2,aes | aes")]
    impl<'a, T: Clone, W> Scale<u8> for &'a Vector<T>
    where
        &'a T: for<'x> Add<&'x u8, Output = W>,
        Self: Clone + PartialEq + IntoOutput<Output = T>,
    {
        type Output = Option<W>;

        fn scale(&self, by: u8) -> Self::Output {
            let nothing: Self::Output = Self::Output::None;
            nothing.or_else(|| Some(&self.0 + &by))
        }
    }

    pub(crate) trait IntoOutput {
        type Output;
    }

    impl<T> IntoOutput for &Vector<T> {
        type Output = T;
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn what_an_impl_implies() {
    use implied::{Borrowed, Scale, Vector, Visit};
    assert_eq!([Vector(1), Vector(2)].iter().sum::<Vector<u32>>(), Vector(3));
    assert_eq!([Vector(3), Vector(2)].iter().product::<Vector<u32>>(), Vector(6));
    let all = [Borrowed(&5), Borrowed(&6)];
    assert_eq!((*all.iter().sum::<Borrowed<'_>>().0, Borrowed::count(&all)), (5, 2));
    assert_eq!(Vector(1_u8) + &Vector(2), Vector(3));
    assert_eq!((&Vector(7_u8)).scale(1), Some(8));
}
