//! AES in counter mode ([NIST SP 800-38A], section 6.5): the keystream is the encryption of a 128-bit big-endian counter.
//!
//! ```
//! use simd_crypto::ctr::Aes128Ctr;
//! // NIST SP 800-38A, F.5.1
//! let key = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes();
//! let counter = 0xf0f1_f2f3_f4f5_f6f7_f8f9_fafb_fcfd_feff_u128.to_be_bytes();
//! let mut data = 0x6bc1_bee2_2e40_9f96_e93d_7e11_7393_172a_u128.to_be_bytes();
//! Aes128Ctr::from_key_and_counter(&key, &counter).xor_keystream(&mut data)?;
//! assert_eq!(data, 0x874d_6191_b620_e326_1bef_6864_990d_b6ce_u128.to_be_bytes());
//! # Ok::<(), simd_crypto::ctr::KeystreamEnd>(())
//! ```
//!
//! # Limits
//! Counter mode by itself does not authenticate: an attacker who flips a bit of the ciphertext flips the same bit of the
//! message, unnoticed. [`aead`](crate::aead) has GCM, which is counter mode with authentication. Never use the same
//! blocks of the counter with one key twice.
//!
//! [NIST SP 800-38A]: https://doi.org/10.6028/NIST.SP.800-38A
use crate::aes::{Block, round_keys128, round_keys192, round_keys256};
pub use crate::keystream::KeystreamEnd;
use crate::keystream::{Blocks, Keystream, Mode, stream_cipher};
use zerocopy::IntoBytes;
use zeroize::Zeroize;

pub(crate) mod gctr;

/// The keystream of a key and a first counter, and a position in it.
///
/// Encryption and decryption are the same. Takes time by lengths, positions and the first counter only. The key is wiped on drop.
#[derive(Clone)]
pub struct AesCtr<const N: usize>(Keystream<Counters<N>>);

macro_rules! sizes {
    ($($Ctr:ident: $bits:literal bits in $bytes:literal, $N:literal keys of $expand:ident;)*) => { $(
        #[doc = concat!("AES-", $bits, " in counter mode.")]
        pub type $Ctr = AesCtr<$N>;

        impl AesCtr<$N> {
            /// The keystream of this key from the block `counter` on, which is counted up modulo 2^128.
            #[must_use]
            pub fn from_key_and_counter(key: &[u8; $bytes], counter: &[u8; 16]) -> Self {
                Self(Keystream::new(Counters { keys: $expand(key), start: u128::from_be_bytes(*counter) }))
            }
        }
    )* };
}

sizes! {
    Aes128Ctr: 128 bits in 16, 11 keys of round_keys128;
    Aes192Ctr: 192 bits in 24, 13 keys of round_keys192;
    Aes256Ctr: 256 bits in 32, 15 keys of round_keys256;
}

stream_cipher!((const N: usize) AesCtr<N>, "AesCtr", "`u64::MAX` bytes");

/// The encrypted counters.
#[derive(Clone)]
struct Counters<const N: usize> {
    keys: [Block; N],
    /// The first counter block, as a number.
    start: u128,
}

impl<const N: usize> Blocks for Counters<N> {
    type Block = [u64; 2];
    const END: u64 = u64::MAX;

    #[inline]
    fn counter(&self, number: u64) -> u32 {
        (self.start as u32).wrapping_add(number as u32)
    }

    #[inline]
    fn run(&mut self, number: u64, blocks: &mut [u8], last: Option<&mut [u64; 2]>, mode: Mode) {
        let counter = self.start.wrapping_add(u128::from(number));
        let count = blocks.len() as u128 / 16;
        // `apply` is only the exclusive or.
        if mode == Mode::Overwrite {
            blocks.fill(0);
        }
        if !blocks.is_empty() {
            gctr::apply(&self.keys, counter, blocks);
        }
        if let Some(last) = last {
            if mode == Mode::Overwrite {
                *last = [0; 2];
            }
            gctr::apply(&self.keys, counter.wrapping_add(count), last.as_mut_bytes());
        }
    }
}

impl<const N: usize> Zeroize for Counters<N> {
    #[inline]
    fn zeroize(&mut self) {
        self.keys.zeroize();
    }
}
