//! Four lanes of 16 bytes at a time, with what AES in counter mode and GHASH need: rounds, carry-less products and sums.
//!
//! A lane of a polynomial is two little-endian words, the lowest bit being the coefficient of `x^0` as POLYVAL has it
//! ([RFC 8452](https://www.rfc-editor.org/rfc/rfc8452), section 3).
pub(crate) use lanewise::{
    Product, add_products, add_to_counters, broadcast, enc, enc_last, multiply, reduce, sum_of_lanes, swap_bytes, xor,
};

#[simd_core::dispatch(targets = crate::targets::modes)]
mod lanewise {
    #![allow(unused_imports, dead_code, clippy::wildcard_imports, reason = "clones work on vectors of other sizes")]
    use crate::aes::{Block, Quad, aesenc4, aesenclast4};
    use crate::arch::*;
    use crate::pmul::mul_words;
    use crate::wide::{Wide, lanewise};
    use simd_core::match_target;
    use zerocopy::transmute;

    /// Products of lanes before reduction: the middle part lies 64 bits above the low one, the high part 128.
    #[derive(Clone, Copy, Default)]
    pub(crate) struct Product {
        pub(crate) low: Wide,
        pub(crate) middle: Wide,
        pub(crate) high: Wide,
    }

    lanewise! {
        modes
        pub(crate) xor(a, b) = _mm512_xor_si512 | _mm256_xor_si256 | _mm_xor_si128, _ => {
            let (a, b) = (a.0, b.0);
            Wide([a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3], a[4] ^ b[4], a[5] ^ b[5], a[6] ^ b[6], a[7] ^ b[7]])
        }
    }

    /// The same lane four times.
    #[inline]
    pub(crate) fn broadcast(lane: [u64; 2]) -> Wide {
        match_target! {
            "vaes,vpclmulqdq,avx512bw" => Wide::from(_mm512_broadcast_i32x4(transmute!(lane))),
            _ => Wide::from([lane; 4]),
        }
    }

    lanewise! {
        modes
        /// A full round of encryption on each lane.
        pub(crate) enc(state, keys) = _mm512_aesenc_epi128 | _mm256_aesenc_epi128 | _mm_aesenc_si128, _ => {
            aesenc4(Quad(state), Quad(keys)).0
        }
    }

    lanewise! {
        modes
        /// The last round of encryption on each lane.
        pub(crate) enc_last(state, keys) = _mm512_aesenclast_epi128 | _mm256_aesenclast_epi128 | _mm_aesenclast_si128, _ => {
            aesenclast4(Quad(state), Quad(keys)).0
        }
    }

    /// The bytes of each lane in reverse.
    #[inline]
    pub(crate) fn swap_bytes(a: Wide) -> Wide {
        shuffled(a, broadcast([0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607]))
    }

    lanewise! {
        modes
        /// The bytes of each lane in the given order, which is the reverse.
        shuffled(a, order) = _mm512_shuffle_epi8 | _mm256_shuffle_epi8 | _mm_shuffle_epi8, _ => {
            let _ = order;
            swap_words(Wide(a.0.map(u64::swap_bytes)))
        }
    }

    /// Adds to the lowest 32 bits of each lane, modulo 2^32.
    #[inline]
    pub(crate) fn add_to_counters(a: Wide, to: [u32; 4]) -> Wide {
        add32(a, Wide::from(to.map(|to| [u64::from(to), 0])))
    }

    lanewise! {
        modes
        /// The sums of the lowest 32 bits of each lane; `to` has no others.
        add32(a, to) = _mm512_add_epi32 | _mm256_add_epi32 | _mm_add_epi32, _ => {
            let mut a = a.0;
            for (word, to) in a.iter_mut().zip(to.0).step_by(2) {
                *word = (*word & !0xffff_ffff) | u64::from((*word as u32).wrapping_add(to as u32));
            }
            Wide(a)
        }
    }

    /// `sum`, and the products of all lanes. Which lane has which of them is open: as many are in use as a vector has, so that
    /// sums take three registers.
    #[inline]
    pub(crate) fn add_products(sum: Product, a: Wide, b: Wide) -> Product {
        let products = multiply(a, b);
        Product {
            low: xor(sum.low, in_one_vector(products.low)),
            middle: xor(sum.middle, in_one_vector(products.middle)),
            high: xor(sum.high, in_one_vector(products.high)),
        }
    }

    /// Lanes that have the same sum as these, and are zero but for those of the first vector.
    #[inline]
    fn in_one_vector(a: Wide) -> Wide {
        match_target! {
            "vaes,vpclmulqdq,avx512bw" => a,
            "vaes,vpclmulqdq,avx2" => {
                let [a, b]: [__m256i; 2] = a.into();
                Wide::from([_mm256_xor_si256(a, b), _mm256_setzero_si256()])
            }
            "aes,pclmulqdq,ssse3" => {
                let [a, b, c, d]: [__m128i; 4] = a.into();
                let sum = _mm_xor_si128(_mm_xor_si128(a, b), _mm_xor_si128(c, d));
                Wide::from([sum, _mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()])
            }
            _ => a,
        }
    }

    /// The product of each lane by a lane.
    #[inline]
    pub(crate) fn multiply(a: Wide, b: Wide) -> Product {
        match_target! {
            "aes,pclmulqdq,ssse3" => Product {
                low: clmul::<0x00>(a, b),
                middle: xor(clmul::<0x01>(a, b), clmul::<0x10>(a, b)),
                high: clmul::<0x11>(a, b),
            },
            _ => {
                let (a, b): ([[u64; 2]; 4], [[u64; 2]; 4]) = (a.into(), b.into());
                let [p, q, r, s] = [0, 1, 2, 3].map(|i: usize| mul_words(&a[i], &b[i]));
                Product {
                    low: Wide::from([p[0], q[0], r[0], s[0]]),
                    middle: Wide([0; 8]),
                    high: Wide::from([p[1], q[1], r[1], s[1]]),
                }
            }
        }
    }

    lanewise! {
        modes
        /// The carry-less product of a word of each lane by a word of each lane; `WORDS` is the immediate of `pclmulqdq`.
        clmul<WORDS>(a, b) =
            _mm512_clmulepi64_epi128::<WORDS> | _mm256_clmulepi64_epi128::<WORDS> | _mm_clmulepi64_si128::<WORDS>,
        _ => unreachable!("the baseline has products of words")
    }

    /// Each product times `x^-128` modulo `x^128 + x^127 + x^126 + x^121 + 1`: the `dot` of RFC 8452, section 3.
    ///
    /// The two steps each bring 64 bits down, as S. Gueron's code for that RFC does.
    #[inline]
    pub(crate) fn reduce(product: Product) -> Wide {
        match_target! {
            "aes,pclmulqdq,ssse3" => {
                // The bits of `x^127 + x^126 + x^121` in the upper word: a product by them folds 64 bits, and the exchange of the
                // words brings what is folded to its place.
                let upper = broadcast([0, 0xc200_0000_0000_0000]);
                let (up, down) = middle_words(product.middle);
                let low = xor(product.low, up);
                let low = xor(clmul::<0x10>(low, upper), swap_words(low));
                let low = xor(clmul::<0x10>(low, upper), swap_words(low));
                xor(xor(product.high, down), low)
            }
            _ => {
                let mut out = [[0; 2]; 4];
                let (low, high): ([[u64; 2]; 4], [[u64; 2]; 4]) = (product.low.into(), product.high.into());
                for (out, ([a, b], [c, d])) in out.iter_mut().zip(low.into_iter().zip(high)) {
                    let b = b ^ (a << 63) ^ (a << 62) ^ (a << 57);
                    let c = c ^ a ^ (a >> 1) ^ (a >> 2) ^ (a >> 7);
                    let d = d ^ b ^ (b >> 1) ^ (b >> 2) ^ (b >> 7);
                    *out = [c ^ (b << 63) ^ (b << 62) ^ (b << 57), d];
                }
                Wide::from(out)
            }
        }
    }

    /// The low words of the lanes moved up, and the high words moved down.
    #[inline]
    fn middle_words(a: Wide) -> (Wide, Wide) {
        match_target! {
            "vaes,vpclmulqdq,avx512bw" => {
                let a = a.into();
                (Wide::from(_mm512_bslli_epi128::<8>(a)), Wide::from(_mm512_bsrli_epi128::<8>(a)))
            }
            _ => {
                let a = a.0;
                (Wide([0, a[0], 0, a[2], 0, a[4], 0, a[6]]), Wide([a[1], 0, a[3], 0, a[5], 0, a[7], 0]))
            }
        }
    }

    /// The words of each lane, exchanged.
    #[inline]
    fn swap_words(a: Wide) -> Wide {
        match_target! {
            "vaes,vpclmulqdq,avx512bw" => Wide::from(_mm512_shuffle_epi32::<0b01_00_11_10>(a.into())),
            _ => {
                let a = a.0;
                Wide([a[1], a[0], a[3], a[2], a[5], a[4], a[7], a[6]])
            }
        }
    }

    /// The sum of the four lanes, in the first one.
    #[inline]
    pub(crate) fn sum_of_lanes(a: Wide) -> Wide {
        match_target! {
            "vaes,vpclmulqdq,avx512bw" => {
                let a: __m512i = a.into();
                let half = _mm256_xor_si256(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64::<1>(a));
                let lane = _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
                Wide::from(_mm512_zextsi128_si512(lane))
            }
            _ => {
                let a = a.0;
                Wide([a[0] ^ a[2] ^ a[4] ^ a[6], a[1] ^ a[3] ^ a[5] ^ a[7], 0, 0, 0, 0, 0, 0])
            }
        }
    }
}
