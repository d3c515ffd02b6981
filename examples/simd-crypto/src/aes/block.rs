//! The types that the rounds work on.
use core::fmt;

#[allow(unused_imports, clippy::wildcard_imports, reason = "not every architecture has vectors")]
use crate::arch::*;
use crate::wide::Wide;

use subtle::{Choice, ConstantTimeEq};
use zerocopy::transmute;
use zeroize::Zeroize;

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
type Vector = __m128i;
#[cfg(target_arch = "aarch64")]
type Vector = uint8x16_t;
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
type Vector = [u8; 16];

/// The direction of a cipher.
pub(crate) const ENCRYPT: bool = true;
pub(crate) const DECRYPT: bool = false;

/// 16 bytes, in the order of [FIPS 197, 3.4]: byte `i` is row `i % 4` of column `i / 4`.
///
/// ```
/// use simd_crypto::aes::Block;
/// let block = Block::from([7; 16]) ^ Block::from([1; 16]);
/// assert_eq!(block.to_bytes(), [6; 16]);
/// ```
///
/// [FIPS 197, 3.4]: https://doi.org/10.6028/NIST.FIPS.197-upd1
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct Block(pub(crate) Vector);

/// Four [`Block`]s, one after the other: what the widest AES instructions take at once.
///
/// ```
/// use simd_crypto::aes::{Block, Quad};
/// let quad = Quad::from([Block::from([1; 16]), Block::from([2; 16]), Block::from([3; 16]), Block::from([4; 16])]);
/// assert_eq!(quad.to_bytes()[16], 2);
/// ```
#[derive(Clone, Copy)]
pub struct Quad(pub(crate) Wide);

impl Block {
    /// The block of these bytes.
    #[inline]
    #[must_use]
    pub const fn new(bytes: [u8; 16]) -> Self {
        Self(transmute!(bytes))
    }

    /// The bytes of the block.
    #[inline]
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 16] {
        transmute!(self.0)
    }
}

impl Quad {
    /// The four blocks of these bytes.
    #[inline]
    #[must_use]
    pub const fn new(bytes: [u8; 64]) -> Self {
        Self(Wide(transmute!(bytes)))
    }

    /// The bytes of the four blocks.
    #[inline]
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 64] {
        transmute!(self.0.0)
    }

    /// Four times the same block.
    #[inline]
    #[must_use]
    pub fn splat(block: Block) -> Self {
        Self::from([block; 4])
    }

    /// The blocks one by one.
    #[inline]
    #[must_use]
    pub fn to_blocks(self) -> [Block; 4] {
        let [a, b, c, d]: [Vector; 4] = transmute!(self.0.0);
        [Block(a), Block(b), Block(c), Block(d)]
    }
}

impl Default for Block {
    #[inline]
    fn default() -> Self {
        Self::new([0; 16])
    }
}

impl From<[Block; 4]> for Quad {
    #[inline]
    fn from([a, b, c, d]: [Block; 4]) -> Self {
        Self(Wide(transmute!([a.0, b.0, c.0, d.0])))
    }
}

/// Bytes that may be secret.
macro_rules! bytes {
    ($($Type:ident $bytes:literal)*) => { $(
        impl From<[u8; $bytes]> for $Type {
            #[inline]
            fn from(bytes: [u8; $bytes]) -> Self {
                Self::new(bytes)
            }
        }

        impl From<$Type> for [u8; $bytes] {
            #[inline]
            fn from(bytes: $Type) -> Self {
                bytes.to_bytes()
            }
        }

        impl Zeroize for $Type {
            fn zeroize(&mut self) {
                // One store instead of one for each byte, which the barrier keeps from being dropped.
                *self = Self::new([0; $bytes]);
                zeroize::optimization_barrier(self);
            }
        }

        /// Whether all bytes are equal, in constant time.
        impl ConstantTimeEq for $Type {
            fn ct_eq(&self, other: &Self) -> Choice {
                self.to_bytes().ct_eq(&other.to_bytes())
            }
        }

        impl fmt::Debug for $Type {
            /// Shows nothing of the bytes.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($Type), "(…)"))
            }
        }
    )* };
}
bytes!(Block 16 Quad 64);
