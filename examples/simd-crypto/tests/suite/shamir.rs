//! Shamir's secret sharing.
mod bytes;
mod elements;
mod errors;
mod independence;
mod vectors;

use core::convert::Infallible;
use rand_core::utils::next_word_via_fill;
use rand_core::{SeedableRng, TryCryptoRng, TryRng};
use simd_crypto::shamir::SeededRng;

fn rng(seed: u8) -> SeededRng {
    SeededRng::from_seed([seed; 32])
}

/// A generator that repeats these bytes: not random at all.
struct Given<'a>(core::iter::Cycle<core::slice::Iter<'a, u8>>);

impl<'a> Given<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self(bytes.iter().cycle())
    }
}

impl TryRng for Given<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        next_word_via_fill(self)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        next_word_via_fill(self)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for (byte, given) in bytes.iter_mut().zip(&mut self.0) {
            *byte = *given;
        }
        Ok(())
    }
}

impl TryCryptoRng for Given<'_> {}

/// All choices of `t` of these.
fn choices<T: Clone>(of: &[T], t: usize) -> Vec<Vec<T>> {
    let masks = (0..1_u32 << of.len()).filter(|mask| mask.count_ones() as usize == t);
    let chosen = |mask: u32| of.iter().enumerate().filter(move |(i, _)| mask >> i & 1 == 1).map(|(_, x)| x.clone());
    masks.map(|mask| chosen(mask).collect()).collect()
}

/// Bytes that do not repeat soon.
fn secret(length: usize) -> Vec<u8> {
    (0..length).map(|i| ((i * 151 + 7) ^ (i >> 6)) as u8).collect()
}
