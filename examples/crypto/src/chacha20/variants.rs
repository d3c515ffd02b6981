//! The relatives of ChaCha20 with other nonces.
use core::fmt;

use super::{ChaCha20, KeystreamEnd, block};
use crate::chacha20::kernel::{self, Mode, Work};
use zerocopy::{transmute, transmute_mut};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// `HChaCha20` ([draft-irtf-cfrg-xchacha], section 2.2): a key of its own for each nonce.
///
/// Takes the same time whatever the arguments are.
///
/// [draft-irtf-cfrg-xchacha]: https://datatracker.ietf.org/doc/html/draft-irtf-cfrg-xchacha-03
#[must_use]
pub fn hchacha20(key: &[u8; 32], nonce: &[u8; 16]) -> [u8; 32] {
    let [counter, rest @ ..]: [[u8; 4]; 4] = transmute!(*nonce);
    // The block function adds the matrix in the end, which this does not.
    let matrix = super::matrix(key, &transmute!(rest));
    let counter = u32::from_le_bytes(counter);
    let mut bytes = block(&matrix, counter);
    let words: [[[u8; 4]; 4]; 4] = transmute!(bytes);
    let less = |row: usize| {
        let mut before = matrix[row];
        if row == 3 {
            before[0] = counter;
        }
        let mut out = [[0; 4]; 4];
        for ((out, word), before) in out.iter_mut().zip(words[row]).zip(before) {
            *out = u32::from_le_bytes(word).wrapping_sub(before).to_le_bytes();
        }
        out
    };
    let derived = transmute!([less(0), less(3)]);
    bytes.zeroize();
    derived
}

/// XChaCha20 ([draft-irtf-cfrg-xchacha], section 2.3): ChaCha20 with a nonce of 24 bytes, which can be drawn at random.
///
/// Positions and the end of the keystream are those of [`ChaCha20`]. The key is erased when the value is dropped.
///
/// ```
/// use simd_crypto::chacha20::XChaCha20;
///
/// let (key, nonce) = ([0x42; 32], [7; 24]);
/// let mut message = *b"attack at dawn";
/// XChaCha20::new(&key, &nonce).apply_keystream(&mut message)?;
/// XChaCha20::new(&key, &nonce).apply_keystream(&mut message)?;
/// assert_eq!(message, *b"attack at dawn");
/// # Ok::<(), simd_crypto::chacha20::KeystreamEnd>(())
/// ```
///
/// [draft-irtf-cfrg-xchacha]: https://datatracker.ietf.org/doc/html/draft-irtf-cfrg-xchacha-03
#[derive(Clone)]
pub struct XChaCha20(ChaCha20);

impl XChaCha20 {
    /// The keystream of `key` and `nonce`, from its first byte on.
    #[must_use]
    pub fn new(key: &[u8; 32], nonce: &[u8; 24]) -> Self {
        Self(Self::derived(key, nonce))
    }

    /// The ChaCha20 of the derived key, with the rest of the nonce.
    pub(crate) fn derived(key: &[u8; 32], nonce: &[u8; 24]) -> ChaCha20 {
        let [first, second, rest]: [[u8; 8]; 3] = transmute!(*nonce);
        let mut derived = hchacha20(key, &transmute!([first, second]));
        let mut nonce = [0; 12];
        nonce[4..].copy_from_slice(&rest);
        let cipher = ChaCha20::new(&derived, &nonce);
        derived.zeroize();
        cipher
    }

    /// XORs the next `data.len()` bytes of the keystream into `data`, and moves on by as many.
    ///
    /// # Errors
    /// If fewer bytes of the keystream are left. Neither `data` nor the position has changed then.
    pub fn apply_keystream(&mut self, data: &mut [u8]) -> Result<(), KeystreamEnd> {
        self.0.apply_keystream(data)
    }

    /// The same from one buffer to another: `output` becomes the sum of `input` and the keystream.
    ///
    /// # Errors
    /// If fewer bytes of the keystream are left. Neither `output` nor the position has changed then.
    ///
    /// # Panics
    /// If the buffers differ in length.
    pub fn apply_keystream_b2b(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), KeystreamEnd> {
        self.0.apply_keystream_b2b(input, output)
    }

    /// Overwrites `out` with the next `out.len()` bytes of the keystream, and moves on by as many.
    ///
    /// # Errors
    /// If fewer bytes of the keystream are left. Neither `out` nor the position has changed then.
    pub fn keystream(&mut self, out: &mut [u8]) -> Result<(), KeystreamEnd> {
        self.0.keystream(out)
    }

    /// The number of the next byte of the keystream, from 0.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.0.position()
    }

    /// Goes on with byte `position` of the keystream, counted from 0.
    ///
    /// # Errors
    /// If `position` is behind the end. The position has not changed then.
    pub fn seek(&mut self, position: u64) -> Result<(), KeystreamEnd> {
        self.0.seek(position)
    }
}

impl ZeroizeOnDrop for XChaCha20 {}

/// Shows the position, and nothing of the key, the nonce or the keystream.
impl fmt::Debug for XChaCha20 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("XChaCha20").field("position", &self.position()).finish_non_exhaustive()
    }
}

/// ChaCha20 as it was published ([D. J. Bernstein, 2008]): a nonce of 8 bytes and a 64-bit block counter.
///
/// Positions are below 2^64 bytes, of the 2^70 that there are. The key is erased when the value is dropped.
///
/// ```
/// use simd_crypto::chacha20::ChaCha20Legacy;
/// // The first bytes for a key and a nonce of zeros.
/// let mut keystream = [0; 8];
/// ChaCha20Legacy::new(&[0; 32], &[0; 8]).keystream(&mut keystream)?;
/// assert_eq!(keystream, [0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90]);
/// # Ok::<(), simd_crypto::chacha20::KeystreamEnd>(())
/// ```
///
/// [D. J. Bernstein, 2008]: https://cr.yp.to/chacha/chacha-20080128.pdf
#[derive(Clone)]
pub struct ChaCha20Legacy {
    matrix: kernel::Matrix,
    /// The bytes of the keystream that are used up.
    position: u64,
    /// The block that the position is in, where it is inside of one.
    block: [u64; 8],
}

impl ChaCha20Legacy {
    /// The keystream of `key` and `nonce`, from its first byte on.
    #[must_use]
    pub fn new(key: &[u8; 32], nonce: &[u8; 8]) -> Self {
        let mut padded = [0; 12];
        padded[4..].copy_from_slice(nonce);
        Self { matrix: super::matrix(key, &padded), position: 0, block: [0; 8] }
    }

    /// XORs the next `data.len()` bytes of the keystream into `data`, and moves on by as many.
    ///
    /// # Errors
    /// If the position would exceed `u64::MAX`. Neither `data` nor the position has changed then.
    pub fn apply_keystream(&mut self, data: &mut [u8]) -> Result<(), KeystreamEnd> {
        let end = self.end(data.len())?;
        let begun = (self.position % 64) as usize;
        let mut data = data;
        if begun != 0 {
            let (now, later) = data.split_at_mut(data.len().min(64 - begun));
            let block: [u8; 64] = transmute!(self.block);
            for (byte, keystream) in now.iter_mut().zip(&block[begun..]) {
                *byte ^= keystream;
            }
            data = later;
        }
        let (mut blocks, tail) = data.as_chunks_mut::<64>();
        let mut number = self.position.div_ceil(64);
        while !blocks.is_empty() {
            // The kernel counts modulo 2^32.
            let left = usize::try_from((1_u64 << 32) - u64::from(number as u32)).unwrap_or(usize::MAX);
            let (now, later) = blocks.split_at_mut(blocks.len().min(left));
            let count = now.len() as u64;
            self.run(number, now, None);
            number += count;
            blocks = later;
        }
        if !tail.is_empty() {
            self.keystream_block(number);
            let block: [u8; 64] = transmute!(self.block);
            for (byte, keystream) in tail.iter_mut().zip(block) {
                *byte ^= keystream;
            }
        }
        self.position = end;
        Ok(())
    }

    /// The same from one buffer to another: `output` becomes the sum of `input` and the keystream.
    ///
    /// # Errors
    /// If the position would exceed `u64::MAX`. Neither `output` nor the position has changed then.
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

    /// Overwrites `out` with the next `out.len()` bytes of the keystream, and moves on by as many.
    ///
    /// # Errors
    /// If the position would exceed `u64::MAX`. Neither `out` nor the position has changed then.
    pub fn keystream(&mut self, out: &mut [u8]) -> Result<(), KeystreamEnd> {
        self.end(out.len())?;
        out.fill(0);
        self.apply_keystream(out)
    }

    /// The number of the next byte of the keystream, from 0.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Goes on with byte `position` of the keystream, counted from 0; `64 * n` is where block counter `n` begins.
    pub fn seek(&mut self, position: u64) {
        if !position.is_multiple_of(64) {
            self.keystream_block(position / 64);
        }
        self.position = position;
    }

    fn keystream_block(&mut self, number: u64) {
        let mut block = [0; 8];
        self.run(number, &mut [], Some(transmute_mut!(&mut block)));
        self.block = block;
    }

    /// XORs the keystream from block `number` on, whose upper half stays the same.
    fn run(&mut self, number: u64, blocks: &mut [[u8; 64]], extra: Option<&mut [u8; 64]>) {
        self.matrix[3][1] = (number >> 32) as u32;
        kernel::apply(&self.matrix, &mut Work { counter: number as u32, blocks, extra, mode: Mode::Xor });
    }

    fn end(&self, length: usize) -> Result<u64, KeystreamEnd> {
        let length = length as u64;
        self.position.checked_add(length).ok_or(KeystreamEnd { position: self.position, length })
    }
}

impl Drop for ChaCha20Legacy {
    fn drop(&mut self) {
        self.matrix.as_flattened_mut().zeroize();
        self.block.zeroize();
    }
}

impl ZeroizeOnDrop for ChaCha20Legacy {}

/// Shows the position, and nothing of the key, the nonce or the keystream.
impl fmt::Debug for ChaCha20Legacy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChaCha20Legacy").field("position", &self.position).finish_non_exhaustive()
    }
}
