//! The stream cipher ChaCha20 of [RFC 8439](https://www.rfc-editor.org/rfc/rfc8439): a 32-byte key, a 12-byte nonce and
//! a 32-bit block counter.
//!
//! ```
//! use simd_crypto::chacha20::ChaCha20;
//!
//! let (key, nonce) = ([0x42; 32], [7; 12]);
//! let mut message = *b"attack at dawn";
//! ChaCha20::new(&key, &nonce).apply_keystream(&mut message)?;
//! assert_ne!(message, *b"attack at dawn");
//! ChaCha20::new(&key, &nonce).apply_keystream(&mut message)?;
//! assert_eq!(message, *b"attack at dawn");
//! # Ok::<(), simd_crypto::chacha20::KeystreamEnd>(())
//! ```
//!
//! # What it is not
//! It hides, but it does not protect: whoever flips a bit of the ciphertext flips the same bit of the message, unseen.
//! Authenticate the ciphertext as well, as [`aead`](crate::aead) does. Two messages under one key and nonce betray their XOR:
//! never use a pair of them twice.
//!
//! # Secrets
//! Nothing here branches on the key, the nonce, the keystream or the data, uses them as an index or as the count of a
//! shift; time depends on lengths and positions alone. The key and the keystream that a [`ChaCha20`] holds are erased when
//! it is dropped. What a call leaves in registers and on the stack is not.
use core::error::Error;
use core::fmt;

use zerocopy::{transmute, transmute_mut, transmute_ref};
use zeroize::{Zeroize, ZeroizeOnDrop};

use self::kernel::{Matrix, Mode, Work};

mod kernel;
mod variants;

pub use variants::{ChaCha20Legacy, XChaCha20, hchacha20};

/// The length of the keystream of one key and nonce: 2^32 blocks of 64 bytes, in bytes.
pub const KEYSTREAM_LENGTH: u64 = 64 << 32;

/// Block number `counter` of the keystream of `key` and `nonce`: the block function of RFC 8439, section 2.3.
///
/// Takes the same time whatever the arguments are.
#[must_use]
pub fn chacha20_block(key: &[u8; 32], counter: u32, nonce: &[u8; 12]) -> [u8; 64] {
    block(&matrix(key, nonce), counter)
}

/// The keystream of a key and a nonce, and a position in it (RFC 8439, section 2.4).
///
/// Encryption and decryption are the same. The key is erased when the value is dropped.
#[derive(Clone)]
pub struct ChaCha20 {
    matrix: Matrix,
    /// The bytes of the keystream that are used up.
    position: u64,
    /// Where `position` is inside a block: that block, from the position to its end. Eight words are quicker to erase
    /// than 64 bytes.
    block: [u64; 8],
}

impl ChaCha20 {
    /// The keystream of `key` and `nonce`, from its first byte on: block counter 0.
    ///
    /// Protocols that begin with block counter 1, as RFC 8439 does for the message in section 2.8, [`seek`](Self::seek)
    /// to byte 64.
    #[must_use]
    pub fn new(key: &[u8; 32], nonce: &[u8; 12]) -> Self {
        Self { matrix: matrix(key, nonce), position: 0, block: [0; 8] }
    }

    /// XORs the next `data.len()` bytes of the keystream into `data`, and moves on by as many.
    ///
    /// Takes time by the length of `data` and the position, whatever the key, the nonce and the data are.
    ///
    /// # Errors
    /// If fewer bytes of the keystream are left. Neither `data` nor the position has changed then.
    pub fn apply_keystream(&mut self, data: &mut [u8]) -> Result<(), KeystreamEnd> {
        self.run(data, Mode::Xor)
    }

    /// Overwrites `out` with the next `out.len()` bytes of the keystream, and moves on by as many.
    ///
    /// Takes time by the length of `out` and the position, whatever the key and the nonce are.
    ///
    /// # Errors
    /// If fewer bytes of the keystream are left. Neither `out` nor the position has changed then.
    pub fn keystream(&mut self, out: &mut [u8]) -> Result<(), KeystreamEnd> {
        self.run(out, Mode::Overwrite)
    }

    /// The same from one buffer to another: `output` becomes the sum of `input` and the keystream.
    ///
    /// # Errors
    /// If fewer bytes of the keystream are left. Neither `output` nor the position has changed then.
    ///
    /// # Panics
    /// If the buffers differ in length.
    pub fn apply_keystream_b2b(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), KeystreamEnd> {
        assert_eq!(input.len(), output.len(), "the buffers are of one length");
        self.end(input.len())?;
        for (input, output) in input.chunks(4096).zip(output.chunks_mut(4096)) {
            output.copy_from_slice(input);
            self.apply_keystream(output)?;
        }
        Ok(())
    }

    fn run(&mut self, data: &mut [u8], mode: Mode) -> Result<(), KeystreamEnd> {
        let end = self.end(data.len())?;
        let mut data = data;
        let begun = (self.position % 64) as usize;
        if begun != 0 {
            let block: &[u8; 64] = transmute_ref!(&self.block);
            let rest = &block[begun..];
            let (now, later) = data.split_at_mut(data.len().min(rest.len()));
            if mode == Mode::Overwrite {
                now.fill(0);
            }
            for (byte, keystream) in now.iter_mut().zip(rest) {
                *byte ^= keystream;
            }
            data = later;
        }
        let (blocks, tail) = data.as_chunks_mut::<64>();
        // Where a block is begun, either it is used up now, or there are no more data.
        let counter = self.position.div_ceil(64) as u32;
        if tail.is_empty() {
            kernel::apply(&self.matrix, &mut Work { counter, blocks, extra: None, mode });
        } else {
            // Behind the tail there are zeros, which become the rest of the keystream's block.
            self.block = [0; 8];
            let block: &mut [u8; 64] = transmute_mut!(&mut self.block);
            if mode == Mode::Xor {
                block[..tail.len()].copy_from_slice(tail);
            }
            kernel::apply(&self.matrix, &mut Work { counter, blocks, extra: Some(block), mode });
            tail.copy_from_slice(&block[..tail.len()]);
        }
        self.position = end;
        Ok(())
    }

    /// The number of the next byte of the keystream, from 0; [`KEYSTREAM_LENGTH`] after the last one.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Goes on with byte `position` of the keystream, counted from 0; `64 * n` is where block counter `n` begins.
    ///
    /// [`KEYSTREAM_LENGTH`] is the end, where nothing is left to apply.
    ///
    /// # Errors
    /// If `position` is behind the end. The position has not changed then.
    pub fn seek(&mut self, position: u64) -> Result<(), KeystreamEnd> {
        if position > KEYSTREAM_LENGTH {
            return Err(KeystreamEnd { position, length: 0 });
        }
        if !position.is_multiple_of(64) {
            let counter = (position / 64) as u32;
            *transmute_mut!(&mut self.block) = block(&self.matrix, counter);
        }
        self.position = position;
        Ok(())
    }

    /// The position after `length` more bytes.
    fn end(&self, length: usize) -> Result<u64, KeystreamEnd> {
        let end = self.position.checked_add(length as u64).filter(|end| *end <= KEYSTREAM_LENGTH);
        end.ok_or(KeystreamEnd { position: self.position, length: length as u64 })
    }
}

/// Shows the position, and nothing of the key, the nonce or the keystream.
impl fmt::Debug for ChaCha20 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChaCha20").field("position", &self.position).finish_non_exhaustive()
    }
}

impl Drop for ChaCha20 {
    fn drop(&mut self) {
        let [_, key @ .., _] = &mut self.matrix;
        key.as_flattened_mut().zeroize();
        self.block.zeroize();
    }
}

impl ZeroizeOnDrop for ChaCha20 {}

/// The keystream of a key and a nonce ends at [`KEYSTREAM_LENGTH`] bytes, before the last of the bytes that were asked
/// for. More would repeat it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeystreamEnd {
    /// The byte of the keystream from which on bytes were asked for.
    pub position: u64,
    /// How many bytes were asked for.
    pub length: u64,
}

impl fmt::Display for KeystreamEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, length } = self;
        write!(
            f,
            "the keystream of ChaCha20 ends at byte {KEYSTREAM_LENGTH}: it has no {length} bytes from byte {position} on"
        )
    }
}

impl Error for KeystreamEnd {}

/// Block number `counter` of the keystream.
fn block(matrix: &Matrix, counter: u32) -> [u8; 64] {
    let mut block = [0; 64];
    kernel::apply(matrix, &mut Work { counter, blocks: &mut [], extra: Some(&mut block), mode: Mode::Overwrite });
    block
}

/// The matrix of RFC 8439, section 2.3, with a block counter of zero.
fn matrix(key: &[u8; 32], nonce: &[u8; 12]) -> Matrix {
    let constant: [[u8; 4]; 4] = transmute!(*b"expand 32-byte k");
    let [first, second]: [[[u8; 4]; 4]; 2] = transmute!(*key);
    let [x, y, z]: [[u8; 4]; 3] = transmute!(*nonce);
    [constant, first, second, [[0; 4], x, y, z]].map(|row| row.map(u32::from_le_bytes))
}
