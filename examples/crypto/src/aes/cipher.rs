//! The block cipher: expanded keys, and blocks one by one or many at once.
use super::block::Block;
use simd_core::dispatch;
use zeroize::Zeroize;

/// AES with an expanded key of `N` round keys; [`Aes128`](super::Aes128), [`Aes192`](super::Aes192) and
/// [`Aes256`](super::Aes256) are the ones that exist.
///
/// Both directions are constant time in key and data. The key is wiped on drop.
///
/// ```
/// use simd_crypto::aes::Aes128;
/// // FIPS 197, appendix B
/// let aes = Aes128::from_key(&0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes());
/// let mut block = 0x3243_f6a8_885a_308d_3131_98a2_e037_0734_u128.to_be_bytes();
/// aes.encrypt(&mut block);
/// assert_eq!(block, 0x3925_841d_02dc_09fb_dc11_8597_196a_0b32_u128.to_be_bytes());
/// aes.decrypt(&mut block);
/// assert_eq!(block, 0x3243_f6a8_885a_308d_3131_98a2_e037_0734_u128.to_be_bytes());
/// ```
#[derive(Clone)]
pub struct Aes<const N: usize> {
    pub(crate) enc: [Block; N],
    /// The same keys for the equivalent inverse cipher: see [`inverse_round_keys`](super::inverse_round_keys).
    pub(crate) dec: [Block; N],
}

impl<const N: usize> Aes<N> {
    /// Encrypts one block in place. Constant time.
    #[inline]
    pub fn encrypt(&self, block: &mut [u8; 16]) {
        ecb::crypt_block::<ENCRYPT, N>(&self.enc, block);
    }

    /// Decrypts one block in place. Constant time.
    #[inline]
    pub fn decrypt(&self, block: &mut [u8; 16]) {
        ecb::crypt_block::<DECRYPT, N>(&self.dec, block);
    }

    /// Encrypts each block of a slice in place, independently of the others (the ECB mode, which hides no patterns: use it
    /// on counters or other distinct values). Only the number of blocks shows in the time taken.
    ///
    /// ```
    /// use simd_crypto::aes::Aes256;
    /// let aes = Aes256::from_key(&[7; 32]);
    /// let mut data = [0; 100 * 16];
    /// let (blocks, rest) = data.as_chunks_mut();
    /// assert!(rest.is_empty());
    /// aes.encrypt_many(blocks);
    /// aes.decrypt_many(blocks);
    /// assert_eq!(data, [0; 100 * 16]);
    /// ```
    #[inline]
    pub fn encrypt_many(&self, blocks: &mut [[u8; 16]]) {
        ecb::crypt_blocks::<ENCRYPT, N>(&self.enc, blocks);
    }

    /// Decrypts each block of a slice in place, independently of the others. Only the number of blocks shows in the time
    /// taken.
    #[inline]
    pub fn decrypt_many(&self, blocks: &mut [[u8; 16]]) {
        ecb::crypt_blocks::<DECRYPT, N>(&self.dec, blocks);
    }
}

impl<const N: usize> Drop for Aes<N> {
    fn drop(&mut self) {
        self.enc.zeroize();
        self.dec.zeroize();
    }
}

impl<const N: usize> zeroize::ZeroizeOnDrop for Aes<N> {}

impl<const N: usize> core::fmt::Debug for Aes<N> {
    /// Shows the size of the key only.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Aes{}(…)", 32 * (N - 7))
    }
}

/// The direction of the functions in [`ecb`].
pub(crate) const ENCRYPT: bool = true;
pub(crate) const DECRYPT: bool = false;

#[dispatch(targets = crate::targets::blocks)]
pub(crate) mod ecb {
    use super::ENCRYPT;
    use crate::aes::{
        Block, Quad, aesdec, aesdec4, aesdeclast, aesdeclast4, aesenc, aesenc4, aesenclast, aesenclast4, bitslice,
    };
    use simd_core::match_target;

    /// How many quads hide the latency of a round: 8 vectors of the size that the AES unit takes.
    const IN_FLIGHT: usize = match_target! { "vaes,avx512f" => 8, "vaes" => 4, _ => 2 };

    /// The middle and the outermost two of a schedule.
    #[inline]
    fn split<const N: usize>(keys: &[Block; N]) -> (Block, &[Block], Block) {
        const { assert!(N > 2, "a schedule has at least 11 keys") };
        (keys[0], &keys[1..N - 1], keys[N - 1])
    }

    /// Encrypts or decrypts one block. The keys are those of the direction.
    #[inline]
    pub(crate) fn crypt_block<const DIRECTION: bool, const N: usize>(keys: &[Block; N], block: &mut [u8; 16]) {
        if cfg!(target_feature = "aes") {
            let (first, middle, last) = split(keys);
            let mut state = Block::new(*block) ^ first;
            for key in middle {
                state = if DIRECTION == ENCRYPT { aesenc(state, *key) } else { aesdec(state, *key) };
            }
            state = if DIRECTION == ENCRYPT { aesenclast(state, last) } else { aesdeclast(state, last) };
            *block = state.to_bytes();
        } else {
            crypt_blocks::<DIRECTION, N>(keys, core::slice::from_mut(block));
        }
    }

    /// Encrypts or decrypts each block.
    pub(crate) fn crypt_blocks<const DIRECTION: bool, const N: usize>(keys: &[Block; N], blocks: &mut [[u8; 16]]) {
        let (quads, rest) = blocks.as_flattened_mut().as_chunks_mut::<64>();
        if cfg!(target_feature = "aes") {
            let (groups, quads) = quads.as_chunks_mut::<IN_FLIGHT>();
            for group in groups {
                rounds::<DIRECTION, N, IN_FLIGHT>(keys, group);
            }
            for quad in quads {
                rounds::<DIRECTION, N, 1>(keys, core::array::from_mut(quad));
            }
            for block in rest.as_chunks_mut().0 {
                crypt_block::<DIRECTION, N>(keys, block);
            }
        } else {
            let keys = bitslice::Keys::new(keys);
            let (groups, quads) = quads.as_chunks_mut::<4>();
            for group in groups {
                *group = keys.run::<DIRECTION, 4>(group);
            }
            for quad in quads {
                [*quad] = keys.run::<DIRECTION, 1>(&[*quad]);
            }
            if !rest.is_empty() {
                let mut padded = [0; 64];
                padded[..rest.len()].copy_from_slice(rest);
                let [done] = keys.run::<DIRECTION, 1>(&[padded]);
                rest.copy_from_slice(&done[..rest.len()]);
            }
        }
    }

    /// All rounds on `Q` quads side by side, which keeps the AES unit busy while each round takes its time.
    #[inline]
    fn rounds<const DIRECTION: bool, const N: usize, const Q: usize>(keys: &[Block; N], quads: &mut [[u8; 64]; Q]) {
        let (first, middle, last) = split(keys);
        let first = Quad::splat(first);
        let mut states = [first; Q];
        for (state, quad) in states.iter_mut().zip(&*quads) {
            *state = *state ^ Quad::new(*quad);
        }
        for key in middle {
            let key = Quad::splat(*key);
            for state in &mut states {
                *state = if DIRECTION == ENCRYPT { aesenc4(*state, key) } else { aesdec4(*state, key) };
            }
        }
        let last = Quad::splat(last);
        for (quad, state) in quads.iter_mut().zip(states) {
            let state = if DIRECTION == ENCRYPT { aesenclast4(state, last) } else { aesdeclast4(state, last) };
            *quad = state.to_bytes();
        }
    }
}
