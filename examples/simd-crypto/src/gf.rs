//! Finite fields GF(2^n) for n = 8, 16, 32, 64, 128, 256, 512, 1024 and 2048.
//!
//! An element is a polynomial of degree below `n` over GF(2); sums and products are those of polynomials, products modulo an
//! irreducible one. [`Field`] is what they have in common, with the operators `+ - * /` by value and by reference.
//! Code that is generic over it runs as fast as code for one field: in a dispatched function every operation is
//! the instructions of that function's target, without a call between.
//!
//! | type | modulus |
//! |---|---|
//! | [`Gf8`] | x^8 + x^4 + x^3 + x + 1, the one of AES (FIPS 197, section 4.2) and of `gf2p8mulb` |
//! | [`Gf16`] | x^16 + x^5 + x^3 + x + 1 |
//! | [`Gf32`] | x^32 + x^7 + x^3 + x^2 + 1 |
//! | [`Gf64`] | x^64 + x^4 + x^3 + x + 1 |
//! | [`Gf128`] | x^128 + x^7 + x^2 + x + 1, also the one of GCM (SP 800-38D), which numbers the bits the other way round |
//! | [`Gf256`] | x^256 + x^10 + x^5 + x^2 + 1 |
//! | [`Gf512`] | x^512 + x^8 + x^5 + x^2 + 1 |
//! | [`Gf1024`] | x^1024 + x^19 + x^6 + x + 1 |
//! | [`Gf2048`] | x^2048 + x^19 + x^14 + x^13 + 1 |
//!
//! ```
//! use simd_crypto::gf::Gf8;
//! // FIPS 197, section 4.2
//! assert_eq!(Gf8::from(0x57) * Gf8::from(0x83), Gf8::from(0xc1));
//! ```
//!
//! From 16 on these are the first of their degree in Seroussi, *Table of Low-Weight Binary Irreducible Polynomials* (HP
//! Labs, HPL-98-135, 1998); a test proves each irreducible.
//!
//! # Algorithms
//! Products are those of [`pmul`](crate::pmul), reduced by shifts, or with GFNI where that is shorter. Inverses take `2 n`
//! division steps (Bernstein and Yang, 2019), in place of the `n` squares of an exponentiation. With GFNI in 512-bit
//! vectors they take norms instead, up to n = 1024: each step brings the element into a field of half the degree, by a linear
//! map and two products. The matrices of the maps are 1 KiB of constants for n = 64, 17 KiB for 256, 27 KiB for 512 and 86 KiB for
//! 1024, and pay: norms take from 0.14 (n = 64) to 0.40 (n = 1024) of the time of division steps on an Intel server, as
//! `benches/details.md` has it. For 2048 they would be 330 KiB, so division steps are taken there.
//!
//! # Targets
//! The targets of the fields are [`targets::products`](crate::targets::products).
//! Products are inlined in a dispatched function with this list, or with one whose targets each decide which of these
//! is selected. With a list that leaves it open (`"avx512f,vpclmulqdq"` does not include GFNI) every product tests the
//! CPU first, which is a third of the time of a small one. Sums of products are fastest with
//! [`Field::sum_of_products`].
//!
//! # Constant time
//! Everything here takes the same instructions, in the same order, on the same addresses, whatever the elements are:
//! sums, products, squares, inverses, comparisons (by `subtle`), conversions to and from bytes. The exceptions name
//! themselves: [`Field::to_word`], whose answer is whether the element is small, and [`Field::random_nonzero`], which tries again.

mod arith;
pub(crate) mod bytes;
mod divstep;
mod element;
mod field;
mod invert;
#[cfg(target_arch = "x86_64")]
mod matrix;
mod operators;
mod small;
pub(crate) mod vectors;

pub use element::{Gf8, Gf16, Gf32, Gf64, Gf128, Gf256, Gf512, Gf1024, Gf2048};
pub use field::Field;
