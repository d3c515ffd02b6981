//! Sharing of one element of a field.
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use rand_core::CryptoRng;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{ZeroizeOnDrop, Zeroizing};

use super::error::Error;
use super::set::{Set, check, common, enough};
use crate::gf::Field;

/// A share of an element.
///
/// It is wiped when dropped, and `Debug` does not show its value.
#[derive(Clone)]
pub struct Share<F: Field> {
    set: Option<Set>,
    x: F,
    y: F,
}

impl<F: Field> Share<F> {
    /// The share with the value `y` at the point `x`, of a set that is not known.
    #[must_use]
    pub fn new(x: F, y: F) -> Self {
        Self { set: None, x, y }
    }

    /// The same share as one of a set.
    #[must_use]
    pub fn of_set(mut self, set: Set) -> Self {
        self.set = Some(set);
        self
    }

    /// The point.
    #[must_use]
    pub fn x(&self) -> &F {
        &self.x
    }

    /// The value.
    #[must_use]
    pub fn y(&self) -> &F {
        &self.y
    }

    /// The set, if it is known.
    #[must_use]
    pub fn set(&self) -> Option<&Set> {
        self.set.as_ref()
    }
}

/// Whether the shares have one point, one set and equal values. Constant time in points and values; whether the sets differ
/// shows.
impl<F: Field> ConstantTimeEq for Share<F> {
    fn ct_eq(&self, other: &Self) -> Choice {
        Choice::from(u8::from(self.set == other.set)) & self.x.ct_eq(&other.x) & self.y.ct_eq(&other.y)
    }
}

impl<F: Field> Drop for Share<F> {
    fn drop(&mut self) {
        self.y.zeroize();
    }
}

impl<F: Field> ZeroizeOnDrop for Share<F> {}

impl<F: Field> fmt::Debug for Share<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let x = self.x.to_be_bytes();
        f.debug_struct("Share").field("set", &self.set).field("x", &x).finish_non_exhaustive()
    }
}

/// Splits an element into compact shares, at the points 1, 2, … `shares` as [`Field::from_word`] gives them.
///
/// The products are by those small numbers, so they cost less than with [`split_random`]. Constant time in the secret.
///
/// # Errors
/// [`Error::ZeroThreshold`], [`Error::ThresholdAboveShares`], [`Error::TooManyShares`].
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// use simd_crypto::gf::{Field, Gf64};
/// use simd_crypto::shamir::{Error, reconstruct, seeded_rng, split};
/// let secret = Gf64::from(42);
/// let shares = split(&secret, 2, 3, &mut seeded_rng()?)?;
/// assert_eq!(reconstruct(&[shares[2].clone(), shares[0].clone()])?, secret);
/// assert_eq!(reconstruct(&shares[..1]), Err(Error::TooFewShares { given: 1, threshold: 2 }));
/// # }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub fn split<F: Field, R: CryptoRng + ?Sized>(
    secret: &F,
    threshold: usize,
    shares: usize,
    rng: &mut R,
) -> Result<Vec<Share<F>>, Error> {
    check(threshold, shares, F::BITS)?;
    let set = Set::random(threshold, rng);
    let points = (1..=shares as u64).map(|x| F::from_word(x).unwrap_or_default());
    let mut made: Vec<_> = points.map(|x| Share { set: Some(set), x, y: F::ZERO }).collect();
    polynomials::evaluate_compact(&coefficients(secret, threshold, rng), &mut made);
    Ok(made)
}

/// Splits an element into randomised shares, at random points that are distinct and not zero.
///
/// Constant time in the secret.
///
/// # Errors
/// [`Error::ZeroThreshold`], [`Error::ThresholdAboveShares`], [`Error::TooManyShares`].
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// use simd_crypto::gf::Gf128;
/// use simd_crypto::shamir::{reconstruct, seeded_rng, split_random};
/// let secret = Gf128::from([1, 2]);
/// let shares = split_random(&secret, 3, 5, &mut seeded_rng()?)?;
/// assert_eq!(reconstruct(&shares[2..])?, secret);
/// # }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub fn split_random<F: Field, R: CryptoRng + ?Sized>(
    secret: &F,
    threshold: usize,
    shares: usize,
    rng: &mut R,
) -> Result<Vec<Share<F>>, Error> {
    check(threshold, shares, F::BITS)?;
    let set = Set::random(threshold, rng);
    let mut made: Vec<Share<F>> = Vec::with_capacity(shares);
    let mut taken = BTreeSet::new();
    while made.len() < shares {
        let x = F::random_nonzero(rng);
        if taken.insert(x.to_bytes()) {
            made.push(Share { set: Some(set), x, y: F::ZERO });
        }
    }
    polynomials::evaluate(&coefficients(secret, threshold, rng), &mut made);
    Ok(made)
}

/// The element that was split, from any shares of it that are as many as the threshold.
///
/// An error names foreign shares first, then points, then the number of missing shares. If the shares contain their
/// set, its threshold is known, and no more shares are used. Otherwise all are used; if they are fewer than the
/// threshold was, the result is some other element. Constant time in the values of the shares.
///
/// # Errors
/// [`Error::TooFewShares`], [`Error::DifferentSets`], [`Error::ZeroPoint`], [`Error::DuplicatePoint`], and
/// [`Error::ZeroThreshold`] if their set has that threshold.
pub fn reconstruct<F: Field>(shares: &[Share<F>]) -> Result<F, Error> {
    // Two shares of different secrets may well be at the same point.
    let set = common(shares, |share| share.set.as_ref())?;
    let mut taken = BTreeMap::new();
    for (share, Share { x, .. }) in shares.iter().enumerate() {
        if x.is_zero().into() {
            return Err(Error::ZeroPoint { share });
        }
        if let Some(first) = taken.insert(x.to_bytes(), share) {
            return Err(Error::DuplicatePoint { first, second: share });
        }
    }
    let shares = enough(shares, set)?;
    Ok(match shares.iter().map(|share| share.x.to_word()).collect::<Option<Vec<_>>>() {
        Some(points) => polynomials::interpolate_compact(shares, &points),
        None => polynomials::interpolate(shares),
    })
}

/// A polynomial with the secret as its constant coefficient, which comes first.
fn coefficients<F: Field, R: CryptoRng + ?Sized>(secret: &F, threshold: usize, rng: &mut R) -> Zeroizing<Vec<F>> {
    let mut coefficients = Zeroizing::new(vec![*secret; threshold]);
    for coefficient in &mut coefficients[1..] {
        *coefficient = F::random(rng);
    }
    coefficients
}

#[simd_core::dispatch(targets = crate::targets::products)]
mod polynomials {
    use super::Share;
    use crate::gf::Field;

    /// Evaluates a polynomial at the point of every share. All shares take one coefficient, then all take the next: so
    /// that no product waits for the one before.
    pub(super) fn evaluate<F: Field>(coefficients: &[F], shares: &mut [Share<F>]) {
        for coefficient in coefficients.iter().rev() {
            for share in &mut *shares {
                share.y = share.y * share.x + coefficient;
            }
        }
    }

    /// [`evaluate`] for shares at 1, 2, … in this order.
    pub(super) fn evaluate_compact<F: Field>(coefficients: &[F], shares: &mut [Share<F>]) {
        for coefficient in coefficients.iter().rev() {
            for (share, x) in shares.iter_mut().zip(1..) {
                share.y = share.y.mul_word(x) + coefficient;
            }
        }
    }

    /// The value at zero of the polynomial that goes through the shares.
    pub(super) fn interpolate<F: Field>(shares: &[Share<F>]) -> F {
        sum(shares.iter().map(|share| {
            let others = shares.iter().map(|other| other.x + share.x);
            let below = others.fold(share.x, |product, difference| {
                // A point does not differ from itself; let it be no factor.
                product * F::conditional_select(&difference, &F::ONE, difference.is_zero())
            });
            (share.y, below)
        })) * shares.iter().fold(F::ONE, |product, share| product * share.x)
    }

    /// [`interpolate`] for points that are words.
    pub(super) fn interpolate_compact<F: Field>(shares: &[Share<F>], points: &[u64]) -> F {
        let product = points.iter().fold(F::ONE, |product, x| product.mul_word(*x));
        sum(shares.iter().zip(points).map(|(share, x)| {
            let others = points.iter().filter(|other| *other != x);
            (share.y, others.fold(share.x, |product, other| product.mul_word(x ^ other)))
        })) * product
    }

    /// The sum of fractions, with one inversion.
    #[inline]
    fn sum<F: Field>(fractions: impl Iterator<Item = (F, F)>) -> F {
        let (above, below) = fractions.fold((F::ZERO, F::ONE), |(above, below), (more_above, more_below)| {
            (above * more_below + more_above * below, below * more_below)
        });
        above / below
    }
}
