//! Was the code that asks compiled with optimisation?
//!
//! `cfg!(debug_assertions)` would be a guess: a profile can have both or neither. [`probe`] is an `#[inline]` function,
//! so that its code belongs to the crate which takes its address, and is compiled as that crate is: its calls of
//! [`step`] are there without optimisation and gone with it.

use super::binary::Inner;

/// Whether code was compiled with optimisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Optimization {
    On,
    Off,
}

#[doc(hidden)]
#[inline]
#[must_use]
pub(super) fn probe(x: u32) -> u32 {
    step(step(step(x)))
}

#[inline]
fn step(x: u32) -> u32 {
    (x ^ 0x9e37).rotate_left(5)
}

impl Optimization {
    /// Looks at the code of the caller's [`probe`] in the running program. If it cannot be found there, the code is
    /// taken to be as this crate's own, by `debug_assertions`.
    pub(super) fn measure(inner: &Inner, probe: fn(u32) -> u32) -> Self {
        let words = (&raw const crate::known::WORDS) as u64;
        let code = inner.words().and_then(|range| {
            let moved = words.wrapping_sub(range.start);
            let address = (probe as usize as u64).wrapping_sub(moved);
            inner.symbol_at(address)
        });
        let plain = code.map(|symbol| inner.code(symbol).calls(inner).is_empty());
        if plain.unwrap_or(!cfg!(debug_assertions)) { Self::On } else { Self::Off }
    }
}
