//! Random coefficients.
use core::convert::Infallible;
use core::fmt;

#[cfg(feature = "getrandom")]
use getrandom::SysRng;
use rand_core::{SeedableRng, TryCryptoRng, TryRng};
use zeroize::{Zeroize, ZeroizeOnDrop};

use super::bytes::wipe;
use crate::chacha20::ChaCha20;

/// Bytes that are made at once for small requests.
const BUFFER: usize = 1024;
/// Bytes under one key: less than its key stream has.
const PER_KEY: usize = 1 << 30;

/// A generator of random bytes for secrets that forgets: it erases a key before it gives bytes of its key stream ([fast key
/// erasure]).
///
/// A key's stream is that of [`ChaCha20`]. Its first block holds the next key, and the bytes that are given follow: those of one
/// large request, or 1024 for small ones, which are erased as they are given. Who reads the generator's memory learns nothing of
/// what it has given. The rest is wiped when it is dropped. Any other [`CryptoRng`](rand_core::CryptoRng) will do for secrets as
/// well. With the same seed it gives the same bytes in this version of the crate; another version may give others.
///
/// [fast key erasure]: https://blog.cr.yp.to/20170723-random.html
pub struct SeededRng {
    key: [u8; 32],
    buffer: [u8; BUFFER],
    /// How many bytes of the buffer have been given.
    given: usize,
}

/// A [`SeededRng`] with a seed from the operating system. It takes the feature `getrandom`.
///
/// # Errors
/// If the operating system has no randomness to give.
#[cfg(feature = "getrandom")]
pub fn seeded_rng() -> Result<SeededRng, getrandom::Error> {
    SeededRng::try_from_rng(&mut SysRng)
}

impl SeedableRng for SeededRng {
    type Seed = [u8; 32];

    fn from_seed(mut seed: [u8; 32]) -> Self {
        let rng = Self { key: seed, buffer: [0; BUFFER], given: BUFFER };
        seed.zeroize();
        rng
    }
}

impl TryRng for SeededRng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        if bytes.len() >= BUFFER {
            make::<PER_KEY>(&mut self.key, bytes);
            return Ok(());
        }
        let (now, later) = bytes.split_at_mut(bytes.len().min(BUFFER - self.given));
        self.give(now);
        if !later.is_empty() {
            make::<PER_KEY>(&mut self.key, &mut self.buffer);
            self.given = 0;
            self.give(later);
        }
        Ok(())
    }
}

/// Bytes of the key stream of `key`, which is replaced, and again after each `PER_KEY` of them.
fn make<const PER_KEY: usize>(key: &mut [u8; 32], bytes: &mut [u8]) {
    for piece in bytes.chunks_mut(PER_KEY) {
        let mut stream = ChaCha20::from_key_and_nonce(key, &[0; 12]);
        let made = stream.keystream(key).and_then(|()| stream.set_position(64)).and_then(|()| stream.keystream(piece));
        made.expect("a key stream is longer than a piece");
    }
}

impl SeededRng {
    /// Moves bytes out of the buffer, which has as many.
    fn give(&mut self, bytes: &mut [u8]) {
        let buffer = &mut self.buffer[self.given..][..bytes.len()];
        bytes.copy_from_slice(buffer);
        wipe(buffer);
        self.given += bytes.len();
    }
}

impl TryCryptoRng for SeededRng {}

impl fmt::Debug for SeededRng {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SeededRng").finish_non_exhaustive()
    }
}

impl Drop for SeededRng {
    fn drop(&mut self) {
        self.key.zeroize();
        wipe(&mut self.buffer);
    }
}

impl ZeroizeOnDrop for SeededRng {}

#[cfg(test)]
mod tests {
    use super::{BUFFER, SeededRng, make};
    use crate::chacha20::ChaCha20;
    use crate::shamir::alloc::{vec, vec::Vec};
    use rand_core::{Rng, SeedableRng};

    /// The next key, and the bytes that follow its block.
    fn under(key: [u8; 32], length: usize) -> ([u8; 32], Vec<u8>) {
        let mut stream = vec![0; 64 + length];
        ChaCha20::from_key_and_nonce(&key, &[0; 12]).keystream(&mut stream).unwrap();
        (*stream.first_chunk().unwrap(), stream.split_off(64))
    }

    #[test]
    fn each_request_is_a_key_stream() {
        let seed = core::array::from_fn(|i| i as u8);
        let mut rng = SeededRng::from_seed(seed);
        let mut get = |length: usize| {
            let mut bytes = vec![0; length];
            rng.fill_bytes(&mut bytes);
            bytes
        };
        // Small requests share a buffer, and a large one does not take from it.
        let (second, buffer) = under(seed, BUFFER);
        let (third, large) = under(second, BUFFER);
        let (fourth, next) = under(third, BUFFER);
        assert!(get(0).is_empty() && get(1) == buffer[..1] && get(BUFFER - 2) == buffer[1..BUFFER - 1]);
        assert!(get(BUFFER) == large);
        assert!(get(3) == [&buffer[BUFFER - 1..], &next[..2]].concat());
        assert!(get(BUFFER + 77) == under(fourth, BUFFER + 77).1);
        assert!(get(BUFFER - 2) == next[2..]);
        let mut rng = SeededRng::from_seed(seed);
        assert_eq!(rng.next_u32().to_le_bytes(), buffer[..4]);
        assert_eq!(rng.next_u64().to_le_bytes(), buffer[4..12]);
    }

    /// Memory holds neither the key of what was given nor the bytes.
    #[test]
    fn it_forgets() {
        for length in [40, 2 * BUFFER] {
            let mut rng = SeededRng::from_seed([9; 32]);
            let mut bytes = vec![0; length];
            rng.fill_bytes(&mut bytes);
            let (next, made) = under([9; 32], BUFFER.max(length));
            assert!(made.starts_with(&bytes) && rng.key == next, "{length} bytes");
            assert!(rng.given == BUFFER || rng.given == length && rng.buffer[..length] == [0; 40], "{length} bytes");
        }
    }

    #[test]
    fn a_very_large_request_has_several_keys() {
        let (mut key, mut bytes) = ([9; 32], [0; 105]);
        make::<100>(&mut key, &mut bytes);
        let (second, first) = under([9; 32], 100);
        let (third, rest) = under(second, 5);
        assert!(bytes[..] == [first, rest].concat() && key == third);
    }
}
