//! Many messages: enough states side by side to fill the AES unit, each in as few registers as hold it. One quad is the state of
//! two messages of Haraka-256, or of one message of Haraka-512.
pub use states_in_step::{haraka256_many, haraka512_many};

#[simd_core::dispatch(targets = crate::targets::blocks)]
mod states_in_step {
    #![allow(clippy::redundant_closure, reason = "a closure is compiled for its clone; a function would choose again")]
    #![allow(unused_imports, clippy::wildcard_imports, reason = "each clone works on vectors of another size")]
    use crate::aes::{Quad, aesenc4};
    use crate::arch::*;
    use crate::haraka::constants::{KEYS256, KEYS512, RoundKeys};
    use crate::haraka::rounds::{MIX_KEPT_OF_TWO, MIX256, MIX256_TWICE, MIX512, rounds};
    use crate::haraka::single::{haraka256, mix256, mix512};
    use crate::wide::Wide;
    use core::hint::black_box;
    use simd_core::match_target;
    use zerocopy::transmute;

    /// Whether there are registers for sixteen vectors in flight.
    const SIXTEEN: bool = match_target! { "x86, x86_64: vaes,avx512f" => true, _ => false };

    /// Quads that hide the latency of the rounds of Haraka-256, then of Haraka-512, and how many are next when fewer are left.
    const IN_FLIGHT: [[usize; 2]; 2] = match_target! {
        "vaes,avx512f" => [[8, 4], [2, 1]],
        "vaes" => [[6, 1], [6, 2]],
        "aes" => [[2, 1], [3, 2]],
        _ => [[4, 1], [4, 2]],
    };

    /// Haraka-256 v2 of each message, with 5 or 6 rounds. Only the number of messages shows in the time taken.
    ///
    /// # Panics
    /// If there are not as many hashes as messages.
    pub fn haraka256_many<const ROUNDS: usize>(messages: &[[u8; 32]], hashes: &mut [[u8; 32]]) {
        const { assert!(ROUNDS == 5 || ROUNDS == 6, "Haraka has 5 or 6 rounds") };
        assert!(messages.len() == hashes.len(), "one hash for each message");
        let (pairs, last) = messages.as_flattened().as_chunks::<64>();
        let (hash_pairs, last_hash) = hashes.as_flattened_mut().as_chunks_mut::<64>();
        let mix = |state| mix256_quad(state);
        let keys = &KEYS256[..ROUNDS];
        each::<{ IN_FLIGHT[0][0] }, { IN_FLIGHT[0][1] }, 64>(pairs, hash_pairs, keys, mix, Quad::to_bytes);
        if let (Some(message), Some(hash)) = (last.first_chunk(), last_hash.first_chunk_mut()) {
            *hash = haraka256::<ROUNDS>(message);
        }
    }

    /// Haraka-512 v2 of each message, with 5 or 6 rounds. Only the number of messages shows in the time taken.
    ///
    /// # Panics
    /// If there are not as many hashes as messages.
    pub fn haraka512_many<const ROUNDS: usize>(messages: &[[u8; 64]], hashes: &mut [[u8; 32]]) {
        const { assert!(ROUNDS == 5 || ROUNDS == 6, "Haraka has 5 or 6 rounds") };
        assert!(messages.len() == hashes.len(), "one hash for each message");
        let keys = &KEYS512[..ROUNDS];
        let mut done = 0;
        if SIXTEEN && messages.len() >= 8 {
            if messages.len() >= 16 {
                done = in_groups::<16>(messages, hashes, black_box(keys));
            }
            done += in_groups::<8>(&messages[done..], &mut hashes[done..], keys);
        }
        let (mix, end) = (|state| mix512_quad(state), |state| truncate(state));
        let (messages, hashes) = (&messages[done..], &mut hashes[done..]);
        each::<{ IN_FLIGHT[1][0] }, { IN_FLIGHT[1][1] }, 32>(messages, hashes, hidden(keys), mix, end);
    }

    /// Haraka-512 of `N` messages at a time, as far as there are as many and registers for them: what is kept of two mixed states
    /// is one shuffle. Gives the number of messages.
    #[inline]
    fn in_groups<const N: usize>(messages: &[[u8; 64]], hashes: &mut [[u8; 32]], keys: &[RoundKeys]) -> usize {
        match_target! {
            "x86, x86_64: vaes,avx512f" => {
                let Some((last, keys)) = keys.split_last() else { return 0 };
                let kept = _mm512_setr_epi64(1, 3, 4, 6, 9, 11, 12, 14);
                let mixed_and_kept = transmute!(MIX_KEPT_OF_TWO);
                let groups = messages.as_chunks::<N>().0;
                for (messages, hashes) in groups.iter().zip(hashes.as_chunks_mut::<N>().0) {
                    let mut states = [Quad::new([0; 64]); N];
                    for (state, message) in states.iter_mut().zip(messages) {
                        *state = Quad::new(*message);
                    }
                    let states = rounds(states, keys, |states, keys| two_rounds(states, keys), |states| mixed(states, |state| mix512_quad(state)));
                    let states = two_rounds(states, last);
                    let (states, messages) = (states.as_chunks::<2>().0, messages.as_chunks::<2>().0);
                    let hashes = hashes.as_flattened_mut().as_chunks_mut::<64>().0;
                    for ((hashes, [a, b]), [c, d]) in hashes.iter_mut().zip(states).zip(messages) {
                        let state = _mm512_permutex2var_epi32(a.0.into(), mixed_and_kept, b.0.into());
                        let start = _mm512_permutex2var_epi64(Quad::new(*c).0.into(), kept, Quad::new(*d).0.into());
                        *hashes = (Quad(state.into()) ^ Quad(start.into())).to_bytes();
                    }
                }
                groups.as_flattened().len()
            }
            _ => 0,
        }
    }

    /// The keys, their number unknown to the compiler where states in flight leave few registers: a loop over rounds that is
    /// unrolled has all of their keys in registers at once, or rather on the stack.
    #[inline]
    fn hidden(keys: &[RoundKeys]) -> &[RoundKeys] {
        if SIXTEEN { keys } else { black_box(keys) }
    }

    #[inline]
    fn mixed<const N: usize>(mut states: [Quad; N], mix: impl Fn(Quad) -> Quad) -> [Quad; N] {
        for state in &mut states {
            *state = mix(*state);
        }
        states
    }

    /// Hashes what is in each quad: as many at once as hide the latency, then as many as are next, then one by one.
    #[inline]
    fn each<const IN_FLIGHT: usize, const NEXT: usize, const BYTES: usize>(
        messages: &[[u8; 64]],
        hashes: &mut [[u8; BYTES]],
        keys: &[RoundKeys],
        mix: impl Fn(Quad) -> Quad + Copy,
        end: impl Fn(Quad) -> [u8; BYTES] + Copy,
    ) {
        // The compiler then counts them once. What is left over comes first, which is quicker for few messages.
        let hashes = &mut hashes[..messages.len()];
        let (messages, groups) = messages.as_rchunks::<IN_FLIGHT>();
        let (hashes, hash_groups) = hashes.as_rchunks_mut::<IN_FLIGHT>();
        let (messages, next) = messages.as_rchunks::<NEXT>();
        let (hashes, hash_next) = hashes.as_rchunks_mut::<NEXT>();
        for (message, hash) in messages.iter().zip(hashes) {
            group(core::array::from_ref(message), core::array::from_mut(hash), keys, mix, end);
        }
        for (messages, hashes) in next.iter().zip(hash_next) {
            group(messages, hashes, keys, mix, end);
        }
        for (messages, hashes) in groups.iter().zip(hash_groups) {
            group(messages, hashes, if IN_FLIGHT > 4 { hidden(keys) } else { keys }, mix, end);
        }
    }

    /// Hashes `N` quads side by side.
    #[inline]
    fn group<const N: usize, const BYTES: usize>(
        messages: &[[u8; 64]; N],
        hashes: &mut [[u8; BYTES]; N],
        keys: &[RoundKeys],
        mix: impl Fn(Quad) -> Quad + Copy,
        end: impl Fn(Quad) -> [u8; BYTES] + Copy,
    ) {
        let mut states = [Quad::new([0; 64]); N];
        for (state, message) in states.iter_mut().zip(messages) {
            *state = Quad::new(*message);
        }
        let states = rounds(states, keys, |states, keys| two_rounds(states, keys), |states| mixed(states, mix));
        for ((hash, state), message) in hashes.iter_mut().zip(states).zip(messages) {
            *hash = end(state ^ Quad::new(*message));
        }
    }

    /// Two AES rounds on each block. One round on all states comes before the next, so that neighbouring instructions do not wait
    /// for each other: the CPU's own reordering does not reach far enough for that.
    #[inline]
    fn two_rounds<const N: usize>(states: [Quad; N], keys: &RoundKeys) -> [Quad; N] {
        if cfg!(not(target_feature = "aes")) {
            return keys.bitsliced(states);
        }
        let mut states = states;
        for state in &mut states {
            *state = aesenc4(*state, keys.first);
        }
        for state in &mut states {
            *state = aesenc4(*state, keys.second);
        }
        states
    }

    /// The mixing step of Haraka-256 on two states, blocks 0 and 1 and blocks 2 and 3.
    #[inline]
    fn mix256_quad(state: Quad) -> Quad {
        match_target! {
            "x86, x86_64: vaes,avx512f" => {
                Quad(_mm512_permutexvar_epi32(transmute!(MIX256_TWICE), state.0.into()).into())
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

    /// The hash in a state of Haraka-512.
    #[inline]
    fn truncate(state: Quad) -> [u8; 32] {
        let words = state.0.0;
        transmute!([words[1], words[3], words[4], words[6]])
    }
}
