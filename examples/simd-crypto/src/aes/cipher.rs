//! The block cipher: expanded keys of every length, for both directions or for one.
use core::fmt;

use super::block::{Block, DECRYPT, ENCRYPT};
use super::ecb;
use super::round::{inverse_round_keys, round_keys128, round_keys192, round_keys256};
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// AES with an expanded key of `N` round keys; [`Aes128`](super::Aes128), [`Aes192`](super::Aes192) and
/// [`Aes256`](super::Aes256) are the ones that exist.
///
/// Both directions are constant time in key and data. The key is wiped on drop.
///
/// ```
/// use simd_crypto::aes::Aes128;
/// // FIPS 197, appendix B
/// let aes = Aes128::from_key(&0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes());
/// let mut block = 0x3243_f6a8_885a_308d_3131_98a2_e037_0734_u128.to_be_bytes();
/// aes.encrypt(&mut block);
/// assert_eq!(block, 0x3925_841d_02dc_09fb_dc11_8597_196a_0b32_u128.to_be_bytes());
/// aes.decrypt(&mut block);
/// assert_eq!(block, 0x3243_f6a8_885a_308d_3131_98a2_e037_0734_u128.to_be_bytes());
/// ```
#[derive(Clone)]
pub struct Aes<const N: usize> {
    pub(crate) enc: [Block; N],
    /// The same keys for the equivalent inverse cipher: see [`inverse_round_keys`](super::inverse_round_keys).
    pub(crate) dec: [Block; N],
}

impl<const N: usize> Aes<N> {
    /// Encrypts one block in place. Constant time.
    #[inline]
    pub fn encrypt(&self, block: &mut [u8; 16]) {
        ecb::crypt_block::<ENCRYPT, N>(&self.enc, block);
    }

    /// Decrypts one block in place. Constant time.
    #[inline]
    pub fn decrypt(&self, block: &mut [u8; 16]) {
        ecb::crypt_block::<DECRYPT, N>(&self.dec, block);
    }

    /// Encrypts each block of a slice in place, independently of the others (the ECB mode, which hides no patterns: use it
    /// on counters or other distinct values). Only the number of blocks shows in the time taken.
    ///
    /// ```
    /// use simd_crypto::aes::Aes256;
    /// let aes = Aes256::from_key(&[7; 32]);
    /// let mut data = [0; 100 * 16];
    /// let (blocks, rest) = data.as_chunks_mut();
    /// assert!(rest.is_empty());
    /// aes.encrypt_many(blocks);
    /// aes.decrypt_many(blocks);
    /// assert_eq!(data, [0; 100 * 16]);
    /// ```
    #[inline]
    pub fn encrypt_many(&self, blocks: &mut [[u8; 16]]) {
        ecb::crypt_blocks::<ENCRYPT, N>(&self.enc, blocks);
    }

    /// Decrypts each block of a slice in place, independently of the others. Only the number of blocks shows in the time
    /// taken.
    #[inline]
    pub fn decrypt_many(&self, blocks: &mut [[u8; 16]]) {
        ecb::crypt_blocks::<DECRYPT, N>(&self.dec, blocks);
    }
}

/// AES that encrypts and cannot decrypt, with `N` round keys: half the size of [`Aes`](super::Aes), and a cheaper set-up.
///
/// Counter mode, GCM and CMAC need no more. Constant time in key and data. The key is wiped on drop.
#[derive(Clone)]
pub struct AesEnc<const N: usize> {
    pub(crate) keys: [Block; N],
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

/// The keys of both are secret. Those of encryption come first.
macro_rules! secret {
    ($($Type:ident($enc:ident $($dec:ident)?), $name:literal;)*) => { $(
        /// Whether the keys are equal, in constant time.
        impl<const N: usize> ConstantTimeEq for $Type<N> {
            fn ct_eq(&self, other: &Self) -> Choice {
                self.$enc.iter().zip(&other.$enc).fold(Choice::from(1), |same, (a, b)| same & a.ct_eq(b))
            }
        }

        impl<const N: usize> Drop for $Type<N> {
            fn drop(&mut self) {
                self.$enc.zeroize();
                $(self.$dec.zeroize();)?
            }
        }

        impl<const N: usize> ZeroizeOnDrop for $Type<N> {}

        impl<const N: usize> fmt::Debug for $Type<N> {
            /// Shows the size of the key only.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, $name, 32 * (N - 7))
            }
        }
    )* };
}

secret! {
    Aes(enc dec), "Aes{}(…)";
    AesEnc(keys), "Aes{}Enc(…)";
}
