//! Products, squares and inverses of elements of less than a word.
pub(crate) use modular::{mul_8, mul_16, mul_32, square_8, square_16, square_32};

/// The remainder of a product of `BITS` by `BITS` bits modulo `x^BITS + x^A + x^B + x^C + 1`.
#[inline]
fn reduce<const BITS: u32, const A: u32, const B: u32, const C: u32>(product: u64) -> u64 {
    let high = product >> BITS;
    let high = high ^ high >> (BITS - A) ^ high >> (BITS - B) ^ high >> (BITS - C);
    product ^ high ^ high << A ^ high << B ^ high << C
}

#[simd_core::dispatch(targets = crate::targets::products)]
mod modular {
    #![allow(unused_imports, clippy::wildcard_imports, reason = "which instructions are in use depends on the target")]
    use super::reduce;
    use crate::arch::*;
    use crate::pmul::{lane, portable};
    use simd_core::match_target;

    #[inline]
    pub(crate) fn mul_8(a: u8, b: u8) -> u8 {
        match_target! {
            "x86_64: gfni" => {
                let (a, b) = (_mm_cvtsi32_si128(i32::from(a)), _mm_cvtsi32_si128(i32::from(b)));
                _mm_cvtsi128_si32(_mm_gf2p8mul_epi8(a, b)).cast_unsigned() as u8
            }
            _ => reduce::<8, 4, 3, 1>(product_16(u16::from(a), u16::from(b))) as u8,
        }
    }

    #[inline]
    fn product_16(a: u16, b: u16) -> u64 {
        match_target! {
            "x86_64: pclmulqdq | aarch64: aes" => product_32(u32::from(a), u32::from(b)),
            _ => u64::from(portable::clmul16(a, b)),
        }
    }

    #[inline]
    fn product_32(a: u32, b: u32) -> u64 {
        match_target! {
            "x86_64: pclmulqdq | aarch64: aes" => lane::word(u64::from(a), u64::from(b))[0],
            _ => portable::clmul32(a, b),
        }
    }

    #[inline]
    fn square(a: u32) -> u64 {
        match_target! {
            "x86_64: pclmulqdq | aarch64: aes" => product_32(a, a),
            _ => portable::spread32(a),
        }
    }

    #[inline]
    pub(crate) fn square_8(a: u8) -> u8 {
        reduce::<8, 4, 3, 1>(square(u32::from(a))) as u8
    }

    #[inline]
    pub(crate) fn mul_16(a: u16, b: u16) -> u16 {
        reduce::<16, 5, 3, 1>(product_16(a, b)) as u16
    }

    #[inline]
    pub(crate) fn square_16(a: u16) -> u16 {
        reduce::<16, 5, 3, 1>(square(u32::from(a))) as u16
    }

    #[inline]
    pub(crate) fn mul_32(a: u32, b: u32) -> u32 {
        reduce::<32, 7, 3, 2>(product_32(a, b)) as u32
    }

    #[inline]
    pub(crate) fn square_32(a: u32) -> u32 {
        reduce::<32, 7, 3, 2>(square(a)) as u32
    }
}
