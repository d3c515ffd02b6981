//! The types that the rounds work on.
//!
//! They are shared by all clones of a kernel, so they are bytes. A clone turns them into its vector registers and back by
//! value, which costs nothing once its functions are inlined.
use core::fmt;
use core::ops::BitXorAssign;

use subtle::{Choice, ConstantTimeEq};
use zerocopy::transmute;
use zeroize::Zeroize;

/// 16 bytes, in the order of [FIPS 197, 3.4]: byte `i` is row `i % 4` of column `i / 4`.
///
/// ```
/// use simd_crypto::aes::Block;
/// let block = Block::from([7; 16]) ^ Block::from([1; 16]);
/// assert_eq!(block.to_bytes(), [6; 16]);
/// ```
///
/// [FIPS 197, 3.4]: https://doi.org/10.6028/NIST.FIPS.197-upd1
#[derive(Clone, Copy, Default)]
#[repr(C, align(16))]
pub struct Block(pub(crate) [u8; 16]);

/// Four [`Block`]s, one after the other: what the widest AES instructions take at once.
///
/// ```
/// use simd_crypto::aes::{Block, Quad};
/// let quad = Quad::from([Block::from([1; 16]), Block::from([2; 16]), Block::from([3; 16]), Block::from([4; 16])]);
/// assert_eq!(quad.to_bytes()[16], 2);
/// ```
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Quad(pub(crate) [u8; 64]);

impl Block {
    /// The block of these bytes.
    #[inline]
    #[must_use]
    pub const fn new(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The bytes of the block.
    #[inline]
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0
    }
}

impl Quad {
    /// The four blocks of these bytes.
    #[inline]
    #[must_use]
    pub const fn new(bytes: [u8; 64]) -> Self {
        Self(bytes)
    }

    /// The bytes of the four blocks.
    #[inline]
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 64] {
        self.0
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
        let blocks: [[u8; 16]; 4] = transmute!(self.0);
        let [a, b, c, d] = blocks;
        [Block(a), Block(b), Block(c), Block(d)]
    }
}

impl From<[u8; 16]> for Block {
    #[inline]
    fn from(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }
}

impl From<Block> for [u8; 16] {
    #[inline]
    fn from(block: Block) -> Self {
        block.0
    }
}

impl From<[u8; 64]> for Quad {
    #[inline]
    fn from(bytes: [u8; 64]) -> Self {
        Self(bytes)
    }
}

impl From<Quad> for [u8; 64] {
    #[inline]
    fn from(quad: Quad) -> Self {
        quad.0
    }
}

impl From<[Block; 4]> for Quad {
    #[inline]
    fn from([a, b, c, d]: [Block; 4]) -> Self {
        Self(transmute!([a.0, b.0, c.0, d.0]))
    }
}

/// Addition. It is annotated with the targets of the rounds around it, so that it stays in their registers.
mod sum {
    #![allow(unused_imports, clippy::wildcard_imports, reason = "the baseline has no vectors")]
    use super::{Block, Quad};
    use crate::arch::*;
    use core::ops::BitXor;
    use simd_core::{dispatch, match_target};
    use zerocopy::transmute;

    #[dispatch(targets = crate::targets::block)]
    impl BitXor for Block {
        type Output = Self;

        #[inline]
        fn bitxor(self, other: Self) -> Self {
            self.sum(other)
        }
    }

    #[dispatch(targets = crate::targets::blocks)]
    impl BitXor for Quad {
        type Output = Self;

        #[inline]
        fn bitxor(self, other: Self) -> Self {
            self.sum(other)
        }
    }

    #[dispatch(targets = crate::targets::block)]
    impl Block {
        #[inline]
        fn sum(self, other: Self) -> Self {
            match_target! {
                "x86, x86_64: aes" => Self(transmute!(_mm_xor_si128(transmute!(self.0), transmute!(other.0)))),
                "aarch64: aes" => Self(transmute!(veorq_u8(transmute!(self.0), transmute!(other.0)))),
                _ => {
                    let (a, b): ([u64; 2], [u64; 2]) = (transmute!(self.0), transmute!(other.0));
                    Self(transmute!([a[0] ^ b[0], a[1] ^ b[1]]))
                }
            }
        }
    }

    #[dispatch(targets = crate::targets::blocks)]
    impl Quad {
        #[inline]
        fn sum(self, other: Self) -> Self {
            match_target! {
                "x86, x86_64: vaes,avx512f" => Self(transmute!(_mm512_xor_si512(transmute!(self.0), transmute!(other.0)))),
                "x86, x86_64: vaes" => {
                    let (a, b): ([__m256i; 2], [__m256i; 2]) = (transmute!(self.0), transmute!(other.0));
                    Self(transmute!([_mm256_xor_si256(a[0], b[0]), _mm256_xor_si256(a[1], b[1])]))
                }
                _ => {
                    let (a, b) = (self.to_blocks(), other.to_blocks());
                    Self::from([a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]])
                }
            }
        }
    }
}

impl BitXorAssign for Block {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

/// What holds for both: they may be secret.
macro_rules! secret {
    ($($Type:ident)*) => { $(
        impl Zeroize for $Type {
            fn zeroize(&mut self) {
                // One store instead of one for each byte, which the barrier keeps from being dropped.
                self.0 = [0; size_of::<Self>()];
                zeroize::optimization_barrier(self);
            }
        }

        /// Whether all bytes are equal, in constant time.
        impl ConstantTimeEq for $Type {
            fn ct_eq(&self, other: &Self) -> Choice {
                self.0.ct_eq(&other.0)
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
secret!(Block Quad);
