//! Products in 512-bit registers: four carry-less products of two words in one instruction.
#![allow(clippy::many_single_char_names, reason = "vectors and their lanes")]
use super::karatsuba::{self, Factor, Product};
use super::lane::Lane;
#[allow(clippy::wildcard_imports, reason = "vendor intrinsics")]
use crate::arch::*;
use zerocopy::transmute;

/// Lanes 0 and 1, lanes 2 and 3 as masks of words.
const LANES_01: u8 = 0b0000_1111;
const LANES_23: u8 = 0b1111_0000;

/// The product of eight words by eight: Karatsuba's three products of halves are lanes.
#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
pub(super) fn mul8(a: &[u64; 8], b: &[u64; 8]) -> [u64; 16] {
    let (a, b) = (twist8(transmute!(*a)), twist8(transmute!(*b)));
    let product =
        karatsuba::two(a, b, _mm512_setzero_si512(), |x, y| add(x, y), |x, y| join(x, y), |x, y| multiply(x, y));
    let [low, high, middle] = untwist(product);
    let middle = sum3(middle, low, high);
    transmute!([
        add(low, _mm512_maskz_shuffle_i64x2::<0b01_00_01_00>(LANES_23, middle, middle)),
        add(high, _mm512_maskz_shuffle_i64x2::<0b11_10_11_10>(LANES_01, middle, middle)),
    ])
}

/// The product of sixteen words by sixteen, likewise.
#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
pub(super) fn mul16(a: &[u64; 16], b: &[u64; 16]) -> [u64; 32] {
    transmute!(product16(transmute!(*a), transmute!(*b)))
}

/// The product of thirty-two words by thirty-two: Karatsuba's method over [`mul16`].
#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
pub(super) fn mul32(a: &[u64; 32], b: &[u64; 32]) -> [u64; 64] {
    let [a0, a1]: [[__m512i; 2]; 2] = transmute!(*a);
    let [b0, b1]: [[__m512i; 2]; 2] = transmute!(*b);
    let sum = |x: [__m512i; 2], y: [__m512i; 2]| [add(x[0], y[0]), add(x[1], y[1])];
    let [l0, l1, l2, l3] = product16(a0, b0);
    let [h0, h1, h2, h3] = product16(a1, b1);
    let [m0, m1, m2, m3] = product16(sum(a0, a1), sum(b0, b1));
    let x = add(l2, h0);
    let y = add(l3, h1);
    transmute!([l0, l1, sum3(m0, x, l0), sum3(m1, y, l1), sum3(m2, x, h2), sum3(m3, y, h3), h2, h3])
}

/// The sum of the products of lanes, with the parts of the product as they overlap.
#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
pub(super) fn sum_of_lanes(pairs: impl Iterator<Item = ([Lane; 4], [Lane; 4])>) -> Product<Lane, 2, 1> {
    let mut sum = [_mm512_setzero_si512(); 3];
    for (a, b) in pairs {
        let (a, b): (__m512i, __m512i) = (transmute!(a), transmute!(b));
        // The fourth product costs less than the shuffles that would save it.
        sum = [
            add(sum[0], _mm512_clmulepi64_epi128::<0x00>(a, b)),
            sum3(sum[1], _mm512_clmulepi64_epi128::<0x01>(a, b), _mm512_clmulepi64_epi128::<0x10>(a, b)),
            add(sum[2], _mm512_clmulepi64_epi128::<0x11>(a, b)),
        ];
    }
    let [low, middle, high] = sum.map(|v| -> Lane {
        let half = _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v));
        transmute!(_mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half)))
    });
    Product { aligned: [low, high], between: [middle] }
}

/// The square of every word: two vectors for each of `a`.
#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
pub(crate) fn square(a: &[[Lane; 4]], out: &mut [[Lane; 4]]) {
    for (a, out) in a.iter().zip(out.as_chunks_mut().0) {
        let a: __m512i = transmute!(*a);
        let even = _mm512_clmulepi64_epi128::<0x00>(a, a);
        let odd = _mm512_clmulepi64_epi128::<0x11>(a, a);
        *out = [
            transmute!(_mm512_permutex2var_epi64(even, _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), odd)),
            transmute!(_mm512_permutex2var_epi64(even, _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4), odd)),
        ];
    }
}

/// `low + high * (x^A + x^B + x^C + 1)`, what exceeds the vectors brought down likewise.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi2")]
pub(crate) fn reduce<const A: u32, const B: u32, const C: u32>(low: &mut [[Lane; 4]], high: &[[Lane; 4]]) {
    let zero = _mm512_setzero_si512();
    let vector = |i: usize| -> __m512i { transmute!(high[i]) };
    let shl = |a: __m512i, b: __m512i, n: u32| _mm512_shldv_epi64(a, b, _mm512_set1_epi64(i64::from(n)));
    let top = _mm512_alignr_epi64::<7>(zero, vector(high.len() - 1));
    let carry = sum3(shl(zero, top, A), shl(zero, top, B), shl(zero, top, C));
    let mut below = zero;
    for (i, low) in low.iter_mut().enumerate() {
        let h = if i == 0 { add(vector(0), carry) } else { vector(i) };
        let carry = _mm512_alignr_epi64::<7>(h, below);
        below = h;
        let sum = sum3(h, shl(h, carry, A), shl(h, carry, B));
        *low = transmute!(sum3(transmute!(*low), sum, shl(h, carry, C)));
    }
}

#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
fn product16(a: [__m512i; 2], b: [__m512i; 2]) -> [__m512i; 4] {
    let (a, b) = (twist16(a[0], a[1]), twist16(b[0], b[1]));
    let [p0, p1, p2, p3, p4, p5, p6, p7] =
        karatsuba::four(a, b, _mm512_setzero_si512(), |x, y| add(x, y), |x, y| join(x, y), |x, y| multiply(x, y));
    let [l0, h0, m0] = untwist([p0, p1, p2, p3]);
    let [l1, h1, m1] = untwist([p4, p5, p6, p7]);
    let x = add(l1, h0);
    [l0, sum3(m0, x, l0), sum3(m1, x, h1), h1]
}

/// Eight words as lanes `[low, high, low + high]`.
#[inline]
#[target_feature(enable = "avx512f")]
fn twist8(a: __m512i) -> [__m512i; 2] {
    let sum = add(a, _mm512_shuffle_i64x2::<0b01_00_11_10>(a, a));
    [_mm512_shuffle_i64x2::<0b00_00_10_00>(a, sum), _mm512_shuffle_i64x2::<0b01_01_11_01>(a, sum)]
}

/// Sixteen words as lanes `[low, high, low + high]`.
#[inline]
#[target_feature(enable = "avx512f")]
fn twist16(low: __m512i, high: __m512i) -> [__m512i; 4] {
    let sum = add(low, high);
    let x = _mm512_shuffle_i64x2::<0b01_00_01_00>(low, high);
    let y = _mm512_shuffle_i64x2::<0b11_10_11_10>(low, high);
    [
        _mm512_shuffle_i64x2::<0b00_00_10_00>(x, sum),
        _mm512_shuffle_i64x2::<0b01_01_11_01>(x, sum),
        _mm512_shuffle_i64x2::<0b10_10_10_00>(y, sum),
        _mm512_shuffle_i64x2::<0b11_11_11_01>(y, sum),
    ]
}

#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
fn multiply(a: Factor<__m512i>, b: Factor<__m512i>) -> Product<__m512i, 2, 1> {
    let low = _mm512_clmulepi64_epi128::<0x00>(a.lane, b.lane);
    let high = _mm512_clmulepi64_epi128::<0x11>(a.lane, b.lane);
    let middle = _mm512_clmulepi64_epi128::<0x00>(a.folded, b.folded);
    Product { aligned: [low, high], between: [sum3(middle, low, high)] }
}

/// The sum of two vectors.
#[inline]
#[target_feature(enable = "avx512f")]
fn add(a: __m512i, b: __m512i) -> __m512i {
    _mm512_xor_si512(a, b)
}

/// In every lane the upper word of `a`, then the lower one of `b`.
#[inline]
#[target_feature(enable = "avx512f")]
fn join(a: __m512i, b: __m512i) -> __m512i {
    let (a, b) = (_mm512_castsi512_pd(a), _mm512_castsi512_pd(b));
    _mm512_castpd_si512(_mm512_shuffle_pd::<0b0101_0101>(a, b))
}

/// Four vectors of lanes `[low, high, middle, unused]` as vectors of four low, four high and four middle lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn untwist(v: [__m512i; 4]) -> [__m512i; 3] {
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

/// The sum of three.
#[inline]
#[target_feature(enable = "avx512f")]
fn sum3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0x96>(a, b, c)
}

/// The step of inversion that divides; see there. Words after the first `len` come out right or not at all.
#[inline]
#[target_feature(enable = "avx512vbmi2,vpclmulqdq")]
pub(crate) fn divide(fg: &mut [[Lane; 4]], len: usize, to_f: Lane, to_g: Lane) {
    let to_f = _mm512_broadcast_i32x4(transmute!(to_f));
    let to_g = _mm512_broadcast_i32x4(transmute!(to_g));
    let only_f = _mm512_set_epi64(0, 1, 0, 1, 0, 1, 0, 1);
    let [mut low, mut high] = rows(transmute!(fg[0]), to_f, to_g);
    let mut below = _mm512_alignr_epi64::<2>(low, low);
    for i in 0..(len + 1).div_ceil(4) {
        let next = fg.get(i + 1).map_or([_mm512_setzero_si512(); 2], |next| rows(transmute!(*next), to_f, to_g));
        let sum = add(high, _mm512_alignr_epi64::<2>(next[0], low));
        fg[i] = transmute!(_mm512_shldv_epi64(sum, _mm512_alignr_epi64::<6>(sum, below), only_f));
        below = sum;
        [low, high] = next;
    }
}

/// The step of inversion that multiplies; see there.
#[inline]
#[target_feature(enable = "avx512vbmi2,vpclmulqdq")]
pub(crate) fn multiply_all(vr: &mut [[Lane; 4]], len: usize, to_f: Lane, to_g: Lane) {
    let to_f = _mm512_broadcast_i32x4(transmute!(to_f));
    let to_g = _mm512_broadcast_i32x4(transmute!(to_g));
    let only_v = _mm512_set_epi64(0, 1, 0, 1, 0, 1, 0, 1);
    let (mut below, mut high) = (_mm512_setzero_si512(), _mm512_setzero_si512());
    for lanes in vr.iter_mut().take(len.div_ceil(4)) {
        let [low, next] = rows(transmute!(*lanes), to_f, to_g);
        let sum = add(low, _mm512_alignr_epi64::<6>(next, high));
        *lanes = transmute!(_mm512_shldv_epi64(sum, _mm512_alignr_epi64::<6>(sum, below), only_v));
        (below, high) = (sum, next);
    }
}

/// In every lane the low and the high words of `p[0] * t[0] + p[1] * t[1]` and of `p[0] * b[0] + p[1] * b[1]`.
#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
fn rows(p: __m512i, t: __m512i, b: __m512i) -> [__m512i; 2] {
    let t = add(_mm512_clmulepi64_epi128::<0x00>(p, t), _mm512_clmulepi64_epi128::<0x11>(p, t));
    let b = add(_mm512_clmulepi64_epi128::<0x00>(p, b), _mm512_clmulepi64_epi128::<0x11>(p, b));
    [_mm512_unpacklo_epi64(t, b), _mm512_unpackhi_epi64(t, b)]
}
