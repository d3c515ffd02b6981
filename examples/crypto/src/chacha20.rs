//! The stream cipher ChaCha20 of [RFC 8439](https://www.rfc-editor.org/rfc/rfc8439): a 32-byte key, a 12-byte nonce and
//! a 32-bit block counter.
//!
//! ```
//! use hex_literal::hex;
//! use simd_crypto::chacha20::ChaCha20;
//! // RFC 8439, section 2.4.2, which begins with block counter 1
//! let key = hex!("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
//! let mut cipher = ChaCha20::from_key_and_nonce(&key, &hex!("000000000000004a00000000"));
//! cipher.set_position(64)?;
//! let mut message = *b"Ladies and Gentlemen of the clas";
//! cipher.xor_keystream(&mut message)?;
//! assert_eq!(message, hex!("6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b"));
//! # Ok::<(), simd_crypto::chacha20::KeystreamEnd>(())
//! ```
//!
//! # Limits
//! A stream cipher by itself does not authenticate: an attacker who flips a bit of the ciphertext flips the same bit of the
//! message, unnoticed. Authenticate the ciphertext as well, as [`aead`](crate::aead) does. Two messages under one key
//! and nonce reveal their XOR: never use a pair of key and nonce twice. With random nonces a key is for 2^32 messages at
//! most, and for 2^64 with [`XChaCha20`].
//!
//! # Secrets
//! Nothing here branches on the key, the nonce, the keystream or the data, or uses them as an index or a shift count;
//! time depends on lengths and positions only. The key and the keystream in a [`ChaCha20`] are erased when it is
//! dropped. Copies that a call leaves in registers and on the stack are not.
use zerocopy::{transmute, transmute_mut};
use zeroize::Zeroize;

use self::rounds::{Matrix, Work};
use crate::keystream::{Blocks, Keystream, Mode, stream_cipher};

mod rounds;
mod variants;

pub use crate::keystream::KeystreamEnd;
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
/// Encryption and decryption are the same. [`KEYSTREAM_LENGTH`] is the last position. Protocols that begin with block counter 1,
/// as RFC 8439 does for the message in section 2.8, [`set_position`](Self::set_position) to byte 64. The key is erased when the value is dropped.
#[derive(Clone)]
pub struct ChaCha20(Keystream<Ietf>);

impl ChaCha20 {
    /// The keystream of `key` and `nonce`, from its first byte on: block counter 0.
    #[must_use]
    pub fn from_key_and_nonce(key: &[u8; 32], nonce: &[u8; 12]) -> Self {
        Self(Keystream::new(Ietf(matrix(key, nonce))))
    }
}

stream_cipher!(() ChaCha20, "ChaCha20", "[`KEYSTREAM_LENGTH`]");

/// The blocks of a matrix whose first word of the last row is the counter.
#[derive(Clone)]
struct Ietf(Matrix);

impl Blocks for Ietf {
    type Block = [u64; 8];
    const END: u64 = KEYSTREAM_LENGTH;

    #[inline]
    fn run(&mut self, number: u64, blocks: &mut [u8], last: Option<&mut [u64; 8]>, mode: Mode) {
        let extra = last.map(|last| transmute_mut!(last));
        let (blocks, _) = blocks.as_chunks_mut();
        rounds::apply(&self.0, &mut Work { counter: number as u32, blocks, extra, mode });
    }
}

impl Zeroize for Ietf {
    #[inline]
    fn zeroize(&mut self) {
        let [_, key @ .., _] = &mut self.0;
        key.as_flattened_mut().zeroize();
    }
}

/// Block number `counter` of the keystream.
fn block(matrix: &Matrix, counter: u32) -> [u8; 64] {
    let mut block = [0; 64];
    rounds::apply(matrix, &mut Work { counter, blocks: &mut [], extra: Some(&mut block), mode: Mode::Overwrite });
    block
}

/// The first row of every matrix.
const CONSTANT: &[u8; 16] = b"expand 32-byte k";

/// The matrix of RFC 8439, section 2.3, with a block counter of zero.
fn matrix(key: &[u8; 32], nonce: &[u8; 12]) -> Matrix {
    let mut last = [0; 16];
    last[4..].copy_from_slice(nonce);
    let [first, second]: [[u8; 16]; 2] = transmute!(*key);
    words([*CONSTANT, first, second, last])
}

/// The words of these bytes, little-endian.
#[inline]
fn words(rows: [[u8; 16]; 4]) -> Matrix {
    // In place: `map` of arrays in arrays would be calls.
    let mut words: Matrix = transmute!(rows);
    for word in words.as_flattened_mut() {
        *word = u32::from_le(*word);
    }
    words
}
