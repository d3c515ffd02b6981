//! Authenticated encryption: AES-GCM ([NIST SP 800-38D]), ChaCha20-Poly1305 ([RFC 8439], section 2.8) and XChaCha20-Poly1305
//! ([draft-irtf-cfrg-xchacha]).
//!
//! A message is encrypted in place; a tag of 16 bytes shows any change of it, of the associated data and of the nonce.
//!
//! ```
//! use simd_crypto::aead::Aes128Gcm;
//!
//! let cipher = Aes128Gcm::new(&[7; 16]);
//! let mut message = *b"attack at dawn";
//! let tag = cipher.encrypt_in_place(&[1; 12], b"to whom", &mut message)?;
//! assert!(cipher.decrypt_in_place(&[1; 12], b"to someone else", &mut message, &tag).is_err());
//! cipher.decrypt_in_place(&[1; 12], b"to whom", &mut message, &tag)?;
//! assert_eq!(message, *b"attack at dawn");
//! # Ok::<(), simd_crypto::aead::Error>(())
//! ```
//!
//! **Never use a nonce twice with one key.** With GCM and with Poly1305, an attacker who sees two such messages can
//! forge others. For random nonces use XChaCha20-Poly1305, whose nonces are long enough.
//!
//! # Constant time
//! Only lengths affect the time, and whether a tag is right. A message is decrypted after its tag has been verified,
//! not before.
//!
//! [NIST SP 800-38D]: https://doi.org/10.6028/NIST.SP.800-38D
//! [RFC 8439]: https://www.rfc-editor.org/rfc/rfc8439
//! [draft-irtf-cfrg-xchacha]: https://datatracker.ietf.org/doc/html/draft-irtf-cfrg-xchacha-03
use core::fmt;

mod chacha20poly1305;
mod gcm;

pub use chacha20poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};
pub use gcm::{Aes128Gcm, Aes192Gcm, Aes256Gcm, AesGcm};

/// Why a message was not encrypted or decrypted. It has not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The message is longer than the cipher's counter allows, or the associated data longer than its length field
    /// allows.
    TooLong,
    /// The tag does not match the message, the associated data, the nonce and the key.
    NotAuthentic,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "the message is too long for its cipher",
            Self::NotAuthentic => "the message is not authentic",
        })
    }
}

impl core::error::Error for Error {}
