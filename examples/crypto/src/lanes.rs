//! Four 32-bit words at a time, in two forms with one interface.
//!
//! A cipher over a 4×4 matrix of words can be vectorised along the rows of one matrix (least latency) or across many
//! matrices (most throughput). The cipher is written once, over [`Quad`]; the type that it is used with says which of the
//! two it becomes: [`U32x4`] keeps the four words together in one vector register, [`Loose4`] leaves them apart.
//!
//! Every operation takes the same time whatever the words are.
#![allow(clippy::inline_always, reason = "an operation that is not inlined into a clone does without its features")]
#[cfg(target_arch = "x86")]
use core::arch::x86 as arch;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64 as arch;
use core::ops::{Add, BitXor};

/// Four words, added, combined and turned one by one; sums are modulo 2^32.
pub(crate) trait Quad: Copy + Add<Output = Self> + BitXor<Output = Self> {
    /// `words` in this form.
    fn new(words: [u32; 4]) -> Self;

    /// The four words.
    fn words(self) -> [u32; 4];

    /// `self ^ other`, each word then turned left by `LEFT` bits. `RIGHT` is `32 - LEFT`.
    fn xor_turn<const LEFT: i32, const RIGHT: i32>(self, other: Self) -> Self;

    /// The words moved down by `BY` places, around the end.
    fn shift<const BY: usize>(self) -> Self;
}

/// Four words that need not be neighbours, so that a loop over many quads is vectorised across the quads.
#[derive(Clone, Copy)]
pub(crate) struct Loose4([u32; 4]);

impl Add for Loose4 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1]), a[2].wrapping_add(b[2]), a[3].wrapping_add(b[3])])
    }
}

impl BitXor for Loose4 {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]])
    }
}

impl Quad for Loose4 {
    #[inline(always)]
    fn new(words: [u32; 4]) -> Self {
        Self(words)
    }

    #[inline(always)]
    fn words(self) -> [u32; 4] {
        self.0
    }

    #[inline(always)]
    fn xor_turn<const LEFT: i32, const RIGHT: i32>(self, other: Self) -> Self {
        let Self([a, b, c, d]) = self ^ other;
        let by = LEFT.unsigned_abs();
        Self([a.rotate_left(by), b.rotate_left(by), c.rotate_left(by), d.rotate_left(by)])
    }

    #[inline(always)]
    fn shift<const BY: usize>(self) -> Self {
        Self([self.0[BY % 4], self.0[(1 + BY) % 4], self.0[(2 + BY) % 4], self.0[(3 + BY) % 4]])
    }
}

/// Four words that stay together in one register, from the first operation to the last.
///
/// Its operators are for the target clones of other kernels, where they are one instruction each; a baseline is better
/// off with [`Loose4`], whose operators have nothing to dispatch.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[derive(Clone, Copy)]
pub(crate) struct U32x4([u32; 4]);

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
impl U32x4 {
    #[inline(always)]
    fn vector(self) -> arch::__m128i {
        zerocopy::transmute!(self.0)
    }

    #[inline(always)]
    fn from_vector(vector: arch::__m128i) -> Self {
        Self(zerocopy::transmute!(vector))
    }

    #[inline(always)]
    fn loose(self) -> Loose4 {
        Loose4(self.0)
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[simd_core::dispatch(targets = "avx512vl | avx2")]
mod vector {
    use super::{Add, BitXor, Quad, U32x4, arch};

    impl Add for U32x4 {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            #[cfg(target_feature = "avx2")]
            let sum = Self::from_vector(arch::_mm_add_epi32(self.vector(), other.vector()));
            #[cfg(not(target_feature = "avx2"))]
            let sum = Self((self.loose() + other.loose()).0);
            sum
        }
    }

    impl BitXor for U32x4 {
        type Output = Self;

        fn bitxor(self, other: Self) -> Self {
            #[cfg(target_feature = "avx2")]
            let sum = Self::from_vector(arch::_mm_xor_si128(self.vector(), other.vector()));
            #[cfg(not(target_feature = "avx2"))]
            let sum = Self((self.loose() ^ other.loose()).0);
            sum
        }
    }

    impl Quad for U32x4 {
        fn new(words: [u32; 4]) -> Self {
            Self(words)
        }

        fn words(self) -> [u32; 4] {
            self.0
        }

        fn xor_turn<const LEFT: i32, const RIGHT: i32>(self, other: Self) -> Self {
            #[cfg(target_feature = "avx512vl")]
            {
                // The three operands come together in one instruction, so that `other` waits for a shift of one cycle,
                // where a rotation takes two on some CPUs. `self` is turned before `other` is there.
                let turned = arch::_mm_rol_epi32::<LEFT>(self.vector());
                let left = arch::_mm_slli_epi32::<LEFT>(other.vector());
                let right = arch::_mm_srli_epi32::<RIGHT>(other.vector());
                Self::from_vector(arch::_mm_ternarylogic_epi32::<0b1001_0110>(turned, left, right))
            }
            #[cfg(all(target_feature = "avx2", not(target_feature = "avx512vl")))]
            {
                let sum = (self ^ other).vector();
                let (left, right) = (arch::_mm_slli_epi32::<LEFT>(sum), arch::_mm_srli_epi32::<RIGHT>(sum));
                Self::from_vector(arch::_mm_or_si128(left, right))
            }
            #[cfg(not(target_feature = "avx2"))]
            Self(self.loose().xor_turn::<LEFT, RIGHT>(other.loose()).0)
        }

        fn shift<const BY: usize>(self) -> Self {
            #[cfg(target_feature = "avx2")]
            {
                let words = self.vector();
                Self::from_vector(match BY % 4 {
                    1 => arch::_mm_shuffle_epi32::<0b00_11_10_01>(words),
                    2 => arch::_mm_shuffle_epi32::<0b01_00_11_10>(words),
                    3 => arch::_mm_shuffle_epi32::<0b10_01_00_11>(words),
                    _ => words,
                })
            }
            #[cfg(not(target_feature = "avx2"))]
            Self(self.loose().shift::<BY>().0)
        }
    }
}
