//! A position in a keystream that is made in blocks, and what is done with the keystream from there on: the same for all
//! stream ciphers.
use core::error::Error;
use core::fmt;

use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The effect of the keystream on the bytes that it is applied to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Xor,
    Overwrite,
}

/// A keystream as blocks that have numbers. What is secret in it is wiped by `zeroize`.
pub(crate) trait Blocks: Zeroize {
    /// A block, as words: they are quicker to erase than bytes.
    type Block: Copy + FromBytes + IntoBytes + Immutable + Zeroize;

    /// The length of the keystream in bytes, or `u64::MAX` if it is longer.
    const END: u64;

    /// The part of block `number`'s counter that the kernel counts up.
    #[inline]
    fn counter(&self, number: u64) -> u32 {
        number as u32
    }

    /// Applies the keystream from block `number` on to `blocks`, a whole number of them, and then to `last`. The counter does not
    /// begin anew on the way.
    fn run(&mut self, number: u64, blocks: &mut [u8], last: Option<&mut Self::Block>, mode: Mode);

    /// The same, where the counter may begin anew.
    #[inline]
    fn apply(&mut self, number: u64, blocks: &mut [u8], last: Option<&mut Self::Block>, mode: Mode) {
        let left = (1_u64 << 32) - u64::from(self.counter(number));
        if ((blocks.len() / size_of::<Self::Block>()) as u64) < left {
            self.run(number, blocks, last, mode);
        } else {
            let (now, later) = blocks.split_at_mut(left as usize * size_of::<Self::Block>());
            self.run(number, now, None, mode);
            // Only on 64-bit systems may a slice hold more than these.
            self.apply_again(number + left, later, last, mode);
        }
    }

    /// [`apply`](Self::apply) as a call, so that the other one can be inlined.
    #[cold]
    fn apply_again(&mut self, number: u64, blocks: &mut [u8], last: Option<&mut Self::Block>, mode: Mode) {
        self.apply(number, blocks, last, mode);
    }
}

/// The keystream of `B`, and a position in it.
#[derive(Clone)]
pub(crate) struct Keystream<B: Blocks> {
    blocks: B,
    /// The bytes of the keystream that are used up.
    position: u64,
    /// Where `position` is inside a block: that block, from the position to its end.
    block: B::Block,
}

impl<B: Blocks> Keystream<B> {
    const LENGTH: usize = size_of::<B::Block>();

    #[inline]
    pub(crate) fn new(blocks: B) -> Self {
        Self { blocks, position: 0, block: B::Block::new_zeroed() }
    }

    /// Applies the next `data.len()` bytes of the keystream to `data`, and moves on by as many.
    #[inline]
    pub(crate) fn apply(&mut self, data: &mut [u8], mode: Mode) -> Result<(), KeystreamEnd> {
        let end = self.end(data.len())?;
        let begun = (self.position % Self::LENGTH as u64) as usize;
        let mut data = data;
        if begun != 0 {
            let rest = &self.block.as_bytes()[begun..];
            let (now, later) = data.split_at_mut(data.len().min(rest.len()));
            if mode == Mode::Overwrite {
                now.fill(0);
            }
            for (byte, keystream) in now.iter_mut().zip(rest) {
                *byte ^= keystream;
            }
            data = later;
        }
        let (blocks, tail) = data.split_at_mut(data.len() - data.len() % Self::LENGTH);
        // Where a block is begun, either it is used up now, or there are no more data.
        let number = self.position.div_ceil(Self::LENGTH as u64);
        if tail.is_empty() {
            self.blocks.apply(number, blocks, None, mode);
        } else {
            // Behind the tail there are zeros, which become the rest of the keystream's block.
            self.block = B::Block::new_zeroed();
            if mode == Mode::Xor {
                self.block.as_mut_bytes()[..tail.len()].copy_from_slice(tail);
            }
            self.blocks.apply(number, blocks, Some(&mut self.block), mode);
            tail.copy_from_slice(&self.block.as_bytes()[..tail.len()]);
        }
        self.position = end;
        Ok(())
    }

    #[inline]
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    #[inline]
    pub(crate) fn seek(&mut self, position: u64) -> Result<(), KeystreamEnd> {
        if position > B::END {
            return Err(KeystreamEnd { position, length: 0, end: B::END });
        }
        if !position.is_multiple_of(Self::LENGTH as u64) {
            self.blocks.apply(position / Self::LENGTH as u64, &mut [], Some(&mut self.block), Mode::Overwrite);
        }
        self.position = position;
        Ok(())
    }

    /// The position after `length` more bytes.
    #[inline]
    fn end(&self, length: usize) -> Result<u64, KeystreamEnd> {
        let end = self.position.checked_add(length as u64).filter(|end| *end <= B::END);
        end.ok_or(KeystreamEnd { position: self.position, length: length as u64, end: B::END })
    }
}

impl<B: Blocks> Drop for Keystream<B> {
    #[inline]
    fn drop(&mut self) {
        self.blocks.zeroize();
        self.block.zeroize();
    }
}

impl<B: Blocks> ZeroizeOnDrop for Keystream<B> {}

/// The keystream ends before the requested bytes. More would repeat it, or could not be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeystreamEnd {
    /// The first byte of the keystream that was requested.
    pub position: u64,
    /// The number of bytes that were requested.
    pub length: u64,
    /// The length of the keystream in bytes.
    pub end: u64,
}

impl fmt::Display for KeystreamEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, length, end } = self;
        write!(f, "the keystream ends at byte {end}: it has no {length} bytes from byte {position} on")
    }
}

impl Error for KeystreamEnd {}

/// The methods and traits of a stream cipher, which is a struct around its [`Keystream`]. `$end` completes "if the position
/// would exceed".
macro_rules! stream_cipher {
    (($($generics:tt)*) $Cipher:ty, $name:literal, $end:literal) => {
        impl<$($generics)*> $Cipher {
            /// XORs the next `data.len()` bytes of the keystream into `data`, and moves on by as many.
            ///
            /// Takes time by the length of `data` and the position, whatever the key, the nonce and the data are.
            ///
            /// # Errors
            #[doc = concat!("If the position would exceed ", $end, ". Neither `data` nor the position has changed then.")]
            pub fn xor_keystream(&mut self, data: &mut [u8]) -> Result<(), KeystreamEnd> {
                self.0.apply(data, $crate::keystream::Mode::Xor)
            }

            /// Overwrites `out` with the next `out.len()` bytes of the keystream, and moves on by as many.
            ///
            /// Takes time by the length of `out` and the position, whatever the key and the nonce are.
            ///
            /// # Errors
            #[doc = concat!("If the position would exceed ", $end, ". Neither `out` nor the position has changed then.")]
            pub fn keystream(&mut self, out: &mut [u8]) -> Result<(), KeystreamEnd> {
                self.0.apply(out, $crate::keystream::Mode::Overwrite)
            }

            /// The number of the next byte of the keystream, from 0.
            #[must_use]
            pub fn position(&self) -> u64 {
                self.0.position()
            }

            /// Goes on with byte `position` of the keystream, counted from 0. The end is a position too: nothing is left to
            /// apply there.
            ///
            /// # Errors
            #[doc = concat!("If `position` exceeds ", $end, ". The position has not changed then.")]
            pub fn set_position(&mut self, position: u64) -> Result<(), KeystreamEnd> {
                self.0.seek(position)
            }
        }

        impl<$($generics)*> zeroize::ZeroizeOnDrop for $Cipher {}

        /// Shows the position, and nothing of the key, the nonce or the keystream.
        impl<$($generics)*> core::fmt::Debug for $Cipher {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct($name).field("position", &self.position()).finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use stream_cipher;
