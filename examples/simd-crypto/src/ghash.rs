//! The universal hashes GHASH ([NIST SP 800-38D], section 6.4) and POLYVAL ([RFC 8452], section 3).
//!
//! Both read a message as blocks of 16 bytes, the last one filled up with zeros, and give the value at the key of the
//! polynomial that has them as coefficients. Blocks and results are in the byte order of their standard: nothing is to be reversed
//! by the caller. Many blocks are multiplied at once, each by its own power of the key.
//!
//! ```
//! use simd_crypto::ghash::{GHash, Polyval};
//! // McGrew and Viega, The Galois/Counter Mode of Operation, test case 2
//! let mut hash = GHash::from_key(&0x66e9_4bd4_ef8a_2c3b_884c_fa59_ca34_2b2e_u128.to_be_bytes());
//! hash.absorb(&0x0388_dace_60b6_a392_f328_c2b9_71b2_fe78_u128.to_be_bytes());
//! hash.absorb(&128_u128.to_be_bytes());
//! assert_eq!(hash.finish(), 0xf38c_bb1a_d692_23dc_c345_7ae5_b6b0_f885_u128.to_be_bytes());
//! // RFC 8452, appendix A
//! let mut hash = Polyval::from_key(&0x2562_9347_5892_4276_1d31_f826_ba4b_757b_u128.to_be_bytes());
//! hash.absorb(&0x4f4f_9566_8c83_dfb6_4017_62bb_2d01_a262_u128.to_be_bytes());
//! hash.absorb(&0xd1a2_4ddd_2721_d006_bbe4_5f20_d3c9_f362_u128.to_be_bytes());
//! assert_eq!(hash.finish(), 0xf7a3_b47b_8461_19fa_e5b7_866c_f5e5_b77e_u128.to_be_bytes());
//! ```
//!
//! # Limits
//! Neither is a hash function or a message authentication code: an attacker who sees one result learns the key. They
//! are parts of GCM and GCM-SIV, which encrypt the result.
//!
//! # Constant time
//! The time depends on the lengths of key and message only, not on their values.
//!
//! [NIST SP 800-38D]: https://doi.org/10.6028/NIST.SP.800-38D
//! [RFC 8452]: https://www.rfc-editor.org/rfc/rfc8452
use core::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

pub(crate) mod polynomial;

use polynomial::{Lane, Powers};

/// A hash in progress: the standard of its bytes is POLYVAL's, or GHASH's if they are `REVERSED`.
///
/// [`Polyval`] and [`GHash`] are the ones to name. The key and the state are wiped on drop.
#[derive(Clone)]
pub struct Hash<const REVERSED: bool> {
    powers: Powers,
    sum: Lane,
    /// The beginning of a block.
    begun: [u8; 16],
    /// How much of it there is: less than 16.
    length: usize,
}

/// POLYVAL, of AES-GCM-SIV.
pub type Polyval = Hash<false>;
/// GHASH, of AES-GCM.
pub type GHash = Hash<true>;

impl<const REVERSED: bool> Hash<REVERSED> {
    /// The hash with this key, of nothing yet. Computes powers of the key, up to 32 of them.
    #[must_use]
    pub fn from_key(key: &[u8; 16]) -> Self {
        Self { powers: Powers::new::<REVERSED>(key), sum: [0; 2], begun: [0; 16], length: 0 }
    }

    /// Goes on with `data`, of any length.
    pub fn absorb(&mut self, data: &[u8]) {
        let mut data = data;
        if self.length > 0 {
            let (now, later) = data.split_at(data.len().min(16 - self.length));
            self.begun[self.length..][..now.len()].copy_from_slice(now);
            self.length += now.len();
            data = later;
            if self.length < 16 {
                return;
            }
            self.length = 0;
            polynomial::absorb::<REVERSED>(&self.powers, &mut self.sum, &[self.begun]);
        }
        let (blocks, rest) = data.as_chunks();
        polynomial::absorb::<REVERSED>(&self.powers, &mut self.sum, blocks);
        self.begun[..rest.len()].copy_from_slice(rest);
        self.length = rest.len();
    }

    /// Fills the block that is begun up with zeros, if there is one: what follows begins a block.
    pub fn pad(&mut self) {
        if self.length > 0 {
            self.begun[self.length..].fill(0);
            self.length = 0;
            polynomial::absorb::<REVERSED>(&self.powers, &mut self.sum, &[self.begun]);
        }
    }

    /// Goes on with `data`, and then as [`pad`](Self::pad) does.
    pub fn absorb_padded(&mut self, data: &[u8]) {
        self.absorb(data);
        self.pad();
    }

    /// Forgets what was hashed, and keeps the key.
    pub fn clear(&mut self) {
        self.sum.zeroize();
        self.begun.zeroize();
        self.length = 0;
    }

    /// The hash of everything so far. A block that is begun is filled up with zeros.
    #[must_use]
    pub fn finish(mut self) -> [u8; 16] {
        self.pad();
        polynomial::result::<REVERSED>(self.sum)
    }
}

impl<const REVERSED: bool> Drop for Hash<REVERSED> {
    fn drop(&mut self) {
        self.clear();
    }
}

impl<const REVERSED: bool> ZeroizeOnDrop for Hash<REVERSED> {}

impl<const REVERSED: bool> fmt::Debug for Hash<REVERSED> {
    /// Shows nothing of the key and the message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if REVERSED { "GHash(…)" } else { "Polyval(…)" })
    }
}
