//! Products and squares of many words.
pub use polynomials::{mul_slices, mul_words, pmul, psquare, square_words};

#[simd_core::dispatch(targets = crate::targets::products)]
mod polynomials {
    use crate::pmul::lane;
    use crate::pmul::products::{mul2, mul4, mul8, mul16, mul32};

    /// The carry-less product of two words.
    ///
    /// Bit `i` of a word is the coefficient of `x^i`, so bit `k` of the product is the exclusive or of all
    /// `a[i] & b[k - i]`. It takes `pclmulqdq` (x86) or `pmull` (Arm), else sixteen integer multiplications.
    ///
    /// Constant time in both arguments.
    ///
    /// ```
    /// use simd_crypto::pmul::pmul;
    /// // (x + 1)^2 = x^2 + 1
    /// assert_eq!(pmul(0b11, 0b11), 0b101);
    /// ```
    #[inline]
    #[must_use]
    pub fn pmul(a: u64, b: u64) -> u128 {
        let [low, high] = lane::word(a, b);
        u128::from(high) << 64 | u128::from(low)
    }

    /// The carry-less square of a word: its bits with a zero between every two.
    ///
    /// Constant time in its argument.
    ///
    /// ```
    /// use simd_crypto::pmul::{pmul, psquare};
    /// assert_eq!(psquare(0b1011), 0b100_0101);
    /// assert_eq!(psquare(u64::MAX), pmul(u64::MAX, u64::MAX));
    /// ```
    #[inline]
    #[must_use]
    pub fn psquare(a: u64) -> u128 {
        let [[low, high], _] = lane::square([a, 0]);
        u128::from(high) << 64 | u128::from(low)
    }

    /// The carry-less product of two polynomials of `64 * N` coefficients: its low and its high `N` words.
    ///
    /// The lowest word comes first, and the lowest bit of a word is its lowest coefficient. Up to 32 words, powers of two
    /// are the quickest: Karatsuba's method from 4 words on, its three products being lanes of one register where the CPU
    /// has 512-bit `vpclmulqdq`. Other lengths are made of those as [`mul_slices`] says.
    ///
    /// Constant time in both arguments.
    ///
    /// ```
    /// use simd_crypto::pmul::mul_words;
    /// // (x^127 + x) * x^65 = x^192 + x^66
    /// assert_eq!(mul_words(&[2, 1 << 63], &[0, 2]), [[0, 4], [0, 1]]);
    /// ```
    #[inline]
    #[must_use]
    pub fn mul_words<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [[u64; N]; 2] {
        let mut product = [[0; N]; 2];
        let out = product.as_flattened_mut();
        match N {
            1 => out.copy_from_slice(&pmul_words(first(a), first(b))),
            2 => out.copy_from_slice(&mul2(first(a), first(b))),
            4 => out.copy_from_slice(&mul4(first(a), first(b))),
            8 => out.copy_from_slice(&mul8(first(a), first(b))),
            16 => out.copy_from_slice(&mul16(first(a), first(b))),
            32 => out.copy_from_slice(&mul32(first(a), first(b))),
            _ => accumulate(a, b, out),
        }
        product
    }

    /// The carry-less square of a polynomial of `64 * N` coefficients: its low and its high `N` words.
    ///
    /// Constant time in its argument.
    ///
    /// ```
    /// use simd_crypto::pmul::{mul_words, square_words};
    /// let a = [0x0123_4567_89ab_cdef, 3, 5];
    /// assert_eq!(square_words(&a), mul_words(&a, &a));
    /// ```
    #[inline]
    #[must_use]
    pub fn square_words<const N: usize>(a: &[u64; N]) -> [[u64; N]; 2] {
        let mut square = [[0; N]; 2];
        let out = square.as_flattened_mut();
        for (words, squares) in a.chunks(2).zip(out.chunks_mut(4)) {
            let lane = [words[0], words.get(1).copied().unwrap_or(0)];
            squares.copy_from_slice(&lane::square(lane).as_flattened()[..squares.len()]);
        }
        square
    }

    /// Writes the carry-less product of two polynomials of any lengths to `out`, the lowest word first.
    ///
    /// The factors are cut into blocks of 32 words and what is left over into smaller ones; blocks are multiplied by
    /// Karatsuba's method, and every block of `a` by every block of `b`.
    ///
    /// Constant time in the words; the lengths show.
    ///
    /// # Panics
    /// If `out` is not as long as `a` and `b` together.
    ///
    /// ```
    /// use simd_crypto::pmul::mul_slices;
    /// let mut out = [0; 3];
    /// mul_slices(&[0, 1], &[1 << 63], &mut out);
    /// assert_eq!(out, [0, 1 << 63, 0]);
    /// ```
    #[inline]
    pub fn mul_slices(a: &[u64], b: &[u64], out: &mut [u64]) {
        assert_eq!(out.len(), a.len() + b.len(), "a product is as long as its factors together");
        out.fill(0);
        accumulate(a, b, out);
    }

    /// Adds the product of `a` and `b` to the first words of `out`.
    fn accumulate(a: &[u64], b: &[u64], out: &mut [u64]) {
        let (a_blocks, b_blocks) = match a.len().min(b.len()) {
            0 => return,
            1 => blocks(a, b, out, pmul_words),
            2..4 => blocks(a, b, out, mul2),
            4..8 => blocks(a, b, out, mul4),
            8..16 => blocks(a, b, out, mul8),
            16..32 => blocks(a, b, out, mul16),
            32.. => blocks(a, b, out, mul32),
        };
        accumulate(&a[a_blocks..], b, &mut out[a_blocks..]);
        accumulate(&a[..a_blocks], &b[b_blocks..], &mut out[b_blocks..]);
    }

    /// The product of one word by one, as an array.
    #[inline]
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "as the other products are")]
    fn pmul_words(a: &[u64; 1], b: &[u64; 1]) -> [u64; 2] {
        lane::word(a[0], b[0])
    }

    /// Adds to `out` the products of all whole blocks of `M` words, and says how many words of each factor these are.
    #[inline]
    fn blocks<const M: usize, const W: usize>(
        a: &[u64],
        b: &[u64],
        out: &mut [u64],
        multiply: impl Fn(&[u64; M], &[u64; M]) -> [u64; W] + Copy,
    ) -> (usize, usize) {
        let (a, b) = (a.as_chunks::<M>().0, b.as_chunks::<M>().0);
        for (i, a) in a.iter().enumerate() {
            for (j, b) in b.iter().enumerate() {
                add(&mut out[(i + j) * M..], multiply(a, b));
            }
        }
        (a.len() * M, b.len() * M)
    }

    /// The first words.
    #[inline]
    fn first<const M: usize>(words: &[u64]) -> &[u64; M] {
        words.first_chunk().expect("as many words as are multiplied at once")
    }

    /// Adds words to the first of `out`.
    #[inline]
    fn add<const W: usize>(out: &mut [u64], words: [u64; W]) {
        for (out, word) in out.iter_mut().zip(words) {
            *out ^= word;
        }
    }
}
