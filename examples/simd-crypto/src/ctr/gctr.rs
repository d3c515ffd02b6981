//! Keystream in counter mode, by itself and together with GHASH.
//!
//! Counters count modulo 2^32 in their last four bytes, as GCM has it. They are kept in vectors, with their bytes reversed, so
//! that these are the lowest 32 bits of a lane.
pub(crate) use counter_mode::{apply, open, open_tag, seal};

pub(crate) struct Gcm<'a, const N: usize> {
    pub(crate) keys: &'a [crate::aes::Block; N],
    pub(crate) powers: &'a crate::ghash::polynomial::Powers,
    pub(crate) nonce: &'a [u8; 12],
}

#[simd_core::dispatch(targets = crate::targets::modes)]
mod counter_mode {
    #![allow(clippy::inline_always, reason = "the vectors in flight are registers only if this is inlined")]
    use super::Gcm;
    use crate::aes::{Block, ENCRYPT, crypt_blocks};
    use crate::ghash::polynomial::{Lane, MOST, absorb, absorb_wide, alone, finish_wide, first, halves, power, result};
    use crate::modes::{Product, add_products, add_to_counters, broadcast, enc, enc_last, swap_bytes, xor};
    use crate::wide::Wide;
    use simd_core::match_target;
    use zerocopy::transmute;

    /// As many vectors as hide the time that a round takes, and no more than there are rounds. The products of their blocks are
    /// reduced together.
    const IN_FLIGHT: usize =
        match_target! { "vaes,vpclmulqdq,avx512bw" => 8, "vaes,vpclmulqdq,avx2" => 4, "aes" => 2, _ => 4 };

    /// The counter with so many added to it in each lane.
    #[inline]
    fn counters(counter: u128, to: [u32; 4]) -> Wide {
        add_to_counters(broadcast(halves(counter)), to)
    }

    /// The keystream of these and the following counters, `4 * Q` in all. Leaves the counters that come next.
    #[inline]
    fn keystream<const N: usize, const Q: usize>(keys: &[Block; N], counters: &mut Wide) -> [Wide; Q] {
        keystream_while(keys, counters, |_| ())
    }

    /// The same, with other work between the rounds, which are counted from 0 on.
    #[inline]
    fn keystream_while<const N: usize, const Q: usize>(
        keys: &[Block; N],
        counters: &mut Wide,
        mut work: impl FnMut(usize),
    ) -> [Wide; Q] {
        const { assert!(N > 2, "a schedule has at least 11 keys") };
        let mut states = [Wide::default(); Q];
        for state in &mut states {
            *state = swap_bytes(*counters);
            *counters = add_to_counters(*counters, [4; 4]);
        }
        if cfg!(target_feature = "aes") {
            let first = broadcast(transmute!(keys[0].to_bytes()));
            for state in &mut states {
                *state = xor(*state, first);
            }
            for (round, key) in keys[1..N - 1].iter().enumerate() {
                let key = broadcast(transmute!(key.to_bytes()));
                for state in &mut states {
                    *state = enc(*state, key);
                }
                work(round);
            }
            let last = broadcast(transmute!(keys[N - 1].to_bytes()));
            for state in &mut states {
                *state = enc_last(*state, last);
            }
            states
        } else {
            let mut blocks: [[[u8; 16]; 4]; Q] = states.map(|state| transmute!(state.to_bytes()));
            crypt_blocks::<ENCRYPT, N>(keys, blocks.as_flattened_mut());
            blocks.map(|blocks| Wide::new(&transmute!(blocks)))
        }
    }

    /// XORs the keystream from `counter` on into `data`.
    pub(crate) fn apply<const N: usize>(keys: &[Block; N], counter: u128, data: &mut [u8]) {
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

    /// The counter block of the tag. Those of the message follow.
    #[inline]
    fn start<const N: usize>(gcm: &Gcm<'_, N>) -> u128 {
        let mut start = [0; 16];
        start[..12].copy_from_slice(gcm.nonce);
        start[15] = 1;
        u128::from_be_bytes(start)
    }

    /// Encrypts `data` and gives the tag of GCM (NIST SP 800-38D, section 7.1).
    pub(crate) fn seal<const N: usize>(gcm: &Gcm<'_, N>, associated: &[u8], data: &mut [u8]) -> [u8; 16] {
        let lengths = lengths(associated, data);
        let (mut sum, head) = begin(gcm, associated, data, 64 * IN_FLIGHT);
        let rest = if cfg!(target_feature = "aes") {
            let mut counters = counters(start(gcm), [1, 2, 3, 4]);
            let mut wide_sum = alone(sum);
            let (groups, rest) = data.as_chunks_mut::<{ 64 * IN_FLIGHT }>();
            // The group before is hashed between the rounds of this one, since neither waits for the other.
            let mut before: Option<[Wide; IN_FLIGHT]> = None;
            for group in groups {
                let mut vectors = if let Some(before) = &before {
                    let mut product = Product::default();
                    let keystream = keystream_while(gcm.keys, &mut counters, |round| {
                        add_chunk(gcm, &mut product, before, wide_sum, round);
                    });
                    wide_sum = finish_wide(product);
                    keystream
                } else {
                    keystream(gcm.keys, &mut counters)
                };
                for (chunk, vector) in group.as_chunks_mut::<64>().0.iter_mut().zip(&mut vectors) {
                    *vector = xor(Wide::new(chunk), *vector);
                    *chunk = vector.to_bytes();
                }
                before = Some(vectors);
            }
            if let Some(before) = before {
                let mut product = Product::default();
                for i in 0..IN_FLIGHT {
                    add_chunk(gcm, &mut product, &before, wide_sum, i);
                }
                wide_sum = finish_wide(product);
            }
            sum = first(wide_sum);
            apply_rest(gcm.keys, counters, rest);
            rest
        } else {
            apply(gcm.keys, start(gcm) + 1, data);
            absorb_groups(gcm, &mut sum, data)
        };
        tag(gcm, sum, [head, rest], lengths)
    }

    /// Adds the products of one of `Q` chunks, if there is an `i`-th one, to those of the chunks before; `sum` to the first.
    #[inline]
    fn add_chunk<const N: usize, const Q: usize>(
        gcm: &Gcm<'_, N>,
        product: &mut Product,
        chunks: &[Wide; Q],
        sum: Wide,
        i: usize,
    ) {
        if i < Q {
            let lanes = absorb_wide::<true>(chunks[i]);
            let lanes = if i == 0 { xor(lanes, sum) } else { lanes };
            *product = add_products(*product, lanes, power(gcm.powers, 4 * (Q - 1 - i)));
        }
    }

    /// The tag of GCM of what is encrypted already.
    pub(crate) fn open_tag<const N: usize>(gcm: &Gcm<'_, N>, associated: &[u8], data: &[u8]) -> [u8; 16] {
        let lengths = lengths(associated, data);
        let (mut sum, head) = begin(gcm, associated, data, 16 * MOST);
        let rest = absorb_groups(gcm, &mut sum, data);
        tag(gcm, sum, [head, rest], lengths)
    }

    pub(crate) fn open<const N: usize>(gcm: &Gcm<'_, N>, data: &mut [u8]) {
        apply(gcm.keys, start(gcm) + 1, data);
    }

    /// The hash of the associated data, and nothing that is left of them; or no hash, and all of them, if they can be hashed
    /// together with a message of less than a `group` of bytes.
    #[inline]
    fn begin<'a, const N: usize>(
        gcm: &Gcm<'_, N>,
        associated: &'a [u8],
        data: &[u8],
        group: usize,
    ) -> (Lane, &'a [u8]) {
        let mut sum = [0; 2];
        if data.len() < group && blocks(associated) + blocks(data) < MOST {
            return (sum, associated);
        }
        let (blocks, end) = associated.as_chunks::<16>();
        absorb::<true>(gcm.powers, &mut sum, blocks);
        if !end.is_empty() {
            let mut last = [0; 16];
            last[..end.len()].copy_from_slice(end);
            absorb::<true>(gcm.powers, &mut sum, &[last]);
        }
        (sum, &[])
    }

    /// Hashes groups of [`MOST`] blocks, and gives the rest.
    #[inline]
    fn absorb_groups<'a, const N: usize>(gcm: &Gcm<'_, N>, sum: &mut Lane, data: &'a [u8]) -> &'a [u8] {
        let (groups, rest) = data.as_chunks::<{ 16 * MOST }>();
        absorb::<true>(gcm.powers, sum, groups.as_flattened().as_chunks().0);
        rest
    }

    /// How many blocks these bytes are, padded.
    #[inline]
    fn blocks(bytes: &[u8]) -> usize {
        bytes.len().div_ceil(16)
    }

    /// The tag, when all but these parts are hashed. Each is padded to whole blocks, of which there are [`MOST`]
    /// at most.
    fn tag<const N: usize>(gcm: &Gcm<'_, N>, sum: Lane, [head, rest]: [&[u8]; 2], lengths: [u8; 16]) -> [u8; 16] {
        let mut sum = sum;
        let [mask] = keystream::<N, 1>(gcm.keys, &mut counters(start(gcm), [0; 4]));
        // All in one sum of products.
        let mut all = [[0; 16]; MOST + 1];
        let (first, second) = all.as_flattened_mut().split_at_mut(16 * blocks(head));
        first[..head.len()].copy_from_slice(head);
        second[..rest.len()].copy_from_slice(rest);
        let count = blocks(head) + blocks(rest);
        all[count] = lengths;
        absorb::<true>(gcm.powers, &mut sum, &all[..=count]);
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
}
