//! Tags, and how they fail.
use core::fmt;

use subtle::{Choice, ConstantTimeEq};

/// Why a message was not encrypted or decrypted. It has not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The message is longer than the cipher's counter allows, or the associated data longer than its length field
    /// allows.
    TooLong,
    /// The tag does not match the message, the associated data, the nonce and the key.
    NotAuthentic,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "the message is too long for its cipher",
            Self::NotAuthentic => "the message is not authentic",
        })
    }
}

impl core::error::Error for Error {}

/// The tag that authenticates a message: it goes with the message, and is not secret.
///
/// Tags are compared in constant time.
#[derive(Clone, Copy, Debug)]
#[must_use = "without its tag a message cannot be decrypted"]
pub struct Tag(pub [u8; 16]);

impl ConstantTimeEq for Tag {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl PartialEq for Tag {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for Tag {}

impl AsRef<[u8]> for Tag {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
