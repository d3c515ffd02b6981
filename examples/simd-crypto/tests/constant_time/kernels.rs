//! The kernels that are checked.
use simd_crypto::aes::{
    Aes128, Aes192, Aes256, Block, Quad, aesdec, aesdec4, aesdeclast, aesdeclast4, aesenc, aesenc4,
};
use simd_crypto::aes::{aesenclast, aesenclast4, aesimc, round_keys128, round_keys192, round_keys256};
use simd_crypto::chacha20::{ChaCha20, chacha20_block};
use simd_crypto::haraka::{haraka256, haraka256_many, haraka512, haraka512_many};

/// A name, the length of the secret in bytes, and what is done with it.
pub(crate) type Kernel = (&'static str, usize, fn(&[u8]) -> Vec<u8>);

/// One line for each kernel, and for each of its ways through the code.
pub(crate) const KERNELS: &[Kernel] = &[
    ("AES rounds", 32, |secret| {
        let (state, key) = (Block::from(*array(secret)), Block::from(*array(&secret[16..])));
        let rounds = [aesenc, aesenclast, aesdec, aesdeclast].map(|round| round(state, key).to_bytes());
        [rounds.as_flattened(), &aesimc(key).to_bytes()].concat()
    }),
    ("AES rounds of four blocks", 128, |secret| {
        let (state, keys) = (Quad::from(*array(secret)), Quad::from(*array(&secret[64..])));
        [aesenc4, aesenclast4, aesdec4, aesdeclast4].map(|round| round(state, keys).to_bytes()).concat()
    }),
    // The first round keys are the key itself.
    ("AES-128 round keys", 16, |secret| blocks(&round_keys128(array(secret)))),
    ("AES-192 round keys", 24, |secret| blocks(&round_keys192(array(secret)))),
    ("AES-256 round keys", 32, |secret| blocks(&round_keys256(array(secret)))),
    ("AES-128, 1 block", 16 + 16, |secret| aes(secret, 16, |data| Aes128::from_key(array(secret)).encrypt_many(data))),
    ("AES-256, a block there and a block back", 32 + 32, |secret| {
        let (aes, mut blocks) = (Aes256::from_key(array(secret)), [*array(&secret[32..]), *array(&secret[48..])]);
        aes.encrypt(&mut blocks[0]);
        aes.decrypt(&mut blocks[1]);
        blocks.concat()
    }),
    ("AES-192, 53 blocks", 24 + 53 * 16, |secret| {
        aes(secret, 24, |data| Aes192::from_key(array(secret)).encrypt_many(data))
    }),
    ("AES-256, 53 blocks back", 32 + 53 * 16, |secret| {
        aes(secret, 32, |data| Aes256::from_key(array(secret)).decrypt_many(data))
    }),
    ("Haraka-256", 32, |secret| haraka256::<5>(array(secret)).to_vec()),
    ("Haraka-256, 53 messages", 53 * 32, |secret| many(secret, haraka256_many::<5>)),
    ("Haraka-512", 64, |secret| haraka512::<6>(array(secret)).to_vec()),
    ("Haraka-512, 53 messages", 53 * 64, |secret| many(secret, haraka512_many::<6>)),
    ("chacha20_block", 44, |secret| chacha20_block(array(secret), 9, array(&secret[32..])).to_vec()),
    ("ChaCha20, 1 block", 44 + 64, |secret| chacha20(secret, 0)),
    ("ChaCha20, part of a block", 44 + 37, |secret| chacha20(secret, 5)),
    ("ChaCha20, 3 blocks", 44 + 3 * 64, |secret| chacha20(secret, 64)),
    ("ChaCha20, 8 blocks", 44 + 8 * 64, |secret| chacha20(secret, 64)),
    ("ChaCha20, 53 blocks and parts", 44 + 53 * 64, |secret| chacha20(secret, 1000)),
    ("ChaCha20, keystream", 44, |secret| keystream(secret, 1999)),
];

/// The first bytes of `secret`.
pub(crate) fn array<const N: usize>(secret: &[u8]) -> &[u8; N] {
    secret.first_chunk().unwrap()
}

fn blocks(blocks: &[Block]) -> Vec<u8> {
    blocks.iter().flat_map(|block| block.to_bytes()).collect()
}

/// Works on what follows the first `key` bytes.
fn aes(secret: &[u8], key: usize, work: impl Fn(&mut [[u8; 16]])) -> Vec<u8> {
    let mut data = secret[key..].to_vec();
    work(data.as_chunks_mut().0);
    data
}

fn many<const N: usize>(secret: &[u8], hash_many: fn(&[[u8; N]], &mut [[u8; 32]])) -> Vec<u8> {
    let messages = secret.as_chunks().0;
    let mut hashes = vec![[0; 32]; messages.len()];
    hash_many(messages, &mut hashes);
    hashes.concat()
}

/// Encrypts what follows the key and the nonce, with the keystream from byte `position` on, and in two pieces.
fn chacha20(secret: &[u8], position: u64) -> Vec<u8> {
    let mut cipher = ChaCha20::from_key_and_nonce(array(secret), array(&secret[32..]));
    cipher.set_position(position).unwrap();
    let mut data = secret[44..].to_vec();
    let (first, second) = data.split_at_mut((secret.len() - 44) / 3);
    cipher.xor_keystream(first).unwrap();
    cipher.xor_keystream(second).unwrap();
    data
}

fn keystream(secret: &[u8], length: usize) -> Vec<u8> {
    let mut cipher = ChaCha20::from_key_and_nonce(array(secret), array(&secret[32..]));
    let mut out = vec![0; length];
    cipher.keystream(&mut out).unwrap();
    out
}
