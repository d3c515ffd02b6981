//! The block cipher in one direction, and the lengths of keys.
use core::fmt;

use super::block::Block;
use super::cipher::{Aes, ENCRYPT, ecb};
use super::round::{inverse_round_keys, round_keys128, round_keys192, round_keys256};
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

/// The types for a length of keys, and how they are made.
macro_rules! sizes {
    ($($Aes:ident $Enc:ident: $bits:literal bits in $bytes:literal, $rounds:literal rounds, $N:literal keys of $expand:ident;)*) => { $(
        #[doc = concat!("AES with a key of ", $bits, " bits: ", $rounds, " rounds.")]
        pub type $Aes = Aes<$N>;
        #[doc = concat!("AES with a key of ", $bits, " bits, encryption only.")]
        pub type $Enc = AesEnc<$N>;

        impl Aes<$N> {
            #[doc = concat!("Expands a key of ", $bits, " bits. Constant time.")]
            #[must_use]
            pub fn from_key(key: &[u8; $bytes]) -> Self {
                let enc = $expand(key);
                Self { enc, dec: inverse_round_keys(&enc) }
            }
        }

        impl AesEnc<$N> {
            #[doc = concat!("Expands a key of ", $bits, " bits. Constant time.")]
            #[must_use]
            pub fn from_key(key: &[u8; $bytes]) -> Self {
                Self { keys: $expand(key) }
            }
        }
    )* };
}

sizes! {
    Aes128 Aes128Enc: 128 bits in 16, 10 rounds, 11 keys of round_keys128;
    Aes192 Aes192Enc: 192 bits in 24, 12 rounds, 13 keys of round_keys192;
    Aes256 Aes256Enc: 256 bits in 32, 14 rounds, 15 keys of round_keys256;
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
impl<const N: usize> ConstantTimeEq for Aes<N> {
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
