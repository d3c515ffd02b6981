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

pub use crate::keystream::KeystreamEnd;

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

/// `HChaCha20` ([draft-irtf-cfrg-xchacha], section 2.2): a key of its own for each nonce.
///
/// Takes the same time whatever the arguments are.
///
/// ```
/// use hex_literal::hex;
/// // The draft's section 2.2.1
/// let key = hex!("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
/// let derived = simd_crypto::chacha20::hchacha20(&key, &hex!("000000090000004a0000000031415927"));
/// assert_eq!(derived, hex!("82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc"));
/// ```
///
/// [draft-irtf-cfrg-xchacha]: https://datatracker.ietf.org/doc/html/draft-irtf-cfrg-xchacha-03
#[must_use]
pub fn hchacha20(key: &[u8; 32], nonce: &[u8; 16]) -> [u8; 32] {
    let mut rows = derived_rows(key, nonce);
    for word in rows.as_flattened_mut() {
        *word = word.to_le();
    }
    transmute!(rows)
}

/// The words of `HChaCha20`'s key.
fn derived_rows(key: &[u8; 32], nonce: &[u8; 16]) -> [[u32; 4]; 2] {
    let [first, second]: [[u8; 16]; 2] = transmute!(*key);
    rounds::derive(&words([*CONSTANT, first, second, *nonce]))
}

/// XChaCha20 ([draft-irtf-cfrg-xchacha], section 2.3): ChaCha20 with a nonce of 24 bytes, which can be drawn at random.
///
/// Positions and the end of the keystream are those of [`ChaCha20`]. The key is erased when the value is dropped.
///
/// ```
/// use hex_literal::hex;
/// use simd_crypto::chacha20::XChaCha20;
/// // The draft's section A.3.2.1, which begins with block counter 0
/// let key = hex!("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f");
/// let nonce = hex!("404142434445464748494a4b4c4d4e4f5051525354555658");
/// let mut message = *b"The dhole (prono";
/// XChaCha20::from_key_and_nonce(&key, &nonce).xor_keystream(&mut message)?;
/// assert_eq!(message, hex!("4559abba4e48c16102e8bb2c05e6947f"));
/// # Ok::<(), simd_crypto::chacha20::KeystreamEnd>(())
/// ```
///
/// [draft-irtf-cfrg-xchacha]: https://datatracker.ietf.org/doc/html/draft-irtf-cfrg-xchacha-03
#[derive(Clone)]
pub struct XChaCha20(Keystream<Ietf>);

impl XChaCha20 {
    /// The keystream of `key` and `nonce`, from its first byte on.
    #[must_use]
    pub fn from_key_and_nonce(key: &[u8; 32], nonce: &[u8; 24]) -> Self {
        let ChaCha20(keystream) = Self::derived(key, nonce);
        Self(keystream)
    }

    /// The ChaCha20 of the derived key, with the rest of the nonce.
    pub(crate) fn derived(key: &[u8; 32], nonce: &[u8; 24]) -> ChaCha20 {
        let [first, second, rest]: [[u8; 8]; 3] = transmute!(*nonce);
        let mut derived = derived_rows(key, &transmute!([first, second]));
        let mut matrix = words([*CONSTANT, [0; 16], [0; 16], transmute!([[0; 8], rest])]);
        matrix[1..3].copy_from_slice(&derived);
        derived.as_flattened_mut().zeroize();
        ChaCha20(Keystream::new(Ietf(matrix)))
    }
}

stream_cipher!(() XChaCha20, "XChaCha20", "[`KEYSTREAM_LENGTH`]");

/// ChaCha20 as it was published ([D. J. Bernstein, 2008]): a nonce of 8 bytes and a 64-bit block counter.
///
/// Positions are below 2^64 bytes, of the 2^70 that there are. The key is erased when the value is dropped.
///
/// ```
/// use simd_crypto::chacha20::ChaCha20Legacy;
/// // The first bytes for a key and a nonce of zeros.
/// let mut keystream = [0; 8];
/// ChaCha20Legacy::from_key_and_nonce(&[0; 32], &[0; 8]).keystream(&mut keystream)?;
/// assert_eq!(keystream, [0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90]);
/// # Ok::<(), simd_crypto::chacha20::KeystreamEnd>(())
/// ```
///
/// [D. J. Bernstein, 2008]: https://cr.yp.to/chacha/chacha-20080128.pdf
#[derive(Clone)]
pub struct ChaCha20Legacy(Keystream<Original>);

impl ChaCha20Legacy {
    /// The keystream of `key` and `nonce`, from its first byte on.
    #[must_use]
    pub fn from_key_and_nonce(key: &[u8; 32], nonce: &[u8; 8]) -> Self {
        let mut padded = [0; 12];
        padded[4..].copy_from_slice(nonce);
        Self(Keystream::new(Original(Ietf(matrix(key, &padded)))))
    }
}

stream_cipher!(() ChaCha20Legacy, "ChaCha20Legacy", "`u64::MAX` bytes");

/// The blocks of a matrix whose first two words of the last row are the counter.
#[derive(Clone)]
struct Original(Ietf);

impl Blocks for Original {
    type Block = [u64; 8];
    const END: u64 = u64::MAX;

    #[inline]
    fn run(&mut self, number: u64, blocks: &mut [u8], last: Option<&mut [u64; 8]>, mode: Mode) {
        let Self(Ietf(matrix)) = self;
        matrix[3][1] = (number >> 32) as u32;
        self.0.run(number, blocks, last, mode);
    }
}

impl Zeroize for Original {
    #[inline]
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
