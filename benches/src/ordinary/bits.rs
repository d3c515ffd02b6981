//! Integers of few bits, packed as `bitpacking::BitPacker8x` packs them: eight streams side by side, so that each step is the
//! same for eight neighbours.

/// Bits of an integer.
pub const BITS: usize = 11;
/// Integers in a block.
pub const BLOCK: usize = 256;
/// Words of a packed block.
pub const WORDS: usize = BLOCK * BITS / 32;

const STREAMS: usize = 8;

twice! {
    /// Unpacks whole blocks.
    pub fn unpack(packed: &[[u32; WORDS]], values: &mut [[u32; BLOCK]]) {
        for (packed, values) in packed.iter().zip(values) {
            block(packed, values);
        }
    }

    /// The same for differences: each value is the sum of all up to it.
    pub fn unpack_sorted(packed: &[[u32; WORDS]], values: &mut [[u32; BLOCK]]) {
        let mut last = 0u32;
        for (packed, values) in packed.iter().zip(values) {
            block(packed, values);
            let groups = values.as_chunks_mut::<STREAMS>().0;
            // The start of each group. It takes the groups' sums only, so that they wait for nothing else.
            let mut starts = [0; BLOCK / STREAMS];
            for (group, start) in groups.iter_mut().zip(&mut starts) {
                // In three steps instead of seven that wait for each other.
                for distance in [1, 2, 4] {
                    let before = *group;
                    for i in distance..STREAMS {
                        group[i] = before[i].wrapping_add(before[i - distance]);
                    }
                }
                *start = last;
                last = last.wrapping_add(group[STREAMS - 1]);
            }
            for (group, start) in groups.iter_mut().zip(starts) {
                for value in group {
                    *value = value.wrapping_add(start);
                }
            }
        }
    }

    #[inline]
    fn block(packed: &[u32; WORDS], values: &mut [u32; BLOCK]) {
        let packed = packed.as_chunks::<STREAMS>().0;
        for (row, values) in values.as_chunks_mut::<STREAMS>().0.iter_mut().enumerate() {
            let (word, shift) = (row * BITS / 32, row * BITS % 32);
            for (stream, value) in values.iter_mut().enumerate() {
                let low = packed[word][stream] >> shift;
                let high = if shift + BITS > 32 { packed[word + 1][stream] << (32 - shift) } else { 0 };
                *value = (low | high) & ((1 << BITS) - 1);
            }
        }
    }
}
