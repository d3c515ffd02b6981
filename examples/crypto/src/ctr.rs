//! AES in counter mode ([NIST SP 800-38A], section 6.5): the keystream is the encryption of a 128-bit big-endian counter.
//!
//! ```
//! use simd_crypto::ctr::Aes128Ctr;
//! // NIST SP 800-38A, F.5.1
//! let key = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes();
//! let counter = 0xf0f1_f2f3_f4f5_f6f7_f8f9_fafb_fcfd_feff_u128.to_be_bytes();
//! let mut data = 0x6bc1_bee2_2e40_9f96_e93d_7e11_7393_172a_u128.to_be_bytes();
//! Aes128Ctr::new(&key, &counter).apply_keystream(&mut data)?;
//! assert_eq!(data, 0x874d_6191_b620_e326_1bef_6864_990d_b6ce_u128.to_be_bytes());
//! # Ok::<(), simd_crypto::ctr::KeystreamEnd>(())
//! ```
//!
//! # What it is not
//! It hides, but it does not protect: whoever flips a bit of the ciphertext flips the same bit of the message, unseen.
//! [`aead`](crate::aead) has GCM, which is this with authentication. Never use the same blocks of the counter with one key twice.
//!
//! [NIST SP 800-38A]: https://doi.org/10.6028/NIST.SP.800-38A
use core::error::Error;
use core::fmt;

use crate::aes::{Block, round_keys128, round_keys192, round_keys256};
use crate::ghash::kernel::halves;
use zeroize::{Zeroize, ZeroizeOnDrop};

pub(crate) mod kernel;

/// The keystream of a key and a first counter, and a position in it.
///
/// Encryption and decryption are the same. Takes time by lengths, positions and the first counter alone. The key is wiped on drop.
#[derive(Clone)]
pub struct AesCtr<const N: usize> {
    keys: [Block; N],
    /// The first counter block, as a number.
    start: u128,
    /// The bytes of the keystream that are used up.
    position: u64,
    /// The block that the position is in, where it is inside of one.
    block: [u8; 16],
}

/// AES-128 in counter mode.
pub type Aes128Ctr = AesCtr<11>;
/// AES-192 in counter mode.
pub type Aes192Ctr = AesCtr<13>;
/// AES-256 in counter mode.
pub type Aes256Ctr = AesCtr<15>;

impl AesCtr<11> {
    /// The keystream of this key from the block `counter` on, which is counted up modulo 2^128.
    #[must_use]
    pub fn new(key: &[u8; 16], counter: &[u8; 16]) -> Self {
        Self::with(round_keys128(key), counter)
    }
}

impl AesCtr<13> {
    /// The keystream of this key from the block `counter` on, which is counted up modulo 2^128.
    #[must_use]
    pub fn new(key: &[u8; 24], counter: &[u8; 16]) -> Self {
        Self::with(round_keys192(key), counter)
    }
}

impl AesCtr<15> {
    /// The keystream of this key from the block `counter` on, which is counted up modulo 2^128.
    #[must_use]
    pub fn new(key: &[u8; 32], counter: &[u8; 16]) -> Self {
        Self::with(round_keys256(key), counter)
    }
}

impl<const N: usize> AesCtr<N> {
    fn with(keys: [Block; N], counter: &[u8; 16]) -> Self {
        Self { keys, start: u128::from_be_bytes(*counter), position: 0, block: [0; 16] }
    }

    /// XORs the next `data.len()` bytes of the keystream into `data`, and moves on by as many.
    ///
    /// # Errors
    /// If the position would exceed `u64::MAX` bytes. Neither `data` nor the position has changed then.
    pub fn apply_keystream(&mut self, data: &mut [u8]) -> Result<(), KeystreamEnd> {
        let end = self.position.checked_add(data.len() as u64).ok_or(KeystreamEnd)?;
        let begun = (self.position % 16) as usize;
        let mut data = data;
        if begun != 0 {
            let (now, later) = data.split_at_mut(data.len().min(16 - begun));
            for (byte, keystream) in now.iter_mut().zip(&self.block[begun..]) {
                *byte ^= keystream;
            }
            data = later;
        }
        let (blocks, tail) = data.as_chunks_mut::<16>();
        let first = self.position.div_ceil(16);
        self.blocks(first, blocks.as_flattened_mut());
        if !tail.is_empty() {
            self.block = self.keystream_block(first + blocks.len() as u64);
            for (byte, keystream) in tail.iter_mut().zip(&self.block) {
                *byte ^= keystream;
            }
        }
        self.position = end;
        Ok(())
    }

    /// The same from one buffer to another: `output` becomes the sum of `input` and the keystream.
    ///
    /// # Errors
    /// If the position would exceed `u64::MAX` bytes. Neither `output` nor the position has changed then.
    ///
    /// # Panics
    /// If the buffers differ in length.
    pub fn apply_keystream_b2b(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), KeystreamEnd> {
        assert_eq!(input.len(), output.len(), "the buffers are of one length");
        self.position.checked_add(input.len() as u64).ok_or(KeystreamEnd)?;
        for (input, output) in input.chunks(4096).zip(output.chunks_mut(4096)) {
            output.copy_from_slice(input);
            self.apply_keystream(output)?;
        }
        Ok(())
    }

    /// Overwrites `out` with the next `out.len()` bytes of the keystream, and moves on by as many.
    ///
    /// # Errors
    /// If the position would exceed `u64::MAX` bytes. Neither `out` nor the position has changed then.
    pub fn keystream(&mut self, out: &mut [u8]) -> Result<(), KeystreamEnd> {
        self.position.checked_add(out.len() as u64).ok_or(KeystreamEnd)?;
        out.fill(0);
        self.apply_keystream(out)
    }

    /// The number of the next byte of the keystream, from 0.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Goes on with byte `position` of the keystream, counted from 0.
    pub fn seek(&mut self, position: u64) {
        if !position.is_multiple_of(16) {
            self.block = self.keystream_block(position / 16);
        }
        self.position = position;
    }

    fn keystream_block(&self, number: u64) -> [u8; 16] {
        let mut block = [0; 16];
        self.blocks(number, &mut block);
        block
    }

    /// XORs the keystream into `data` from block `number` on. The kernel counts modulo 2^32, so it is called once for each time
    /// that these bits begin anew.
    fn blocks(&self, number: u64, data: &mut [u8]) {
        let (mut number, mut data) = (u128::from(number), data);
        while !data.is_empty() {
            let counter = self.start.wrapping_add(number);
            let left = (1_u64 << 32) - u64::from(counter as u32);
            let length = data.len().min(usize::try_from(16 * left).unwrap_or(usize::MAX));
            let (now, later) = data.split_at_mut(length);
            kernel::apply(&self.keys, halves(counter), now);
            number += u128::from(left);
            data = later;
        }
    }
}

impl<const N: usize> Drop for AesCtr<N> {
    fn drop(&mut self) {
        self.keys.zeroize();
        self.block.zeroize();
    }
}

impl<const N: usize> ZeroizeOnDrop for AesCtr<N> {}

/// Shows the position, and nothing of the key or the keystream.
impl<const N: usize> fmt::Debug for AesCtr<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AesCtr").field("position", &self.position).finish_non_exhaustive()
    }
}

/// The position in a keystream would exceed `u64::MAX` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeystreamEnd;

impl fmt::Display for KeystreamEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a keystream in counter mode has no more than 2^64 - 1 bytes")
    }
}

impl Error for KeystreamEnd {}
