//! How often each byte occurs.

with_peers! {
    /// Counts in four tables, so that a byte that comes again at once does not wait for its count.
    #[must_use]
    pub fn histogram(bytes: &[u8]) -> [u32; 256] {
        let mut counts = [[0u32; 256]; 4];
        let (chunks, rest) = bytes.as_chunks::<4>();
        for chunk in chunks {
            for (counts, byte) in counts.iter_mut().zip(chunk) {
                counts[usize::from(*byte)] += 1;
            }
        }
        for byte in rest {
            counts[0][usize::from(*byte)] += 1;
        }
        let mut sum = [0; 256];
        for counts in counts {
            for (sum, count) in sum.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        sum
    }
}
