//! Four lanes of 16 bytes at a time, with what AES in counter mode and GHASH need: rounds, carry-less products and sums.
//!
//! A lane of a polynomial is two little-endian words, the lowest bit being the coefficient of `x^0` as POLYVAL has it
//! ([RFC 8452](https://www.rfc-editor.org/rfc/rfc8452), section 3). Each function has a definition for each size of vector;
//! what is made of them has one.
use core::fmt;
use zeroize::Zeroize;

pub(crate) use ops::{
    Product, add_to_counters, broadcast, enc, enc_last, multiply, reduce, sum_of_lanes, swap_bytes, xor,
};

/// Four lanes.
#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
pub(crate) struct Wide(pub(crate) [u64; 8]);

/// Shows nothing: it may be a secret.
impl fmt::Debug for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wide(…)")
    }
}

impl Zeroize for Wide {
    fn zeroize(&mut self) {
        self.0 = [0; 8];
        zeroize::optimization_barrier(self);
    }
}

impl Wide {
    /// The lanes of these bytes.
    #[inline]
    pub(crate) fn new(bytes: &[u8; 64]) -> Self {
        Self(little_endian(zerocopy::transmute!(*bytes)))
    }

    /// The bytes of the lanes.
    #[inline]
    pub(crate) fn to_bytes(self) -> [u8; 64] {
        zerocopy::transmute!(little_endian(self.0))
    }
}

/// A `map` over the words would be a call, in code for vectors.
#[inline]
fn little_endian(words: [u64; 8]) -> [u64; 8] {
    if cfg!(target_endian = "little") { words } else { words.map(u64::swap_bytes) }
}

#[simd_core::dispatch(targets = crate::targets::modes)]
mod ops {
    #![allow(
        unused_imports,
        dead_code,
        clippy::wildcard_imports,
        reason = "each clone works on vectors of another size, the baseline on words"
    )]
    use super::Wide;
    use crate::aes::{Block, Quad, aesenc4, aesenclast4};
    use crate::arch::*;
    use crate::pmul::mul_words;
    use zerocopy::transmute;

    /// Products of lanes before reduction: the middle part lies 64 bits above the low one, the high part 128.
    #[derive(Clone, Copy, Default)]
    pub(crate) struct Product {
        pub(crate) low: Wide,
        pub(crate) middle: Wide,
        pub(crate) high: Wide,
    }

    /// The sum of two vectors.
    #[cfg(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx512bw"))]
    #[inline]
    pub(crate) fn xor(a: Wide, b: Wide) -> Wide {
        Wide(transmute!(_mm512_xor_si512(transmute!(a.0), transmute!(b.0))))
    }

    #[cfg(all(
        target_feature = "vaes",
        target_feature = "vpclmulqdq",
        target_feature = "avx2",
        not(target_feature = "avx512bw")
    ))]
    #[inline]
    pub(crate) fn xor(a: Wide, b: Wide) -> Wide {
        let (a, b): ([__m256i; 2], [__m256i; 2]) = (transmute!(a.0), transmute!(b.0));
        Wide(transmute!([_mm256_xor_si256(a[0], b[0]), _mm256_xor_si256(a[1], b[1])]))
    }

    #[cfg(all(
        target_feature = "pclmulqdq",
        target_feature = "aes",
        target_feature = "ssse3",
        not(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx2"))
    ))]
    #[inline]
    pub(crate) fn xor(a: Wide, b: Wide) -> Wide {
        let (a, b): ([__m128i; 4], [__m128i; 4]) = (transmute!(a.0), transmute!(b.0));
        Wide(transmute!([
            _mm_xor_si128(a[0], b[0]),
            _mm_xor_si128(a[1], b[1]),
            _mm_xor_si128(a[2], b[2]),
            _mm_xor_si128(a[3], b[3]),
        ]))
    }

    #[cfg(not(all(target_feature = "pclmulqdq", target_feature = "aes", target_feature = "ssse3")))]
    #[inline]
    pub(crate) fn xor(a: Wide, b: Wide) -> Wide {
        let (a, b) = (a.0, b.0);
        Wide([a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3], a[4] ^ b[4], a[5] ^ b[5], a[6] ^ b[6], a[7] ^ b[7]])
    }

    /// The same lane four times.
    #[cfg(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx512bw"))]
    #[inline]
    pub(crate) fn broadcast(lane: [u64; 2]) -> Wide {
        Wide(transmute!(_mm512_broadcast_i32x4(transmute!(lane))))
    }

    #[cfg(not(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx512bw")))]
    #[inline]
    pub(crate) fn broadcast(lane: [u64; 2]) -> Wide {
        Wide(transmute!([lane; 4]))
    }

    /// A full round of encryption on each lane, with the same key.
    #[cfg(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx512bw"))]
    #[inline]
    pub(crate) fn enc(state: Wide, key: Block) -> Wide {
        Wide(transmute!(_mm512_aesenc_epi128(transmute!(state.0), transmute!(broadcast(transmute!(key.to_bytes())).0))))
    }

    #[cfg(all(
        target_feature = "vaes",
        target_feature = "vpclmulqdq",
        target_feature = "avx2",
        not(target_feature = "avx512bw")
    ))]
    #[inline]
    pub(crate) fn enc(state: Wide, key: Block) -> Wide {
        let state: [__m256i; 2] = transmute!(state.0);
        let key = _mm256_broadcastsi128_si256(transmute!(key.to_bytes()));
        Wide(transmute!([_mm256_aesenc_epi128(state[0], key), _mm256_aesenc_epi128(state[1], key)]))
    }

    #[cfg(all(
        target_feature = "pclmulqdq",
        target_feature = "aes",
        target_feature = "ssse3",
        not(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx2"))
    ))]
    #[inline]
    pub(crate) fn enc(state: Wide, key: Block) -> Wide {
        let (state, key): ([__m128i; 4], __m128i) = (transmute!(state.0), transmute!(key.to_bytes()));
        Wide(transmute!([
            _mm_aesenc_si128(state[0], key),
            _mm_aesenc_si128(state[1], key),
            _mm_aesenc_si128(state[2], key),
            _mm_aesenc_si128(state[3], key),
        ]))
    }

    #[cfg(not(all(target_feature = "pclmulqdq", target_feature = "aes", target_feature = "ssse3")))]
    #[inline]
    pub(crate) fn enc(state: Wide, key: Block) -> Wide {
        Wide::new(&aesenc4(Quad::new(state.to_bytes()), Quad::splat(key)).to_bytes())
    }

    /// The last round of encryption on each lane, with the same key.
    #[cfg(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx512bw"))]
    #[inline]
    pub(crate) fn enc_last(state: Wide, key: Block) -> Wide {
        let key = broadcast(transmute!(key.to_bytes()));
        Wide(transmute!(_mm512_aesenclast_epi128(transmute!(state.0), transmute!(key.0))))
    }

    #[cfg(all(
        target_feature = "vaes",
        target_feature = "vpclmulqdq",
        target_feature = "avx2",
        not(target_feature = "avx512bw")
    ))]
    #[inline]
    pub(crate) fn enc_last(state: Wide, key: Block) -> Wide {
        let state: [__m256i; 2] = transmute!(state.0);
        let key = _mm256_broadcastsi128_si256(transmute!(key.to_bytes()));
        Wide(transmute!([_mm256_aesenclast_epi128(state[0], key), _mm256_aesenclast_epi128(state[1], key)]))
    }

    #[cfg(all(
        target_feature = "pclmulqdq",
        target_feature = "aes",
        target_feature = "ssse3",
        not(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx2"))
    ))]
    #[inline]
    pub(crate) fn enc_last(state: Wide, key: Block) -> Wide {
        let (state, key): ([__m128i; 4], __m128i) = (transmute!(state.0), transmute!(key.to_bytes()));
        Wide(transmute!([
            _mm_aesenclast_si128(state[0], key),
            _mm_aesenclast_si128(state[1], key),
            _mm_aesenclast_si128(state[2], key),
            _mm_aesenclast_si128(state[3], key),
        ]))
    }

    #[cfg(not(all(target_feature = "pclmulqdq", target_feature = "aes", target_feature = "ssse3")))]
    #[inline]
    pub(crate) fn enc_last(state: Wide, key: Block) -> Wide {
        Wide::new(&aesenclast4(Quad::new(state.to_bytes()), Quad::splat(key)).to_bytes())
    }

    /// The bytes of each lane in reverse.
    #[cfg(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx512bw"))]
    #[inline]
    pub(crate) fn swap_bytes(a: Wide) -> Wide {
        let order = broadcast([0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607]);
        Wide(transmute!(_mm512_shuffle_epi8(transmute!(a.0), transmute!(order.0))))
    }

    #[cfg(all(
        target_feature = "vaes",
        target_feature = "vpclmulqdq",
        target_feature = "avx2",
        not(target_feature = "avx512bw")
    ))]
    #[inline]
    pub(crate) fn swap_bytes(a: Wide) -> Wide {
        let order: __m128i = transmute!([0x0809_0a0b_0c0d_0e0f_u64, 0x0001_0203_0405_0607]);
        let order = _mm256_broadcastsi128_si256(order);
        let a: [__m256i; 2] = transmute!(a.0);
        Wide(transmute!([_mm256_shuffle_epi8(a[0], order), _mm256_shuffle_epi8(a[1], order)]))
    }

    #[cfg(all(
        target_feature = "pclmulqdq",
        target_feature = "aes",
        target_feature = "ssse3",
        not(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx2"))
    ))]
    #[inline]
    pub(crate) fn swap_bytes(a: Wide) -> Wide {
        let order: __m128i = transmute!([0x0809_0a0b_0c0d_0e0f_u64, 0x0001_0203_0405_0607]);
        let a: [__m128i; 4] = transmute!(a.0);
        Wide(transmute!([
            _mm_shuffle_epi8(a[0], order),
            _mm_shuffle_epi8(a[1], order),
            _mm_shuffle_epi8(a[2], order),
            _mm_shuffle_epi8(a[3], order),
        ]))
    }

    #[cfg(not(all(target_feature = "pclmulqdq", target_feature = "aes", target_feature = "ssse3")))]
    #[inline]
    pub(crate) fn swap_bytes(a: Wide) -> Wide {
        let a = a.0.map(u64::swap_bytes);
        Wide([a[1], a[0], a[3], a[2], a[5], a[4], a[7], a[6]])
    }

    /// Adds to the lowest 32 bits of each lane, modulo 2^32.
    #[cfg(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx512bw"))]
    #[inline]
    pub(crate) fn add_to_counters(a: Wide, to: [u32; 4]) -> Wide {
        let to = to.map(|to| [u64::from(to), 0]);
        Wide(transmute!(_mm512_add_epi32(transmute!(a.0), transmute!(to))))
    }

    #[cfg(all(
        target_feature = "vaes",
        target_feature = "vpclmulqdq",
        target_feature = "avx2",
        not(target_feature = "avx512bw")
    ))]
    #[inline]
    pub(crate) fn add_to_counters(a: Wide, to: [u32; 4]) -> Wide {
        let to: [__m256i; 2] = transmute!(to.map(|to| [u64::from(to), 0]));
        let a: [__m256i; 2] = transmute!(a.0);
        Wide(transmute!([_mm256_add_epi32(a[0], to[0]), _mm256_add_epi32(a[1], to[1])]))
    }

    #[cfg(all(
        target_feature = "pclmulqdq",
        target_feature = "aes",
        target_feature = "ssse3",
        not(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx2"))
    ))]
    #[inline]
    pub(crate) fn add_to_counters(a: Wide, to: [u32; 4]) -> Wide {
        let to: [__m128i; 4] = transmute!(to.map(|to| [u64::from(to), 0]));
        let a: [__m128i; 4] = transmute!(a.0);
        Wide(transmute!([
            _mm_add_epi32(a[0], to[0]),
            _mm_add_epi32(a[1], to[1]),
            _mm_add_epi32(a[2], to[2]),
            _mm_add_epi32(a[3], to[3]),
        ]))
    }

    #[cfg(not(all(target_feature = "pclmulqdq", target_feature = "aes", target_feature = "ssse3")))]
    #[inline]
    pub(crate) fn add_to_counters(a: Wide, to: [u32; 4]) -> Wide {
        let mut a = a.0;
        for (word, to) in a.iter_mut().step_by(2).zip(to) {
            *word = (*word & !0xffff_ffff) | u64::from((*word as u32).wrapping_add(to));
        }
        Wide(a)
    }

    /// The carry-less product of a word of each lane by a word of each lane; `WORDS` is the immediate of `pclmulqdq`.
    #[cfg(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx512bw"))]
    #[inline]
    fn clmul<const WORDS: i32>(a: Wide, b: Wide) -> Wide {
        Wide(transmute!(_mm512_clmulepi64_epi128::<WORDS>(transmute!(a.0), transmute!(b.0))))
    }

    #[cfg(all(
        target_feature = "vaes",
        target_feature = "vpclmulqdq",
        target_feature = "avx2",
        not(target_feature = "avx512bw")
    ))]
    #[inline]
    fn clmul<const WORDS: i32>(a: Wide, b: Wide) -> Wide {
        let (a, b): ([__m256i; 2], [__m256i; 2]) = (transmute!(a.0), transmute!(b.0));
        Wide(transmute!(
            [_mm256_clmulepi64_epi128::<WORDS>(a[0], b[0]), _mm256_clmulepi64_epi128::<WORDS>(a[1], b[1]),]
        ))
    }

    #[cfg(all(
        target_feature = "pclmulqdq",
        target_feature = "aes",
        target_feature = "ssse3",
        not(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx2"))
    ))]
    #[inline]
    fn clmul<const WORDS: i32>(a: Wide, b: Wide) -> Wide {
        let (a, b): ([__m128i; 4], [__m128i; 4]) = (transmute!(a.0), transmute!(b.0));
        Wide(transmute!([
            _mm_clmulepi64_si128::<WORDS>(a[0], b[0]),
            _mm_clmulepi64_si128::<WORDS>(a[1], b[1]),
            _mm_clmulepi64_si128::<WORDS>(a[2], b[2]),
            _mm_clmulepi64_si128::<WORDS>(a[3], b[3]),
        ]))
    }

    /// `sum`, and the product of each lane by a lane.
    #[cfg(all(target_feature = "pclmulqdq", target_feature = "aes", target_feature = "ssse3"))]
    #[inline]
    pub(crate) fn multiply(sum: Product, a: Wide, b: Wide) -> Product {
        Product {
            low: xor(sum.low, clmul::<0x00>(a, b)),
            middle: xor(sum.middle, xor(clmul::<0x01>(a, b), clmul::<0x10>(a, b))),
            high: xor(sum.high, clmul::<0x11>(a, b)),
        }
    }

    #[cfg(not(all(target_feature = "pclmulqdq", target_feature = "aes", target_feature = "ssse3")))]
    #[inline]
    pub(crate) fn multiply(sum: Product, a: Wide, b: Wide) -> Product {
        let (a, b): ([[u64; 2]; 4], [[u64; 2]; 4]) = (transmute!(a.0), transmute!(b.0));
        let [p, q, r, s] = [0, 1, 2, 3].map(|i: usize| mul_words(&a[i], &b[i]));
        Product {
            low: xor(sum.low, Wide(transmute!([p[0], q[0], r[0], s[0]]))),
            middle: sum.middle,
            high: xor(sum.high, Wide(transmute!([p[1], q[1], r[1], s[1]]))),
        }
    }

    /// Each product times `x^-128` modulo `x^128 + x^127 + x^126 + x^121 + 1`: the `dot` of RFC 8452, section 3.
    ///
    /// The two steps each bring 64 bits down, as S. Gueron's code for that RFC does.
    #[cfg(all(target_feature = "pclmulqdq", target_feature = "aes", target_feature = "ssse3"))]
    #[inline]
    pub(crate) fn reduce(product: Product) -> Wide {
        let upper = broadcast([0, 0xc200_0000_0000_0000]);
        let (up, down) = middle_words(product.middle);
        let low = xor(product.low, up);
        let low = xor(clmul::<0x10>(low, upper), swap_words(low));
        let low = xor(clmul::<0x10>(low, upper), swap_words(low));
        xor(xor(product.high, down), low)
    }

    #[cfg(not(all(target_feature = "pclmulqdq", target_feature = "aes", target_feature = "ssse3")))]
    #[inline]
    pub(crate) fn reduce(product: Product) -> Wide {
        let mut out = [[0; 2]; 4];
        let low: [[u64; 2]; 4] = transmute!(product.low.0);
        let high: [[u64; 2]; 4] = transmute!(product.high.0);
        for (out, ([a, b], [c, d])) in out.iter_mut().zip(low.into_iter().zip(high)) {
            let b = b ^ (a << 63) ^ (a << 62) ^ (a << 57);
            let c = c ^ a ^ (a >> 1) ^ (a >> 2) ^ (a >> 7);
            let d = d ^ b ^ (b >> 1) ^ (b >> 2) ^ (b >> 7);
            *out = [c ^ (b << 63) ^ (b << 62) ^ (b << 57), d];
        }
        Wide(transmute!(out))
    }

    /// The low words of the lanes moved up, and the high words moved down.
    #[cfg(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx512bw"))]
    #[inline]
    fn middle_words(a: Wide) -> (Wide, Wide) {
        let a = transmute!(a.0);
        (Wide(transmute!(_mm512_bslli_epi128::<8>(a))), Wide(transmute!(_mm512_bsrli_epi128::<8>(a))))
    }

    #[cfg(not(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx512bw")))]
    #[inline]
    fn middle_words(a: Wide) -> (Wide, Wide) {
        let a = a.0;
        (Wide([0, a[0], 0, a[2], 0, a[4], 0, a[6]]), Wide([a[1], 0, a[3], 0, a[5], 0, a[7], 0]))
    }

    /// The words of each lane, exchanged.
    #[cfg(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx512bw"))]
    #[inline]
    fn swap_words(a: Wide) -> Wide {
        Wide(transmute!(_mm512_shuffle_epi32::<0b01_00_11_10>(transmute!(a.0))))
    }

    #[cfg(not(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx512bw")))]
    #[inline]
    fn swap_words(a: Wide) -> Wide {
        let a = a.0;
        Wide([a[1], a[0], a[3], a[2], a[5], a[4], a[7], a[6]])
    }

    /// The sum of the four lanes, in the first one.
    #[cfg(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx512bw"))]
    #[inline]
    pub(crate) fn sum_of_lanes(a: Wide) -> Wide {
        let a: __m512i = transmute!(a.0);
        let half = _mm256_xor_si256(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64::<1>(a));
        let lane = _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
        Wide(transmute!(_mm512_zextsi128_si512(lane)))
    }

    #[cfg(not(all(target_feature = "vaes", target_feature = "vpclmulqdq", target_feature = "avx512bw")))]
    #[inline]
    pub(crate) fn sum_of_lanes(a: Wide) -> Wide {
        let a = a.0;
        Wide([a[0] ^ a[2] ^ a[4] ^ a[6], a[1] ^ a[3] ^ a[5] ^ a[7], 0, 0, 0, 0, 0, 0])
    }
}
