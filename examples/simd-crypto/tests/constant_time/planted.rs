//! Leaks to be found: those that the kernels, decryption and the readers of text must not have.
use core::hint::black_box;

use crate::kernels::{Kernel, array};
use crate::opened::{Opened, text, wrong};
use crate::trace::Work;
use simd_crypto::aead::{Aes128Gcm, ChaCha20Poly1305, Tag};

pub(crate) const PLANTED: &[Kernel] = &[
    ("a branch on a secret", 1, |secret| vec![if secret[0] & 1 == 0 { even() } else { odd() }]),
    ("a look-up at a secret index", 1, |secret| vec![black_box(&TABLE)[usize::from(secret[0])]]),
    ("a branch on one bit of a vector", 64, |secret| {
        let sums: Vec<u32> =
            secret.chunks_exact(4).map(|word| word.iter().map(|byte| u32::from(*byte)).sum()).collect();
        vec![if sums.iter().sum::<u32>() & 16 == 0 { even() } else { odd() }]
    }),
];

macro_rules! sealed {
    ($Aead:ident, $key:expr, $data:expr) => {
        $Aead::from_key($key).encrypt_in_place_detached(&[3; 12], b"", $data).unwrap()
    };
}

macro_rules! branched {
    ($Aead:ident, $secret:ident, $key:literal) => {{
        let (cipher, mut data) = ($Aead::from_key(array($secret)), $secret[$key..].to_vec());
        let tag = sealed!($Aead, array($secret), &mut data);
        Box::new(move || {
            cipher.decrypt_in_place_detached(&[3; 12], b"", &mut data, &tag).unwrap();
            vec![if data[36] & 1 == 0 { even() } else { odd() }]
        })
    }};
}

/// The same where memcheck is not asked.
pub(crate) const OPENED: &[Opened] = &[
    ("an early exit from the comparison of AES-GCM's tag", 16 + 37, |secret| {
        compared(sealed!(Aes128Gcm, &[7; 16], &mut secret[16..].to_vec()), array(secret))
    }),
    ("an early exit from the comparison of ChaCha20-Poly1305's tag", 16 + 37, |secret| {
        compared(sealed!(ChaCha20Poly1305, &[7; 32], &mut secret[16..].to_vec()), array(secret))
    }),
    ("a branch on what AES-GCM has decrypted", 16 + 37, |secret| branched!(Aes128Gcm, secret, 16)),
    ("a branch on what ChaCha20-Poly1305 has decrypted", 32 + 37, |secret| branched!(ChaCha20Poly1305, secret, 32)),
    ("a look-up of the digits of a text", 30, |secret| {
        let (text, first) = (text(secret), secret[0]);
        Box::new(move || text.iter().map(|digit| black_box(&TABLE)[usize::from(*digit)]).chain([first]).collect())
    }),
    ("a division of a secret", 8, |secret| {
        let dividend = u64::from_le_bytes(*array(secret));
        Box::new(move || vec![(dividend / black_box(1000)) as u8])
    }),
];

/// Whether a tag is right, byte by byte.
fn compared(Tag(tag): Tag, secret: &[u8; 16]) -> Work {
    let (mut received, first) = (tag, secret[1]);
    wrong(&mut received, secret);
    Box::new(move || {
        let equal = tag.iter().zip(&received).take_while(|(a, b)| black_box(**a) == black_box(**b)).count();
        vec![u8::from(equal == 16), first]
    })
}

static TABLE: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = i as u8;
        i += 1;
    }
    table
};

// Two functions that are never inlined, so that the choice between them is no conditional move.
#[inline(never)]
fn even() -> u8 {
    black_box(2)
}

#[inline(never)]
fn odd() -> u8 {
    black_box(3)
}
