//! The operators of elements.
//!
//! None of this is dispatched. What calls a kernel is always inlined: then the kernel is inlined, or called, where the operator
//! is used, and in a dispatched function its target is known there.
#![allow(clippy::inline_always, reason = "each is one call, and would be compiled for five targets in nine fields")]
#![allow(clippy::suspicious_arithmetic_impl, reason = "a quotient is a product, and a difference a sum")]
#![allow(clippy::suspicious_op_assign_impl, reason = "likewise")]

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

/// A field over `$N` words. `$by` is how the kernels take them: `*` one of them by value, `&` an array by reference.
macro_rules! field {
    (
        $element:ident($Word:ident, $N:literal) $by:tt, $bits:literal, $exponents:expr,
        $mul:path, $square:path, $invert:path $(, $mul_word:path, $sum:path)?
    ) => {
        impl Field for $element {
            const BITS: usize = $bits;
            const BYTES: usize = $bits / 8;
            const MODULUS: [u32; 5] = $exponents;
            const ZERO: Self = Self(of!($by [0; $N]));
            const ONE: Self = {
                let mut one = [0; $N];
                one[0] = 1;
                Self(of!($by one))
            };
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
                Self(by_word!($by self, word, $Word, $mul $(, $mul_word)?))
            }

            $(
                #[inline(always)]
                fn sum_of_products(a: &[Self], b: &[Self]) -> Self {
                    Self($sum(a, b))
                }
            )?

            #[inline]
            fn from_word(word: u64) -> Option<Self> {
                let mut words: [$Word; $N] = [0; $N];
                words[0] = word.try_into().ok()?;
                Some(Self(of!($by words)))
            }

            #[inline]
            fn to_word(&self) -> Option<u64> {
                let words = words!($by self);
                (words[1..].iter().fold(0, |all, word| all | word) == 0).then_some(u64::from(words[0]))
            }

            #[inline]
            fn to_bytes(&self) -> Self::Bytes {
                let mut bytes = [0; Self::BYTES];
                for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words!($by self)) {
                    *bytes = word.to_le_bytes();
                }
                bytes
            }

            #[inline]
            fn from_bytes(bytes: &Self::Bytes) -> Self {
                let mut words = [0; $N];
                for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
                    *word = $Word::from_le_bytes(*bytes);
                }
                Self(of!($by words))
            }
        }

        operator!($element, Add add, AddAssign add_assign, a b => {
            let (mut sum, b) = (*words!($by a), words!($by b));
            for i in 0..$N {
                sum[i] ^= b[i];
            }
            $element(of!($by sum))
        });
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
                let difference = *self - other;
                words!($by difference).iter().fold(0, |all, word| all | word).ct_eq(&0)
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
                let (mut words, b) = (*words!($by a), words!($by b));
                for i in 0..$N {
                    words[i].conditional_assign(&b[i], choice);
                }
                Self(of!($by words))
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

        impl From<bits!($by $Word, $N)> for $element {
            /// The element whose coefficients are these bits, the lowest word first.
            #[inline]
            fn from(bits: bits!($by $Word, $N)) -> Self {
                Self(bits)
            }
        }

        impl From<$element> for bits!($by $Word, $N) {
            /// The coefficients as bits, the lowest word first.
            #[inline]
            fn from(element: $element) -> Self {
                element.0
            }
        }
    };
}

/// The type of an element's words.
macro_rules! bits {
    (* $Word:ident, $N:literal) => {
        $Word
    };
    (& $Word:ident, $N:literal) => {
        [$Word; $N]
    };
}

/// An element's words as an array.
macro_rules! words {
    (* $element:expr) => {
        core::array::from_ref(&$element.0)
    };
    (& $element:expr) => {
        &$element.0
    };
}

/// An array as an element's words.
macro_rules! of {
    (* $words:expr) => {{
        let [word] = $words;
        word
    }};
    (& $words:expr) => {
        $words
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

/// The product of an element and a word.
macro_rules! by_word {
    (* $element:expr, $word:expr, $Word:ident, $mul:path $(, $mul_word:path)?) => {
        $mul($element.0, $word as $Word)
    };
    (& $element:expr, $word:expr, $Word:ident, $mul:path, $mul_word:path) => {
        $mul_word(&$element.0, $word)
    };
}

field! { Gf8(u8, 1) *, 8, [8, 4, 3, 1, 0], small::mul_8, small::square_8, invert::invert_8 }
field! { Gf16(u16, 1) *, 16, [16, 5, 3, 1, 0], small::mul_16, small::square_16, invert::invert_16 }
field! { Gf32(u32, 1) *, 32, [32, 7, 3, 2, 0], small::mul_32, small::square_32, invert::invert_32 }
field! {
    Gf64(u64, 1) *, 64, [64, 4, 3, 1, 0],
    arith::mul_64, arith::square_64, invert::invert_64, arith::mul_64, arith::sum_64
}
field! {
    Gf128(u64, 2) &, 128, [128, 7, 2, 1, 0],
    arith::mul_128, arith::square::<Gf128, 2>, invert::invert_128, arith::mul_word::<Gf128, 2>, arith::sum_128
}

/// A field whose products are those of all fields with more than two words.
macro_rules! large_fields {
    ($($Gf:ident($N:literal), $bits:literal, $exponents:expr, $invert:path;)*) => { $(
        field! {
            $Gf(u64, $N) &, $bits, $exponents,
            arith::mul::<$Gf, $N>, arith::square::<$Gf, $N>, $invert, arith::mul_word::<$Gf, $N>, arith::sum::<$Gf, $N>
        }
    )* };
}

large_fields! {
    Gf256(4), 256, [256, 10, 5, 2, 0], invert::invert_256;
    Gf512(8), 512, [512, 8, 5, 2, 0], invert::invert_512;
    Gf1024(16), 1024, [1024, 19, 6, 1, 0], invert::invert_1024;
    Gf2048(32), 2048, [2048, 19, 14, 13, 0], invert::invert_2048;
}
