//! Products, squares and inverses of elements of one word and more.
//!
//! Every modulus is `x^n + x^A + x^B + x^C + 1` with `A` below 20, so a product is reduced by shifts: the part above
//! `x^n` is added again `A`, `B`, `C` and 0 bits up, and the part that this pushes above `x^n` is added to it
//! beforehand.
pub(crate) use kernels::{
    mul_64, mul_128, mul_256, mul_512, mul_1024, mul_2048, mul_word_64, mul_word_128, mul_word_256, mul_word_512,
    mul_word_1024, mul_word_2048, square_64, square_128, square_256, square_512, square_1024, square_2048, sum_64,
    sum_128, sum_256, sum_512, sum_1024, sum_2048,
};

#[simd_core::dispatch(targets = crate::targets::products)]
mod kernels {
    #![allow(clippy::redundant_closure, reason = "a closure is compiled for its clone; a function would choose again")]
    #![allow(unused_imports, clippy::wildcard_imports, reason = "which instructions are in use depends on the target")]
    use crate::arch::*;
    #[cfg(target_arch = "x86_64")]
    use crate::gf::matrix::{Matrix, matrix};
    use crate::gf::{Gf64, Gf128, Gf256, Gf512, Gf1024, Gf2048};
    use crate::pmul::lane::{self, Lane};
    use crate::pmul::{mul2, mul4, mul8, mul16, mul32, squares, sum_of_mul2};
    use simd_core::match_target;
    use zerocopy::transmute;

    /// The sum of products of polynomials.
    #[inline]
    fn sum_of_products<E, const N: usize>(a: &[E], b: &[E], multiply: impl Fn(&E, &E) -> [u64; N]) -> [u64; N] {
        assert_eq!(a.len(), b.len(), "as many factors as there are of the other kind");
        let mut sum = [0; N];
        for (a, b) in a.iter().zip(b) {
            for (sum, word) in sum.iter_mut().zip(multiply(a, b)) {
                *sum ^= word;
            }
        }
        sum
    }

    /// The product in GF(2^64).
    #[inline]
    pub(crate) fn mul_64(a: u64, b: u64) -> u64 {
        reduce_64(lane::word(a, b))
    }

    /// The product with one word, as [`mul_64`] is.
    #[inline]
    pub(crate) fn mul_word_64(a: u64, word: u64) -> u64 {
        mul_64(a, word)
    }

    /// The sum of products in GF(2^64).
    #[inline]
    pub(crate) fn sum_64(a: &[Gf64], b: &[Gf64]) -> u64 {
        assert_eq!(a.len(), b.len(), "as many factors as there are of the other kind");
        let products = a.iter().zip(b).map(|(a, b)| lane::word(a.0, b.0));
        reduce_64(products.fold([0; 2], |sum, product| lane::add(sum, product)))
    }

    /// The square in GF(2^64).
    #[inline]
    pub(crate) fn square_64(a: u64) -> u64 {
        reduce_64(lane::square([a, 0])[0])
    }

    /// What the topmost four bits of a word push above it when it is multiplied by `x^4 + x^3 + x + 1`.
    #[cfg(target_arch = "x86_64")]
    const CARRIES: [u8; 16] = {
        let mut carries = [0; 16];
        let mut top = 0;
        while top < 16 {
            carries[top as usize] = top ^ top >> 1 ^ top >> 3;
            top += 1;
        }
        carries
    };

    /// What the topmost byte pushes above `x^64` when it is multiplied by `x^4 + x^3 + x + 1`, multiplied again.
    #[cfg(target_arch = "x86_64")]
    const FOLD_TOP_TWICE: Matrix = {
        let mut images = [0; 8];
        let mut bit = 0;
        while bit < 8 {
            let carry = CARRIES[(1 << bit) >> 4];
            images[bit] = carry ^ carry << 1 ^ carry << 3 ^ carry << 4;
            bit += 1;
        }
        matrix(images)
    };

    /// The lower and the upper byte of a byte multiplied by `x^7 + x^2 + x + 1`, and of the upper byte multiplied again.
    #[cfg(target_arch = "x86_64")]
    const FOLD_128: [Matrix; 4] = {
        let mut images = [[0; 8]; 4];
        let mut bit = 0;
        while bit < 8 {
            let once = 0b1000_0111 << bit;
            let carry = once >> 8;
            let twice = carry ^ carry << 1 ^ carry << 2 ^ carry << 7;
            [images[0][bit], images[1][bit]] = u16::to_le_bytes(once);
            [images[2][bit], images[3][bit]] = u16::to_le_bytes(twice);
            bit += 1;
        }
        [matrix(images[0]), matrix(images[1]), matrix(images[2]), matrix(images[3])]
    };

    /// Two words modulo `x^64 + x^4 + x^3 + x + 1`.
    #[inline]
    fn reduce_64(product: Lane) -> u64 {
        match_target! {
            "x86_64: avx512vbmi2" => {
                let product = transmute!(product);
                let fold = _mm_clmulepi64_si128::<0x01>(product, _mm_set_epi64x(0, 0b1_1011));
                // What this pushes above `x^64` depends on the topmost byte, and so does its product.
                let top = _mm_bsrli_si128::<15>(product);
                let again = _mm_gf2p8affine_epi64_epi8::<0>(top, _mm_set1_epi64x(FOLD_TOP_TWICE.cast_signed()));
                let [sum, _]: Lane = transmute!(_mm_ternarylogic_epi64::<0x96>(product, fold, again));
                sum
            }
            "x86_64: avx2,pclmulqdq" => {
                // As below, with a table in a register in place of the shifts.
                let top = transmute!(lane::shr(product, 60));
                let carry = transmute!(_mm_shuffle_epi8(transmute!(CARRIES), top));
                let [_, fold] = lane::by_word(lane::add(product, carry), 0b1_1011);
                lane::add(product, fold)[0]
            }
            "x86_64: pclmulqdq | aarch64: aes" => {
                // What is above `x^64`, with the four bits that this will push there again, in the upper word. They take
                // shifts, because products have a port of their own, and this is the last one.
                let carry = lane::add(lane::shr(product, 63), lane::add(lane::shr(product, 61), lane::shr(product, 60)));
                let [_, fold] = lane::by_word(lane::add(product, carry), 0b1_1011);
                lane::add(product, fold)[0]
            }
            _ => {
                let high = lane::join(product, [0; 2]);
                let carry = lane::add(lane::shr(high, 63), lane::add(lane::shr(high, 61), lane::shr(high, 60)));
                let high = lane::add(high, carry);
                let sum = lane::add(lane::shl(high, 1), lane::add(lane::shl(high, 3), lane::shl(high, 4)));
                lane::add(lane::add(product, high), sum)[0]
            }
        }
    }

    /// The product in GF(2^128).
    #[inline]
    pub(crate) fn mul_128(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
        let [low, high] = transmute!(mul2(&a, &b));
        reduce_128(low, high)
    }

    /// The product in GF(2^128) with the element that `word` is.
    #[inline]
    pub(crate) fn mul_word_128(a: [u64; 2], word: u64) -> [u64; 2] {
        transmute!(mul_word::<1, 7, 2, 1>(transmute!(a), word))
    }

    /// The sum of products in GF(2^128).
    #[inline]
    pub(crate) fn sum_128(a: &[Gf128], b: &[Gf128]) -> [u64; 2] {
        let [low, high] = transmute!(sum_of_mul2(a, b, |element| element.0));
        reduce_128(low, high)
    }

    /// The square in GF(2^128).
    #[inline]
    pub(crate) fn square_128(a: [u64; 2]) -> [u64; 2] {
        let [low, high] = squares::<1>(transmute!(a));
        transmute!(reduce::<1, 7, 2, 1>(low, high))
    }

    /// Four words modulo `x^128 + x^7 + x^2 + x + 1`, in as few instructions as there are, for products. [`reduce`] has its result a
    /// cycle sooner, which pays for squares of squares.
    #[inline]
    fn reduce_128(low: Lane, high: Lane) -> Lane {
        match_target! {
            "x86_64: avx512vbmi2" => {
                let high = transmute!(high);
                let [lower, upper, lower_again, upper_again] = FOLD_128;
                let lower = _mm_gf2p8affine_epi64_epi8::<0>(high, _mm_set1_epi64x(lower.cast_signed()));
                let upper = _mm_bslli_si128::<1>(_mm_gf2p8affine_epi64_epi8::<0>(high, _mm_set1_epi64x(upper.cast_signed())));
                // What the topmost byte pushes above `x^128` comes down in the two lowest bytes, at first one in each word.
                let top = _mm_shuffle_epi8(high, transmute!([0xffff_ffff_ffff_ff0f_u64, 0xffff_ffff_ffff_ff0f]));
                let again = _mm_gf2p8affine_epi64_epi8::<0>(top, transmute!([upper_again, lower_again]));
                let again = _mm_shuffle_epi8(again, transmute!([0xffff_ffff_ffff_0008_u64, u64::MAX]));
                transmute!(_mm_xor_si128(transmute!(low), _mm_ternarylogic_epi64::<0x96>(lower, upper, again)))
            }
            _ => {
                let [sum] = reduce::<1, 7, 2, 1>([low], [high]);
                sum
            }
        }
    }

    /// The product in GF(2^256).
    #[inline]
    pub(crate) fn mul_256(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        let [low, high] = transmute!(mul4(a, b));
        transmute!(reduce::<2, 10, 5, 2>(low, high))
    }

    /// The product in GF(2^256) with the element that `word` is.
    #[inline]
    pub(crate) fn mul_word_256(a: &[u64; 4], word: u64) -> [u64; 4] {
        transmute!(mul_word::<2, 10, 5, 2>(transmute!(*a), word))
    }

    /// The sum of products in GF(2^256).
    #[inline]
    pub(crate) fn sum_256(a: &[Gf256], b: &[Gf256]) -> [u64; 4] {
        let [low, high] = transmute!(sum_of_products(a, b, |a, b| mul4(&a.0, &b.0)));
        transmute!(reduce::<2, 10, 5, 2>(low, high))
    }

    /// The square in GF(2^256).
    #[inline]
    pub(crate) fn square_256(a: &[u64; 4]) -> [u64; 4] {
        let [low, high] = squares::<2>(transmute!(*a));
        transmute!(reduce::<2, 10, 5, 2>(low, high))
    }

    /// The product in GF(2^512).
    #[inline]
    pub(crate) fn mul_512(a: &[u64; 8], b: &[u64; 8]) -> [u64; 8] {
        let [low, high] = transmute!(mul8(a, b));
        transmute!(reduce::<4, 8, 5, 2>(low, high))
    }

    /// The product in GF(2^512) with the element that `word` is.
    #[inline]
    pub(crate) fn mul_word_512(a: &[u64; 8], word: u64) -> [u64; 8] {
        transmute!(mul_word::<4, 8, 5, 2>(transmute!(*a), word))
    }

    /// The sum of products in GF(2^512).
    #[inline]
    pub(crate) fn sum_512(a: &[Gf512], b: &[Gf512]) -> [u64; 8] {
        let [low, high] = transmute!(sum_of_products(a, b, |a, b| mul8(&a.0, &b.0)));
        transmute!(reduce::<4, 8, 5, 2>(low, high))
    }

    /// The square in GF(2^512).
    #[inline]
    pub(crate) fn square_512(a: &[u64; 8]) -> [u64; 8] {
        let [low, high] = squares::<4>(transmute!(*a));
        transmute!(reduce::<4, 8, 5, 2>(low, high))
    }

    /// The product in GF(2^1024).
    #[inline]
    pub(crate) fn mul_1024(a: &[u64; 16], b: &[u64; 16]) -> [u64; 16] {
        let [low, high] = transmute!(mul16(a, b));
        transmute!(reduce::<8, 19, 6, 1>(low, high))
    }

    /// The product in GF(2^1024) with the element that `word` is.
    #[inline]
    pub(crate) fn mul_word_1024(a: &[u64; 16], word: u64) -> [u64; 16] {
        transmute!(mul_word::<8, 19, 6, 1>(transmute!(*a), word))
    }

    /// The sum of products in GF(2^1024).
    #[inline]
    pub(crate) fn sum_1024(a: &[Gf1024], b: &[Gf1024]) -> [u64; 16] {
        let [low, high] = transmute!(sum_of_products(a, b, |a, b| mul16(&a.0, &b.0)));
        transmute!(reduce::<8, 19, 6, 1>(low, high))
    }

    /// The square in GF(2^1024).
    #[inline]
    pub(crate) fn square_1024(a: &[u64; 16]) -> [u64; 16] {
        let [low, high] = squares::<8>(transmute!(*a));
        transmute!(reduce::<8, 19, 6, 1>(low, high))
    }

    /// The product in GF(2^2048).
    #[inline]
    pub(crate) fn mul_2048(a: &[u64; 32], b: &[u64; 32]) -> [u64; 32] {
        let [low, high] = transmute!(mul32(a, b));
        transmute!(reduce::<16, 19, 14, 13>(low, high))
    }

    /// The product in GF(2^2048) with the element that `word` is.
    #[inline]
    pub(crate) fn mul_word_2048(a: &[u64; 32], word: u64) -> [u64; 32] {
        transmute!(mul_word::<16, 19, 14, 13>(transmute!(*a), word))
    }

    /// The sum of products in GF(2^2048).
    #[inline]
    pub(crate) fn sum_2048(a: &[Gf2048], b: &[Gf2048]) -> [u64; 32] {
        let [low, high] = transmute!(sum_of_products(a, b, |a, b| mul32(&a.0, &b.0)));
        transmute!(reduce::<16, 19, 14, 13>(low, high))
    }

    /// The square in GF(2^2048).
    #[inline]
    pub(crate) fn square_2048(a: &[u64; 32]) -> [u64; 32] {
        let [low, high] = squares::<16>(transmute!(*a));
        transmute!(reduce::<16, 19, 14, 13>(low, high))
    }

    /// `low + high * x^n` modulo `x^n + x^A + x^B + x^C + 1`, where `n` is `128 * L`.
    #[inline]
    fn reduce<const L: usize, const A: u32, const B: u32, const C: u32>(
        low: [Lane; L],
        mut high: [Lane; L],
    ) -> [Lane; L] {
        let mut out = low;
        match_target! {
            "x86_64: avx512vbmi2" => if L.is_multiple_of(4) {
                wide_reduce::<A, B, C>(out.as_chunks_mut().0, high.as_chunks().0);
                return out;
            }
            _ => {}
        }
        // What each word pushes into the next one. The topmost pushes into the lowest, which leaves the top of that as it is.
        let mut right = [[0; 2]; L];
        for (right, h) in right.iter_mut().zip(high) {
            *right = lane::add(lane::add(lane::shr(h, 64 - A), lane::shr(h, 64 - B)), lane::shr(h, 64 - C));
        }
        high[0] = lane::add(high[0], lane::join(right[L - 1], [0; 2]));
        let mut below = [0; 2];
        for i in 0..L {
            let h = high[i];
            let left = lane::add(lane::add(h, lane::shl(h, A)), lane::add(lane::shl(h, B), lane::shl(h, C)));
            out[i] = lane::add(out[i], lane::add(left, lane::join(below, right[i])));
            below = right[i];
        }
        out
    }

    /// [`reduce`] in 512-bit vectors.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512vbmi2,avx512vl,gfni,vpclmulqdq")]
    fn wide_reduce<const A: u32, const B: u32, const C: u32>(low: &mut [[Lane; 4]], high: &[[Lane; 4]]) {
        let zero = _mm512_setzero_si512();
        let vector = |i: usize| -> __m512i { transmute!(high[i]) };
        let shl = |a: __m512i, b: __m512i, n: u32| _mm512_shldv_epi64(a, b, _mm512_set1_epi64(i64::from(n)));
        let sum = |a: __m512i, b: __m512i, c: __m512i| _mm512_ternarylogic_epi64::<0x96>(a, b, c);
        let top = _mm512_alignr_epi64::<7>(zero, vector(high.len() - 1));
        let carry = sum(shl(zero, top, A), shl(zero, top, B), shl(zero, top, C));
        let mut below = zero;
        for (i, low) in low.iter_mut().enumerate() {
            let h = if i == 0 { _mm512_xor_si512(vector(0), carry) } else { vector(i) };
            let carry = _mm512_alignr_epi64::<7>(h, below);
            below = h;
            let sum_ab = sum(h, shl(h, carry, A), shl(h, carry, B));
            *low = transmute!(sum(transmute!(*low), sum_ab, shl(h, carry, C)));
        }
    }

    /// The product of `a` and one word; the one word above `x^n` is brought down by a product.
    #[inline]
    fn mul_word<const L: usize, const A: u32, const B: u32, const C: u32>(a: [Lane; L], word: u64) -> [Lane; L] {
        let mut out = a;
        let mut below = [0; 2];
        for lane in &mut out {
            let [even, odd] = lane::by_word(*lane, word);
            *lane = lane::add(even, lane::join(below, odd));
            below = odd;
        }
        out[0] = lane::add(out[0], lane::word(below[1], 1 | 1 << A | 1 << B | 1 << C));
        out
    }
}
