//! Many messages: enough states side by side to fill the AES unit, each in as few registers as hold it.

use simd_core::dispatch;

pub use kernels::{haraka256_many, haraka512_many};

#[dispatch(targets = "vaes,avx512f | vaes,avx2 | aes")]
mod kernels {
    #![allow(unused_imports, reason = "not every target needs it")]
    use crate::aes::{Quad, aesenc4};
    use crate::haraka::constants::{GROUP_256, GROUP_512, KEYS256, KEYS512, RoundKeys};
    use crate::haraka::haraka256;
    use crate::haraka::mix::{mix256_pair, mix512_quad};
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    use crate::haraka::wide;
    use core::hint::black_box;
    use zerocopy::transmute;

    /// Whether there are registers for sixteen vectors in flight.
    const WIDE: bool = cfg!(all(target_feature = "vaes", target_feature = "avx512f"));

    /// Haraka-256 v2 of each message, with 5 or 6 rounds. Only the number of messages shows in the time taken.
    ///
    /// # Panics
    /// If there are not as many hashes as messages.
    pub fn haraka256_many<const ROUNDS: usize>(messages: &[[u8; 32]], hashes: &mut [[u8; 32]]) {
        const { assert!(ROUNDS == 5 || ROUNDS == 6, "Haraka has 5 or 6 rounds") };
        assert_eq!(messages.len(), hashes.len(), "one hash for each message");
        let done = if WIDE && messages.len() >= GROUP_256 {
            wide256(messages, hashes, black_box(&KEYS256[..ROUNDS]))
        } else {
            0
        };
        let (messages, hashes) = (&messages[done..], &mut hashes[done..]);
        let (messages, last_message) = messages.as_chunks();
        let (hashes, last_hash) = hashes.as_chunks_mut();
        pairs256(messages, hashes, &KEYS256[..ROUNDS]);
        for (message, hash) in last_message.iter().zip(last_hash) {
            *hash = haraka256::<ROUNDS>(message);
        }
    }

    /// Haraka-512 v2 of each message, with 5 or 6 rounds. Only the number of messages shows in the time taken.
    ///
    /// # Panics
    /// If there are not as many hashes as messages.
    pub fn haraka512_many<const ROUNDS: usize>(messages: &[[u8; 64]], hashes: &mut [[u8; 32]]) {
        const { assert!(ROUNDS == 5 || ROUNDS == 6, "Haraka has 5 or 6 rounds") };
        assert_eq!(messages.len(), hashes.len(), "one hash for each message");
        let done = if WIDE && messages.len() >= GROUP_512 {
            wide512(messages, hashes, black_box(&KEYS512[..ROUNDS]))
        } else {
            0
        };
        let (messages, hashes) = (&messages[done..], &mut hashes[done..]);
        all512::<ROUNDS>(messages, hashes);
    }

    // With many states of 64 bytes or wide groups, the number of rounds is a variable: a loop over rounds that is unrolled has
    // all of their keys in registers at once, or rather on the stack. It is hidden, because `inline(never)` does not hold in
    // a clone.

    /// Hashes whole groups of messages, if this target does, and says how many messages these were.
    fn wide256(messages: &[[u8; 32]], hashes: &mut [[u8; 32]], keys: &[RoundKeys]) -> usize {
        #[cfg(all(
            any(target_arch = "x86", target_arch = "x86_64"),
            target_feature = "vaes",
            target_feature = "avx512f"
        ))]
        {
            let groups = messages.as_chunks::<GROUP_256>().0;
            wide::hash256(groups, hashes.as_chunks_mut().0, keys);
            groups.as_flattened().len()
        }
        #[cfg(not(all(
            any(target_arch = "x86", target_arch = "x86_64"),
            target_feature = "vaes",
            target_feature = "avx512f"
        )))]
        {
            0
        }
    }

    /// The same for Haraka-512.
    fn wide512(messages: &[[u8; 64]], hashes: &mut [[u8; 32]], keys: &[RoundKeys]) -> usize {
        #[cfg(all(
            any(target_arch = "x86", target_arch = "x86_64"),
            target_feature = "vaes",
            target_feature = "avx512f"
        ))]
        {
            let groups = messages.as_chunks::<GROUP_512>().0;
            wide::hash512(groups, hashes.as_chunks_mut().0, keys);
            groups.as_flattened().len()
        }
        #[cfg(not(all(
            any(target_arch = "x86", target_arch = "x86_64"),
            target_feature = "vaes",
            target_feature = "avx512f"
        )))]
        {
            0
        }
    }

    fn pairs256(messages: &[[[u8; 32]; 2]], hashes: &mut [[[u8; 32]; 2]], keys: &[RoundKeys]) {
        /// Pairs of states that hide the latency of the rounds.
        const IN_FLIGHT: usize = if WIDE {
            4
        } else if cfg!(target_feature = "vaes") {
            6
        } else if cfg!(target_feature = "aes") {
            2
        } else {
            4
        };
        let (message_groups, messages) = messages.as_chunks::<IN_FLIGHT>();
        let (hash_groups, hashes) = hashes.as_chunks_mut::<IN_FLIGHT>();
        for (messages, hashes) in message_groups.iter().zip(hash_groups) {
            hash256(messages, hashes, keys);
        }
        for (message, hash) in messages.iter().zip(hashes) {
            hash256(core::array::from_ref(message), core::array::from_mut(hash), keys);
        }
    }

    fn all512<const ROUNDS: usize>(messages: &[[u8; 64]], hashes: &mut [[u8; 32]]) {
        /// States that hide the latency of the rounds.
        const IN_FLIGHT: usize = if WIDE {
            8
        } else if cfg!(target_feature = "vaes") {
            6
        } else if cfg!(target_feature = "aes") {
            3
        } else {
            4
        };
        // With a register for each state and each key, the rounds may as well be unrolled.
        let keys = &KEYS512[..ROUNDS];
        let keys = if WIDE { keys } else { black_box(keys) };
        let (message_groups, messages) = messages.as_chunks::<IN_FLIGHT>();
        let (hash_groups, hashes) = hashes.as_chunks_mut::<IN_FLIGHT>();
        for (messages, hashes) in message_groups.iter().zip(hash_groups) {
            hash512(messages, hashes, keys);
        }
        for (message, hash) in messages.iter().zip(hashes) {
            hash512(core::array::from_ref(message), core::array::from_mut(hash), keys);
        }
    }

    #[inline]
    fn hash256<const N: usize>(messages: &[[[u8; 32]; 2]; N], hashes: &mut [[[u8; 32]; 2]; N], keys: &[RoundKeys]) {
        let mut states = [Quad::new([0; 64]); N];
        for (state, pair) in states.iter_mut().zip(messages) {
            *state = Quad::new(transmute!(*pair));
        }
        for keys in keys {
            aes2(&mut states, keys);
            for state in &mut states {
                *state = mix256_pair(*state);
            }
        }
        for ((hash, state), message) in hashes.iter_mut().zip(states).zip(messages) {
            *hash = transmute!((state ^ Quad::new(transmute!(*message))).to_bytes());
        }
    }

    #[inline]
    fn hash512<const N: usize>(messages: &[[u8; 64]; N], hashes: &mut [[u8; 32]; N], keys: &[RoundKeys]) {
        let mut states = [Quad::new([0; 64]); N];
        for (state, message) in states.iter_mut().zip(messages) {
            *state = Quad::new(*message);
        }
        for keys in keys {
            aes2(&mut states, keys);
            for state in &mut states {
                *state = mix512_quad(*state);
            }
        }
        for ((hash, state), message) in hashes.iter_mut().zip(states).zip(messages) {
            *hash = truncate(state ^ Quad::new(*message));
        }
    }

    /// Two AES rounds on each block. One round on all states comes before the next, so that neighbouring instructions do not
    /// wait for each other: the CPU's own reordering does not reach far enough for that.
    #[inline]
    fn aes2<const N: usize>(states: &mut [Quad; N], keys: &RoundKeys) {
        if cfg!(target_feature = "aes") {
            for state in &mut *states {
                *state = aesenc4(*state, keys.first);
            }
            for state in &mut *states {
                *state = aesenc4(*state, keys.second);
            }
        } else {
            *states = keys.bitsliced(*states);
        }
    }

    /// The half of a state of Haraka-512 that the paper keeps: the ends of the first two blocks, the beginnings of the others.
    #[inline]
    fn truncate(state: Quad) -> [u8; 32] {
        let words: [u64; 8] = transmute!(state.to_bytes());
        transmute!([words[1], words[3], words[4], words[6]])
    }
}
