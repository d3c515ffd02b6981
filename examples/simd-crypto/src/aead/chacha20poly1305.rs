//! ChaCha20-Poly1305, and the same with the nonces of XChaCha20.
use core::fmt;

use super::tag::{Error, Tag};
use crate::chacha20::{ChaCha20, KEYSTREAM_LENGTH, XChaCha20};
use crate::poly1305::Poly1305;
use zeroize::Zeroize;

/// `AEAD_CHACHA20_POLY1305` ([RFC 8439], section 2.8), with nonces of 96 bits.
///
/// A message has at most 2^38 - 64 bytes. The key is wiped on drop.
///
/// ```
/// use hex_literal::hex;
/// use simd_crypto::aead::{ChaCha20Poly1305, Tag};
/// // RFC 8439, section 2.8.2
/// let cipher = ChaCha20Poly1305::from_key(&hex!("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"));
/// let mut data = *b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen \
///     would be it.";
/// let associated = hex!("50515253c0c1c2c3c4c5c6c7");
/// let tag = cipher.encrypt_in_place_detached(&hex!("070000004041424344454647"), &associated, &mut data)?;
/// assert_eq!(data[..16], hex!("d31a8d34648e60db7b86afbc53ef7ec2"));
/// assert_eq!(tag, Tag(hex!("1ae10b594f09e26a7e902ecbd0600691")));
/// # Ok::<(), simd_crypto::aead::Error>(())
/// ```
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
/// ```
/// use hex_literal::hex;
/// use simd_crypto::aead::{Tag, XChaCha20Poly1305};
/// // The draft's section A.3.1
/// let cipher = XChaCha20Poly1305::from_key(&hex!("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"));
/// let mut data = *b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen \
///     would be it.";
/// let nonce = hex!("404142434445464748494a4b4c4d4e4f5051525354555657");
/// let tag = cipher.encrypt_in_place_detached(&nonce, &hex!("50515253c0c1c2c3c4c5c6c7"), &mut data)?;
/// assert_eq!(data[..16], hex!("bd6d179d3e83d43b9576579493c0e939"));
/// assert_eq!(tag, Tag(hex!("c0875924c1c7987947deafd8780acf49")));
/// # Ok::<(), simd_crypto::aead::Error>(())
/// ```
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

    fn apply(&mut self, data: &mut [u8]) {
        let (head, rest) = data.split_at_mut(data.len().min(HEAD));
        for (byte, keystream) in head.iter_mut().zip(&self.blocks[64..]) {
            *byte ^= keystream;
        }
        if !rest.is_empty() {
            self.cipher.xor_keystream(rest).expect("the length has been checked");
        }
    }

    fn tag(&self, associated: &[u8], data: &[u8]) -> Poly1305 {
        let mut mac = Poly1305::from_key(self.blocks.first_chunk().expect("32 of 256 bytes"));
        mac.absorb_padded(associated);
        mac.absorb_padded(data);
        let lengths = [associated, data].map(|bytes| (bytes.len() as u64).to_le_bytes());
        mac.absorb(lengths.as_flattened());
        mac
    }

    fn seal(mut self, associated: &[u8], data: &mut [u8]) -> Tag {
        self.apply(data);
        Tag(self.tag(associated, data).finish())
    }

    fn open(mut self, associated: &[u8], data: &mut [u8], tag: &Tag) -> Result<(), Error> {
        if !bool::from(self.tag(associated, data).matches(&tag.0)) {
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

macro_rules! over {
    ($Aead:ident, $cipher:path, $nonce:literal) => {
        impl $Aead {
            /// The cipher with this key.
            #[must_use]
            pub fn from_key(key: &[u8; 32]) -> Self {
                Self { key: *key }
            }

            fn seal(&self, nonce: &[u8; $nonce], associated: &[u8], data: &mut [u8]) -> Tag {
                Start::new($cipher(&self.key, nonce), data.len()).seal(associated, data)
            }

            fn open(&self, nonce: &[u8; $nonce], associated: &[u8], data: &mut [u8], tag: &Tag) -> Result<(), Error> {
                Start::new($cipher(&self.key, nonce), data.len()).open(associated, data, tag)
            }
        }

        aead!(() $Aead, $nonce);

        impl Drop for $Aead {
            fn drop(&mut self) {
                self.key.zeroize();
            }
        }

        impl fmt::Debug for $Aead {
            /// Shows nothing of the key.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($Aead), "(…)"))
            }
        }
    };
}

over!(ChaCha20Poly1305, ChaCha20::from_key_and_nonce, 12);
over!(XChaCha20Poly1305, XChaCha20::derived, 24);

fn check(_: &[u8], data: &[u8]) -> Result<(), Error> {
    if data.len() as u64 <= KEYSTREAM_LENGTH - 64 { Ok(()) } else { Err(Error::TooLong) }
}
