//! The errors of shares.
use core::fmt;

/// The reason why a secret cannot be split or reconstructed.
///
/// Shares are named by their index in the caller's slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A threshold of zero: no share would be needed.
    ZeroThreshold,
    /// More shares would be needed than there are to be.
    ThresholdAboveShares {
        /// The threshold.
        threshold: usize,
        /// The number of shares to be made.
        shares: usize,
    },
    /// The field has fewer points that are not zero than there are to be shares.
    TooManyShares {
        /// The number of shares to be made.
        shares: usize,
        /// The number of points.
        points: usize,
    },
    /// A share is at zero, where the secret is.
    ZeroPoint {
        /// The share.
        share: usize,
    },
    /// Two shares are at the same point.
    DuplicatePoint {
        /// The one that comes first.
        first: usize,
        /// The other one.
        second: usize,
    },
    /// Fewer shares than the secret was split for.
    TooFewShares {
        /// How many there are.
        given: usize,
        /// How many are needed.
        threshold: usize,
    },
    /// Shares do not belong to the same secret.
    DifferentSets {
        /// The first that is not of the set of share 0.
        share: usize,
    },
    /// Shares, or the room for shares or the secret, are not all of the same length.
    DifferentLengths {
        /// The first that is not as long as the secret.
        share: usize,
    },
    /// There is not one slice for each point.
    WrongNumber {
        /// How many there are.
        given: usize,
        /// The number of points.
        points: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ZeroThreshold => f.write_str("the threshold is zero"),
            Self::ThresholdAboveShares { threshold, shares } => {
                write!(f, "the threshold of {threshold} is above the number of shares, {shares}")
            }
            Self::TooManyShares { shares, points } => {
                write!(f, "the field has {points} points, not enough for {shares} shares")
            }
            Self::ZeroPoint { share } => write!(f, "share {share} is at zero, where no share can be"),
            Self::DuplicatePoint { first, second } => write!(f, "shares {first} and {second} are at the same point"),
            Self::TooFewShares { given, threshold } => write!(f, "{threshold} shares are needed and {given} given"),
            Self::DifferentSets { share } => write!(f, "share {share} is of another set than share 0"),
            Self::DifferentLengths { share } => write!(f, "share {share} differs in length"),
            Self::WrongNumber { given, points } => write!(f, "{given} shares are given for {points} points"),
        }
    }
}

impl core::error::Error for Error {}
