//! ChaCha20-Poly1305, and the same with the nonces of XChaCha20.
use core::fmt;

use super::Error;
use crate::chacha20::{ChaCha20, KEYSTREAM_LENGTH, XChaCha20};
use crate::poly1305::Poly1305;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// `AEAD_CHACHA20_POLY1305` ([RFC 8439], section 2.8), with nonces of 96 bits.
///
/// A message has at most 2^38 - 64 bytes. The key is wiped on drop.
///
/// [RFC 8439]: https://www.rfc-editor.org/rfc/rfc8439
#[derive(Clone)]
pub struct ChaCha20Poly1305 {
    key: [u8; 32],
}

/// The same over XChaCha20 ([draft-irtf-cfrg-xchacha]), with nonces of 192 bits, which can be drawn at random.
///
/// A message has at most 2^38 - 64 bytes. The key is wiped on drop.
///
/// [draft-irtf-cfrg-xchacha]: https://datatracker.ietf.org/doc/html/draft-irtf-cfrg-xchacha-03
#[derive(Clone)]
pub struct XChaCha20Poly1305 {
    key: [u8; 32],
}

/// How much of the message is encrypted by the keystream that is made together with the key of Poly1305.
const HEAD: usize = 192;

/// The keystream's first four blocks.
struct Start {
    blocks: [u8; 64 + HEAD],
    cipher: ChaCha20,
}

impl Start {
    fn new(mut cipher: ChaCha20, length: usize) -> Self {
        let mut blocks = [0; 64 + HEAD];
        let used = 64 + length.div_ceil(64).min(HEAD / 64) * 64;
        cipher.keystream(&mut blocks[..used]).expect("the keystream has more than four blocks");
        Self { blocks, cipher }
    }

    /// Encrypts or decrypts.
    fn apply(&mut self, data: &mut [u8]) {
        let (head, rest) = data.split_at_mut(data.len().min(HEAD));
        for (byte, keystream) in head.iter_mut().zip(&self.blocks[64..]) {
            *byte ^= keystream;
        }
        if !rest.is_empty() {
            self.cipher.apply_keystream(rest).expect("the length has been checked");
        }
    }

    fn tag(&self, associated: &[u8], data: &[u8]) -> Poly1305 {
        let mut mac = Poly1305::new(self.blocks.first_chunk().expect("32 of 256 bytes"));
        mac.update_padded(associated);
        mac.update_padded(data);
        let lengths = [associated, data].map(|bytes| (bytes.len() as u64).to_le_bytes());
        mac.update(lengths.as_flattened());
        mac
    }

    fn encrypt(mut self, associated: &[u8], data: &mut [u8]) -> [u8; 16] {
        self.apply(data);
        self.tag(associated, data).finalize()
    }

    fn decrypt(mut self, associated: &[u8], data: &mut [u8], tag: &[u8; 16]) -> Result<(), Error> {
        if !bool::from(self.tag(associated, data).verify(tag)) {
            return Err(Error::NotAuthentic);
        }
        self.apply(data);
        Ok(())
    }
}

impl Drop for Start {
    fn drop(&mut self) {
        self.blocks = [0; 64 + HEAD];
        zeroize::optimization_barrier(&self.blocks);
    }
}

macro_rules! aead {
    ($Aead:ident, $cipher:path, $nonce:literal) => {
        impl $Aead {
            /// The cipher with this key.
            #[must_use]
            pub fn new(key: &[u8; 32]) -> Self {
                Self { key: *key }
            }

            /// Encrypts `data` in place, and gives the tag of it and of the associated data.
            ///
            /// # Errors
            /// [`Error::TooLong`].
            pub fn encrypt_in_place(
                &self,
                nonce: &[u8; $nonce],
                associated: &[u8],
                data: &mut [u8],
            ) -> Result<[u8; 16], Error> {
                check(data)?;
                Ok(Start::new($cipher(&self.key, nonce), data.len()).encrypt(associated, data))
            }

            /// Decrypts `data` in place, if `tag` is right.
            ///
            /// # Errors
            /// [`Error::NotAuthentic`] if it is not, and [`Error::TooLong`]. `data` has not changed then.
            pub fn decrypt_in_place(
                &self,
                nonce: &[u8; $nonce],
                associated: &[u8],
                data: &mut [u8],
                tag: &[u8; 16],
            ) -> Result<(), Error> {
                check(data)?;
                Start::new($cipher(&self.key, nonce), data.len()).decrypt(associated, data, tag)
            }
        }

        impl Drop for $Aead {
            fn drop(&mut self) {
                self.key.zeroize();
            }
        }

        impl ZeroizeOnDrop for $Aead {}

        impl fmt::Debug for $Aead {
            /// Shows nothing of the key.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($Aead), "(…)"))
            }
        }
    };
}

aead!(ChaCha20Poly1305, ChaCha20::new, 12);
aead!(XChaCha20Poly1305, XChaCha20::derived, 24);

fn check(data: &[u8]) -> Result<(), Error> {
    if data.len() as u64 <= KEYSTREAM_LENGTH - 64 { Ok(()) } else { Err(Error::TooLong) }
}
