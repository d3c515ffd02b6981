//! Shamir's secret sharing: any `t` of `n` shares restore the secret, and fewer reveal nothing.
//!
//! A secret is the constant coefficient of a polynomial of degree `t - 1` whose other coefficients are random; a share is a
//! point `x` that is not zero and the value of the polynomial there. (Adi Shamir, *How to share a secret*, Communications
//! of the ACM 22, 1979, <https://doi.org/10.1145/359168.359176>.)
//!
//! - [`split`] and [`reconstruct`] share one element of any [`Field`](crate::gf::Field), at the points 1, 2, … `n`.
//!   [`split_random`] takes random points, so that a share does not show how many there are.
//! - [`Scheme`] and [`Combiner`] share secrets of any length, each byte as an element of GF(2^8): into the caller's
//!   buffers, piece by piece. There are at most 255 shares.
//!
//! ```
//! # #[cfg(feature = "getrandom")] {
//! use simd_crypto::gf::{Field, Gf256};
//! use simd_crypto::shamir;
//!
//! let mut rng = shamir::seeded_rng()?;
//! let secret = Gf256::random(&mut rng);
//! let shares = shamir::split(&secret, 3, 5, &mut rng)?;
//! assert_eq!(shamir::reconstruct(&shares[1..4])?, secret);
//! # }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! The shares of bytes are those of draft-mcgrew-tss-03, whose field is that of AES as well. This is its test vector:
//!
//! ```
//! use hex_literal::hex;
//! use simd_crypto::shamir::{ByteShare, combine};
//! let shares = [(1, hex!("b9fa07e185")), (2, hex!("f5409b4511"))].map(|(x, y)| ByteShare::new(x, y.to_vec()));
//! assert_eq!(*combine(&shares)?, hex!("7465737400"));
//! # Ok::<(), simd_crypto::shamir::Error>(())
//! ```
//!
//! # Limits
//! A changed share is not noticed: it gives another secret. To detect changes, add a digest or a signature to the
//! shares. Anyone with `t` shares can make others that fit.
//!
//! # Constant time
//! Splitting and reconstructing run the same instructions on the same addresses, whatever the secret and the values
//! are. Points, numbers of shares and lengths are not secret, and affect the time. Secrets and coefficients are wiped
//! after use. The caller wipes its own elements and buffers (they implement `Zeroize`).
mod error;
mod set;

mod bytes;
mod elements;

mod rng;

pub use bytes::{ByteShare, Combiner, Scheme, combine};
pub use elements::{Share, reconstruct, split, split_random};
pub use error::Error;
pub use rng::SeededRng;
#[cfg(feature = "getrandom")]
pub use rng::seeded_rng;
pub use set::Set;
