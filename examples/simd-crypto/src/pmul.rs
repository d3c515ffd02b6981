//! Carry-less multiplication: products of polynomials over GF(2).
//!
//! A word holds 64 coefficients, the lowest bit being the coefficient of `x^0`; of several words the lowest comes first.
//! Addition is the exclusive or, so a product is a long multiplication without carries.
//! [`pmul`] multiplies word by word, [`mul_words`] many words; fields over these are in [`gf`](crate::gf).
//!
//! ```
//! // Gueron and Kounavis, Intel Carry-Less Multiplication Instruction and its Usage for Computing the GCM Mode
//! let product = simd_crypto::pmul::pmul(0x6374_6f72_5d53_475d, 0x5b47_7565_726f_6e5d);
//! assert_eq!(product, 0x1d4d_84c8_5c34_40c0_9296_33d5_d36f_0451);
//! ```
//!
//! # Constant time
//! No function here branches on, indexes by or shifts by the values of its words; only lengths affect the time. CPUs
//! without `pclmulqdq` or `pmull` use integer multiplications. These take the same time for all operands on every CPU
//! with 64-bit words that we know of; some small 32-bit CPUs (Arm Cortex-M3) are an exception.
mod karatsuba;
pub(crate) mod lane;
pub(crate) mod portable;
mod products;
mod words;

pub(crate) use products::{Words, mul2, squares, sum_of_mul2};
pub use words::{mul_words, pmul};
