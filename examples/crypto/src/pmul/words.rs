//! Products and squares of many words.
pub use kernels::{mul_slices, mul_words, pmul, psquare, square_words, target};
pub(crate) use kernels::{mul2, mul4, mul8, mul16, mul32, squares, sum_of_mul2};

#[simd_core::dispatch(targets = "avx512vbmi2,avx512vl,gfni,vpclmulqdq | avx2,pclmulqdq | pclmulqdq | aes,pmull")]
#[allow(clippy::redundant_closure, reason = "a function of a target is no closure")]
mod kernels {
    use crate::pmul::karatsuba;
    use crate::pmul::lane::Lane;
    #[cfg(target_arch = "x86_64")]
    #[allow(unused_imports, reason = "not every target needs it")]
    use crate::pmul::wide;
    #[allow(unused_imports, reason = "not every target needs all")]
    use zerocopy::{transmute, transmute_mut, transmute_ref};

    /// The target whose clone multiplies polynomials in this process: the features that it has more than the baseline.
    #[must_use]
    pub fn target() -> &'static str {
        if cfg!(all(target_arch = "x86_64", target_feature = "avx512vbmi2")) {
            "avx512vbmi2,avx512vl,gfni,vpclmulqdq"
        } else if cfg!(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "pclmulqdq")) {
            "avx2,pclmulqdq"
        } else if cfg!(all(target_arch = "x86_64", target_feature = "pclmulqdq")) {
            "pclmulqdq"
        } else if cfg!(all(target_arch = "aarch64", target_feature = "aes")) {
            "aes,pmull"
        } else {
            "baseline"
        }
    }

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
        #[cfg(all(target_arch = "aarch64", target_feature = "aes"))]
        use crate::pmul::lane::arm as ops;
        #[cfg(not(any(
            all(target_arch = "x86_64", target_feature = "pclmulqdq"),
            all(target_arch = "aarch64", target_feature = "aes")
        )))]
        use crate::pmul::lane::plain as ops;
        #[cfg(all(target_arch = "x86_64", target_feature = "pclmulqdq"))]
        use crate::pmul::lane::x86 as ops;

        let [low, high] = ops::word(a, b);
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
        #[cfg(all(target_arch = "aarch64", target_feature = "aes"))]
        use crate::pmul::lane::arm as ops;
        #[cfg(not(any(
            all(target_arch = "x86_64", target_feature = "pclmulqdq"),
            all(target_arch = "aarch64", target_feature = "aes")
        )))]
        use crate::pmul::lane::plain as ops;
        #[cfg(all(target_arch = "x86_64", target_feature = "pclmulqdq"))]
        use crate::pmul::lane::x86 as ops;

        let [[low, high], _] = ops::square([a, 0]);
        u128::from(high) << 64 | u128::from(low)
    }

    /// The squares of all words of `2 * L`, lower half and upper half.
    #[inline]
    pub(crate) fn squares<const L: usize>(a: [Lane; L]) -> [[Lane; L]; 2] {
        #[cfg(all(target_arch = "aarch64", target_feature = "aes"))]
        use crate::pmul::lane::arm as ops;
        #[cfg(not(any(
            all(target_arch = "x86_64", target_feature = "pclmulqdq"),
            all(target_arch = "aarch64", target_feature = "aes")
        )))]
        use crate::pmul::lane::plain as ops;
        #[cfg(all(target_arch = "x86_64", target_feature = "pclmulqdq"))]
        use crate::pmul::lane::x86 as ops;

        let mut out = [[[0; 2]; L]; 2];
        let flat = out.as_flattened_mut();
        #[cfg(all(target_arch = "x86_64", target_feature = "avx512vbmi2"))]
        if L.is_multiple_of(4) {
            wide::square(a.as_chunks().0, flat.as_chunks_mut().0);
            return out;
        }
        for (a, squares) in a.iter().zip(flat.as_chunks_mut().0) {
            *squares = ops::square(*a);
        }
        out
    }

    /// The product of two words by two.
    #[inline]
    pub(crate) fn mul2(a: &[u64; 2], b: &[u64; 2]) -> [u64; 4] {
        #[cfg(all(target_arch = "aarch64", target_feature = "aes"))]
        use crate::pmul::lane::arm as ops;
        #[cfg(not(any(
            all(target_arch = "x86_64", target_feature = "pclmulqdq"),
            all(target_arch = "aarch64", target_feature = "aes")
        )))]
        use crate::pmul::lane::plain as ops;
        #[cfg(all(target_arch = "x86_64", target_feature = "pclmulqdq"))]
        use crate::pmul::lane::x86 as ops;

        let (add, join) = (|x, y| ops::add(x, y), |x, y| ops::join(x, y));
        transmute!(karatsuba::one(*a, *b, [0; 2], add, join, |x, y| ops::multiply(x, y)))
    }

    /// The sum of products of two words by two, `of` giving the words of each factor.
    ///
    /// # Panics
    /// If there are not as many of one as of the other.
    #[inline]
    pub(crate) fn sum_of_mul2<E>(a: &[E], b: &[E], of: impl Fn(&E) -> [u64; 2] + Copy) -> [u64; 4] {
        #[cfg(all(target_arch = "aarch64", target_feature = "aes"))]
        use crate::pmul::lane::arm as ops;
        #[cfg(not(any(
            all(target_arch = "x86_64", target_feature = "pclmulqdq"),
            all(target_arch = "aarch64", target_feature = "aes")
        )))]
        use crate::pmul::lane::plain as ops;
        #[cfg(all(target_arch = "x86_64", target_feature = "pclmulqdq"))]
        use crate::pmul::lane::x86 as ops;

        assert_eq!(a.len(), b.len(), "as many factors as there are of the other kind");
        #[cfg(all(target_arch = "x86_64", target_feature = "avx512vbmi2"))]
        let (sum, a, b) = {
            let ((a_lanes, a), (b_lanes, b)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
            let lanes = |e: &[E; 4]| [of(&e[0]), of(&e[1]), of(&e[2]), of(&e[3])];
            (wide::sum_of_lanes(a_lanes.iter().zip(b_lanes).map(|(a, b)| (lanes(a), lanes(b)))), a, b)
        };
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx512vbmi2")))]
        let sum = karatsuba::Product { aligned: [[0; 2]; 2], between: [[0; 2]] };
        let pairs = a.iter().zip(b).map(|(a, b)| (of(a), of(b)));
        let (add, join) = (|x, y| ops::add(x, y), |x, y| ops::join(x, y));
        transmute!(karatsuba::sum_of_ones(pairs, sum, [0; 2], add, join, |x, y| ops::multiply(x, y)))
    }

    /// The product of four words by four.
    #[inline]
    pub(crate) fn mul4(a: &[u64; 4], b: &[u64; 4]) -> [u64; 8] {
        #[cfg(all(target_arch = "aarch64", target_feature = "aes"))]
        use crate::pmul::lane::arm as ops;
        #[cfg(not(any(
            all(target_arch = "x86_64", target_feature = "pclmulqdq"),
            all(target_arch = "aarch64", target_feature = "aes")
        )))]
        use crate::pmul::lane::plain as ops;
        #[cfg(all(target_arch = "x86_64", target_feature = "pclmulqdq"))]
        use crate::pmul::lane::x86 as ops;

        let (add, join) = (|x, y| ops::add(x, y), |x, y| ops::join(x, y));
        transmute!(karatsuba::two(transmute!(*a), transmute!(*b), [0; 2], add, join, |x, y| ops::multiply(x, y)))
    }

    /// The product of eight words by eight.
    #[inline]
    pub(crate) fn mul8(a: &[u64; 8], b: &[u64; 8]) -> [u64; 16] {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx512vbmi2"))]
        {
            wide::mul8(a, b)
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx512vbmi2")))]
        {
            #[cfg(all(target_arch = "aarch64", target_feature = "aes"))]
            use crate::pmul::lane::arm as ops;
            #[cfg(not(any(
                all(target_arch = "x86_64", target_feature = "pclmulqdq"),
                all(target_arch = "aarch64", target_feature = "aes")
            )))]
            use crate::pmul::lane::plain as ops;
            #[cfg(all(target_arch = "x86_64", target_feature = "pclmulqdq"))]
            use crate::pmul::lane::x86 as ops;

            let (add, join) = (|x, y| ops::add(x, y), |x, y| ops::join(x, y));
            transmute!(karatsuba::four(transmute!(*a), transmute!(*b), [0; 2], add, join, |x, y| ops::multiply(x, y)))
        }
    }

    /// The product of sixteen words by sixteen.
    #[inline]
    pub(crate) fn mul16(a: &[u64; 16], b: &[u64; 16]) -> [u64; 32] {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx512vbmi2"))]
        {
            wide::mul16(a, b)
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx512vbmi2")))]
        {
            let [a0, a1]: &[[u64; 8]; 2] = transmute_ref!(a);
            let [b0, b1]: &[[u64; 8]; 2] = transmute_ref!(b);
            let mut out: [u64; 32] = transmute!([mul8(a0, b0), mul8(a1, b1)]);
            let a: [u64; 8] = transmute!(sum::<4>(transmute_ref!(a0), transmute_ref!(a1)));
            let b: [u64; 8] = transmute!(sum::<4>(transmute_ref!(b0), transmute_ref!(b1)));
            let middle = mul8(&a, &b);
            add_middle::<4>(transmute_mut!(&mut out), transmute_ref!(&middle));
            out
        }
    }

    /// The product of thirty-two words by thirty-two.
    #[inline]
    pub(crate) fn mul32(a: &[u64; 32], b: &[u64; 32]) -> [u64; 64] {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx512vbmi2"))]
        {
            wide::mul32(a, b)
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx512vbmi2")))]
        {
            let [a0, a1]: &[[u64; 16]; 2] = transmute_ref!(a);
            let [b0, b1]: &[[u64; 16]; 2] = transmute_ref!(b);
            let mut out: [u64; 64] = transmute!([mul16(a0, b0), mul16(a1, b1)]);
            let a: [u64; 16] = transmute!(sum::<8>(transmute_ref!(a0), transmute_ref!(a1)));
            let b: [u64; 16] = transmute!(sum::<8>(transmute_ref!(b0), transmute_ref!(b1)));
            let middle = mul16(&a, &b);
            add_middle::<8>(transmute_mut!(&mut out), transmute_ref!(&middle));
            out
        }
    }

    /// The last step of Karatsuba's method: the middle product, less the low and the high one, half-way up.
    #[inline]
    #[allow(dead_code, reason = "wide vectors have no use for it")]
    fn add_middle<const H: usize>(out: &mut [[Lane; H]; 4], middle: &[[Lane; H]; 2]) {
        #[cfg(all(target_arch = "aarch64", target_feature = "aes"))]
        use crate::pmul::lane::arm as ops;
        #[cfg(not(any(
            all(target_arch = "x86_64", target_feature = "pclmulqdq"),
            all(target_arch = "aarch64", target_feature = "aes")
        )))]
        use crate::pmul::lane::plain as ops;
        #[cfg(all(target_arch = "x86_64", target_feature = "pclmulqdq"))]
        use crate::pmul::lane::x86 as ops;

        let [l0, l1, h0, h1] = out;
        for i in 0..H {
            let shared = ops::add(l1[i], h0[i]);
            l1[i] = ops::add(ops::add(shared, l0[i]), middle[0][i]);
            h0[i] = ops::add(ops::add(shared, h1[i]), middle[1][i]);
        }
    }

    /// The sum of two halves.
    #[inline]
    #[allow(dead_code, reason = "wide vectors have no use for it")]
    fn sum<const L: usize>(a: &[Lane; L], b: &[Lane; L]) -> [Lane; L] {
        #[cfg(all(target_arch = "aarch64", target_feature = "aes"))]
        use crate::pmul::lane::arm as ops;
        #[cfg(not(any(
            all(target_arch = "x86_64", target_feature = "pclmulqdq"),
            all(target_arch = "aarch64", target_feature = "aes")
        )))]
        use crate::pmul::lane::plain as ops;
        #[cfg(all(target_arch = "x86_64", target_feature = "pclmulqdq"))]
        use crate::pmul::lane::x86 as ops;

        let mut sum = *a;
        for i in 0..L {
            sum[i] = ops::add(sum[i], b[i]);
        }
        sum
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
            1 => block(a, b, out, pmul_words),
            2 => block(a, b, out, mul2),
            4 => block(a, b, out, mul4),
            8 => block(a, b, out, mul8),
            16 => block(a, b, out, mul16),
            32 => block(a, b, out, mul32),
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
        #[cfg(all(target_arch = "aarch64", target_feature = "aes"))]
        use crate::pmul::lane::arm as ops;
        #[cfg(not(any(
            all(target_arch = "x86_64", target_feature = "pclmulqdq"),
            all(target_arch = "aarch64", target_feature = "aes")
        )))]
        use crate::pmul::lane::plain as ops;
        #[cfg(all(target_arch = "x86_64", target_feature = "pclmulqdq"))]
        use crate::pmul::lane::x86 as ops;

        let mut square = [[0; N]; 2];
        let out = square.as_flattened_mut();
        for (words, squares) in a.chunks(2).zip(out.chunks_mut(4)) {
            let lane = [words[0], words.get(1).copied().unwrap_or(0)];
            squares.copy_from_slice(&ops::square(lane).as_flattened()[..squares.len()]);
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
        #[cfg(all(target_arch = "aarch64", target_feature = "aes"))]
        use crate::pmul::lane::arm as ops;
        #[cfg(not(any(
            all(target_arch = "x86_64", target_feature = "pclmulqdq"),
            all(target_arch = "aarch64", target_feature = "aes")
        )))]
        use crate::pmul::lane::plain as ops;
        #[cfg(all(target_arch = "x86_64", target_feature = "pclmulqdq"))]
        use crate::pmul::lane::x86 as ops;

        ops::word(a[0], b[0])
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
                block(a, b, &mut out[(i + j) * M..], multiply);
            }
        }
        (a.len() * M, b.len() * M)
    }

    /// Adds the product of one block by one to the first words of `out`.
    #[inline]
    fn block<const M: usize, const W: usize>(
        a: &[u64],
        b: &[u64],
        out: &mut [u64],
        multiply: impl Fn(&[u64; M], &[u64; M]) -> [u64; W],
    ) {
        if let (Some(a), Some(b)) = (a.first_chunk(), b.first_chunk()) {
            for (out, word) in out.iter_mut().zip(multiply(a, b)) {
                *out ^= word;
            }
        }
    }
}
