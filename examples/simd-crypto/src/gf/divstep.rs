//! Inversion by division steps.
//!
//! Bernstein and Yang, *Fast constant-time gcd computation and modular inversion* (TCHES 2019, issue 3,
//! <https://doi.org/10.13154/tches.v2019.i3.340-398>), for polynomials over GF(2). With `f` the modulus and `g` the element,
//! both with their coefficients in reverse, one step replaces `(f, g)` by `(f, (g + g(0) f) / x)`, or by
//! `(g, (f + g) / x)` where `g(0)` is 1 and `f` is the one of greater degree, which the counter `delta` knows.
//! After `2 n - 1` steps `f` is 1, and the factor by which `g` went into it is the inverse, in reverse. One extra step leaves
//! `g` at zero and rounds the count to `2 n`: `2 n / 64` times 64. These 64 look at no more than one word of `f`
//! and `g`. What they do is a matrix of four polynomials of one word, by which all words are then multiplied.
//!
//! It takes the same steps for every element. Zero never becomes `f`, so its inverse comes out as zero. Sums wrap, though
//! they are small: a check for overflow would be a branch on what depends on the element.
#![allow(clippy::many_single_char_names, reason = "they are those of the paper")]
pub(crate) use division_steps::invert;

/// The inverse in a field of up to 32 bits: 63 steps at most, and nothing in them has more than a word.
///
/// The modulus is `x^BITS + x^A + x^B + x^C + 1`.
#[inline]
pub(crate) fn invert_small<const BITS: u32, const A: u32, const B: u32, const C: u32>(a: u32) -> u32 {
    // As in `steps`, with `f` and `g` turned around and `f` without its lowest coefficient.
    let modulus: u64 = 1 | 1 << (BITS - A) | 1 << (BITS - B) | 1 << (BITS - C) | 1 << BITS;
    let mut f = modulus.reverse_bits() << 1;
    let mut g = u64::from(a) << (64 - BITS);
    let (mut v, mut r) = (0u64, 1u64);
    let (mut minus_delta, mut positive) = (-1_i64, u64::MAX);
    for _ in 1..2 * BITS {
        let odd = sign(g.cast_signed());
        let swap = odd & positive;
        let divided = g << 1;
        (f, g) = (f & !swap | divided & swap, divided ^ f & odd);
        (v, r) = ((v & !swap | r & swap) << 1, r ^ v & odd);
        positive = sign(minus_delta.wrapping_sub(1)) & !swap;
        minus_delta = (minus_delta ^ swap.cast_signed()).wrapping_add((!swap).cast_signed());
    }
    ((v >> 1) as u32).reverse_bits() >> (32 - BITS)
}

/// All bits set where `word` is negative, else none.
#[inline]
fn sign(word: i64) -> u64 {
    (word >> 63).cast_unsigned()
}

#[simd_core::dispatch(targets = crate::targets::products)]
mod division_steps {
    #![allow(unused_imports, clippy::wildcard_imports, reason = "which instructions are in use depends on the target")]
    use super::sign;
    use crate::arch::*;
    use crate::pmul::lane::{self, Lane};
    use crate::wide::Wide;
    use simd_core::match_target;

    /// The inverse modulo `x^n + x^A + x^B + x^C + 1`, where `n` is `64 * N`. `M` is `N + 2` or more; multiples of four
    /// are done in wide vectors, which pays for 2048 bits.
    pub(crate) fn invert<const N: usize, const M: usize, const A: usize, const B: usize, const C: usize>(
        a: &[u64; N],
    ) -> [u64; N] {
        let n = 64 * N;
        let mut fg = [[0; 2]; M];
        for (lane, word) in fg.iter_mut().zip(a.iter().rev()) {
            lane[1] = word.reverse_bits();
        }
        for bit in [0, n - A, n - B, n - C, n] {
            fg[bit / 64][0] |= 1 << (bit % 64);
        }
        // The second column of the product of all matrices: by what `g` goes into what is now `f`, and into what is `g`.
        let mut vr = [[0; 2]; M];
        vr[0] = [0, 1];
        let mut minus_delta = -1;
        for done in 1..=2 * N {
            let (to_f, to_g);
            (to_f, to_g, minus_delta) = steps(fg[0], minus_delta);
            // Words of `f` and `g` that no later step looks at need not be right; `vr` grows by one bit a step.
            divide(&mut fg, (N + 1).min(2 * N - done), to_f, to_g);
            multiply(&mut vr, (N + 1).min(done + 1), to_f, to_g);
        }
        let mut inverse = [0; N];
        for (i, word) in inverse.iter_mut().rev().enumerate() {
            *word = (vr[i][0] >> 2 | vr[i + 1][0] << 62).reverse_bits();
        }
        inverse
    }

    /// 64 steps on the lowest words of `f` and `g`: what of `f` and `g` is in `x^63` times the new `f` and in `x^64` times the
    /// new `g`, and the new counter.
    ///
    /// The words are turned around, so that `g(0)` is a sign, and `f` is without its lowest coefficient, which is always 1: then
    /// three instructions in a row lead from one `g` to the next. What selects is in general registers and what it selects in
    /// vectors, because on some CPUs an instruction on vectors takes two cycles.
    #[inline]
    fn steps(fg: Lane, minus_delta: i64) -> (Lane, Lane, i64) {
        let [mut f, mut g] = fg.map(u64::reverse_bits);
        f <<= 1;
        let (mut to_f, mut to_g) = ([1, 0], [0, 1]);
        let (mut minus_delta, mut positive) = (minus_delta, sign(minus_delta));
        for i in 0..64 {
            if i != 0 {
                to_f = lane::shl(to_f, 1);
            }
            let odd = sign(g.cast_signed());
            let swap = odd & positive;
            let divided = g << 1;
            (f, g) = (f & !swap | divided & swap, divided ^ f & odd);
            let both = lane::add(to_f, to_g);
            to_g = lane::add(to_g, lane::and(to_f, lane::splat(odd)));
            to_f = lane::add(to_f, lane::and(both, lane::splat(swap)));
            // 1 - delta if they swap, and then delta was positive, else 1 + delta.
            positive = sign(minus_delta.wrapping_sub(1)) & !swap;
            minus_delta = (minus_delta ^ swap.cast_signed()).wrapping_add((!swap).cast_signed());
        }
        (to_f, to_g, minus_delta)
    }

    /// Multiplies the words of `f` and `g` by the matrix, for the first `len` words of `f / x^63` and `g / x^64`.
    #[inline]
    fn divide(fg: &mut [Lane], len: usize, to_f: Lane, to_g: Lane) {
        match_target! {
            "x86_64: avx512vbmi2" => if fg.len().is_multiple_of(4) {
                wide_divide(fg.as_flattened_mut().as_chunks_mut().0, len, to_f, to_g);
                return;
            }
            _ => {}
        }
        let [mut below, mut high] = lane::rows(fg[0], to_f, to_g);
        for i in 0..len {
            let [low, next] = lane::rows(fg[i + 1], to_f, to_g);
            let sum = lane::add(low, high);
            fg[i] = [sum[0] << 1 | below[0] >> 63, sum[1]];
            (below, high) = (sum, next);
        }
    }

    /// Multiplies `v` and `r` by the matrix, for the first `len` words of `v * x` and `r`.
    #[inline]
    fn multiply(vr: &mut [Lane], len: usize, to_f: Lane, to_g: Lane) {
        match_target! {
            "x86_64: avx512vbmi2" => if vr.len().is_multiple_of(4) {
                wide_multiply(vr.as_flattened_mut().as_chunks_mut().0, len, to_f, to_g);
                return;
            }
            _ => {}
        }
        let (mut below, mut high) = ([0; 2], [0; 2]);
        for lane in &mut vr[..len] {
            let [low, next] = lane::rows(*lane, to_f, to_g);
            let sum = lane::add(low, high);
            *lane = [sum[0] << 1 | below[0] >> 63, sum[1]];
            (below, high) = (sum, next);
        }
    }

    /// [`divide`] in 512-bit vectors. Words after the first `len` come out right or not at all.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512vbmi2,avx512vl,gfni,vpclmulqdq")]
    fn wide_divide(fg: &mut [[u64; 8]], len: usize, to_f: Lane, to_g: Lane) {
        let to_f = _mm512_broadcast_i32x4(lane::vector(to_f));
        let to_g = _mm512_broadcast_i32x4(lane::vector(to_g));
        let only_f = _mm512_set_epi64(0, 1, 0, 1, 0, 1, 0, 1);
        let [mut low, mut high] = wide_rows(Wide(fg[0]).into(), to_f, to_g);
        let mut below = _mm512_alignr_epi64::<2>(low, low);
        for i in 0..(len + 1).div_ceil(4) {
            let next =
                fg.get(i + 1).map_or([_mm512_setzero_si512(); 2], |next| wide_rows(Wide(*next).into(), to_f, to_g));
            let sum = _mm512_xor_si512(high, _mm512_alignr_epi64::<2>(next[0], low));
            fg[i] = Wide::from(_mm512_shldv_epi64(sum, _mm512_alignr_epi64::<6>(sum, below), only_f)).0;
            below = sum;
            [low, high] = next;
        }
    }

    /// [`multiply`] in 512-bit vectors.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512vbmi2,avx512vl,gfni,vpclmulqdq")]
    fn wide_multiply(vr: &mut [[u64; 8]], len: usize, to_f: Lane, to_g: Lane) {
        let to_f = _mm512_broadcast_i32x4(lane::vector(to_f));
        let to_g = _mm512_broadcast_i32x4(lane::vector(to_g));
        let only_v = _mm512_set_epi64(0, 1, 0, 1, 0, 1, 0, 1);
        let (mut below, mut high) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        for words in vr.iter_mut().take(len.div_ceil(4)) {
            let [low, next] = wide_rows(Wide(*words).into(), to_f, to_g);
            let sum = _mm512_xor_si512(low, _mm512_alignr_epi64::<6>(next, high));
            *words = Wide::from(_mm512_shldv_epi64(sum, _mm512_alignr_epi64::<6>(sum, below), only_v)).0;
            (below, high) = (sum, next);
        }
    }

    /// [`lane::rows`] in every lane.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512vbmi2,avx512vl,gfni,vpclmulqdq")]
    fn wide_rows(p: __m512i, t: __m512i, b: __m512i) -> [__m512i; 2] {
        let [pt, pb] = [t, b]
            .map(|m| _mm512_xor_si512(_mm512_clmulepi64_epi128::<0x00>(p, m), _mm512_clmulepi64_epi128::<0x11>(p, m)));
        [_mm512_unpacklo_epi64(pt, pb), _mm512_unpackhi_epi64(pt, pb)]
    }
}
