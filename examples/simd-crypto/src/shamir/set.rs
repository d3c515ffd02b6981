//! Shares of one secret: their set and its threshold.
use super::error::Error;
use rand_core::CryptoRng;

/// What shares of one secret have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Set {
    /// A random number: shares with different ones are not of one secret.
    pub id: [u8; 16],
    /// How many shares give back the secret.
    pub threshold: usize,
}

impl Set {
    /// A new set.
    #[must_use]
    pub fn random<R: CryptoRng + ?Sized>(threshold: usize, rng: &mut R) -> Self {
        let mut id = [0; 16];
        rng.fill_bytes(&mut id);
        Self { id, threshold }
    }
}

/// The set of all shares, if they know it.
pub(super) fn common<'a, S: 'a>(
    shares: &'a [S],
    set: impl Fn(&'a S) -> Option<&'a Set>,
) -> Result<Option<&'a Set>, Error> {
    let first = shares.first().ok_or(Error::TooFewShares { given: 0, threshold: 1 })?;
    match shares.iter().position(|share| set(share) != set(first)) {
        Some(share) => Err(Error::DifferentSets { share }),
        None => Ok(set(first)),
    }
}

/// How many of the shares to use: as many as their set says, or all of them if they do not know their set.
pub(super) fn enough<'a, S>(shares: &'a [S], set: Option<&Set>) -> Result<&'a [S], Error> {
    let threshold = set.map_or(shares.len(), |set| set.threshold);
    if threshold == 0 {
        return Err(Error::ZeroThreshold);
    }
    shares.get(..threshold).ok_or(Error::TooFewShares { given: shares.len(), threshold })
}

/// Checks a threshold against a number of shares, and that against the number of points that are not zero.
pub(super) fn check(threshold: usize, shares: usize, bits: usize) -> Result<(), Error> {
    if threshold == 0 {
        return Err(Error::ZeroThreshold);
    }
    if threshold > shares {
        return Err(Error::ThresholdAboveShares { threshold, shares });
    }
    // A field of as many bits as `usize` has more points than there can be shares in memory.
    if bits < usize::BITS as usize && shares >> bits != 0 {
        return Err(Error::TooManyShares { shares, points: (1 << bits) - 1 });
    }
    Ok(())
}
