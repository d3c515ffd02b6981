//! Products of one word and of many.
pub use polynomials::{mul_words, pmul};

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

    /// The carry-less product of two polynomials of `64 * N` coefficients: its low and its high `N` words.
    ///
    /// The lowest word comes first, and the lowest bit of a word is its lowest coefficient. `N` is a power of two up to 32; no
    /// other number compiles. From 4 words on it is Karatsuba's method, its three products being lanes of one register where the
    /// CPU has 512-bit `vpclmulqdq`.
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
        const { assert!(N.is_power_of_two() && N <= 32, "a power of two up to 32") };
        let mut product = [[0; N]; 2];
        let out = product.as_flattened_mut();
        match N {
            1 => out.copy_from_slice(&lane::word(a[0], b[0])),
            2 => out.copy_from_slice(&mul2(first(a), first(b))),
            4 => out.copy_from_slice(&mul4(first(a), first(b))),
            8 => out.copy_from_slice(&mul8(first(a), first(b))),
            16 => out.copy_from_slice(&mul16(first(a), first(b))),
            _ => out.copy_from_slice(&mul32(first(a), first(b))),
        }
        product
    }

    #[inline]
    fn first<const M: usize>(words: &[u64]) -> &[u64; M] {
        words.first_chunk().expect("as many words as are multiplied at once")
    }
}
