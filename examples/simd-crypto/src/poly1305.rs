//! The one-time authenticator Poly1305 ([RFC 8439](https://www.rfc-editor.org/rfc/rfc8439), section 2.5).
//!
//! ```
//! use simd_crypto::poly1305::Poly1305;
//! // RFC 8439, section 2.5.2
//! let mut key = [0; 32];
//! key[..16].copy_from_slice(&0x85d6_be78_5755_6d33_7f44_52fe_42d5_06a8_u128.to_be_bytes());
//! key[16..].copy_from_slice(&0x0103_808a_fb0d_b2fd_4abf_f6af_4149_f51b_u128.to_be_bytes());
//! let mut mac = Poly1305::from_key(&key);
//! mac.absorb(b"Cryptographic Forum ");
//! mac.absorb(b"Research Group");
//! assert_eq!(mac.finish(), 0xa806_1dc1_3051_36c6_c22b_8baf_0c01_27a9_u128.to_be_bytes());
//! ```
//!
//! # Limits
//! A key is for one message: two tags under one key reveal it. [`aead`](crate::aead) derives a key for each nonce.
//!
//! # Constant time
//! The time depends on the lengths of key and message only, not on their values.
use core::fmt;

use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

mod lanes;
mod limbs26;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod limbs44;
mod polynomial;
mod state;

use state::State;

/// A message in progress. The key and the state are wiped on drop.
#[derive(Clone)]
pub struct Poly1305 {
    state: State,
    /// It is added at the end.
    pad: [u8; 16],
    /// The beginning of a block.
    begun: [u8; 16],
    /// How much of it there is: less than 16.
    length: usize,
}

impl Poly1305 {
    /// The authenticator with this one-time key, of nothing yet.
    #[must_use]
    pub fn from_key(key: &[u8; 32]) -> Self {
        let [multiplier, pad]: [[u8; 16]; 2] = zerocopy::transmute!(*key);
        Self { state: State::new(&multiplier), pad, begun: [0; 16], length: 0 }
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
            polynomial::absorb(&mut self.state, &[self.begun]);
        }
        let (blocks, rest) = data.as_chunks();
        polynomial::absorb(&mut self.state, blocks);
        self.begun[..rest.len()].copy_from_slice(rest);
        self.length = rest.len();
    }

    /// Goes on with `data`, and then with zeros up to a multiple of 16 bytes since the beginning, as `AEAD_CHACHA20_POLY1305` does.
    pub fn absorb_padded(&mut self, data: &[u8]) {
        self.absorb(data);
        if self.length > 0 {
            self.begun[self.length..].fill(0);
            self.length = 0;
            polynomial::absorb(&mut self.state, &[self.begun]);
        }
    }

    /// The tag of everything so far.
    #[must_use]
    pub fn finish(mut self) -> [u8; 16] {
        if self.length > 0 {
            self.begun[self.length] = 1;
            self.begun[self.length + 1..].fill(0);
            polynomial::absorb_last(&mut self.state, &self.begun);
        }
        self.state.finish(u128::from_le_bytes(self.pad))
    }

    /// Whether `tag` is that of everything so far. Takes the same time whatever the tags are.
    #[must_use]
    pub fn matches(self, tag: &[u8; 16]) -> Choice {
        self.finish().ct_eq(tag)
    }
}

impl Drop for Poly1305 {
    fn drop(&mut self) {
        self.state.zeroize();
        self.pad.zeroize();
        self.begun.zeroize();
    }
}

impl ZeroizeOnDrop for Poly1305 {}

impl fmt::Debug for Poly1305 {
    /// Shows nothing of the key and the message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Poly1305(…)")
    }
}
