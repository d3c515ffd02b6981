//! Methods of every kind do what they do without the attribute, on each of them and on their impls and traits.
//!
//! They are compiled three times from the same tokens: in `plain`, `each` and `whole`.
#![allow(clippy::unused_self, clippy::needless_pass_by_value, reason = "the receivers are what the tests are about")]

use core::cell::RefCell;
use core::fmt::Debug;
use core::num::ParseIntError;
use core::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use integration_tests::{expected, ran};
use simd_core::testing::each_target;

thread_local! {
    /// Events, and the features that clones have seen.
    static LOG: RefCell<(Vec<&'static str>, Vec<&'static str>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// Writes down what a clone sees.
fn sees(avx2: bool, aes: bool) {
    LOG.with_borrow_mut(|(_, seen)| seen.push(ran(avx2, aes)));
}

/// Writes its name down when it is dropped.
#[derive(Debug, PartialEq)]
struct Noisy(&'static str);

impl Drop for Noisy {
    fn drop(&mut self) {
        LOG.with_borrow_mut(|(dropped, _)| dropped.push(self.0));
    }
}

fn pair(name: (&'static str, &'static str)) -> (Noisy, Noisy) {
    (Noisy(name.0), Noisy(name.1))
}

struct Three {
    x: Noisy,
    y: Noisy,
    z: Noisy,
}

fn three() -> Three {
    Three { x: Noisy("x"), y: Noisy("y"), z: Noisy("z") }
}

/// A module with `$whole` on impls and traits, and `$each` on methods.
macro_rules! methods {
    ($module:ident: [$($whole:tt)*] [$($each:tt)*]) => {
        mod $module {
            use super::*;

            #[derive(Debug, PartialEq)]
            pub(super) struct Counter {
                pub(super) count: u64,
                pub(super) name: Noisy,
            }

            pub(super) fn counter(count: u64) -> Counter {
                Counter { count, name: Noisy("counter") }
            }

            #[$($whole)*]
            impl Counter {
                const STEP: u64 = 1;

                #[$($each)*]
                pub(super) fn by_value(self) -> u64 {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    self.count
                }

                #[$($each)*]
                pub(super) fn by_mutable_value(mut self) -> Self {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    self.count += Self::STEP;
                    self.name = Noisy("assigned");
                    self
                }

                #[$($each)*]
                pub(super) fn by_reference(&self) -> u64 {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    self.private() + Self::private(self)
                }

                #[$($each)*]
                fn private(&self) -> u64 {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    self.count
                }

                #[$($each)*]
                pub(super) fn by_mutable_reference(&mut self, _other: &u64) -> &mut u64 {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    self.count += Self::STEP;
                    &mut self.count
                }

                #[$($each)*]
                pub(super) fn boxed(self: Box<Self>) -> Self {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    *self
                }

                #[$($each)*]
                pub(super) fn mutable_box(mut self: Box<Self>) -> Box<Self> {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    self.count = 0;
                    self
                }

                #[$($each)*]
                pub(super) fn counted(self: Rc<Self>) -> usize {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    Rc::strong_count(&self)
                }

                #[$($each)*]
                pub(super) fn shared(self: &Arc<Self>) -> usize {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    Arc::strong_count(self)
                }

                #[$($each)*]
                pub(super) fn pinned(self: Pin<&mut Self>) -> u64 {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    let this = self.get_mut();
                    this.count += 1;
                    this.count
                }

                #[$($each)*]
                pub(super) fn typed(self: &Self) -> (&Self, &u64) {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    (self, &self.count)
                }

                #[$($each)*]
                pub(super) fn associated(count: u64) -> Self {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    Self { count: count + Self::STEP, name: Noisy("associated") }
                }

                #[$($each)*]
                pub(super) fn of_an_argument<'a>(&self, one: &'a str, other: &str) -> &'a str {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    &one[other.len()..]
                }

                #[$($each)*]
                pub(super) fn question(&self, text: &str, more: Option<u64>) -> Result<Option<u64>, ParseIntError> {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    let number: u64 = text.parse()?;
                    if number == 0 {
                        return Ok(None);
                    }
                    let doubled = (|| Some(more? * 2))();
                    Ok(doubled.map(|doubled| doubled + number + self.count))
                }

                #[$($each)*]
                pub(super) fn arguments(&self, f: impl Fn(u64) -> u64, mut all: impl Iterator<Item = u64>) -> u64 {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    let first = all.next().unwrap_or_default();
                    all.fold(first, |sum, one| sum * 10 + f(one)) + self.count
                }

                #[$($each)*]
                pub(super) fn patterns(
                    &mut self,
                    (a, mut b): (u64, u64),
                    [c, .., d]: [u64; 4],
                    Self { count: e, .. }: Self,
                    &f: &u64,
                    ref g: u64,
                    mut h: u64,
                    ref mut i: u64,
                    k @ (l, _): (u64, u64),
                    _: u64,
                ) -> [u64; 10] {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    b += 1;
                    h += b;
                    *i += h;
                    self.count += *i;
                    [a, b, c, d, e, f, *g, h, k.1, l]
                }

                #[$($each)*]
                pub(super) fn recursive(&self, n: u64) -> u64 {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    if n == 0 { self.count } else { self.mutually(n - 1) + Self::recursive(self, 0) }
                }

                #[$($each)*]
                fn mutually(&self, n: u64) -> u64 {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    self.recursive(n) + 1
                }

                #[cfg(panic = "unwind")]
                #[$($each)*]
                pub(super) fn never(self, _a: Noisy, _: Noisy) -> ! {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    let _local = Noisy("local");
                    panic!("on purpose")
                }

                #[$($each)*]
                pub(super) fn higher_ranked<F>(&self, f: F) -> u64
                where
                    F: for<'a> Fn(&'a Self, &'a u64) -> &'a u64,
                {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    *f(self, &7) + *f(self, &self.count)
                }

                #[$($each)*]
                pub(super) fn unsized_argument<T: ?Sized + AsRef<[u8]>>(&self, bytes: &T) -> usize {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    bytes.as_ref().len()
                }

                #[$($each)*]
                pub(super) fn objects(&self, shown: &dyn Debug, f: Box<dyn FnOnce(u64) -> u64 + '_>) -> String {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    format!("{shown:?} {}", f(self.count))
                }

                #[$($each)*]
                pub(super) fn generic<T: Default + Copy, const N: usize>(&self, at: usize, value: T) -> [T; N] {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    let mut all = [T::default(); N];
                    all[at] = value;
                    all
                }

                #[$($each)*]
                pub(super) fn loops(&self, n: u64) -> u64 {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    let mut sum = 0;
                    'outer: for i in 0.. {
                        for j in 0..i {
                            if sum > n {
                                break 'outer;
                            }
                            if j == 3 {
                                continue 'outer;
                            }
                            sum += j;
                        }
                    }
                    sum
                }

                #[$($each)*]
                pub(super) fn nested_items(&self, n: u64) -> u64 {
                    const FACTOR: u64 = 3;
                    struct Inside(u64);
                    impl Inside {
                        fn value(&self) -> u64 {
                            self.0 * FACTOR
                        }
                    }
                    fn function(inside: &Inside) -> u64 {
                        sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                        inside.value()
                    }
                    function(&Inside(n + self.count))
                }

                /// # Safety
                ///
                /// `at` is valid for a read.
                #[$($each)*]
                pub(super) unsafe fn reads(&self, at: *const u64) -> u64 {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    // SAFETY: the caller promises it.
                    self.count + unsafe { *at }
                }

                #[$($each)*]
                pub(super) extern "C" fn foreign(&self, n: u32) -> u32 {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    n + 1
                }

                #[$($each)*]
                pub(super) fn drops_names(self, _a: Noisy, b: Noisy, _c: Noisy) -> Noisy {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    let _local = Noisy("local");
                    b
                }

                #[$($each)*]
                pub(super) fn drops_patterns(
                    self,
                    _a: Noisy,
                    (_b, _): (Noisy, Noisy),
                    _: Noisy,
                    (_, _c): (Noisy, Noisy),
                    mut d: Noisy,
                    _e: Noisy,
                ) {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    d = Noisy(if d.0 == "d" { "assigned" } else { "" });
                    assert_eq!(d.0, "assigned");
                    let _local = Noisy("local");
                }

                #[$($each)*]
                pub(super) fn drops_what_is_left(mut self, three: Three, mut other: Three, early: bool) {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    drop(three.y);
                    other.x = Noisy("assigned");
                    if early {
                        return;
                    }
                    let _z = other.z;
                    self.name = Noisy("another");
                }

                #[$($each)*]
                pub(super) fn drops_unused(_: Self, _unused: Noisy, three: Three, _: (Noisy, u8)) -> usize {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    three.x.0.len() + Noisy("temporary").0.len()
                }

                #[$($each)*]
                pub(super) fn drops_a_subpattern(ref a: Noisy, b @ Three { .. }: Three, Three { x, .. }: Three) -> usize {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    drop(b.z);
                    a.0.len() + x.0.len()
                }

                #[$($each)*]
                pub(super) fn drops_generic<T, U>(_a: T, (_b, _): (U, T), _: impl Sized) -> Self {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    Self { count: 0, name: Noisy("made") }
                }
            }

            pub(super) struct View<'a, T: ?Sized>(pub(super) &'a mut u64, pub(super) &'a T);

            #[$($whole)*]
            impl<'a, T: ?Sized + Debug> View<'a, T> {
                #[$($each)*]
                pub(super) fn long(self) -> (&'a mut u64, &'a T) {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    *self.0 += 1;
                    (self.0, self.1)
                }

                #[$($each)*]
                pub(super) fn short(&mut self) -> (&mut u64, String) {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    (self.0, format!("{:?}", self.1))
                }

                #[$($each)*]
                pub(super) fn reborrowed<'b>(&'b mut self) -> View<'b, T> {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    View(self.0, self.1)
                }
            }

            #[$($whole)*]
            pub(super) trait Shape {
                fn corners(&self) -> u64;

                #[$($each)*]
                fn doubled(&self) -> u64 {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    self.corners() * 2
                }

                #[$($each)*]
                fn consumed(mut self, (_a, _): (Noisy, Noisy), _b: Noisy) -> Self
                where
                    Self: Sized + Grow,
                {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    self.grow();
                    self
                }

                #[$($each)*]
                fn boxed(self: Box<Self>) -> u64 {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    self.corners()
                }

                #[$($each)*]
                fn lends<'a>(&'a self, other: &'a dyn Shape, first: bool) -> Box<dyn Fn() -> u64 + 'a> {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    if first {
                        return Box::new(move || self.corners());
                    }
                    Box::new(move || other.corners())
                }

                #[$($each)*]
                fn sum_of(all: &[Self]) -> u64
                where
                    Self: Sized,
                {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    all.iter().map(Self::corners).sum()
                }
            }

            pub(super) trait Grow {
                fn grow(&mut self);
            }

            pub(super) struct Polygon(pub(super) u64, #[expect(dead_code, reason = "it is dropped")] pub(super) Noisy);

            #[$($whole)*]
            impl Grow for Polygon {
                #[$($each)*]
                fn grow(&mut self) {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    self.0 += 1;
                }
            }

            #[$($whole)*]
            impl Shape for Polygon {
                #[$($each)*]
                fn corners(&self) -> u64 {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    self.0
                }
            }

            #[$($whole)*]
            impl<T: Shape> Shape for [T] {
                #[$($each)*]
                fn corners(&self) -> u64 {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    self.iter().map(T::corners).sum()
                }

                #[$($each)*]
                fn doubled(&self) -> u64 {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    2 + self.corners()
                }
            }

            #[$($whole)*]
            impl dyn Shape + '_ {
                #[$($each)*]
                pub(super) fn of_the_object(&self) -> u64 {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    self.doubled() + 1
                }
            }

            #[$($whole)*]
            impl core::ops::Add<(Noisy, Noisy)> for Polygon {
                type Output = Self;

                #[$($each)*]
                fn add(mut self, (_a, _): (Noisy, Noisy)) -> Self::Output {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    self.0 += 10;
                    self
                }
            }

            #[$($whole)*]
            impl Iterator for Polygon {
                type Item = u64;

                #[$($each)*]
                fn next(&mut self) -> Option<u64> {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    self.0 = self.0.checked_sub(1)?;
                    Some(self.0)
                }

                #[$($each)*]
                fn fold<B, F: FnMut(B, u64) -> B>(mut self, start: B, mut f: F) -> B {
                    sees(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
                    let mut all = start;
                    while let Some(one) = self.next() {
                        all = f(all, one);
                    }
                    all
                }
            }
        }
    };
}
methods!(plain: [allow(clippy::all)] [allow(clippy::all)]);
methods!(each: [allow(clippy::all)] [simd_core::dispatch(targets = "avx2,aes | aes")]);
methods!(whole: [simd_core::dispatch(targets = "avx2,aes | aes")] [allow(clippy::all)]);

/// The result and the drops of `f`, and how many clones see features; each has to see those in `target`.
fn run<T>(f: impl FnOnce() -> T, target: &str) -> (T, Vec<&'static str>, usize) {
    LOG.take();
    let value = f();
    let (dropped, seen) = LOG.take();
    assert!(!seen.is_empty() && seen.iter().all(|seen| *seen == target), "{seen:?}");
    (value, dropped, seen.len())
}

/// Tests that `$call` does the same in all modules, at the first call of a process and later.
macro_rules! same {
    ($($name:ident: $module:ident => $call:expr;)*) => {$(
        #[test]
        #[each_target("avx2,aes | aes")]
        fn $name() {
            let of_build = ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
            let plain = {
                use plain as $module;
                run(|| format!("{:?}", $call), of_build)
            };
            for _ in 0..2 {
                use each as $module;
                assert_eq!(run(|| format!("{:?}", $call), expected()), plain);
            }
            for _ in 0..2 {
                use whole as $module;
                assert_eq!(run(|| format!("{:?}", $call), expected()), plain);
            }
        }
    )*};
}

same! {
    by_value: m => m::counter(3).by_value();
    by_mutable_value: m => m::counter(3).by_mutable_value();
    by_reference: m => m::counter(3).by_reference();
    by_mutable_reference: m => *m::counter(3).by_mutable_reference(&1) + 1;
    boxed: m => (Box::new(m::counter(3)).boxed(), Box::new(m::counter(3)).mutable_box());
    counted: m => {
        let counter = Rc::new(m::counter(3));
        (counter.clone().counted(), Rc::strong_count(&counter), Arc::new(m::counter(3)).shared())
    };
    pinned: m => Pin::new(&mut m::counter(3)).pinned();
    typed: m => format!("{:?}", m::counter(3).typed());
    associated: m => m::Counter::associated(4);
    of_an_argument: m => {
        let counter = m::counter(3);
        let one = "abcde".to_owned();
        counter.of_an_argument(&one, &"xy".to_owned()).len()
    };
    question: m => {
        let counter = m::counter(3);
        [counter.question("x", None), counter.question("0", None), counter.question("1", None), counter.question("1", Some(5))]
    };
    arguments: m => {
        let offset = 2;
        m::counter(3).arguments(|x| x + offset, [1, 2, 3].into_iter())
    };
    patterns: m => {
        let mut counter = m::counter(3);
        let all = counter.patterns((1, 2), [3, 4, 5, 6], m::counter(7), &8, 9, 10, 14, (11, 12), 13);
        (all, counter.count)
    };
    recursive: m => m::counter(3).recursive(4);
    higher_ranked: m => (m::counter(3).higher_ranked(|_, n| n), m::counter(3).higher_ranked(|counter, _| &counter.count));
    unsized_argument: m => (m::counter(3).unsized_argument("abc"), m::counter(3).unsized_argument::<[u8]>(&[1, 2]));
    objects: m => {
        let noisy = Noisy("captured");
        m::counter(3).objects(&Some(1), Box::new(move |n| n + noisy.0.len() as u64))
    };
    generic: m => (m::counter(3).generic::<u8, 3>(1, 7), m::counter(3).generic::<_, 1>(0, 'a'));
    loops: m => m::counter(3).loops(20);
    nested_items: m => m::counter(3).nested_items(4);
    // SAFETY: it is a reference.
    reads: m => unsafe { m::counter(3).reads(&4) };
    foreign: m => m::counter(3).foreign(3);
    drops_names: m => m::counter(3).drops_names(Noisy("a"), Noisy("b"), Noisy("c"));
    drops_patterns: m => m::counter(3).drops_patterns(
        Noisy("a"), pair(("b", "b rest")), Noisy("none"), pair(("c rest", "c")), Noisy("d"), Noisy("e"));
    drops_what_is_left: m => m::counter(3).drops_what_is_left(three(), three(), false);
    drops_what_is_left_early: m => m::counter(3).drops_what_is_left(three(), three(), true);
    drops_unused: m => m::Counter::drops_unused(m::counter(3), Noisy("a"), three(), (Noisy("b"), 1));
    drops_a_subpattern: m => m::Counter::drops_a_subpattern(Noisy("a"), three(), three());
    drops_generic: m => m::Counter::drops_generic(Noisy("a"), (Noisy("b"), Noisy("c")), three());
    views: m => {
        let mut number = 3;
        let mut view = m::View(&mut number, "text");
        *view.short().0 += 1;
        *view.reborrowed().long().0 += 5;
        let shown = view.short().1;
        *view.long().0 += 10;
        (number, shown)
    };
    default_methods: m => {
        use m::Shape as _;
        let polygon = m::Polygon(3, Noisy("polygon"));
        let lent = [true, false].map(|first| polygon.lends(&m::Polygon(4, Noisy("other")), first)());
        let polygon = polygon.consumed(pair(("a", "b")), Noisy("c"));
        (lent, polygon.doubled(), m::Polygon::sum_of(&[polygon]))
    };
    objects_of_a_trait: m => {
        use m::Shape;
        let shape: Box<dyn Shape> = Box::new(m::Polygon(3, Noisy("polygon")));
        (shape.corners(), shape.doubled(), shape.of_the_object(), shape.boxed())
    };
    impls_of_a_trait: m => {
        use m::Shape as _;
        let shapes = [m::Polygon(3, Noisy("first")), m::Polygon(4, Noisy("second"))];
        let sums = (shapes[..].corners(), shapes[..].doubled());
        let [first, second] = shapes;
        (sums, (first + pair(("a", "b"))).0, second.collect::<Vec<_>>())
    };
}

#[cfg(panic = "unwind")]
mod unwinds {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn message(f: impl FnOnce()) -> &'static str {
        *catch_unwind(AssertUnwindSafe(f)).unwrap_err().downcast::<&str>().unwrap()
    }

    same! {
        never: m => message(|| m::counter(3).never(Noisy("a"), Noisy("b")));
        in_an_argument: m => message(|| {
            m::counter(3).arguments(|_| panic!("inside"), [1, 2].into_iter().chain([3].into_iter().inspect({
                let _noisy = Noisy("captured");
                |_| ()
            })));
        });
    }
}
