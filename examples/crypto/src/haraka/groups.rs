//! Tuned: batches in 512-bit registers, of which there are enough for sixteen vectors in flight, their keys and the shuffles.
//!
//! Each function hashes whole groups of messages, and says how many messages these were. Other targets have no groups.
use super::constants::RoundKeys;

pub(super) use kernels::{hash256, hash512};

/// How many messages of Haraka-256 are hashed together.
pub(super) const GROUP_256: usize = 32;
/// The same for Haraka-512.
pub(super) const GROUP_512: usize = 16;

#[simd_core::dispatch(targets = crate::targets::blocks)]
mod kernels {
    #![allow(unused, clippy::wildcard_imports, reason = "one target alone has groups")]
    use super::{GROUP_256, GROUP_512, RoundKeys};
    use crate::aes::Quad;
    use crate::arch::*;
    use simd_core::match_target;
    use zerocopy::{transmute, transmute_mut, transmute_ref};

    /// Haraka-256: four states at a time in two vectors, one of first and one of second blocks.
    ///
    /// So they are mixed within lanes of 128 bits. Shuffles across lanes share their ports with the AES unit on Zen 4: ten
    /// rounds of AES and five of those take 11.9 cycles a vector, five of these 10.7.
    #[inline]
    pub(in crate::haraka) fn hash256(messages: &[[u8; 32]], hashes: &mut [[u8; 32]], keys: &[RoundKeys]) -> usize {
        match_target! {
            "x86, x86_64: vaes,avx512f" => {
                /// Lanes 1 and 3 as a mask of words.
                const ODD: u8 = 0b1100_1100;
                let Some((last, keys)) = keys.split_last() else { return 0 };
                let low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27);
                let high = _mm512_setr_epi32(4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31);
                let groups = messages.as_chunks::<GROUP_256>().0;
                for (messages, hashes) in groups.iter().zip(hashes.as_chunks_mut::<GROUP_256>().0) {
                    let messages: &[[u8; 128]; GROUP_256 / 4] = transmute_ref!(messages);
                    let hashes: &mut [[[u8; 64]; 2]; GROUP_256 / 4] = transmute_mut!(hashes);
                    let mut states = [[_mm512_setzero_si512(); 2]; GROUP_256 / 4];
                    for (state, messages) in states.iter_mut().zip(messages) {
                        // The blocks of messages 0, 2, 1 and 3: in these places they are where they are in memory, a few blocks on.
                        let from = |block: usize| at(messages, 16 * block);
                        *state = [_mm512_mask_blend_epi64(ODD, from(0), from(3)), _mm512_mask_blend_epi64(ODD, from(1), from(4))];
                    }
                    for keys in keys {
                        aes2(&mut states, &keys.spread);
                        for [a, b] in &mut states {
                            (*a, *b) = (_mm512_unpacklo_epi32(*a, *b), _mm512_unpackhi_epi32(*a, *b));
                        }
                    }
                    aes2(&mut states, &last.spread);
                    for ((hashes, [a, b]), messages) in hashes.iter_mut().zip(states).zip(messages) {
                        // The last mixing step, message by message again.
                        let mixed = [_mm512_permutex2var_epi32(a, low, b), _mm512_permutex2var_epi32(a, high, b)];
                        *hashes =
                            transmute!(
                                [_mm512_xor_si512(mixed[0], at(messages, 0)), _mm512_xor_si512(mixed[1], at(messages, 64)),]
                            );
                    }
                }
                groups.as_flattened().len()
            }
            _ => 0,
        }
    }

    /// Haraka-512: one state in a vector. What is kept of two makes one vector again.
    #[inline]
    pub(in crate::haraka) fn hash512(messages: &[[u8; 64]], hashes: &mut [[u8; 32]], keys: &[RoundKeys]) -> usize {
        match_target! {
            "x86, x86_64: vaes,avx512f" => {
                let Some((last, keys)) = keys.split_last() else { return 0 };
                let mix = _mm512_setr_epi32(3, 11, 7, 15, 8, 0, 12, 4, 9, 1, 13, 5, 2, 10, 6, 14);
                let truncate = _mm512_setr_epi64(1, 3, 4, 6, 9, 11, 12, 14);
                let mix_truncate = _mm512_setr_epi32(7, 15, 12, 4, 9, 1, 2, 10, 23, 31, 28, 20, 25, 17, 18, 26);
                let groups = messages.as_chunks::<GROUP_512>().0;
                for (messages, hashes) in groups.iter().zip(hashes.as_chunks_mut::<GROUP_512>().0) {
                    let messages: &[[[u8; 64]; 2]; GROUP_512 / 2] = transmute_ref!(messages);
                    let hashes: &mut [[u8; 64]; GROUP_512 / 2] = transmute_mut!(hashes);
                    let mut states = [[_mm512_setzero_si512(); 2]; GROUP_512 / 2];
                    for (state, [a, b]) in states.iter_mut().zip(messages) {
                        *state = [transmute!(*a), transmute!(*b)];
                    }
                    for keys in keys {
                        aes2(&mut states, &[[keys.first; 2], [keys.second; 2]]);
                        for state in states.as_flattened_mut() {
                            *state = _mm512_permutexvar_epi32(mix, *state);
                        }
                    }
                    aes2(&mut states, &[[last.first; 2], [last.second; 2]]);
                    for ((hash, [a, b]), [c, d]) in hashes.iter_mut().zip(states).zip(messages) {
                        let kept = _mm512_permutex2var_epi64(transmute!(*c), truncate, transmute!(*d));
                        *hash = transmute!(_mm512_xor_si512(_mm512_permutex2var_epi32(a, mix_truncate, b), kept));
                    }
                }
                groups.as_flattened().len()
            }
            _ => 0,
        }
    }

    /// Two AES rounds on each vector, one round on all before the next: the CPU's own reordering does not reach far enough.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    #[inline]
    #[target_feature(enable = "vaes,avx512f")]
    fn aes2<const N: usize>(states: &mut [[__m512i; 2]; N], keys: &[[Quad; 2]; 2]) {
        for [a_key, b_key] in keys {
            let (a_key, b_key) = (transmute!(a_key.to_bytes()), transmute!(b_key.to_bytes()));
            for [a, b] in &mut *states {
                (*a, *b) = (_mm512_aesenc_epi128(*a, a_key), _mm512_aesenc_epi128(*b, b_key));
            }
        }
    }

    /// The 64 bytes from `start`.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    #[inline]
    #[target_feature(enable = "vaes,avx512f")]
    fn at(bytes: &[u8; 128], start: usize) -> __m512i {
        bytes[start..].first_chunk::<64>().map_or(_mm512_setzero_si512(), |bytes| transmute!(*bytes))
    }
}
