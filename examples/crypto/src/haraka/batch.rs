//! Tuned: many messages. Enough states side by side to fill the AES unit, each in as few registers as hold it.

use simd_core::dispatch;

pub use kernels::{haraka256_many, haraka512_many};

#[dispatch(targets = crate::targets::blocks)]
mod kernels {
    #![allow(unused_imports, clippy::wildcard_imports, reason = "each clone works on vectors of another size")]
    use crate::aes::{Quad, aesenc4};
    use crate::arch::*;
    use crate::haraka::constants::{KEYS256, KEYS512, RoundKeys};
    use crate::haraka::groups::{self, GROUP_256, GROUP_512};
    use crate::haraka::haraka256;
    use crate::haraka::single::{mix256, mix512};
    use core::hint::black_box;
    use simd_core::match_target;
    use zerocopy::transmute;

    /// Whether there are registers for sixteen vectors in flight.
    const WIDE: bool = match_target! { "x86, x86_64: vaes,avx512f" => true, _ => false };

    /// Haraka-256 v2 of each message, with 5 or 6 rounds. Only the number of messages shows in the time taken.
    ///
    /// # Panics
    /// If there are not as many hashes as messages.
    pub fn haraka256_many<const ROUNDS: usize>(messages: &[[u8; 32]], hashes: &mut [[u8; 32]]) {
        const { assert!(ROUNDS == 5 || ROUNDS == 6, "Haraka has 5 or 6 rounds") };
        assert_eq!(messages.len(), hashes.len(), "one hash for each message");
        let done = if WIDE && messages.len() >= GROUP_256 {
            groups::hash256(messages, hashes, black_box(&KEYS256[..ROUNDS]))
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
            groups::hash512(messages, hashes, black_box(&KEYS512[..ROUNDS]))
        } else {
            0
        };
        let (messages, hashes) = (&messages[done..], &mut hashes[done..]);
        all512::<ROUNDS>(messages, hashes);
    }

    // With many states of 64 bytes or in groups, the number of rounds is a variable: a loop over rounds that is unrolled has
    // all of their keys in registers at once, or rather on the stack. It is hidden, because `inline(never)` does not hold in
    // a clone.

    fn pairs256(messages: &[[[u8; 32]; 2]], hashes: &mut [[[u8; 32]; 2]], keys: &[RoundKeys]) {
        /// Pairs of states that hide the latency of the rounds.
        const IN_FLIGHT: usize = match_target! { "vaes,avx512f" => 4, "vaes" => 6, "aes" => 2, _ => 4 };
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
        const IN_FLIGHT: usize = match_target! { "vaes,avx512f" => 8, "vaes" => 6, "aes" => 3, _ => 4 };
        // With a register for each state and each key, the rounds may as well be unrolled.
        let keys = &KEYS512[..ROUNDS];
        let keys = if WIDE { keys } else { black_box(keys) };
        let (message_groups, messages) = messages.as_chunks::<IN_FLIGHT>();
        let (hash_groups, hashes) = hashes.as_chunks_mut::<IN_FLIGHT>();
        for (messages, hashes) in message_groups.iter().zip(hash_groups) {
            hash512(messages, hashes, keys);
        }
        let (message_pairs, last_message) = messages.as_chunks::<2>();
        let (hash_pairs, last_hash) = hashes.as_chunks_mut::<2>();
        for (messages, hashes) in message_pairs.iter().zip(hash_pairs) {
            hash512(messages, hashes, keys);
        }
        if let ([message], [hash]) = (last_message, last_hash) {
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

    /// The mixing step of Haraka-256 on two states, blocks 0 and 1 and blocks 2 and 3.
    #[inline]
    fn mix256_pair(state: Quad) -> Quad {
        match_target! {
            "x86, x86_64: vaes,avx512f" => {
                let order = _mm512_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
                Quad(transmute!(_mm512_permutexvar_epi32(order, transmute!(state.0))))
            }
            "x86, x86_64: vaes" => {
                let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
                let [a, b]: [__m256i; 2] = transmute!(state.0);
                Quad(transmute!([_mm256_permutevar8x32_epi32(a, order), _mm256_permutevar8x32_epi32(b, order)]))
            }
            _ => {
                let [a, b, c, d] = state.to_blocks();
                let ([a, b], [c, d]) = (mix256([a, b]), mix256([c, d]));
                Quad::from([a, b, c, d])
            }
        }
    }

    /// The mixing step of Haraka-512.
    #[inline]
    fn mix512_quad(state: Quad) -> Quad {
        match_target! {
            "x86, x86_64: vaes,avx512f" => {
                let order = _mm512_setr_epi32(3, 11, 7, 15, 8, 0, 12, 4, 9, 1, 13, 5, 2, 10, 6, 14);
                Quad(transmute!(_mm512_permutexvar_epi32(order, transmute!(state.0))))
            }
            "x86, x86_64: vaes" => {
                // Vector a holds blocks 0 and 1, b blocks 2 and 3. Their columns are paired and the pairs sorted within
                // lanes of 128 bits, which is cheap, so that one step across lanes is left.
                const PAIRS_0213: i32 = 0b11_01_10_00;
                let [a, b]: [__m256i; 2] = transmute!(state.0);
                let (high, low) = (transmute!(_mm256_unpackhi_epi32(a, b)), transmute!(_mm256_unpacklo_epi32(b, a)));
                let sorted: [__m256d; 2] = [_mm256_shuffle_pd::<0b0101>(high, low), _mm256_shuffle_pd::<0b0101>(low, high)];
                let [a, b]: [__m256i; 2] = transmute!(sorted);
                let mixed = [_mm256_permute4x64_epi64::<PAIRS_0213>(a), _mm256_permute4x64_epi64::<PAIRS_0213>(b)];
                Quad(transmute!(mixed))
            }
            _ => Quad::from(mix512(state.to_blocks())),
        }
    }

    /// The half of a state of Haraka-512 that the paper keeps: the ends of the first two blocks, the beginnings of the others.
    #[inline]
    fn truncate(state: Quad) -> [u8; 32] {
        let words: [u64; 8] = transmute!(state.to_bytes());
        transmute!([words[1], words[3], words[4], words[6]])
    }
}
