//! The block cipher in one direction.
use core::fmt;

use super::block::Block;
use super::cipher::{ENCRYPT, ecb};
use super::round::{round_keys128, round_keys192, round_keys256};
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// AES that encrypts and cannot decrypt, with `N` round keys: half the size of [`Aes`](super::Aes), and a cheaper set-up.
///
/// Counter mode, GCM and CMAC need no more. Constant time in key and data. The key is wiped on drop.
///
/// ```
/// use simd_crypto::aes::Aes128Enc;
/// // FIPS 197, appendix B
/// let aes = Aes128Enc::from_key(&0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes());
/// let mut block = 0x3243_f6a8_885a_308d_3131_98a2_e037_0734_u128.to_be_bytes();
/// aes.encrypt(&mut block);
/// assert_eq!(block, 0x3925_841d_02dc_09fb_dc11_8597_196a_0b32_u128.to_be_bytes());
/// ```
#[derive(Clone)]
pub struct AesEnc<const N: usize> {
    pub(crate) keys: [Block; N],
}

/// AES with a key of 128 bits, encryption only.
pub type Aes128Enc = AesEnc<11>;
/// AES with a key of 192 bits, encryption only.
pub type Aes192Enc = AesEnc<13>;
/// AES with a key of 256 bits, encryption only.
pub type Aes256Enc = AesEnc<15>;

impl AesEnc<11> {
    /// Expands a key of 128 bits. Constant time.
    #[must_use]
    pub fn from_key(key: &[u8; 16]) -> Self {
        Self { keys: round_keys128(key) }
    }
}

impl AesEnc<13> {
    /// Expands a key of 192 bits. Constant time.
    #[must_use]
    pub fn from_key(key: &[u8; 24]) -> Self {
        Self { keys: round_keys192(key) }
    }
}

impl AesEnc<15> {
    /// Expands a key of 256 bits. Constant time.
    #[must_use]
    pub fn from_key(key: &[u8; 32]) -> Self {
        Self { keys: round_keys256(key) }
    }
}

impl<const N: usize> AesEnc<N> {
    /// Encrypts one block in place. Constant time.
    #[inline]
    pub fn encrypt(&self, block: &mut [u8; 16]) {
        ecb::crypt_block::<ENCRYPT, N>(&self.keys, block);
    }

    /// Encrypts each block of a slice in place, independently of the others (the ECB mode, which hides no patterns: use it
    /// on counters or other distinct values). Only the number of blocks shows in the time taken.
    #[inline]
    pub fn encrypt_many(&self, blocks: &mut [[u8; 16]]) {
        ecb::crypt_blocks::<ENCRYPT, N>(&self.keys, blocks);
    }
}

/// Whether the keys are equal, in constant time.
impl<const N: usize> ConstantTimeEq for AesEnc<N> {
    fn ct_eq(&self, other: &Self) -> Choice {
        same(&self.keys, &other.keys)
    }
}

/// Whether the keys are equal, in constant time.
impl<const N: usize> ConstantTimeEq for super::Aes<N> {
    fn ct_eq(&self, other: &Self) -> Choice {
        same(&self.enc, &other.enc)
    }
}

fn same<const N: usize>(a: &[Block; N], b: &[Block; N]) -> Choice {
    a.iter().zip(b).fold(Choice::from(1), |same, (a, b)| same & a.ct_eq(b))
}

impl<const N: usize> Drop for AesEnc<N> {
    fn drop(&mut self) {
        self.keys.zeroize();
    }
}

impl<const N: usize> ZeroizeOnDrop for AesEnc<N> {}

impl<const N: usize> fmt::Debug for AesEnc<N> {
    /// Shows the size of the key only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Aes{}Enc(…)", 32 * (N - 7))
    }
}
