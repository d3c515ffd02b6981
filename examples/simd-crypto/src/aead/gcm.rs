//! AES-GCM: the counter mode and GHASH in one loop.
use core::fmt;

use super::tag::{Error, Tag};
use crate::aes::{Aes128Enc, Aes192Enc, Aes256Enc, AesEnc};
use crate::ctr::gctr::{self, Gcm};
use crate::ghash::polynomial::Powers;
use subtle::ConstantTimeEq;
use zeroize::Zeroize;

/// AES-GCM ([NIST SP 800-38D]) with nonces of 96 bits and tags of 128; `N` is the number of round keys.
///
/// A message has at most 2^36 - 32 bytes, and associated data at most 2^61 - 1. The key is wiped on drop.
///
/// [NIST SP 800-38D]: https://doi.org/10.6028/NIST.SP.800-38D
#[derive(Clone)]
pub struct AesGcm<const N: usize> {
    aes: AesEnc<N>,
    powers: Powers,
}

macro_rules! sizes {
    ($($Gcm:ident $Enc:ident: $bits:literal bits in $bytes:literal, $N:literal keys;)*) => { $(
        #[doc = concat!("AES-GCM with a key of ", $bits, " bits.")]
        pub type $Gcm = AesGcm<$N>;

        impl AesGcm<$N> {
            #[doc = concat!("Expands a key of ", $bits, " bits, and computes powers for GHASH. Constant time.")]
            #[must_use]
            pub fn from_key(key: &[u8; $bytes]) -> Self {
                Self::with($Enc::from_key(key))
            }
        }
    )* };
}

sizes! {
    Aes128Gcm Aes128Enc: 128 bits in 16, 11 keys;
    Aes192Gcm Aes192Enc: 192 bits in 24, 13 keys;
    Aes256Gcm Aes256Enc: 256 bits in 32, 15 keys;
}

impl<const N: usize> AesGcm<N> {
    fn with(aes: AesEnc<N>) -> Self {
        let mut hash_key = [0; 16];
        aes.encrypt(&mut hash_key);
        let powers = Powers::new::<true>(&hash_key);
        hash_key.zeroize();
        Self { aes, powers }
    }

    fn seal(&self, nonce: &[u8; 12], associated: &[u8], data: &mut [u8]) -> Tag {
        Tag(gctr::seal(&self.gcm(nonce), associated, data))
    }

    fn open(&self, nonce: &[u8; 12], associated: &[u8], data: &mut [u8], tag: &Tag) -> Result<(), Error> {
        let gcm = self.gcm(nonce);
        if !bool::from(Tag(gctr::open_tag(&gcm, associated, data)).ct_eq(tag)) {
            return Err(Error::NotAuthentic);
        }
        gctr::open(&gcm, data);
        Ok(())
    }

    fn gcm<'a>(&'a self, nonce: &'a [u8; 12]) -> Gcm<'a, N> {
        Gcm { keys: &self.aes.keys, powers: &self.powers, nonce }
    }
}

fn check(associated: &[u8], data: &[u8]) -> Result<(), Error> {
    let fits = data.len() as u64 <= (1 << 36) - 32 && (associated.len() as u64) < 1 << 61;
    if fits { Ok(()) } else { Err(Error::TooLong) }
}

// The members wipe themselves.
aead!((const N: usize) AesGcm<N>, 12);

impl<const N: usize> fmt::Debug for AesGcm<N> {
    /// Shows the size of the key only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Aes{}Gcm(…)", 32 * (N - 7))
    }
}
