//! Headers and signatures that are easy to repeat wrongly.

#![allow(dead_code, reason = "many need only compile")]

use std::fmt;

use simd_core::dispatch;

pub trait Number {
    fn number(&self) -> u32;
    fn other(&self, x: &u8) -> u32 {
        let _ = x;
        1
    }
}

/// The number of the macro's impl for a type.
macro_rules! numbers {
    ($([$($generics:tt)*] $ty:ty = $number:expr;)*) => {
        $(#[dispatch(targets = "avx2 | sve2")] impl<$($generics)*> Number for $ty { fn number(&self) -> u32 { $number } })*
    };
}

pub struct Wrapper<T: ?Sized>(u8, T);

numbers! {
    [] fn(&u8) -> &u8 = 1;
    [] Box<dyn Fn(&u8) -> &u8> = 2;
    [] Box<dyn for<'x> Fn(&'x u8) -> &'x u8 + Send> = 3;
    [] dyn Fn(&u8) -> &u8 = 4;
    [] Wrapper<fn(&u8) -> &u8> = 5;
    [const N: usize] [[u8; N]; 3] = N as u32;
    [F: for<'a> Fn(&'a u8) -> &'a u8] Option<F> = 7;
    [] dyn fmt::Debug = 11;
}

#[dispatch(targets = "avx2 | sve2")]
impl Number for dyn fmt::Display + '_ {
    fn number(&self) -> u32 {
        let number = 8;
        number
    }
}

#[dispatch(targets = "avx2 | sve2")]
impl Number for (u8, &str, [&mut u16; 2]) {
    fn number(&self) -> u32 {
        let number = 9;
        number
    }
}

fn same(x: &u8) -> &u8 {
    x
}

#[test]
fn lifetimes_that_are_left_out() {
    assert_eq!((same as fn(&u8) -> &u8).number(), 1);
    let boxed: Box<dyn Fn(&u8) -> &u8> = Box::new(same);
    assert_eq!((boxed.number(), (*boxed).number()), (2, 4));
    assert_eq!(Wrapper::<fn(&u8) -> &u8>(0, same).number(), 5);
    assert_eq!(([[0; 6]; 3].number(), Some(same).number()), (6, 7));
    let text = String::new();
    assert_eq!((&text as &(dyn fmt::Display + '_)).number(), 8);
    assert_eq!((0, &*text, [&mut 1, &mut 2]).number(), 9);
    let debug: &dyn fmt::Debug = &1;
    assert_eq!(debug.number(), 11);
}

pub trait Sizes {
    fn first(&self) -> u32;
    fn same(&self, other: &Self) -> bool;
    fn boxed(self: Box<Self>) -> u32;
}

pub trait Against<X: ?Sized = Self> {
    fn against(&self, x: &X) -> u32;
}

pub trait Has {
    type Out: Default;
    fn out(&self) -> Self::Out;
}

#[repr(transparent)]
pub struct Bytes([u8]);

impl Bytes {
    fn new(bytes: &[u8]) -> &Bytes {
        // SAFETY: the representation is that of the slice.
        unsafe { &*(std::ptr::from_ref(bytes) as *const Bytes) }
    }
}

#[dispatch(targets = "avx2 | sve2")]
mod sizes {
    use super::*;

    impl Sizes for Wrapper<[u8]> {
        fn first(&self) -> u32 {
            self.1[0].into()
        }
        fn same(&self, other: &Self) -> bool {
            Self::first(self) == other.first()
        }
        fn boxed(self: Box<Self>) -> u32 {
            Self::first(&self)
        }
    }

    impl Sizes for Bytes {
        fn first(&self) -> u32 {
            self.0[0].into()
        }
        fn same(&self, other: &Self) -> bool {
            <Self as Sizes>::first(self) == Self::first(other)
        }
        fn boxed(self: Box<Self>) -> u32 {
            2
        }
    }

    impl Sizes for Wrapper<dyn fmt::Debug> {
        fn first(&self) -> u32 {
            self.0.into()
        }
        fn same(&self, other: &Self) -> bool {
            Self::first(self) == other.first()
        }
        fn boxed(self: Box<Self>) -> u32 {
            Self::first(&self)
        }
    }

    impl PartialEq<Bytes> for Wrapper<[u8]> {
        fn eq(&self, other: &Bytes) -> bool {
            Self::same(self, self) && Self::first(self) == other.first()
        }
    }

    impl PartialOrd for Bytes {
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
            Self::first(self).partial_cmp(&other.first())
        }
    }

    impl Bytes {
        pub(super) fn begins_like(&self, other: &Self) -> bool {
            Self::first(self) == other.first()
        }
    }

    impl PartialEq for Bytes {
        fn eq(&self, other: &Self) -> bool {
            Self::same(self, other)
        }
    }

    impl Against for Bytes {
        fn against(&self, x: &Bytes) -> u32 {
            Self::first(self) + x.first()
        }
    }

    impl Against<str> for Bytes {
        fn against(&self, x: &str) -> u32 {
            Self::first(self) + u32::from(x.as_bytes()[0])
        }
    }

    impl Has for Bytes {
        type Out = u64;
        fn out(&self) -> Self::Out {
            Self::Out::default() + 4
        }
    }

    impl Against for u8 {
        fn against(&self, x: &Self) -> u32 {
            (*self + *x).into()
        }
    }
}

#[test]
fn unsized_types_of_ones_own() {
    let bytes = Bytes::new(&[3, 4]);
    assert!(bytes == bytes && bytes.same(Bytes::new(&[3])));
    assert_eq!((bytes.against(bytes), bytes.against("A"), 1_u8.against(&2), bytes.out()), (6, 68, 3, 4));
    let wrapped: Box<Wrapper<[u8]>> = Box::new(Wrapper(0, [5, 6]));
    assert!(wrapped.same(&wrapped));
    assert!(*wrapped == *Bytes::new(&[5]));
    assert_eq!(wrapped.boxed(), 5);
    assert!(bytes < Bytes::new(&[4]) && bytes.begins_like(Bytes::new(&[3])));
    let shown: Box<Wrapper<dyn fmt::Debug>> = Box::new(Wrapper(6, "debug"));
    assert_eq!((shown.same(&shown), shown.boxed()), (true, 6));
}

#[dispatch(targets = "avx2 | sve2")]
impl<T, #[cfg(any())] U> Number for Wrapper<Option<T>> {
    fn number(&self) -> u32 {
        let number = 10;
        number
    }
}

#[dispatch(targets = "avx2 | sve2")]
impl<T, #[cfg(any())] U> Wrapper<T> {
    fn size<V>(&self, _: V) -> usize {
        fn of<W, #[cfg(any())] Y>() -> usize {
            size_of::<W>()
        }
        of::<V>()
    }
}

#[test]
fn parameters_under_cfg() {
    assert_eq!((Wrapper(0, Some(1)).number(), Wrapper(0, 1).size(2_u16)), (10, 2));
}

pub trait Halves: Sized {
    fn swapped(self, other: Option<Self>) -> [Self; 2];
    fn shorter(one: Self, limit: &str) -> &str;
}

/// It has a lifetime that the signatures do not name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair<'a>(&'a str, &'a str);

#[dispatch(targets = "avx2 | sve2")]
impl Halves for Pair<'_> {
    fn swapped(self, other: Option<Self>) -> [Self; 2] {
        [Pair(self.1, self.0), other.unwrap_or(self)]
    }

    fn shorter(one: Self, limit: &str) -> &str {
        if one.0.len() < limit.len() { &limit[..one.0.len()] } else { limit }
    }
}

pub trait Compared {
    fn same(&self, other: &Self) -> bool;
    fn shown<'x>(&'x self, other: Option<&'x Self>) -> (&'x Self, String);
}

#[dispatch(targets = "avx2 | sve2")]
impl Compared for dyn fmt::Debug + Send + '_ {
    fn same(&self, other: &Self) -> bool {
        format!("{self:?}") == format!("{other:?}")
    }

    fn shown<'x>(&'x self, other: Option<&'x Self>) -> (&'x Self, String) {
        (self, format!("{other:?}"))
    }
}

pub trait Mapped {
    fn mapped<'x>(&'x self, map: fn(&Self) -> &Self) -> &'x Self;
}

#[dispatch(targets = "avx2 | sve2")]
impl Mapped for Pair<'_> {
    fn mapped<'x>(&'x self, map: fn(&Self) -> &Self) -> &'x Self {
        map(self)
    }
}

/// The object has the lifetime `'static` here, and one of its own behind a reference.
#[dispatch(targets = "avx2 | sve2")]
impl Mapped for dyn fmt::Debug {
    fn mapped<'x>(&'x self, map: fn(&Self) -> &Self) -> &'x Self {
        map(self)
    }
}

#[test]
fn self_in_signatures() {
    let pair = Pair("ab", "c");
    assert_eq!(pair.swapped(None), [Pair("c", "ab"), pair]);
    assert_eq!((Pair::shorter(pair, "xyz"), Pair::shorter(pair, "x")), ("xy", "x"));
    let (one, other): (&(dyn fmt::Debug + Send), &(dyn fmt::Debug + Send)) = (&1, &2);
    assert!(one.same(one) && !one.same(other));
    assert_eq!(one.shown(Some(other)).1, "Some(2)");
    let object: &'static dyn fmt::Debug = &3;
    assert_eq!((pair.mapped(|pair| pair), format!("{:?}", object.mapped(|object| object))), (&pair, "3".to_owned()));
}
