//! Random coefficients.
use core::convert::Infallible;
use core::fmt;

#[cfg(feature = "getrandom")]
use getrandom::SysRng;
use rand_core::{SeedableRng, TryCryptoRng, TryRng};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::bytes::wipe;
use crate::chacha20::ChaCha20;

/// Bytes that are made at once: as many as fill the vectors of every target.
const BUFFER: usize = 1024;
const KEY: usize = 32;
/// Bytes of a large request under one key: less than its key stream has.
const PER_KEY: usize = 1 << 30;

/// A generator of random bytes for secrets that forgets: it keeps no key from which the bytes that it gave can be made ([fast key
/// erasure]).
///
/// Small requests take bytes of a buffer of 1 KiB, which are erased as they are given. Its first 32 bytes are the key whose
/// [`ChaCha20`] key stream replaces it once it is used up. A request of 1 KiB or more takes a key from the buffer, and gets the
/// key stream of that. Who reads the generator's memory learns nothing of what it has given. The rest is wiped when it is
/// dropped. After a `fork` both processes have the same generator, and get the same bytes: make a new one in the child. Any other
/// [`CryptoRng`](rand_core::CryptoRng) will do for secrets as well. With the same seed it gives the same bytes
/// in this version of the crate; another version may give others.
///
/// [fast key erasure]: https://blog.cr.yp.to/20170723-random.html
pub struct SeededRng {
    /// The key, and then bytes to give.
    buffer: [u8; BUFFER],
    /// How many bytes of the buffer are the key or have been given.
    used: usize,
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
        let mut rng = Self { buffer: [0; BUFFER], used: BUFFER };
        rng.buffer[..KEY].copy_from_slice(&seed);
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
        if bytes.len() < BUFFER {
            self.give(bytes);
        } else {
            self.give_streams::<PER_KEY>(bytes);
        }
        Ok(())
    }
}

impl SeededRng {
    fn give(&mut self, mut bytes: &mut [u8]) {
        while !bytes.is_empty() {
            if self.used == BUFFER {
                let key = self.buffer.first_chunk().copied().expect("the key is shorter than the buffer");
                stream(&Zeroizing::new(key), &mut self.buffer);
                self.used = KEY;
            }
            let (now, later) = bytes.split_at_mut(bytes.len().min(BUFFER - self.used));
            let buffer = &mut self.buffer[self.used..][..now.len()];
            now.copy_from_slice(buffer);
            wipe(buffer);
            self.used += now.len();
            bytes = later;
        }
    }

    fn give_streams<const PER_KEY: usize>(&mut self, bytes: &mut [u8]) {
        let mut key = Zeroizing::new([0; KEY]);
        for piece in bytes.chunks_mut(PER_KEY) {
            self.give(&mut *key);
            stream(&key, piece);
        }
    }
}

/// The beginning of a key stream.
fn stream(key: &[u8; KEY], bytes: &mut [u8]) {
    let made = ChaCha20::from_key_and_nonce(key, &[0; 12]).keystream(bytes);
    made.expect("a key stream is longer");
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
    use super::{BUFFER, KEY, SeededRng};
    use crate::chacha20::ChaCha20;
    use alloc::{vec, vec::Vec};
    use rand_core::{Rng, SeedableRng};

    fn stream(key: &[u8], length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        ChaCha20::from_key_and_nonce(key.try_into().unwrap(), &[0; 12]).keystream(&mut bytes).unwrap();
        bytes
    }

    fn filled(rng: &mut SeededRng, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        rng.fill_bytes(&mut bytes);
        bytes
    }

    #[test]
    fn small_requests_share_a_buffer_and_large_ones_have_a_key() {
        let seed = core::array::from_fn(|i| i as u8);
        let mut rng = SeededRng::from_seed(seed);
        let first = stream(&seed, BUFFER);
        let second = stream(&first[..KEY], BUFFER);
        let buffers = [&first[KEY..], &second[KEY..]].concat();
        let mut at = 0;
        for length in [0, 1, 5, BUFFER, 900, 7 * BUFFER + 3, BUFFER - 10] {
            let taken = if length < BUFFER { length } else { KEY };
            let expected = &buffers[at..at + taken];
            at += taken;
            let expected = if length < BUFFER { expected.to_vec() } else { stream(expected, length) };
            assert!(filled(&mut rng, length) == expected, "{length} bytes");
        }
        assert!(at > BUFFER);
        let mut rng = SeededRng::from_seed(seed);
        assert_eq!(rng.next_u32().to_le_bytes(), buffers[..4]);
        assert_eq!(rng.next_u64().to_le_bytes(), buffers[4..12]);
    }

    /// Memory holds neither a key of what was given nor the bytes.
    #[test]
    fn it_forgets() {
        for length in [40, BUFFER, 2 * BUFFER + 1] {
            let mut rng = SeededRng::from_seed([9; KEY]);
            filled(&mut rng, length);
            let made = stream(&[9; KEY], BUFFER);
            let used = KEY + if length < BUFFER { length } else { KEY };
            let expected = [&made[..KEY], &vec![0; used - KEY], &made[used..]].concat();
            assert!(rng.buffer[..] == expected && rng.used == used, "{length} bytes");
        }
    }

    #[test]
    fn a_very_large_request_has_several_keys() {
        let mut bytes = [0; 105];
        SeededRng::from_seed([9; KEY]).give_streams::<100>(&mut bytes);
        let keys = stream(&[9; KEY], 3 * KEY);
        assert!(bytes[..] == [stream(&keys[KEY..2 * KEY], 100), stream(&keys[2 * KEY..], 5)].concat());
    }
}
