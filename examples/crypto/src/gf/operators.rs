//! The operators of elements.
//!
//! None of this is dispatched. What calls a kernel is always inlined: then the kernel is inlined, or called, where the operator
//! is used, and in a dispatched function its target is known there.
#![allow(
    clippy::inline_always,
    reason = "the attribute would compile nine fields' operators for five targets, and each is one call"
)]
#![allow(
    clippy::suspicious_arithmetic_impl,
    clippy::suspicious_op_assign_impl,
    reason = "a quotient is a product, and a difference a sum"
)]

use core::borrow::Borrow;
use core::fmt;
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

use super::element::{Gf8, Gf16, Gf32, Gf64, Gf128, Gf256, Gf512, Gf1024, Gf2048};
use super::field::Field;
use super::{arith, invert, small};

/// An operator on values and references, in terms of two references.
macro_rules! operator {
    ($element:ident, $trait:ident $method:ident, $assign:ident $assign_method:ident, $a:ident $b:ident => $of:expr) => {
        operator!(@ $trait $method, $a $b => $of, $element: $element, $element);
        operator!(@ $trait $method, $a $b => $of, $element: $element, &$element);
        operator!(@ $trait $method, $a $b => $of, $element: &$element, $element);
        operator!(@ $trait $method, $a $b => $of, $element: &$element, &$element);
        operator!(@= $assign $assign_method, $a $b => $of, $element, $element);
        operator!(@= $assign $assign_method, $a $b => $of, $element, &$element);
    };
    (@ $trait:ident $method:ident, $a:ident $b:ident => $of:expr, $element:ident: $left:ty, $right:ty) => {
        impl $trait<$right> for $left {
            type Output = $element;

            #[inline(always)]
            fn $method(self, other: $right) -> $element {
                let ($a, $b): (&$element, &$element) = (self.borrow(), other.borrow());
                $of
            }
        }
    };
    (@= $assign:ident $assign_method:ident, $a:ident $b:ident => $of:expr, $element:ident, $right:ty) => {
        impl $assign<$right> for $element {
            #[inline(always)]
            fn $assign_method(&mut self, other: $right) {
                let ($a, $b): (&$element, &$element) = (self, other.borrow());
                *self = $of;
            }
        }
    };
}

/// A field over integers or arrays of words. `$by` is how the kernels take those: `*` by value, `&` by reference.
macro_rules! field {
    (
        $element:ident($repr:ty), $bits:literal, [$($exponent:literal),*], $by:tt,
        $mul:path, $square:path, $mul_word:path, $invert:path $(, $sum:path)?
    ) => {
        impl Field for $element {
            const BITS: usize = $bits;
            const BYTES: usize = $bits / 8;
            const MODULUS: [u32; 5] = [$($exponent),*];
            const ZERO: Self = Self(Repr::ZERO);
            const ONE: Self = Self(Repr::ONE);
            type Bytes = [u8; $bits / 8];

            #[inline(always)]
            fn square(&self) -> Self {
                Self($square(pass!($by self)))
            }

            #[inline(always)]
            fn invert(&self) -> Self {
                Self($invert(pass!($by self)))
            }

            #[inline(always)]
            fn mul_word(&self, word: u64) -> Self {
                assert!($bits >= 64 || word >> ($bits % 64) == 0, "the word is no element of this field");
                Self($mul_word(pass!($by self), word))
            }

            $(
                #[inline(always)]
                fn sum_of_products(a: &[Self], b: &[Self]) -> Self {
                    Self($sum(a, b))
                }
            )?

            #[inline]
            fn from_word(word: u64) -> Option<Self> {
                Repr::from_word(word).map(Self)
            }

            #[inline]
            fn to_word(&self) -> Option<u64> {
                self.0.to_word()
            }

            #[inline]
            fn to_bytes(&self) -> Self::Bytes {
                let mut bytes = [0; Self::BYTES];
                self.0.write(&mut bytes);
                bytes
            }

            #[inline]
            fn from_bytes(bytes: &Self::Bytes) -> Self {
                Self(Repr::read(bytes))
            }
        }

        operator!($element, Add add, AddAssign add_assign, a b => $element(a.0.xor(&b.0)));
        operator!($element, Sub sub, SubAssign sub_assign, a b => a + b);
        operator!($element, Mul mul, MulAssign mul_assign, a b => $element($mul(pass!($by a), pass!($by b))));
        operator!($element, Div div, DivAssign div_assign, a b => a * b.invert());

        impl Neg for $element {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                self
            }
        }

        impl Neg for &$element {
            type Output = $element;
            #[inline]
            fn neg(self) -> $element {
                *self
            }
        }

        impl Sum for $element {
            fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
                iter.fold(Self::ZERO, |sum, element| sum + element)
            }
        }

        impl Product for $element {
            fn product<I: Iterator<Item = Self>>(iter: I) -> Self {
                iter.fold(Self::ONE, |product, element| product * element)
            }
        }

        impl Default for $element {
            #[inline]
            fn default() -> Self {
                Self::ZERO
            }
        }

        impl ConstantTimeEq for $element {
            #[inline]
            fn ct_eq(&self, other: &Self) -> Choice {
                self.0.xor(&other.0).fold().ct_eq(&0)
            }
        }

        impl PartialEq for $element {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                self.ct_eq(other).into()
            }
        }

        impl Eq for $element {}

        impl ConditionallySelectable for $element {
            #[inline]
            fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
                Self(Repr::select(&a.0, &b.0, choice))
            }
        }

        impl Zeroize for $element {
            fn zeroize(&mut self) {
                self.0.zeroize();
            }
        }

        impl fmt::Debug for $element {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($element), "(..)"))
            }
        }

        impl From<$repr> for $element {
            /// The element whose coefficients are these bits, the lowest word first.
            #[inline]
            fn from(bits: $repr) -> Self {
                Self(bits)
            }
        }

        impl From<$element> for $repr {
            /// The coefficients as bits, the lowest word first.
            #[inline]
            fn from(element: $element) -> Self {
                element.0
            }
        }
    };
}

/// An element as the kernels take it.
macro_rules! pass {
    (* $element:expr) => {
        $element.0
    };
    (& $element:expr) => {
        &$element.0
    };
}

/// What elements are made of.
trait Repr: Sized {
    const ZERO: Self;
    const ONE: Self;
    fn xor(&self, other: &Self) -> Self;
    /// All words or'ed together.
    fn fold(&self) -> u64;
    fn select(a: &Self, b: &Self, choice: Choice) -> Self;
    fn from_word(word: u64) -> Option<Self>;
    fn to_word(&self) -> Option<u64>;
    fn write(&self, bytes: &mut [u8]);
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! repr {
    ($($integer:ty)*) => { $(
        impl Repr for $integer {
            const ZERO: Self = 0;
            const ONE: Self = 1;

            #[inline]
            fn xor(&self, other: &Self) -> Self {
                self ^ other
            }

            #[inline]
            fn fold(&self) -> u64 {
                u64::from(*self)
            }

            #[inline]
            fn select(a: &Self, b: &Self, choice: Choice) -> Self {
                Self::conditional_select(a, b, choice)
            }

            #[inline]
            fn from_word(word: u64) -> Option<Self> {
                word.try_into().ok()
            }

            #[inline]
            fn to_word(&self) -> Option<u64> {
                Some(u64::from(*self))
            }

            #[inline]
            fn write(&self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn read(bytes: &[u8]) -> Self {
                bytes.iter().rev().fold(0, |bits, byte| (u64::from(bits) << 8 | u64::from(*byte)) as Self)
            }
        }
    )* };
}

repr!(u8 u16 u32 u64);

impl<const N: usize> Repr for [u64; N] {
    const ZERO: Self = [0; N];
    const ONE: Self = {
        let mut one = [0; N];
        one[0] = 1;
        one
    };

    #[inline]
    fn xor(&self, other: &Self) -> Self {
        let mut sum = *self;
        for i in 0..N {
            sum[i] ^= other[i];
        }
        sum
    }

    #[inline]
    fn fold(&self) -> u64 {
        self.iter().fold(0, |all, word| all | word)
    }

    #[inline]
    fn select(a: &Self, b: &Self, choice: Choice) -> Self {
        let mut words = *a;
        for i in 0..N {
            words[i].conditional_assign(&b[i], choice);
        }
        words
    }

    #[inline]
    fn from_word(word: u64) -> Option<Self> {
        let mut words = [0; N];
        words[0] = word;
        Some(words)
    }

    #[inline]
    fn to_word(&self) -> Option<u64> {
        (self[1..].iter().fold(0, |all, word| all | word) == 0).then_some(self[0])
    }

    #[inline]
    fn write(&self, bytes: &mut [u8]) {
        for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(self) {
            *bytes = word.to_le_bytes();
        }
    }

    #[inline]
    fn read(bytes: &[u8]) -> Self {
        let mut words = [0; N];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        words
    }
}

field! { Gf8(u8), 8, [8, 4, 3, 1, 0], *, small::mul_8, small::square_8, small::mul_word_8, invert::invert_8 }
field! { Gf16(u16), 16, [16, 5, 3, 1, 0], *, small::mul_16, small::square_16, small::mul_word_16, invert::invert_16 }
field! { Gf32(u32), 32, [32, 7, 3, 2, 0], *, small::mul_32, small::square_32, small::mul_word_32, invert::invert_32 }
field! {
    Gf64(u64), 64, [64, 4, 3, 1, 0], *,
    arith::mul_64, arith::square_64, arith::mul_word_64, invert::invert_64, arith::sum_64
}
field! {
    Gf128([u64; 2]), 128, [128, 7, 2, 1, 0], &,
    arith::mul_128, arith::square::<Gf128, 2>, arith::mul_word::<Gf128, 2>, invert::invert_128, arith::sum_128
}

/// A field whose products are those of all fields with more than two words.
macro_rules! large_fields {
    ($($Gf:ident($words:literal), $bits:literal, $exponents:tt, $invert:path;)*) => { $(
        field! {
            $Gf([u64; $words]), $bits, $exponents, &,
            arith::mul::<$Gf, $words>, arith::square::<$Gf, $words>, arith::mul_word::<$Gf, $words>, $invert,
            arith::sum::<$Gf, $words>
        }
    )* };
}

large_fields! {
    Gf256(4), 256, [256, 10, 5, 2, 0], invert::invert_256;
    Gf512(8), 512, [512, 8, 5, 2, 0], invert::invert_512;
    Gf1024(16), 1024, [1024, 19, 6, 1, 0], invert::invert_1024;
    Gf2048(32), 2048, [2048, 19, 14, 13, 0], invert::invert_2048;
}
