//! Sharing of bytes, each as an element of GF(2^8).
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::num::NonZeroUsize;

use rand_core::CryptoRng;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{ZeroizeOnDrop, Zeroizing, optimization_barrier};

use super::error::Error;
use super::set::{Set, check, common, enough};
use crate::gf::bytes;

/// Blocks of 64 bytes for the coefficients of a piece of the secret: as many as 255 rows of one block, and few enough to
/// stay in the cache next to the CPU.
const BLOCKS: usize = 256;
/// Blocks for secrets of a block or a few.
const FEW: usize = 16;

/// All points that are not zero.
const COMPACT: [u8; 255] = {
    let mut points = [0; 255];
    let mut i = 0;
    while i < 255 {
        points[i] = i as u8 + 1;
        i += 1;
    }
    points
};

/// A threshold and the points of the shares, for secrets of any length.
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// use simd_crypto::shamir::{Combiner, Scheme, seeded_rng};
/// let scheme = Scheme::compact(2, 3)?;
/// let mut shares = [[0; 6]; 3];
/// scheme.split_into(b"secret", &mut shares, &mut seeded_rng()?)?;
///
/// let mut secret = [0; 6];
/// Combiner::new(&[3, 1])?.combine_into(&[shares[2], shares[0]], &mut secret)?;
/// assert_eq!(&secret, b"secret");
/// # }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scheme {
    threshold: usize,
    shares: usize,
    points: [u8; 255],
}

impl Scheme {
    /// Shares at the points 1, 2, … `shares`.
    ///
    /// # Errors
    /// [`Error::ZeroThreshold`], [`Error::ThresholdAboveShares`], [`Error::TooManyShares`] if they are more than 255.
    pub fn compact(threshold: usize, shares: usize) -> Result<Self, Error> {
        check(threshold, shares, 8)?;
        Ok(Self { threshold, shares, points: COMPACT })
    }

    /// Shares at random points, which are distinct and not zero.
    ///
    /// # Errors
    /// [`Error::ZeroThreshold`], [`Error::ThresholdAboveShares`], [`Error::TooManyShares`] if they are more than 255.
    pub fn random<R: CryptoRng + ?Sized>(threshold: usize, shares: usize, rng: &mut R) -> Result<Self, Error> {
        let mut scheme = Self::compact(threshold, shares)?;
        // The first steps of a shuffle (Fisher and Yates); a byte that would favour some points is not used.
        for i in 0..shares {
            let left = 255 - i;
            let fair = 255 / left * left;
            let choice = loop {
                let mut byte = [0];
                rng.fill_bytes(&mut byte);
                let choice = usize::from(byte[0]);
                if choice < fair {
                    break choice % left;
                }
            };
            scheme.points.swap(i, i + choice);
        }
        Ok(scheme)
    }

    /// How many shares give back the secret.
    #[must_use]
    pub fn threshold(&self) -> usize {
        self.threshold
    }

    /// The points of the shares, in their order.
    #[must_use]
    pub fn points(&self) -> &[u8] {
        &self.points[..self.shares]
    }

    /// Splits a secret, or the next piece of one, into as many bytes of each share.
    ///
    /// Each byte is split on its own, with `threshold - 1` random bytes, so pieces may be of any lengths and shares of the
    /// pieces joined are shares of the whole. Constant time in the secret.
    ///
    /// # Errors
    /// [`Error::WrongNumber`] if `shares` are not as many as the points, [`Error::DifferentLengths`] if one is not as long
    /// as the secret. Nothing has been written then.
    pub fn split_into<S: AsMut<[u8]>, R: CryptoRng + ?Sized>(
        &self,
        secret: &[u8],
        shares: &mut [S],
        rng: &mut R,
    ) -> Result<(), Error> {
        if shares.len() != self.shares {
            return Err(Error::WrongNumber { given: shares.len(), points: self.shares });
        }
        if let Some(share) = shares.iter_mut().position(|share| share.as_mut().len() != secret.len()) {
            return Err(Error::DifferentLengths { share });
        }
        if secret.is_empty() {
            return Ok(());
        }
        // Small secrets do not pay for wiping a large buffer.
        if self.threshold * secret.len().div_ceil(64) <= FEW {
            self.split_by::<FEW, _, _>(secret, shares, rng);
        } else {
            self.split_by::<BLOCKS, _, _>(secret, shares, rng);
        }
        Ok(())
    }

    /// Splits a secret that is not empty with a buffer of so many blocks: one row for each coefficient, of as many as
    /// there is room for or as the secret needs.
    fn split_by<const ROOM: usize, S: AsMut<[u8]>, R: CryptoRng + ?Sized>(
        &self,
        secret: &[u8],
        shares: &mut [S],
        rng: &mut R,
    ) {
        let mut rows = Aligned([[0; 64]; ROOM]);
        let rows = &mut rows.0;
        let room = (64.min(ROOM) / self.threshold).max(1);
        // The kernel works on four blocks at once.
        let room = if room > 4 { room / 4 * 4 } else { room };
        let longest = room.min(secret.len().div_ceil(64));
        let mut done = 0;
        for piece in secret.chunks(64 * longest) {
            let blocks = piece.len().div_ceil(64);
            let rows = &mut rows[..self.threshold * blocks];
            fill(rows.as_flattened_mut(), piece, rng);
            bytes::evaluate(self.points(), rows, blocks, shares, &(done..done + piece.len()));
            done += piece.len();
        }
        wipe(rows[..self.threshold * longest].as_flattened_mut());
    }

    /// Splits a secret into shares that know their set. Constant time in the secret.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// use simd_crypto::shamir::{Scheme, combine, seeded_rng};
    /// let mut shares = Scheme::compact(2, 3)?.split(b"any length", &mut seeded_rng()?);
    /// shares.remove(1);
    /// assert_eq!(combine(&shares)?.as_slice(), b"any length");
    /// # }
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn split<R: CryptoRng + ?Sized>(&self, secret: &[u8], rng: &mut R) -> Vec<ByteShare> {
        let set = Some(Set::random(self.threshold, rng));
        let share = |x: &u8| ByteShare { set, x: *x, data: vec![0; secret.len()] };
        let mut shares: Vec<_> = self.points().iter().map(share).collect();
        let split = self.split_into(secret, &mut shares, rng);
        debug_assert_eq!(split, Ok(()), "there is room for every share");
        shares
    }
}

/// Bytes from the beginning of a cache line on: a vector that is loaded, or copied after it was written, is all in one.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Aligned<T>(T);

/// Fills a row with the secret and those after it with random bytes, no more than needed if a row is a single block.
fn fill<R: CryptoRng + ?Sized>(rows: &mut [u8], secret: &[u8], rng: &mut R) {
    let row = secret.len().next_multiple_of(64);
    let (first, others) = rows.split_at_mut(row);
    first[..secret.len()].copy_from_slice(secret);
    if row > 64 {
        rng.fill_bytes(others);
        return;
    }
    let count = others.len() / row;
    rng.fill_bytes(&mut others[..count * secret.len()]);
    for i in (1..count).rev() {
        others.copy_within(i * secret.len()..(i + 1) * secret.len(), i * row);
    }
}

/// Overwrites bytes with zeros, as fast as that can be done.
pub(super) fn wipe(bytes: &mut [u8]) {
    bytes.fill(0);
    optimization_barrier(bytes);
}

/// The weights of shares at some points: the sum of the products is the secret.
#[derive(Clone, Debug)]
pub struct Combiner {
    // As a number that is not zero, it tells a result that holds this from an error, so that both have one layout, and a
    // caller that takes the one from the other does not move it.
    points: NonZeroUsize,
    weights: Aligned<[u8; 256]>,
}

// The kernels' own targets, so that the calls into them are direct.
#[simd_core::dispatch(targets = crate::targets::bytes)]
impl Combiner {
    /// For shares at these points. They must be as many as the threshold at least, which is not known here: of
    /// fewer shares, [`combine_into`](Self::combine_into) makes bytes that have nothing to do with the secret.
    ///
    /// # Errors
    /// [`Error::ZeroPoint`], [`Error::DuplicatePoint`], and [`Error::TooFewShares`] if there is none.
    pub fn new(points: &[u8]) -> Result<Self, Error> {
        // One variable from here to the caller, so that the weights are written there and not copied.
        let mut combiner = Self::distinct(points).map(|points| Self { points, weights: Aligned([0; 256]) });
        if let Ok(Self { weights, .. }) = &mut combiner {
            bytes::weights(points, &mut weights.0);
        }
        combiner
    }

    /// How many points there are, if there are any, none of them zero and none like another.
    fn distinct(points: &[u8]) -> Result<NonZeroUsize, Error> {
        let mut taken = [false; 256];
        for (share, x) in points.iter().enumerate() {
            if *x == 0 {
                return Err(Error::ZeroPoint { share });
            }
            if core::mem::replace(&mut taken[usize::from(*x)], true) {
                let first = points.iter().position(|first| first == x).unwrap_or(share);
                return Err(Error::DuplicatePoint { first, second: share });
            }
        }
        NonZeroUsize::new(points.len()).ok_or(Error::TooFewShares { given: 0, threshold: 1 })
    }

    /// Puts shares, or the next pieces of them, together to as many bytes of the secret. Shares are in the order of the points.
    ///
    /// Constant time in the shares.
    ///
    /// # Errors
    /// [`Error::WrongNumber`] if `shares` are not as many as the points, [`Error::DifferentLengths`] if one is not as long
    /// as `secret`. Nothing has been written then.
    pub fn combine_into<S: AsRef<[u8]>>(&self, shares: &[S], secret: &mut [u8]) -> Result<(), Error> {
        if shares.len() != self.points.get() {
            return Err(Error::WrongNumber { given: shares.len(), points: self.points.get() });
        }
        if let Some(share) = shares.iter().position(|share| share.as_ref().len() != secret.len()) {
            return Err(Error::DifferentLengths { share });
        }
        bytes::combine(&self.weights.0, shares, secret);
        Ok(())
    }
}

/// A share of bytes. It is wiped when dropped, and `Debug` does not show its value.
#[derive(Clone)]
pub struct ByteShare {
    set: Option<Set>,
    x: u8,
    data: Vec<u8>,
}

impl ByteShare {
    /// The share with the values `data` at the point `x`, of a set that is not known.
    #[must_use]
    pub fn new(x: u8, data: Vec<u8>) -> Self {
        Self { set: None, x, data }
    }

    /// The same share as one of a set.
    #[must_use]
    pub fn of_set(mut self, set: Set) -> Self {
        self.set = Some(set);
        self
    }

    /// The point.
    #[must_use]
    pub fn x(&self) -> u8 {
        self.x
    }

    /// The values: as many bytes as the secret has.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// The set, if it is known.
    #[must_use]
    pub fn set(&self) -> Option<&Set> {
        self.set.as_ref()
    }
}

impl AsRef<[u8]> for ByteShare {
    fn as_ref(&self) -> &[u8] {
        &self.data
    }
}

impl AsMut<[u8]> for ByteShare {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.data
    }
}

/// Whether the shares have one point, one set and equal values. Constant time in the values; which of the others differs shows.
impl ConstantTimeEq for ByteShare {
    fn ct_eq(&self, other: &Self) -> Choice {
        if (self.set, self.x) == (other.set, other.x) { self.data.ct_eq(&other.data) } else { Choice::from(0) }
    }
}

impl Drop for ByteShare {
    fn drop(&mut self) {
        wipe(&mut self.data);
    }
}

impl ZeroizeOnDrop for ByteShare {}

impl fmt::Debug for ByteShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = self.data.len();
        f.debug_struct("ByteShare")
            .field("set", &self.set)
            .field("x", &self.x)
            .field("length", &length)
            .finish_non_exhaustive()
    }
}

/// The secret that was split, from any shares of it that are as many as the threshold.
///
/// An error names foreign shares first, then points, then lengths, then the number of missing shares. If the shares
/// contain their set, its threshold is known, and no more shares are used. Otherwise all are used; if they are fewer
/// than the threshold was, the result has nothing to do with the secret. Constant time in the data of the shares.
///
/// # Errors
/// [`Error::TooFewShares`], [`Error::DifferentSets`], [`Error::ZeroPoint`], [`Error::DuplicatePoint`],
/// [`Error::DifferentLengths`], and [`Error::ZeroThreshold`] if their set has that threshold.
pub fn combine(shares: &[ByteShare]) -> Result<Zeroizing<Vec<u8>>, Error> {
    // Two shares of different secrets may well be at the same point.
    let set = common(shares, |share| share.set.as_ref())?;
    let all: Vec<_> = shares.iter().map(|share| share.x).collect();
    Combiner::distinct(&all)?;
    if let Some(share) = shares.iter().position(|share| share.data.len() != shares[0].data.len()) {
        return Err(Error::DifferentLengths { share });
    }
    let shares = enough(shares, set)?;
    let mut secret = Zeroizing::new(vec![0; shares[0].data.len()]);
    Combiner::new(&all[..shares.len()])?.combine_into(shares, &mut secret)?;
    Ok(secret)
}
