//! Authenticated encryption: AES-GCM ([NIST SP 800-38D]), ChaCha20-Poly1305 ([RFC 8439], section 2.8) and XChaCha20-Poly1305
//! ([draft-irtf-cfrg-xchacha]).
//!
//! A message is encrypted in place; a [`Tag`] of 16 bytes shows any change of it, of the associated data and of the nonce.
//!
//! ```
//! use simd_crypto::aead::{Aes128Gcm, Tag};
//!
//! // McGrew and Viega, The Galois/Counter Mode of Operation, test case 2
//! let cipher = Aes128Gcm::from_key(&[0; 16]);
//! let mut message = [0; 16];
//! let tag = cipher.encrypt_in_place_detached(&[0; 12], b"", &mut message)?;
//! assert_eq!(message, 0x0388_dace_60b6_a392_f328_c2b9_71b2_fe78_u128.to_be_bytes());
//! assert_eq!(tag, Tag(0xab6e_47d4_2cec_13bd_f53a_67b2_1257_bddf_u128.to_be_bytes()));
//!
//! assert!(cipher.decrypt_in_place_detached(&[0; 12], b"to someone else", &mut message, &tag).is_err());
//! cipher.decrypt_in_place_detached(&[0; 12], b"", &mut message, &tag)?;
//! assert_eq!(message, [0; 16]);
//! # Ok::<(), simd_crypto::aead::Error>(())
//! ```
//!
//! # Limits
//! **Never use a nonce twice with one key.** With GCM and with Poly1305, an attacker who sees two such messages can
//! forge others. One key encrypts at most:
//!
//! | | nonces from a counter | random nonces | one message |
//! |---|---|---|---|
//! | AES-GCM | 2^32 messages of up to 64 KiB: 2^44 blocks of 16 bytes in all | 2^32 messages, and as many bytes | 2^36 - 32 bytes |
//! | ChaCha20-Poly1305 | 2^64 messages | 2^32 messages | 2^38 - 64 bytes |
//! | XChaCha20-Poly1305 | 2^64 messages | 2^64 messages | 2^38 - 64 bytes |
//!
//! The limit of random nonces of 96 bits is that of [NIST SP 800-38D], section 8.3: two are equal with a probability of
//! 2^-33. AES-GCM's sum is the birthday bound of its blocks: with 2^44 of them an attacker tells it from random bytes with an
//! advantage of about 2^-41 ([draft-irtf-cfrg-aead-limits]). Above these limits, use a new key.
//!
//! # Constant time
//! Only lengths affect the time, and whether a tag is right. A message is decrypted after its tag has been verified,
//! not before.
//!
//! [NIST SP 800-38D]: https://doi.org/10.6028/NIST.SP.800-38D
//! [RFC 8439]: https://www.rfc-editor.org/rfc/rfc8439
//! [draft-irtf-cfrg-xchacha]: https://datatracker.ietf.org/doc/html/draft-irtf-cfrg-xchacha-03
//! [draft-irtf-cfrg-aead-limits]: https://datatracker.ietf.org/doc/html/draft-irtf-cfrg-aead-limits-08
mod tag;

/// The methods of a cipher that has `check`, `seal` and `open`.
macro_rules! aead {
    (($($generics:tt)*) $Aead:ty, $nonce:literal) => {
        impl<$($generics)*> $Aead {
            /// Encrypts `data` in place, and gives the tag of it and of the associated data.
            ///
            /// # Errors
            /// [`Error::TooLong`].
            pub fn encrypt_in_place_detached(
                &self,
                nonce: &[u8; $nonce],
                associated: &[u8],
                data: &mut [u8],
            ) -> Result<Tag, Error> {
                check(associated, data)?;
                Ok(self.seal(nonce, associated, data))
            }

            /// Decrypts `data` in place, if `tag` is right.
            ///
            /// # Errors
            /// [`Error::NotAuthentic`] if it is not, and [`Error::TooLong`]. `data` has not changed then.
            pub fn decrypt_in_place_detached(
                &self,
                nonce: &[u8; $nonce],
                associated: &[u8],
                data: &mut [u8],
                tag: &Tag,
            ) -> Result<(), Error> {
                check(associated, data)?;
                self.open(nonce, associated, data, tag)
            }
        }

        impl<$($generics)*> zeroize::ZeroizeOnDrop for $Aead {}
    };
}

mod chacha20poly1305;
mod gcm;

pub use chacha20poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};
pub use gcm::{Aes128Gcm, Aes192Gcm, Aes256Gcm, AesGcm};
pub use tag::{Error, Tag};
