//! Inverses: by norms where the CPU has GFNI in 512-bit vectors, else by [division steps](super::divstep).
//!
//! For an element `a` of a field of `2^d` elements, `a^(2^(d/2))` is its conjugate over the subfield of `2^(d/2)` elements, and
//! the product of both, its norm, is in that subfield. So the inverse of `a` is the conjugate times the inverse of the
//! norm. After some steps of this kind, which halve `d`, the norm is in the subfield of 2^8 elements, and
//! `gf2p8affineinvqb` inverts it. (Itoh and Tsujii, *A fast algorithm for computing multiplicative inverses in GF(2^m)
//! using normal bases*, Information and Computation 78, 1988, <https://doi.org/10.1016/0890-5401(88)90024-7>, have the idea.)
//!
//! A conjugate is a linear map, and `gf2p8affineqb` multiplies a matrix of eight by eight bits by a byte, or by eight, in each
//! word of a vector. The matrices are constants, read in the same order for every element. The inverse of zero comes out as zero.
#[cfg(target_arch = "x86_64")]
mod tables;

pub(crate) use inverses::{
    invert_8, invert_16, invert_32, invert_64, invert_128, invert_256, invert_512, invert_1024, invert_2048,
};

#[simd_core::dispatch(targets = crate::targets::products)]
mod inverses {
    #![allow(unused_imports, clippy::wildcard_imports, reason = "which instructions are in use depends on the target")]
    #[cfg(target_arch = "x86_64")]
    use super::tables::{Columns, PAIRS_IN_LANES, PAIRS_IN_ROWS, Power, Subfields};
    use crate::arch::*;
    use crate::gf::divstep;
    use crate::gf::element::{Gf16, Gf32, Gf64, Gf128, Gf256, Gf512, Gf1024};
    use crate::gf::field::Field;
    use crate::wide::Wide;
    use simd_core::match_target;
    use zerocopy::transmute;

    #[inline]
    pub(crate) fn invert_8(a: u8) -> u8 {
        match_target! {
            "x86_64: gfni" => {
                // The instruction is meant for S-boxes: inverts, then multiplies by a matrix, here that of the identity.
                let (a, identity) = (_mm_cvtsi32_si128(i32::from(a)), _mm_set1_epi64x(0x0102_0408_1020_4080));
                _mm_cvtsi128_si32(_mm_gf2p8affineinv_epi64_epi8::<0>(a, identity)).cast_unsigned() as u8
            }
            _ => divstep::invert_small::<8, 4, 3, 1>(u32::from(a)) as u8,
        }
    }

    #[inline]
    pub(crate) fn invert_16(a: u16) -> u16 {
        match_target! {
            "x86_64: avx512bw,gfni" => {
                let subfields: &Subfields<1, 2> = const { &Subfields::new::<1>(Gf16::MODULUS, 16) };
                by_norms(Gf16(a), &[], subfields).0
            }
            _ => divstep::invert_small::<16, 5, 3, 1>(u32::from(a)) as u16,
        }
    }

    #[inline]
    pub(crate) fn invert_32(a: u32) -> u32 {
        match_target! {
            "x86_64: avx512bw,gfni" => {
                let subfields: &Subfields<1, 7> = const { &Subfields::new::<1>(Gf32::MODULUS, 32) };
                by_norms(Gf32(a), &[], subfields).0
            }
            _ => divstep::invert_small::<32, 7, 3, 2>(a),
        }
    }

    #[inline]
    pub(crate) fn invert_64(a: u64) -> u64 {
        match_target! {
            "x86_64: avx512bw,gfni" => {
                let subfields: &Subfields<1, 16> = const { &Subfields::new::<1>(Gf64::MODULUS, 64) };
                by_norms(Gf64(a), &[], subfields).0
            }
            _ => divstep::invert::<1, 3, 4, 3, 1>(&[a])[0],
        }
    }

    #[inline]
    pub(crate) fn invert_128(a: &[u64; 2]) -> [u64; 2] {
        match_target! {
            "x86_64: avx512bw,gfni" => {
                let subfields: &Subfields<2, 33> = const { &Subfields::new::<1>(Gf128::MODULUS, 128) };
                by_norms(Gf128(*a), &[], subfields).0
            }
            _ => divstep::invert::<2, 5, 7, 2, 1>(a),
        }
    }

    pub(crate) fn invert_256(a: &[u64; 4]) -> [u64; 4] {
        match_target! {
            "x86_64: avx512bw,gfni" => {
                let subfields: &Subfields<4, 66> = const { &Subfields::new::<2>(Gf256::MODULUS, 256) };
                by_norms(Gf256(*a), &[], subfields).0
            }
            _ => divstep::invert::<4, 6, 10, 5, 2>(a),
        }
    }

    pub(crate) fn invert_512(a: &[u64; 8]) -> [u64; 8] {
        match_target! {
            "x86_64: avx512bw,gfni" => {
                let subfields: &Subfields<8, 34> = const { &Subfields::new::<4>(Gf512::MODULUS, 128) };
                let powers = const { &[&Power::new::<4>(Gf512::MODULUS, 256), &Power::new::<4>(Gf512::MODULUS, 128)] };
                by_norms(Gf512(*a), powers, subfields).0
            }
            _ => divstep::invert::<8, 10, 8, 5, 2>(a),
        }
    }

    pub(crate) fn invert_1024(a: &[u64; 16]) -> [u64; 16] {
        match_target! {
            "x86_64: avx512bw,gfni" => {
                let subfields: &Subfields<16, 34> = const { &Subfields::new::<8>(Gf1024::MODULUS, 128) };
                let powers = const {
                    &[
                        &Power::new::<8>(Gf1024::MODULUS, 512),
                        &Power::new::<8>(Gf1024::MODULUS, 256),
                        &Power::new::<8>(Gf1024::MODULUS, 128),
                    ]
                };
                by_norms(Gf1024(*a), powers, subfields).0
            }
            _ => divstep::invert::<16, 18, 19, 6, 1>(a),
        }
    }

    pub(crate) fn invert_2048(a: &[u64; 32]) -> [u64; 32] {
        divstep::invert::<32, 36, 19, 14, 13>(a)
    }

    /// The inverse of an element of up to `N` words. The conjugates of the first steps come from `powers`, the others from
    /// `subfields`.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512vbmi2,avx512vl,gfni,vpclmulqdq")]
    fn by_norms<E: Field, const N: usize, const ROWS: usize>(
        element: E,
        powers: &[&Power<N>],
        subfields: &Subfields<N, ROWS>,
    ) -> E {
        let (mut norm, mut cofactor) = (element, E::ONE);
        let (mut powers, mut conjugates) = (powers.iter(), subfields.conjugates.as_slice());
        let mut d = E::BITS;
        while d > 8 {
            let conjugate = if let Some(power) = powers.next() {
                power_of(norm, power)
            } else {
                // Of a subfield, an element is known from its lowest `d + 8` bits.
                let columns;
                (columns, conjugates) = conjugates.split_at(E::BYTES.min(d / 8 + 1));
                map(norm.to_bytes().as_ref(), columns)
            };
            norm *= conjugate;
            cofactor = if d == E::BITS { conjugate } else { cofactor * conjugate };
            d /= 2;
        }
        let mut sum = _mm512_setzero_si512();
        for (byte, matrix) in norm.to_bytes().as_ref().iter().zip(subfields.to_aes) {
            sum = add_product(sum, _mm512_set1_epi64(matrix.cast_signed()), _mm512_set1_epi8(byte.cast_signed()));
        }
        let mut inverse = [0; N];
        for (word, matrices) in inverse.iter_mut().zip(subfields.from_aes) {
            *word = first_bytes(_mm512_gf2p8affineinv_epi64_epi8::<0>(sum, transmute!(matrices)));
        }
        cofactor * from_words::<E, N>(inverse)
    }

    /// `element^(2^k)`.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512vbmi2,avx512vl,gfni,vpclmulqdq")]
    fn power_of<E: Field, const N: usize>(element: E, power: &Power<N>) -> E {
        let bytes = element.to_bytes();
        let words = bytes.as_ref().as_chunks().0;
        let mut sums = [_mm512_setzero_si512(); N];
        for (i, columns) in power.of_chunk.as_chunks::<8>().0.iter().enumerate() {
            let mut ith_words = [0; 8];
            for (word, chunk) in ith_words.iter_mut().zip(words.chunks(N / 8)) {
                *word = u64::from_le_bytes(chunk[i]);
            }
            let bytes = Wide::from(transposed(Wide(ith_words).into())).0;
            for (bytes, matrices) in bytes.into_iter().zip(columns) {
                let bytes = _mm512_set1_epi64(bytes.cast_signed());
                for (sum, matrices) in sums.iter_mut().zip(*matrices) {
                    *sum = add_product(*sum, transmute!(matrices), bytes);
                }
            }
        }
        let mut of_chunks = [[0; N]; 8];
        for (i, sum) in sums.into_iter().enumerate() {
            let Wide(words) = transposed(sum).into();
            for (of_chunk, word) in of_chunks.iter_mut().zip(words) {
                of_chunk[i] = word;
            }
        }
        let (mut chunks, mut places) = ([E::ZERO; 8], [E::ZERO; 8]);
        for i in 0..8 {
            (chunks[i], places[i]) = (from_words(of_chunks[i]), from_words(power.of_places[i]));
        }
        E::sum_of_products(&chunks, &places)
    }

    /// The linear map with these columns for the first bytes.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512vbmi2,avx512vl,gfni,vpclmulqdq")]
    fn map<E: Field, const N: usize>(bytes: &[u8], columns: &[Columns<N>]) -> E {
        let mut sums = [_mm512_setzero_si512(); N];
        for (byte, matrices) in bytes.iter().zip(columns) {
            let byte = _mm512_set1_epi8(byte.cast_signed());
            for (sum, matrices) in sums.iter_mut().zip(*matrices) {
                *sum = add_product(*sum, transmute!(matrices), byte);
            }
        }
        let mut words = [0; N];
        for (word, sum) in words.iter_mut().zip(sums) {
            *word = first_bytes(sum);
        }
        from_words(words)
    }

    /// The products of eight matrices by eight bytes each, added to `sum`.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512vbmi2,avx512vl,gfni,vpclmulqdq")]
    fn add_product(sum: __m512i, matrices: __m512i, bytes: __m512i) -> __m512i {
        _mm512_xor_si512(sum, _mm512_gf2p8affine_epi64_epi8::<0>(bytes, matrices))
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512vbmi2,avx512vl,gfni,vpclmulqdq")]
    fn first_bytes(words: __m512i) -> u64 {
        _mm_cvtsi128_si64(_mm512_cvtepi64_epi8(words)).cast_unsigned()
    }

    /// The element whose lowest bits are the first word.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512vbmi2,avx512vl,gfni,vpclmulqdq")]
    fn from_words<E: Field, const N: usize>(words: [u64; N]) -> E {
        let mut bytes = E::ZERO.to_bytes();
        for (bytes, word) in bytes.as_mut().chunks_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
        E::from_bytes(&bytes)
    }

    /// Byte `i` of word `j` as byte `j` of word `i`.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512vbmi2,avx512vl,gfni,vpclmulqdq")]
    fn transposed(v: __m512i) -> __m512i {
        let pairs = _mm512_shuffle_epi8(v, transmute!(PAIRS_IN_LANES));
        _mm512_permutexvar_epi16(transmute!(PAIRS_IN_ROWS), pairs)
    }
}
