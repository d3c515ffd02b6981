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
/// Bytes under one key, far from the end of its key stream.
const PER_KEY: u64 = 1 << 36;

/// A generator of random bytes for secrets: the key stream of [`ChaCha20`] under a random key, and under another one of its own
/// after every 64 GiB.
///
/// Bytes that it has given are not kept, and the rest is wiped when it is dropped. Any other
/// [`CryptoRng`](rand_core::CryptoRng) will do for secrets as well. With the same seed it gives the same bytes in this
/// version of the crate; another version may give others.
pub struct SeededRng {
    stream: ChaCha20,
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

impl SeededRng {
    /// The next bytes of the key stream.
    fn make(&mut self, bytes: &mut [u8]) {
        // A piece is shorter than what is left of a key stream when its key is due to be replaced.
        for piece in bytes.chunks_mut(1 << 30) {
            if self.stream.position() >= PER_KEY {
                let mut key = [0; 32];
                // The key stream ends at four times this position.
                let made = self.stream.keystream(&mut key);
                debug_assert_eq!(made, Ok(()));
                self.stream = ChaCha20::new(&key, &[0; 12]);
                key.zeroize();
            }
            let made = self.stream.keystream(piece);
            debug_assert_eq!(made, Ok(()));
        }
    }
}

impl SeedableRng for SeededRng {
    type Seed = [u8; 32];

    fn from_seed(mut seed: [u8; 32]) -> Self {
        let stream = ChaCha20::new(&seed, &[0; 12]);
        seed.zeroize();
        Self { stream, buffer: [0; BUFFER], given: BUFFER }
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
            self.make(bytes);
            return Ok(());
        }
        let (now, later) = bytes.split_at_mut(bytes.len().min(BUFFER - self.given));
        self.give(now);
        if !later.is_empty() {
            let mut buffer = [0; BUFFER];
            self.make(&mut buffer);
            self.buffer = buffer;
            wipe(&mut buffer);
            self.given = 0;
            self.give(later);
        }
        Ok(())
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
        wipe(&mut self.buffer);
    }
}

impl ZeroizeOnDrop for SeededRng {}

#[cfg(test)]
mod tests {
    use super::{BUFFER, PER_KEY, SeededRng};
    use crate::chacha20::ChaCha20;
    use crate::shamir::alloc::vec;
    use rand_core::{Rng, SeedableRng};

    /// Small requests and large ones take the key stream in turn, and nothing of it twice.
    #[test]
    fn it_is_the_key_stream() {
        let seed = core::array::from_fn(|i| i as u8);
        let mut expected = vec![0; 5 * BUFFER];
        ChaCha20::new(&seed, &[0; 12]).keystream(&mut expected).unwrap();
        let mut rng = SeededRng::from_seed(seed);
        let mut check = |length: usize, from: usize| {
            let mut bytes = vec![0; length];
            rng.fill_bytes(&mut bytes);
            assert!(bytes == expected[from..][..length], "{length} bytes from {from} on");
        };
        check(0, 0);
        check(1, 0);
        check(BUFFER - 2, 1);
        // A large request does not take what is left for small ones.
        check(BUFFER, BUFFER);
        check(1, BUFFER - 1);
        check(BUFFER - 1, 2 * BUFFER);
        check(1, 3 * BUFFER - 1);
        check(BUFFER + 77, 3 * BUFFER);
        let mut rng = SeededRng::from_seed(seed);
        assert_eq!(rng.next_u32().to_le_bytes(), expected[..4]);
        assert_eq!(rng.next_u64().to_le_bytes(), expected[4..12]);
    }

    #[test]
    fn it_changes_its_key() {
        let seed = [9; 32];
        let mut old = ChaCha20::new(&seed, &[0; 12]);
        old.seek(PER_KEY - 64).unwrap();
        let mut rng = SeededRng { stream: old.clone(), buffer: [0; BUFFER], given: BUFFER };
        let mut expected = vec![0; 2 * BUFFER + 32];
        old.keystream(&mut expected).unwrap();
        let mut bytes = vec![0; 2 * BUFFER];
        rng.fill_bytes(&mut bytes);
        assert!(bytes == expected[..2 * BUFFER], "a request is not cut");
        rng.fill_bytes(&mut bytes);
        let key = expected[2 * BUFFER..].try_into().unwrap();
        ChaCha20::new(key, &[0; 12]).keystream(&mut expected[..2 * BUFFER]).unwrap();
        assert!(bytes == expected[..2 * BUFFER], "the next one is under a new key");
    }
}
