//! The rounds on one block, and the key schedules that are made of them.
use super::block::Block;
use simd_core::dispatch;

pub(super) use rounds::xor;
pub use rounds::{
    aesdec, aesdeclast, aesenc, aesenclast, aesimc, inverse_round_keys, round_keys128, round_keys192, round_keys256,
};

#[dispatch(targets = crate::targets::block)]
mod rounds {
    #![allow(unused_imports, clippy::wildcard_imports, reason = "some clones work on vectors, the baseline in planes")]
    use super::Block;
    use crate::aes::bitslice::{self, Planes};
    use crate::arch::*;
    use simd_core::match_target;
    use zerocopy::transmute;
    use zeroize::optimization_barrier;

    /// One full round of encryption: `MixColumns(ShiftRows(SubBytes(state))) + key`.
    ///
    /// Constant time in both arguments.
    ///
    /// ```
    /// use simd_crypto::aes::{Block, aesenc};
    /// // The first round of FIPS 197, appendix B: the state after the addition of the cipher key, and round key 1.
    /// let state = Block::from(0x193d_e3be_a0f4_e22b_9ac6_8d2a_e9f8_4808_u128.to_be_bytes());
    /// let key = Block::from(0xa0fa_fe17_8854_2cb1_23a3_3939_2a6c_7605_u128.to_be_bytes());
    /// assert_eq!(aesenc(state, key).to_bytes(), 0xa49c_7ff2_689f_352b_6b5b_ea43_026a_5049_u128.to_be_bytes());
    /// ```
    #[inline]
    #[must_use]
    pub fn aesenc(state: Block, key: Block) -> Block {
        match_target! {
            "x86, x86_64: aes" => Block(_mm_aesenc_si128(state.0, key.0)),
            "aarch64: aes" => Block(veorq_u8(vaesmcq_u8(vaeseq_u8(state.0, vdupq_n_u8(0))), key.0)),
            _ => bitslice::single(state, key, Planes::enc),
        }
    }

    /// The last round of encryption: `ShiftRows(SubBytes(state)) + key`.
    ///
    /// Constant time in both arguments.
    #[inline]
    #[must_use]
    pub fn aesenclast(state: Block, key: Block) -> Block {
        match_target! {
            "x86, x86_64: aes" => Block(_mm_aesenclast_si128(state.0, key.0)),
            "aarch64: aes" => Block(veorq_u8(vaeseq_u8(state.0, vdupq_n_u8(0)), key.0)),
            _ => bitslice::single(state, key, Planes::enc_last),
        }
    }

    /// One full round of the equivalent inverse cipher: `InvMixColumns(InvSubBytes(InvShiftRows(state))) + key`.
    ///
    /// The round keys of encryption go through [`aesimc`] first, all but the outermost two. Constant time in both arguments.
    #[inline]
    #[must_use]
    pub fn aesdec(state: Block, key: Block) -> Block {
        match_target! {
            "x86, x86_64: aes" => Block(_mm_aesdec_si128(state.0, key.0)),
            "aarch64: aes" => Block(veorq_u8(vaesimcq_u8(vaesdq_u8(state.0, vdupq_n_u8(0))), key.0)),
            _ => bitslice::single(state, key, Planes::dec),
        }
    }

    /// The last round of the equivalent inverse cipher: `InvSubBytes(InvShiftRows(state)) + key`.
    ///
    /// Constant time in both arguments.
    #[inline]
    #[must_use]
    pub fn aesdeclast(state: Block, key: Block) -> Block {
        match_target! {
            "x86, x86_64: aes" => Block(_mm_aesdeclast_si128(state.0, key.0)),
            "aarch64: aes" => Block(veorq_u8(vaesdq_u8(state.0, vdupq_n_u8(0)), key.0)),
            _ => bitslice::single(state, key, Planes::dec_last),
        }
    }

    /// `InvMixColumns`, which turns a round key of encryption into one for [`aesdec`].
    ///
    /// Constant time.
    #[inline]
    #[must_use]
    pub fn aesimc(key: Block) -> Block {
        match_target! {
            "x86, x86_64: aes" => Block(_mm_aesimc_si128(key.0)),
            "aarch64: aes" => Block(vaesimcq_u8(key.0)),
            _ => bitslice::single(key, Block::default(), Planes::imc),
        }
    }

    #[inline]
    pub(in crate::aes) fn xor(a: Block, b: Block) -> Block {
        match_target! {
            "x86, x86_64: aes" => Block(_mm_xor_si128(a.0, b.0)),
            "aarch64: aes" => Block(veorq_u8(a.0, b.0)),
            _ => {
                let (a, b): ([u64; 2], [u64; 2]) = (transmute!(a.0), transmute!(b.0));
                Block(transmute!([a[0] ^ b[0], a[1] ^ b[1]]))
            }
        }
    }

    /// The 11 round keys of AES-128, in the order of use ([FIPS 197, 5.2]). Constant time.
    ///
    /// [FIPS 197, 5.2]: https://doi.org/10.6028/NIST.FIPS.197-upd1
    #[must_use]
    pub fn round_keys128(key: &[u8; 16]) -> [Block; 11] {
        expand::<4, 11>(key)
    }

    /// The 13 round keys of AES-192, in the order of use ([FIPS 197, 5.2]). Constant time.
    ///
    /// [FIPS 197, 5.2]: https://doi.org/10.6028/NIST.FIPS.197-upd1
    #[must_use]
    pub fn round_keys192(key: &[u8; 24]) -> [Block; 13] {
        expand::<6, 13>(key)
    }

    /// The 15 round keys of AES-256, in the order of use ([FIPS 197, 5.2]). Constant time.
    ///
    /// [FIPS 197, 5.2]: https://doi.org/10.6028/NIST.FIPS.197-upd1
    #[must_use]
    pub fn round_keys256(key: &[u8; 32]) -> [Block; 15] {
        expand::<8, 15>(key)
    }

    /// The round keys for [`aesdec`] from those for [`aesenc`]: in reverse, all but the outermost two through [`aesimc`]
    /// ([FIPS 197, 5.3.5]). Constant time.
    ///
    /// [FIPS 197, 5.3.5]: https://doi.org/10.6028/NIST.FIPS.197-upd1
    #[inline]
    #[must_use]
    pub fn inverse_round_keys<const N: usize>(keys: &[Block; N]) -> [Block; N] {
        let mut inverse = *keys;
        inverse.reverse();
        if let [_, middle @ .., _] = &mut inverse[..] {
            for key in middle {
                *key = aesimc(*key);
            }
        }
        inverse
    }

    /// Algorithm 2 of FIPS 197 for a key of `NK` words, over little-endian words, so that the first byte is the lowest.
    #[inline]
    fn expand<const NK: usize, const N: usize>(key: &[u8]) -> [Block; N] {
        let mut words = [[0_u32; 4]; N];
        let flat = words.as_flattened_mut();
        for (word, bytes) in flat.iter_mut().zip(key.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        let mut constant = 1;
        for i in NK..flat.len() {
            let mut word = flat[i - 1];
            if i % NK == 0 {
                word = sub_word(word.rotate_right(8)) ^ constant;
                // x^8 comes around as x^4 + x^3 + x + 1; the constants are public.
                constant = (constant << 1) ^ (0x11b * (constant >> 7));
            } else if NK > 6 && i % NK == 4 {
                word = sub_word(word);
            }
            flat[i] = flat[i - NK] ^ word;
        }
        let mut keys = [Block::default(); N];
        for (key, words) in keys.iter_mut().zip(&words) {
            *key = Block::new(transmute!(words.map(u32::to_le_bytes)));
        }
        words = [[0; 4]; N];
        optimization_barrier(&words);
        keys
    }

    /// The S-box on each byte of a word: `ShiftRows` leaves four equal columns as they are.
    #[inline]
    fn sub_word(word: u32) -> u32 {
        match_target! {
            "x86, x86_64: aes" => {
                _mm_cvtsi128_si32(_mm_aesenclast_si128(_mm_set1_epi32(word.cast_signed()), _mm_setzero_si128()))
                    .cast_unsigned()
            }
            "aarch64: aes" => {
                let substituted: [u32; 4] = transmute!(vaeseq_u8(transmute!(vdupq_n_u32(word)), vdupq_n_u8(0)));
                substituted[0]
            }
            _ => bitslice::sub_word(word),
        }
    }
}
