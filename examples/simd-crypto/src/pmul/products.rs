//! Products of a fixed number of words: Karatsuba's method over lanes.
//!
//! With 512-bit `vpclmulqdq`, which gives four products of two words at once, Karatsuba's three products of halves are lanes
//! of one register. The functions on such registers are `wide_*` below; only clones for that target have them.
pub(crate) use karatsuba_products::{mul2, mul4, mul8, mul16, mul32, squares, sum_of_mul2};

/// As many words as there is a function for.
pub(crate) trait Words: Sized {
    /// The product, its low and its high half.
    fn product(a: &Self, b: &Self) -> [Self; 2];
}

macro_rules! words {
    ($($words:literal $product:ident)*) => { $(
        impl Words for [u64; $words] {
            #[allow(clippy::inline_always, reason = "a call would be one without the features")]
            #[inline(always)]
            fn product(a: &Self, b: &Self) -> [Self; 2] {
                zerocopy::transmute!($product(a, b))
            }
        }
    )* };
}
words!(4 mul4 8 mul8 16 mul16 32 mul32);

#[simd_core::dispatch(targets = crate::targets::products)]
mod karatsuba_products {
    #![allow(unused_imports, clippy::wildcard_imports, reason = "which instructions are in use depends on the target")]
    use crate::arch::*;
    use crate::pmul::karatsuba::{self, Product};
    use crate::pmul::lane::{self, Lane};
    use crate::wide::Wide;
    use simd_core::match_target;
    use zerocopy::{transmute, transmute_ref};

    /// The squares of all words, lower half and upper half.
    #[inline]
    pub(crate) fn squares<const N: usize>(a: &[u64; N]) -> [[u64; N]; 2] {
        let mut out = [[0; N]; 2];
        match_target! {
            "x86_64: avx512vbmi2" => if N.is_multiple_of(8) {
                wide_squares(a.as_chunks().0, out.as_flattened_mut().as_chunks_mut().0);
                return out;
            }
            _ => {}
        }
        for (a, squares) in a.as_chunks().0.iter().zip(out.as_flattened_mut().as_chunks_mut::<4>().0) {
            squares.copy_from_slice(lane::square(*a).as_flattened());
        }
        out
    }

    #[inline]
    pub(crate) fn mul2(a: &[u64; 2], b: &[u64; 2]) -> [u64; 4] {
        transmute!(karatsuba::one(*a, *b))
    }

    /// The sum of products of two words by two, `of` giving the words of each factor.
    ///
    /// # Panics
    /// If there are not as many of one as of the other.
    #[inline]
    pub(crate) fn sum_of_mul2<E>(a: &[E], b: &[E], of: impl Fn(&E) -> [u64; 2] + Copy) -> [u64; 4] {
        assert_eq!(a.len(), b.len(), "as many factors as there are of the other kind");
        let (sum, a, b) = match_target! {
            "x86_64: avx512vbmi2" => {
                let ((a_lanes, a), (b_lanes, b)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
                let lanes = |e: &[E; 4]| [of(&e[0]), of(&e[1]), of(&e[2]), of(&e[3])];
                (wide_sum_of_lanes(a_lanes.iter().zip(b_lanes).map(|(a, b)| (lanes(a), lanes(b)))), a, b)
            }
            _ => (Product { aligned: [[0; 2]; 2], between: [[0; 2]] }, a, b),
        };
        let pairs = a.iter().zip(b).map(|(a, b)| (of(a), of(b)));
        transmute!(karatsuba::sum_of_ones(pairs, sum))
    }

    #[inline]
    pub(crate) fn mul4(a: &[u64; 4], b: &[u64; 4]) -> [u64; 8] {
        transmute!(karatsuba::two::<Lane>(transmute!(*a), transmute!(*b)))
    }

    #[inline]
    pub(crate) fn mul8(a: &[u64; 8], b: &[u64; 8]) -> [u64; 16] {
        match_target! {
            "x86_64: avx512vbmi2" => {
                let (a, b) = (wide_twist8(Wide(*a).into()), wide_twist8(Wide(*b).into()));
                let product = karatsuba::two(a, b);
                let [low, high, middle] = wide_untwist(product);
                let middle = wide_sum(middle, low, high);
                // As masks of words, lanes 2 and 3 and lanes 0 and 1.
                let up = _mm512_maskz_shuffle_i64x2::<0b01_00_01_00>(0b1111_0000, middle, middle);
                let down = _mm512_maskz_shuffle_i64x2::<0b11_10_11_10>(0b0000_1111, middle, middle);
                transmute!([_mm512_xor_si512(low, up), _mm512_xor_si512(high, down)])
            }
            _ => {
                transmute!(karatsuba::four::<Lane>(transmute!(*a), transmute!(*b)))
            }
        }
    }

    #[inline]
    pub(crate) fn mul16(a: &[u64; 16], b: &[u64; 16]) -> [u64; 32] {
        match_target! {
            "x86_64: avx512vbmi2" => transmute!(wide_product16(transmute!(*a), transmute!(*b))),
            _ => {
                let ([a0, a1], [b0, b1]): (&[_; 2], &[_; 2]) = (transmute_ref!(a), transmute_ref!(b));
                transmute!(with_middle(mul8(a0, b0), mul8(a1, b1), mul8(&sum(a0, a1), &sum(b0, b1))))
            }
        }
    }

    #[inline]
    pub(crate) fn mul32(a: &[u64; 32], b: &[u64; 32]) -> [u64; 64] {
        match_target! {
            "x86_64: avx512vbmi2" => {
                let [a0, a1]: [[__m512i; 2]; 2] = transmute!(*a);
                let [b0, b1]: [[__m512i; 2]; 2] = transmute!(*b);
                let sum = |x: [__m512i; 2], y: [__m512i; 2]| [_mm512_xor_si512(x[0], y[0]), _mm512_xor_si512(x[1], y[1])];
                let [l0, l1, l2, l3] = wide_product16(a0, b0);
                let [h0, h1, h2, h3] = wide_product16(a1, b1);
                let [m0, m1, m2, m3] = wide_product16(sum(a0, a1), sum(b0, b1));
                let (x, y) = (_mm512_xor_si512(l2, h0), _mm512_xor_si512(l3, h1));
                let [m0, m1] = [wide_sum(m0, x, l0), wide_sum(m1, y, l1)];
                let [m2, m3] = [wide_sum(m2, x, h2), wide_sum(m3, y, h3)];
                transmute!([l0, l1, m0, m1, m2, m3, h2, h3])
            }
            _ => {
                let ([a0, a1], [b0, b1]): (&[_; 2], &[_; 2]) = (transmute_ref!(a), transmute_ref!(b));
                transmute!(with_middle(mul16(a0, b0), mul16(a1, b1), mul16(&sum(a0, a1), &sum(b0, b1))))
            }
        }
    }

    /// The last step of Karatsuba's method: the middle product, less the low and the high one, half-way up.
    #[inline]
    #[allow(dead_code, reason = "wide vectors have no use for it")]
    fn with_middle<const N: usize>(mut low: [u64; N], mut high: [u64; N], middle: [u64; N]) -> [[u64; N]; 2] {
        let (low_lanes, high_lanes) = (low.as_chunks_mut().0, high.as_chunks_mut().0);
        let ((l0, l1), (h0, h1)) = (low_lanes.split_at_mut(N / 4), high_lanes.split_at_mut(N / 4));
        let (m0, m1) = middle.as_chunks().0.split_at(N / 4);
        for i in 0..N / 4 {
            let shared = lane::add(l1[i], h0[i]);
            l1[i] = lane::add(lane::add(shared, l0[i]), m0[i]);
            h0[i] = lane::add(lane::add(shared, h1[i]), m1[i]);
        }
        [low, high]
    }

    #[inline]
    #[allow(dead_code, reason = "wide vectors have no use for it")]
    fn sum<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        let mut sum = *a;
        for (sum, b) in sum.as_chunks_mut().0.iter_mut().zip(b.as_chunks().0) {
            *sum = lane::add(*sum, *b);
        }
        sum
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "avx512vbmi2"))]
    #[inline]
    fn wide_product16(a: [__m512i; 2], b: [__m512i; 2]) -> [__m512i; 4] {
        let (a, b) = (wide_twist16(a[0], a[1]), wide_twist16(b[0], b[1]));
        let [p0, p1, p2, p3, p4, p5, p6, p7] = karatsuba::four(a, b);
        let [l0, h0, m0] = wide_untwist([p0, p1, p2, p3]);
        let [l1, h1, m1] = wide_untwist([p4, p5, p6, p7]);
        let x = _mm512_xor_si512(l1, h0);
        [l0, wide_sum(m0, x, l0), wide_sum(m1, x, h1), h1]
    }

    #[cfg(all(target_arch = "x86_64", not(target_feature = "avx512vbmi2")))]
    fn wide_product16(_: [__m512i; 2], _: [__m512i; 2]) -> [__m512i; 4] {
        unreachable!("other clones multiply fewer words at once")
    }

    /// The sum of the products of lanes, with the parts of the product as they overlap.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512vbmi2,avx512vl,gfni,vpclmulqdq")]
    fn wide_sum_of_lanes(pairs: impl Iterator<Item = ([Lane; 4], [Lane; 4])>) -> Product<Lane, 2, 1> {
        let mut sum = [_mm512_setzero_si512(); 3];
        for (a, b) in pairs {
            let (a, b): (__m512i, __m512i) = (Wide::from(a).into(), Wide::from(b).into());
            // The fourth product costs less than the shuffles that would save it.
            let (ab, ba) = (_mm512_clmulepi64_epi128::<0x01>(a, b), _mm512_clmulepi64_epi128::<0x10>(a, b));
            sum = [
                _mm512_xor_si512(sum[0], _mm512_clmulepi64_epi128::<0x00>(a, b)),
                wide_sum(sum[1], ab, ba),
                _mm512_xor_si512(sum[2], _mm512_clmulepi64_epi128::<0x11>(a, b)),
            ];
        }
        let [low, middle, high] = sum.map(|v| {
            let half = _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v));
            lane::lane(_mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half)))
        });
        Product { aligned: [low, high], between: [middle] }
    }

    /// The square of every word: two vectors for each of `a`.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512vbmi2,avx512vl,gfni,vpclmulqdq")]
    fn wide_squares(a: &[[u64; 8]], out: &mut [[u64; 8]]) {
        for (a, out) in a.iter().zip(out.as_chunks_mut().0) {
            let a: __m512i = Wide(*a).into();
            let (even, odd) = (_mm512_clmulepi64_epi128::<0x00>(a, a), _mm512_clmulepi64_epi128::<0x11>(a, a));
            *out = [
                Wide::from(_mm512_permutex2var_epi64(even, _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), odd)).0,
                Wide::from(_mm512_permutex2var_epi64(even, _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4), odd)).0,
            ];
        }
    }

    /// Eight words as lanes `[low, high, low + high]`.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512vbmi2,avx512vl,gfni,vpclmulqdq")]
    fn wide_twist8(a: __m512i) -> [Wide; 2] {
        let sum = _mm512_xor_si512(a, _mm512_shuffle_i64x2::<0b01_00_11_10>(a, a));
        let lanes = [_mm512_shuffle_i64x2::<0b00_00_10_00>(a, sum), _mm512_shuffle_i64x2::<0b01_01_11_01>(a, sum)];
        lanes.map(Wide::from)
    }

    /// Sixteen words as lanes `[low, high, low + high]`.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512vbmi2,avx512vl,gfni,vpclmulqdq")]
    fn wide_twist16(low: __m512i, high: __m512i) -> [Wide; 4] {
        let sum = _mm512_xor_si512(low, high);
        let x = _mm512_shuffle_i64x2::<0b01_00_01_00>(low, high);
        let y = _mm512_shuffle_i64x2::<0b11_10_11_10>(low, high);
        let lanes = [
            _mm512_shuffle_i64x2::<0b00_00_10_00>(x, sum),
            _mm512_shuffle_i64x2::<0b01_01_11_01>(x, sum),
            _mm512_shuffle_i64x2::<0b10_10_10_00>(y, sum),
            _mm512_shuffle_i64x2::<0b11_11_11_01>(y, sum),
        ];
        lanes.map(Wide::from)
    }

    /// Four vectors of lanes `[low, high, middle, unused]` as vectors of four low, four high and four middle lanes.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512vbmi2,avx512vl,gfni,vpclmulqdq")]
    fn wide_untwist(v: [Wide; 4]) -> [__m512i; 3] {
        let v: [__m512i; 4] = v.map(Wide::into);
        let x = _mm512_shuffle_i64x2::<0b01_00_01_00>(v[0], v[1]);
        let y = _mm512_shuffle_i64x2::<0b01_00_01_00>(v[2], v[3]);
        let z = _mm512_shuffle_i64x2::<0b10_10_10_10>(v[0], v[1]);
        let w = _mm512_shuffle_i64x2::<0b10_10_10_10>(v[2], v[3]);
        [
            _mm512_shuffle_i64x2::<0b10_00_10_00>(x, y),
            _mm512_shuffle_i64x2::<0b11_01_11_01>(x, y),
            _mm512_shuffle_i64x2::<0b10_00_10_00>(z, w),
        ]
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512vbmi2,avx512vl,gfni,vpclmulqdq")]
    fn wide_sum(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        _mm512_ternarylogic_epi64::<0x96>(a, b, c)
    }
}
