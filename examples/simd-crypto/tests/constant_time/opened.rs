//! Facts that memcheck would take for secret: whether a tag is right, and whether a byte of a text is a digit, are public.
use crate::kernels::array;
use crate::share_files::HEADER;
use crate::trace::Work;
use core::mem::forget;
use rand_core::SeedableRng;
use simd_crypto::aead::{Aes128Gcm, Aes256Gcm, ChaCha20Poly1305, XChaCha20Poly1305};
use simd_crypto::gf::{Field, Gf64};
use simd_crypto::shamir::{ByteShare, Scheme, SeededRng, Share, combine, reconstruct, split};
use simd_crypto::share_files::{TextReader, TextWriter, scan};
use std::io::Write;

/// A name, the length of the secret in bytes, and what is prepared of it.
pub(crate) type Opened = (&'static str, usize, fn(&[u8]) -> Work);

/// Keys, messages and what is wrong with a tag are secret; nonces and associated data are not.
pub(crate) const OPENED: &[Opened] = &[
    ("ChaCha20-Poly1305 decrypted", 32 + 37, |secret| chacha20poly1305(secret, None)),
    ("ChaCha20-Poly1305 refused", 16 + 32 + 5, |secret| chacha20poly1305(&secret[16..], Some(*array(secret)))),
    ("shares of bytes combined", 32 + 20, |secret| {
        let shares = Scheme::compact(2, 3).unwrap().split(&secret[32..], &mut SeededRng::from_seed(*array(secret)));
        // They know no set, which the generator has drawn from the secret.
        let shares: Vec<_> = shares[1..].iter().map(|share| ByteShare::new(share.x(), share.data().to_vec())).collect();
        Box::new(move || combine(&shares).unwrap().to_vec())
    }),
];

/// Kernels that are quick with AES instructions.
pub(crate) const AES: &[Opened] = &[
    ("AES-128-GCM decrypted", 16 + 37, |secret| gcm128(secret, None)),
    ("AES-128-GCM refused", 16 + 16 + 37, |secret| gcm128(&secret[16..], Some(*array(secret)))),
];

/// Kernels that take too long without optimisation.
pub(crate) const LONGER: &[Opened] = &[
    ("a text share read", 40, |secret| {
        let (text, length): (&[u8], _) = (Vec::leak(text(secret)), secret.len());
        Box::new(move || {
            let share = scan(text).unwrap()[0];
            let (mut reader, mut values) = (TextReader::new(&text[share.start as usize..], &share), vec![0; length]);
            assert_eq!(reader.read(&mut values).unwrap(), length);
            // Wiping its buffers is most of the work without optimisation.
            forget(reader);
            values
        })
    }),
    ("AES-128-GCM decrypted, many bytes", 16 + 600, |secret| gcm128(secret, None)),
    ("AES-256-GCM decrypted", 32 + 100, |secret| gcm256(secret, None)),
    ("ChaCha20-Poly1305 decrypted, many bytes", 32 + 600, |secret| chacha20poly1305(secret, None)),
    ("XChaCha20-Poly1305 decrypted", 32 + 100, |secret| xchacha20poly1305(secret, None)),
    ("shares of elements combined", 32 + 8, |secret| {
        let element = Gf64::from_slice(&secret[32..]).unwrap();
        let shares = split(&element, 2, 3, &mut SeededRng::from_seed(*array(secret))).unwrap();
        let shares: Vec<_> = shares[1..].iter().map(|share| Share::new(*share.x(), *share.y())).collect();
        Box::new(move || reconstruct(&shares).unwrap().to_bytes().to_vec())
    }),
    ("a text share, there and back", 300, |secret| {
        let secret = secret.to_vec();
        Box::new(move || {
            let text = text(&secret);
            let share = scan(&text[..]).unwrap()[0];
            let mut values = vec![0; secret.len()];
            let read = TextReader::new(&text[share.start as usize..], &share).read(&mut values).unwrap();
            assert_eq!(read, values.len());
            values
        })
    }),
];

pub(crate) fn text(secret: &[u8]) -> Vec<u8> {
    let mut writer = TextWriter::new(Vec::new(), &HEADER).unwrap();
    writer.write_all(secret).unwrap();
    writer.finish().unwrap()
}

/// A tag that is wrong in its last byte at least: which byte is the first that is wrong depends on the secret.
pub(crate) fn wrong(tag: &mut [u8; 16], secret: &[u8; 16]) {
    let mut change = *secret;
    change[15] |= 1;
    for (byte, change) in tag.iter_mut().zip(change) {
        *byte ^= change;
    }
}

/// The message; or what is left of it encrypted, if the tag is made wrong.
macro_rules! decrypt {
    ($($name:ident: $Aead:ident, $key:literal, $nonce:literal;)*) => { $(
        fn $name(secret: &[u8], change: Option<[u8; 16]>) -> Work {
            let (cipher, mut data) = ($Aead::from_key(array(secret)), secret[$key..].to_vec());
            let mut tag = cipher.encrypt_in_place_detached(&[3; $nonce], b"to whom", &mut data).unwrap();
            if let Some(change) = &change {
                wrong(&mut tag.0, change);
            }
            Box::new(move || {
                let opened = cipher.decrypt_in_place_detached(&[3; $nonce], b"to whom", &mut data, &tag);
                assert_eq!(opened.is_ok(), change.is_none());
                data
            })
        }
    )* };
}

decrypt! {
    gcm128: Aes128Gcm, 16, 12;
    gcm256: Aes256Gcm, 32, 12;
    chacha20poly1305: ChaCha20Poly1305, 32, 12;
    xchacha20poly1305: XChaCha20Poly1305, 32, 24;
}
