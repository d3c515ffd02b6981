//! Many messages in 512-bit registers, of which there are enough for sixteen vectors in flight, their keys and the shuffles.
//!
//! Each function hashes whole groups of messages, and says how many messages these were. Other targets have no groups.
pub(super) use groups::{hash256, hash512};

/// How many messages of Haraka-256 are hashed together.
pub(super) const GROUP_256: usize = 32;
/// The same for Haraka-512.
pub(super) const GROUP_512: usize = 16;

#[simd_core::dispatch(targets = crate::targets::blocks)]
mod groups {
    #![allow(unused, clippy::wildcard_imports, reason = "only one target has groups")]
    use super::{GROUP_256, GROUP_512};
    use crate::aes::Quad;
    use crate::arch::*;
    use crate::haraka::constants::RoundKeys;
    use crate::haraka::order::{MIX_KEPT, MIX256, MIX512, shifted};
    use crate::haraka::tuned::many::aes_rounds;
    use simd_core::match_target;
    use zerocopy::transmute;

    /// What is kept of the states of two messages.
    const OF_TWO: [[u32; 8]; 2] = [MIX_KEPT, shifted(MIX_KEPT, 16)];
    /// The mixing step of the states in lanes 0 and 2, and of those in lanes 1 and 3.
    const IN_LANES: [[u32; 8]; 4] = {
        let order = two_vectors(MIX256);
        [order, shifted(order, 8), shifted(order, 4), shifted(order, 12)]
    };

    /// Haraka-256: four states at a time in two quads, one of first and one of second blocks.
    ///
    /// So they are mixed within lanes of 128 bits. Shuffles across lanes share their ports with the AES unit on Zen 4: ten
    /// rounds of AES and five of those take 11.9 cycles a vector, five of these 10.7.
    #[inline]
    pub(in crate::haraka::tuned) fn hash256(
        messages: &[[u8; 32]],
        hashes: &mut [[u8; 32]],
        keys: &[RoundKeys],
    ) -> usize {
        match_target! {
            "x86, x86_64: vaes,avx512f" => {
                /// Lanes 1 and 3 as a mask of words.
                const ODD: u8 = 0b1100_1100;
                let Some((last, keys)) = keys.split_last() else { return 0 };
                // Second blocks are in the second vector, and a state's blocks in the same lane of both.
                let [low, high]: [__m512i; 2] = transmute!(IN_LANES);
                let groups = messages.as_chunks::<GROUP_256>().0;
                for (messages, hashes) in groups.iter().zip(hashes.as_chunks_mut::<GROUP_256>().0) {
                    let messages = messages.as_flattened().as_chunks::<128>().0;
                    let hashes = hashes.as_flattened_mut().as_chunks_mut::<128>().0;
                    let mut states = [[Quad::new([0; 64]); 2]; GROUP_256 / 4];
                    for (state, messages) in states.iter_mut().zip(messages) {
                        // The blocks of messages 0, 2, 1 and 3: in these places they are where they are in memory, a few blocks on.
                        let from = |block: usize| at(messages, 16 * block).0.into();
                        let first = _mm512_mask_blend_epi64(ODD, from(0), from(3));
                        let second = _mm512_mask_blend_epi64(ODD, from(1), from(4));
                        *state = [Quad(first.into()), Quad(second.into())];
                    }
                    for keys in keys {
                        aes_rounds(&mut states, &keys.spread);
                        for [a, b] in &mut states {
                            let (first, second) = (a.0.into(), b.0.into());
                            *a = Quad(_mm512_unpacklo_epi32(first, second).into());
                            *b = Quad(_mm512_unpackhi_epi32(first, second).into());
                        }
                    }
                    aes_rounds(&mut states, &last.spread);
                    for ((hashes, [a, b]), messages) in hashes.iter_mut().zip(states).zip(messages) {
                        // The last mixing step, message by message again.
                        let (a, b) = (a.0.into(), b.0.into());
                        let low = Quad(_mm512_permutex2var_epi32(a, low, b).into());
                        let high = Quad(_mm512_permutex2var_epi32(a, high, b).into());
                        *hashes = transmute!([(low ^ at(messages, 0)).to_bytes(), (high ^ at(messages, 64)).to_bytes()]);
                    }
                }
                groups.as_flattened().len()
            }
            _ => 0,
        }
    }

    /// Haraka-512: one state in a quad. What is kept of two makes one quad again.
    #[inline]
    pub(in crate::haraka::tuned) fn hash512(
        messages: &[[u8; 64]],
        hashes: &mut [[u8; 32]],
        keys: &[RoundKeys],
    ) -> usize {
        match_target! {
            "x86, x86_64: vaes,avx512f" => {
                let Some((last, keys)) = keys.split_last() else { return 0 };
                let mix = transmute!(MIX512);
                let truncate = _mm512_setr_epi64(1, 3, 4, 6, 9, 11, 12, 14);
                let mix_truncate = transmute!(OF_TWO);
                let groups = messages.as_chunks::<GROUP_512>().0;
                for (messages, hashes) in groups.iter().zip(hashes.as_chunks_mut::<GROUP_512>().0) {
                    let mut states = [[Quad::new([0; 64])]; GROUP_512];
                    for ([state], message) in states.iter_mut().zip(messages) {
                        *state = Quad::new(*message);
                    }
                    for keys in keys {
                        aes_rounds(&mut states, &[[keys.first], [keys.second]]);
                        for [state] in &mut states {
                            *state = Quad(_mm512_permutexvar_epi32(mix, state.0.into()).into());
                        }
                    }
                    aes_rounds(&mut states, &[[last.first], [last.second]]);
                    let (states, messages) = (states.as_chunks::<2>().0, messages.as_chunks::<2>().0);
                    let hashes = hashes.as_flattened_mut().as_chunks_mut::<64>().0;
                    for ((hashes, [[a], [b]]), [c, d]) in hashes.iter_mut().zip(states).zip(messages) {
                        let mixed = _mm512_permutex2var_epi32(a.0.into(), mix_truncate, b.0.into());
                        let kept = _mm512_permutex2var_epi64(Quad::new(*c).0.into(), truncate, Quad::new(*d).0.into());
                        *hashes = (Quad(mixed.into()) ^ Quad(kept.into())).to_bytes();
                    }
                }
                groups.as_flattened().len()
            }
            _ => 0,
        }
    }

    /// The columns of a state whose second block is in another vector.
    const fn two_vectors(mut order: [u32; 8]) -> [u32; 8] {
        let mut i = 0;
        while i < 8 {
            order[i] = order[i] % 4 + order[i] / 4 * 16;
            i += 1;
        }
        order
    }

    /// The quad at `start`.
    #[inline]
    fn at(bytes: &[u8; 128], start: usize) -> Quad {
        bytes[start..].first_chunk().map_or(Quad::new([0; 64]), |quad| Quad::new(*quad))
    }
}
