//! Many messages: enough states side by side to fill the AES unit, each in as few registers as hold it. One quad is the state of
//! two messages of Haraka-256, or of one message of Haraka-512.
pub use states_in_step::{haraka256_many, haraka512_many};

pub(super) use states_in_step::aes_rounds;

#[simd_core::dispatch(targets = crate::targets::blocks)]
mod states_in_step {
    #![allow(unused_imports, clippy::wildcard_imports, reason = "each clone works on vectors of another size")]
    use crate::aes::{Quad, aesenc4};
    use crate::arch::*;
    use crate::haraka::constants::{KEYS256, KEYS512, RoundKeys};
    use crate::haraka::haraka_v2::{haraka256, mix256, mix512};
    use crate::haraka::order::{MIX256, MIX512, shifted};
    use crate::haraka::tuned::vectors512::{self, GROUP_256, GROUP_512};
    use crate::wide::Wide;
    use core::hint::black_box;
    use simd_core::match_target;
    use zerocopy::transmute;

    /// Whether there are registers for sixteen vectors in flight.
    const SIXTEEN: bool = match_target! { "x86, x86_64: vaes,avx512f" => true, _ => false };

    // With many states of 64 bytes or in groups, the number of rounds is a variable: a loop over rounds that is unrolled has
    // all of their keys in registers at once, or rather on the stack. It is hidden, because `inline(never)` does not hold in
    // a clone.

    /// Haraka-256 v2 of each message, with 5 or 6 rounds. Only the number of messages shows in the time taken.
    ///
    /// # Panics
    /// If there are not as many hashes as messages.
    pub fn haraka256_many<const ROUNDS: usize>(messages: &[[u8; 32]], hashes: &mut [[u8; 32]]) {
        /// Quads that hide the latency of the rounds.
        const IN_FLIGHT: usize = match_target! { "vaes,avx512f" => 4, "vaes" => 6, "aes" => 2, _ => 4 };
        const { assert!(ROUNDS == 5 || ROUNDS == 6, "Haraka has 5 or 6 rounds") };
        assert_eq!(messages.len(), hashes.len(), "one hash for each message");
        let keys = &KEYS256[..ROUNDS];
        let done = if SIXTEEN && messages.len() >= GROUP_256 {
            vectors512::hash256(messages, hashes, black_box(keys))
        } else {
            0
        };
        let (messages, last_message) = messages[done..].as_chunks::<2>();
        let (hashes, last_hash) = hashes[done..].as_chunks_mut::<2>();
        let (message_groups, messages) = messages.as_chunks::<IN_FLIGHT>();
        let (hash_groups, hashes) = hashes.as_chunks_mut::<IN_FLIGHT>();
        for (messages, hashes) in message_groups.iter().zip(hash_groups) {
            hash256_in_quads(messages, hashes, keys);
        }
        for (message, hash) in messages.iter().zip(hashes) {
            hash256_in_quads(core::array::from_ref(message), core::array::from_mut(hash), keys);
        }
        if let ([message], [hash]) = (last_message, last_hash) {
            *hash = haraka256::<ROUNDS>(message);
        }
    }

    /// Haraka-512 v2 of each message, with 5 or 6 rounds. Only the number of messages shows in the time taken.
    ///
    /// # Panics
    /// If there are not as many hashes as messages.
    pub fn haraka512_many<const ROUNDS: usize>(messages: &[[u8; 64]], hashes: &mut [[u8; 32]]) {
        /// Quads that hide the latency of the rounds.
        const IN_FLIGHT: usize = match_target! { "vaes,avx512f" => 8, "vaes" => 6, "aes" => 3, _ => 4 };
        const { assert!(ROUNDS == 5 || ROUNDS == 6, "Haraka has 5 or 6 rounds") };
        assert_eq!(messages.len(), hashes.len(), "one hash for each message");
        let keys = &KEYS512[..ROUNDS];
        let done = if SIXTEEN && messages.len() >= GROUP_512 {
            vectors512::hash512(messages, hashes, black_box(keys))
        } else {
            0
        };
        // With a register for each state and each key, the rounds may as well be unrolled.
        let keys = if SIXTEEN { keys } else { black_box(keys) };
        let (message_groups, messages) = messages[done..].as_chunks::<IN_FLIGHT>();
        let (hash_groups, hashes) = hashes[done..].as_chunks_mut::<IN_FLIGHT>();
        for (messages, hashes) in message_groups.iter().zip(hash_groups) {
            hash512_in_quads(messages, hashes, keys);
        }
        let (message_pairs, last_message) = messages.as_chunks::<2>();
        let (hash_pairs, last_hash) = hashes.as_chunks_mut::<2>();
        for (messages, hashes) in message_pairs.iter().zip(hash_pairs) {
            hash512_in_quads(messages, hashes, keys);
        }
        // Not `haraka512`, which has other targets, and would be a call.
        if let ([message], [hash]) = (last_message, last_hash) {
            hash512_in_quads(core::array::from_ref(message), core::array::from_mut(hash), keys);
        }
    }

    /// Haraka-256 of two messages in each quad.
    #[inline]
    fn hash256_in_quads<const N: usize>(
        messages: &[[[u8; 32]; 2]; N],
        hashes: &mut [[[u8; 32]; 2]; N],
        keys: &[RoundKeys],
    ) {
        let mut states = [[Quad::new([0; 64])]; N];
        for ([state], pair) in states.iter_mut().zip(messages) {
            *state = Quad::new(transmute!(*pair));
        }
        for keys in keys {
            two_rounds(&mut states, keys);
            for [state] in &mut states {
                *state = mix256_quad(*state);
            }
        }
        for ((hash, [state]), message) in hashes.iter_mut().zip(states).zip(messages) {
            *hash = transmute!((state ^ Quad::new(transmute!(*message))).to_bytes());
        }
    }

    /// Haraka-512 of the message in each quad.
    #[inline]
    fn hash512_in_quads<const N: usize>(messages: &[[u8; 64]; N], hashes: &mut [[u8; 32]; N], keys: &[RoundKeys]) {
        let mut states = [[Quad::new([0; 64])]; N];
        for ([state], message) in states.iter_mut().zip(messages) {
            *state = Quad::new(*message);
        }
        for keys in keys {
            two_rounds(&mut states, keys);
            for [state] in &mut states {
                *state = mix512_quad(*state);
            }
        }
        for ((hash, [state]), message) in hashes.iter_mut().zip(states).zip(messages) {
            *hash = truncate(state ^ Quad::new(*message));
        }
    }

    /// Two AES rounds on each block.
    #[inline]
    fn two_rounds<const N: usize>(states: &mut [[Quad; 1]; N], keys: &RoundKeys) {
        if cfg!(target_feature = "aes") {
            aes_rounds(states, &[[keys.first], [keys.second]]);
        } else {
            *states = keys.bitsliced(states.map(|[state]| state)).map(|state| [state]);
        }
    }

    /// AES rounds on each state of `K` quads, which have their own keys. One round on all states comes before the next, so
    /// that neighbouring instructions do not wait for each other: the CPU's own reordering does not reach far enough for that.
    #[inline]
    pub(in crate::haraka::tuned) fn aes_rounds<const K: usize, const N: usize>(
        states: &mut [[Quad; K]; N],
        keys: &[[Quad; K]],
    ) {
        for keys in keys {
            for state in &mut *states {
                for (quad, key) in state.iter_mut().zip(keys) {
                    *quad = aesenc4(*quad, *key);
                }
            }
        }
    }

    /// The mixing step of Haraka-256 on two states, blocks 0 and 1 and blocks 2 and 3.
    #[inline]
    fn mix256_quad(state: Quad) -> Quad {
        match_target! {
            "x86, x86_64: vaes,avx512f" => {
                // The second state is eight columns behind the first.
                let order: [[u32; 8]; 2] = const { [MIX256, shifted(MIX256, 8)] };
                Quad(_mm512_permutexvar_epi32(transmute!(order), state.0.into()).into())
            }
            "x86, x86_64: vaes" => {
                let order = transmute!(MIX256);
                let [a, b]: [__m256i; 2] = state.0.into();
                Quad(Wide::from([_mm256_permutevar8x32_epi32(a, order), _mm256_permutevar8x32_epi32(b, order)]))
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
                Quad(_mm512_permutexvar_epi32(transmute!(MIX512), state.0.into()).into())
            }
            "x86, x86_64: vaes" => {
                // Vector a holds blocks 0 and 1, b blocks 2 and 3. Their columns are paired and the pairs sorted within
                // lanes of 128 bits, which is cheap, so that one step across lanes is left.
                const PAIRS_0213: i32 = 0b11_01_10_00;
                let [a, b]: [__m256i; 2] = state.0.into();
                let high = _mm256_castsi256_pd(_mm256_unpackhi_epi32(a, b));
                let low = _mm256_castsi256_pd(_mm256_unpacklo_epi32(b, a));
                let sorted = [_mm256_shuffle_pd::<0b0101>(high, low), _mm256_shuffle_pd::<0b0101>(low, high)];
                let [a, b] = [_mm256_castpd_si256(sorted[0]), _mm256_castpd_si256(sorted[1])];
                let mixed = [_mm256_permute4x64_epi64::<PAIRS_0213>(a), _mm256_permute4x64_epi64::<PAIRS_0213>(b)];
                Quad(Wide::from(mixed))
            }
            _ => Quad::from(mix512(state.to_blocks())),
        }
    }

    /// The half of a state of Haraka-512 that the paper keeps: the ends of the first two blocks, the beginnings of the others.
    #[inline]
    fn truncate(state: Quad) -> [u8; 32] {
        let words = state.0.0;
        transmute!([words[1], words[3], words[4], words[6]])
    }
}
