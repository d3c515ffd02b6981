//! What is checked.
use simd_crypto::chacha20::{ChaCha20, chacha20_block};

/// A name, the length of the secret in bytes, and what is done with it.
pub(crate) type Kernel = (&'static str, usize, fn(&[u8]) -> Vec<u8>);

/// One line for each kernel, and for each of its ways through the code.
pub(crate) const KERNELS: &[Kernel] = &[
    ("chacha20_block", 44, |secret| chacha20_block(array(secret), 9, array(&secret[32..])).to_vec()),
    ("ChaCha20, 1 block", 44 + 64, |secret| chacha20(secret, 0)),
    ("ChaCha20, part of a block", 44 + 37, |secret| chacha20(secret, 5)),
    ("ChaCha20, 3 blocks", 44 + 3 * 64, |secret| chacha20(secret, 64)),
    ("ChaCha20, 8 blocks", 44 + 8 * 64, |secret| chacha20(secret, 64)),
    ("ChaCha20, 53 blocks and parts", 44 + 53 * 64, |secret| chacha20(secret, 1000)),
    ("ChaCha20, keystream", 44, |secret| keystream(secret, 1999)),
];

/// The first bytes of `secret`.
fn array<const N: usize>(secret: &[u8]) -> &[u8; N] {
    secret.first_chunk().unwrap()
}

/// Encrypts what follows the key and the nonce, with the keystream from byte `position` on, and in two pieces.
fn chacha20(secret: &[u8], position: u64) -> Vec<u8> {
    let mut cipher = ChaCha20::new(array(secret), array(&secret[32..]));
    cipher.seek(position).unwrap();
    let mut data = secret[44..].to_vec();
    let (first, second) = data.split_at_mut((secret.len() - 44) / 3);
    cipher.apply_keystream(first).unwrap();
    cipher.apply_keystream(second).unwrap();
    data
}

fn keystream(secret: &[u8], length: usize) -> Vec<u8> {
    let mut cipher = ChaCha20::new(array(secret), array(&secret[32..]));
    let mut out = vec![0; length];
    cipher.keystream(&mut out).unwrap();
    out
}
