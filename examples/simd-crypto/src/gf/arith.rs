//! Products, squares and inverses of elements of one word and more.
//!
//! Every modulus is `x^n + x^A + x^B + x^C + 1` with `A` below 20, so a product is reduced by shifts: the part above
//! `x^n` is added again `A`, `B`, `C` and 0 bits up, and the part that this pushes above `x^n` is added to it
//! beforehand.
pub(crate) use modular::{mul, mul_64, mul_128, mul_word, square, square_64, sum, sum_64, sum_128};

#[simd_core::dispatch(targets = crate::targets::products)]
mod modular {
    #![allow(clippy::redundant_closure, reason = "a closure is compiled for its clone; a function would choose again")]
    #![allow(unused_imports, clippy::wildcard_imports, reason = "which instructions are in use depends on the target")]
    use crate::arch::*;
    use crate::gf::element::{Gf64, Gf128};
    use crate::gf::field::Field;
    #[cfg(target_arch = "x86_64")]
    use crate::gf::matrix::{Matrix, matrix};
    use crate::pmul::lane::{self, Lane};
    use crate::pmul::{Words, mul2, squares, sum_of_mul2};
    use crate::wide::Wide;
    use simd_core::match_target;
    use zerocopy::transmute;

    /// The product in a field of `64 * N` bits.
    #[inline]
    pub(crate) fn mul<E: Field, const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N]
    where
        [u64; N]: Words,
    {
        let [low, high] = Words::product(a, b);
        reduce::<E, N>(low, high)
    }

    /// The product with the element that `word` is; the one word above `x^n` is reduced by a product.
    #[inline]
    pub(crate) fn mul_word<E: Field, const N: usize>(a: &[u64; N], word: u64) -> [u64; N] {
        let mut out = *a;
        let mut below = [0; 2];
        for lane in out.as_chunks_mut().0 {
            let [even, odd] = lane::by_word(*lane, word);
            *lane = lane::add(even, lane::join(below, odd));
            below = odd;
        }
        let [_, a, b, c, _] = E::MODULUS;
        let [lowest, ..] = out.as_chunks_mut().0 else { return out };
        *lowest = lane::add(*lowest, lane::word(below[1], 1 | 1 << a | 1 << b | 1 << c));
        out
    }

    #[inline]
    pub(crate) fn sum<E: Field + Into<[u64; N]>, const N: usize>(a: &[E], b: &[E]) -> [u64; N]
    where
        [u64; N]: Words,
    {
        assert_eq!(a.len(), b.len(), "as many factors as there are of the other kind");
        let mut sum = [[0; N]; 2];
        for (a, b) in a.iter().zip(b) {
            let product = Words::product(&(*a).into(), &(*b).into());
            for (sum, word) in sum.as_flattened_mut().iter_mut().zip(product.as_flattened()) {
                *sum ^= word;
            }
        }
        let [low, high] = sum;
        reduce::<E, N>(low, high)
    }

    #[inline]
    pub(crate) fn square<E: Field, const N: usize>(a: &[u64; N]) -> [u64; N] {
        let [low, high] = squares(a);
        reduce::<E, N>(low, high)
    }

    #[inline]
    pub(crate) fn mul_64(a: u64, b: u64) -> u64 {
        reduce_64(lane::word(a, b))
    }

    #[inline]
    pub(crate) fn sum_64(a: &[Gf64], b: &[Gf64]) -> u64 {
        assert_eq!(a.len(), b.len(), "as many factors as there are of the other kind");
        let products = a.iter().zip(b).map(|(a, b)| lane::word(a.0, b.0));
        reduce_64(products.fold([0; 2], |sum, product| lane::add(sum, product)))
    }

    #[inline]
    pub(crate) fn square_64(a: u64) -> u64 {
        reduce_64(lane::square([a, 0])[0])
    }

    /// The bits that the topmost four of a word push above it when it is multiplied by `x^4 + x^3 + x + 1`.
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

    /// The bits that the topmost byte pushes above `x^64` when it is multiplied by `x^4 + x^3 + x + 1`, multiplied again.
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
                let product = lane::vector(product);
                let fold = _mm_clmulepi64_si128::<0x01>(product, _mm_set_epi64x(0, 0b1_1011));
                // The bits that this pushes above `x^64` depend on the topmost byte, and so does their product.
                let top = _mm_bsrli_si128::<15>(product);
                let again = _mm_gf2p8affine_epi64_epi8::<0>(top, _mm_set1_epi64x(FOLD_TOP_TWICE.cast_signed()));
                lane::lane(_mm_ternarylogic_epi64::<0x96>(product, fold, again))[0]
            }
            "x86_64: avx2,pclmulqdq" => {
                // As below, with a table in a register in place of the shifts.
                let carry = _mm_shuffle_epi8(transmute!(CARRIES), lane::vector(lane::shr(product, 60)));
                let [_, fold] = lane::by_word(lane::add(product, lane::lane(carry)), 0b1_1011);
                lane::add(product, fold)[0]
            }
            "x86_64: pclmulqdq | aarch64: aes" => {
                // The bits above `x^64`, with the four bits that this will push there again, in the upper word. They take
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

    #[inline]
    pub(crate) fn mul_128(a: &[u64; 2], b: &[u64; 2]) -> [u64; 2] {
        let [low, high] = transmute!(mul2(a, b));
        reduce_128(low, high)
    }

    #[inline]
    pub(crate) fn sum_128(a: &[Gf128], b: &[Gf128]) -> [u64; 2] {
        let [low, high] = transmute!(sum_of_mul2(a, b, |element| element.0));
        reduce_128(low, high)
    }

    /// Four words modulo `x^128 + x^7 + x^2 + x + 1`, in as few instructions as there are, for products. [`reduce`] has its result a
    /// cycle sooner, which pays for squares of squares.
    #[inline]
    fn reduce_128(low: Lane, high: Lane) -> Lane {
        match_target! {
            "x86_64: avx512vbmi2" => {
                let high = lane::vector(high);
                let [lower, upper, lower_again, upper_again] = FOLD_128;
                let lower = _mm_gf2p8affine_epi64_epi8::<0>(high, _mm_set1_epi64x(lower.cast_signed()));
                let upper = _mm_bslli_si128::<1>(_mm_gf2p8affine_epi64_epi8::<0>(high, _mm_set1_epi64x(upper.cast_signed())));
                // The bits that the topmost byte pushes above `x^128` come down in the two lowest bytes, first one in each word. A byte of a
                // mask is the place of a byte, or zero if its highest bit is set: the topmost byte goes to the start of both words,
                // and then the starts of the words, the upper one first, to the two lowest bytes.
                let top = _mm_shuffle_epi8(high, lane::vector([0xffff_ffff_ffff_ff0f; 2]));
                let again = _mm_gf2p8affine_epi64_epi8::<0>(top, lane::vector([upper_again, lower_again]));
                let again = _mm_shuffle_epi8(again, lane::vector([0xffff_ffff_ffff_0008, u64::MAX]));
                lane::lane(_mm_xor_si128(lane::vector(low), _mm_ternarylogic_epi64::<0x96>(lower, upper, again)))
            }
            _ => reduce::<Gf128, 2>(low, high),
        }
    }

    /// `low + high * x^n` modulo `x^n + x^A + x^B + x^C + 1`, where `n` is `64 * N`.
    #[inline]
    fn reduce<E: Field, const N: usize>(low: [u64; N], high: [u64; N]) -> [u64; N] {
        let [_, a, b, c, _] = E::MODULUS;
        let mut out = low;
        match_target! {
            "x86_64: avx512vbmi2" => if N.is_multiple_of(8) {
                wide_reduce(out.as_chunks_mut().0, high.as_chunks().0, [a, b, c]);
                return out;
            }
            _ => {}
        }
        // The bits that each word pushes into the next one. The topmost pushes into the lowest, which leaves the top of that as it is.
        let mut right = [[0; 2]; N];
        for (right, h) in right.iter_mut().zip(high.as_chunks().0) {
            *right = lane::add(lane::add(lane::shr(*h, 64 - a), lane::shr(*h, 64 - b)), lane::shr(*h, 64 - c));
        }
        let mut carry = lane::join(right[N / 2 - 1], [0; 2]);
        let mut below = [0; 2];
        for ((out, h), right) in out.as_chunks_mut().0.iter_mut().zip(high.as_chunks().0).zip(right) {
            let h = lane::add(*h, carry);
            let left = lane::add(lane::add(h, lane::shl(h, a)), lane::add(lane::shl(h, b), lane::shl(h, c)));
            *out = lane::add(*out, lane::add(left, lane::join(below, right)));
            (below, carry) = (right, [0; 2]);
        }
        out
    }

    /// [`reduce`] in 512-bit vectors.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512vbmi2,avx512vl,gfni,vpclmulqdq")]
    fn wide_reduce(low: &mut [[u64; 8]], high: &[[u64; 8]], [a, b, c]: [u32; 3]) {
        let zero = _mm512_setzero_si512();
        let vector = |i: usize| -> __m512i { Wide(high[i]).into() };
        let shl = |a: __m512i, b: __m512i, n: u32| _mm512_shldv_epi64(a, b, _mm512_set1_epi64(i64::from(n)));
        let sum = |a: __m512i, b: __m512i, c: __m512i| _mm512_ternarylogic_epi64::<0x96>(a, b, c);
        let top = _mm512_alignr_epi64::<7>(zero, vector(high.len() - 1));
        let carry = sum(shl(zero, top, a), shl(zero, top, b), shl(zero, top, c));
        let mut below = zero;
        for (i, low) in low.iter_mut().enumerate() {
            let h = if i == 0 { _mm512_xor_si512(vector(0), carry) } else { vector(i) };
            let carry = _mm512_alignr_epi64::<7>(h, below);
            below = h;
            let sum_ab = sum(h, shl(h, carry, a), shl(h, carry, b));
            *low = Wide::from(sum(Wide(*low).into(), sum_ab, shl(h, carry, c))).0;
        }
    }
}
