//! Keystream in counter mode, alone and together with GHASH.
//!
//! Counters count modulo 2^32 in their last four bytes, as GCM has it. They are kept in vectors, with their bytes reversed, so
//! that these are the lowest 32 bits of a lane.
pub(crate) use tree::{apply, open_tag, seal};

/// What GCM needs of a key and a nonce.
pub(crate) struct Gcm<'a, const N: usize> {
    pub(crate) keys: &'a [crate::aes::Block; N],
    pub(crate) powers: &'a crate::ghash::kernel::Powers,
    /// The counter block of the tag; those of the message follow.
    pub(crate) start: u128,
}

#[simd_core::dispatch(targets = crate::targets::modes)]
mod tree {
    #![allow(clippy::inline_always, reason = "the vectors in flight are registers only if this is inlined")]
    use super::Gcm;
    use crate::aes::{Block, encrypt_blocks};
    use crate::ghash::kernel::{Lane, absorb, absorb_wide, alone, finish_wide, first, halves, power, result};
    use crate::wide::{Product, Wide, add_products, add_to_counters, broadcast, enc, enc_last, swap_bytes, xor};
    use zerocopy::transmute;

    /// The counter with so many added to it in each lane.
    #[inline]
    fn counters(counter: u128, to: [u32; 4]) -> Wide {
        add_to_counters(broadcast(halves(counter)), to)
    }

    /// The keystream of these and the following counters, `4 * Q` in all. Leaves the counters that come next.
    #[inline]
    fn keystream<const N: usize, const Q: usize>(keys: &[Block; N], counters: &mut Wide) -> [Wide; Q] {
        const { assert!(N > 2, "a schedule has at least 11 keys") };
        let mut states = [Wide::default(); Q];
        for state in &mut states {
            *state = swap_bytes(*counters);
            *counters = add_to_counters(*counters, [4; 4]);
        }
        if cfg!(target_feature = "aes") {
            let first = Wide::new(&transmute!([keys[0].to_bytes(); 4]));
            for state in &mut states {
                *state = xor(*state, first);
            }
            for key in &keys[1..N - 1] {
                for state in &mut states {
                    *state = enc(*state, *key);
                }
            }
            for state in &mut states {
                *state = enc_last(*state, keys[N - 1]);
            }
            states
        } else {
            let mut blocks: [[[u8; 16]; 4]; Q] = states.map(|state| transmute!(state.to_bytes()));
            encrypt_blocks(keys, blocks.as_flattened_mut());
            blocks.map(|blocks| Wide::new(&transmute!(blocks)))
        }
    }

    /// XORs the keystream from `counter` on into `data`.
    pub(crate) fn apply<const N: usize>(keys: &[Block; N], counter: u128, data: &mut [u8]) {
        /// As many vectors as hide the time that a round takes.
        const IN_FLIGHT: usize = if cfg!(target_feature = "avx512bw") {
            8
        } else if cfg!(target_feature = "vaes") {
            4
        } else if cfg!(target_feature = "aes") {
            2
        } else {
            4
        };
        let mut counters = counters(counter, [0, 1, 2, 3]);
        let (groups, rest) = data.as_chunks_mut::<{ 64 * IN_FLIGHT }>();
        for group in groups {
            let keystream = keystream::<N, IN_FLIGHT>(keys, &mut counters);
            for (chunk, keystream) in group.as_chunks_mut::<64>().0.iter_mut().zip(keystream) {
                *chunk = xor(Wide::new(chunk), keystream).to_bytes();
            }
        }
        apply_rest(keys, counters, rest);
    }

    /// The same for less than fills the vectors in flight.
    #[inline]
    fn apply_rest<const N: usize>(keys: &[Block; N], counters: Wide, data: &mut [u8]) {
        let mut counters = counters;
        let (chunks, rest) = data.as_chunks_mut::<64>();
        for chunk in chunks {
            let [keystream] = keystream::<N, 1>(keys, &mut counters);
            *chunk = xor(Wide::new(chunk), keystream).to_bytes();
        }
        if !rest.is_empty() {
            let mut padded = [0; 64];
            padded[..rest.len()].copy_from_slice(rest);
            let [keystream] = keystream::<N, 1>(keys, &mut counters);
            let done = xor(Wide::new(&padded), keystream).to_bytes();
            rest.copy_from_slice(&done[..rest.len()]);
        }
    }

    /// Encrypts `data` and gives the tag of GCM (NIST SP 800-38D, section 7.1).
    pub(crate) fn seal<const N: usize>(gcm: &Gcm<'_, N>, associated: &[u8], data: &mut [u8]) -> [u8; 16] {
        /// As many vectors as hide the time that a round takes. The products of their blocks are reduced together.
        const IN_FLIGHT: usize = if cfg!(target_feature = "avx512bw") {
            8
        } else if cfg!(target_feature = "vaes") {
            4
        } else {
            2
        };
        let lengths = lengths(associated, data);
        let mut sum = hash_padded(gcm, associated);
        let mut rest = data;
        if cfg!(target_feature = "aes") {
            let mut counters = counters(gcm.start, [1, 2, 3, 4]);
            let mut wide_sum = alone(sum);
            let (groups, after_groups) = rest.as_chunks_mut::<{ 64 * IN_FLIGHT }>();
            for group in groups {
                let keystream = keystream::<N, IN_FLIGHT>(gcm.keys, &mut counters);
                let mut product = Product::default();
                let mut following = 4 * IN_FLIGHT;
                let mut start = wide_sum;
                for (chunk, keystream) in group.as_chunks_mut::<64>().0.iter_mut().zip(keystream) {
                    let done = xor(Wide::new(chunk), keystream);
                    *chunk = done.to_bytes();
                    following -= 4;
                    let lanes = xor(absorb_wide::<true>(done), start);
                    product = add_products(product, lanes, power(gcm.powers, following));
                    start = Wide([0; 8]);
                }
                wide_sum = finish_wide(product);
            }
            sum = first(wide_sum);
            rest = after_groups;
            apply_rest(gcm.keys, counters, rest);
        } else {
            apply(gcm.keys, gcm.start + 1, rest);
        }
        tag(gcm, sum, rest, lengths)
    }

    /// The tag of GCM of what is encrypted already.
    pub(crate) fn open_tag<const N: usize>(gcm: &Gcm<'_, N>, associated: &[u8], data: &[u8]) -> [u8; 16] {
        let lengths = lengths(associated, data);
        let mut sum = hash_padded(gcm, associated);
        let (groups, rest) = data.as_chunks::<512>();
        absorb::<true>(gcm.powers, &mut sum, groups.as_flattened().as_chunks().0);
        tag(gcm, sum, rest, lengths)
    }

    /// The tag, when all but the last bytes are hashed.
    fn tag<const N: usize>(gcm: &Gcm<'_, N>, sum: Lane, rest: &[u8], lengths: [u8; 16]) -> [u8; 16] {
        let mut sum = sum;
        let [mask] = keystream::<N, 1>(gcm.keys, &mut counters(gcm.start, [0; 4]));
        let (blocks, end) = rest.as_chunks::<16>();
        if blocks.len() < 31 {
            // All in one sum of products.
            let mut all = [[0; 16]; 32];
            all[..blocks.len()].copy_from_slice(blocks);
            all[blocks.len()][..end.len()].copy_from_slice(end);
            let count = blocks.len() + usize::from(!end.is_empty());
            all[count] = lengths;
            absorb::<true>(gcm.powers, &mut sum, &all[..=count]);
        } else {
            absorb::<true>(gcm.powers, &mut sum, blocks);
            let mut last = [[0; 16], lengths];
            last[0][..end.len()].copy_from_slice(end);
            absorb::<true>(gcm.powers, &mut sum, &last[usize::from(end.is_empty())..]);
        }
        let mask = mask.to_bytes();
        let mut tag = result::<true>(sum);
        for (tag, mask) in tag.iter_mut().zip(mask) {
            *tag ^= mask;
        }
        tag
    }

    /// The last block of the hash: how many bits there are of each.
    #[inline]
    fn lengths(associated: &[u8], data: &[u8]) -> [u8; 16] {
        let bits = |bytes: &[u8]| 8 * bytes.len() as u128;
        (bits(associated) << 64 | bits(data)).to_be_bytes()
    }

    #[inline]
    fn hash_padded<const N: usize>(gcm: &Gcm<'_, N>, data: &[u8]) -> Lane {
        let mut sum = [0; 2];
        let (blocks, end) = data.as_chunks::<16>();
        absorb::<true>(gcm.powers, &mut sum, blocks);
        if !end.is_empty() {
            let mut last = [0; 16];
            last[..end.len()].copy_from_slice(end);
            absorb::<true>(gcm.powers, &mut sum, &[last]);
        }
        sum
    }
}
