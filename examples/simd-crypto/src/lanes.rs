//! Four 32-bit words at a time, in several forms with one interface.
//!
//! A cipher over a 4×4 matrix of words can be vectorised along the rows of one matrix (least latency), along the rows of
//! a few matrices side by side, or across many matrices (most throughput). The cipher is written once, over [`Row`]; the
//! type that it is used with says which of these it becomes: [`U32x4`] is a row in one vector register, [`U32x8`] and
//! [`U32x16`] are the same row of two or four matrices, [`Two`] are two registers in step, [`Across16`] is a register for each
//! word of sixteen matrices, and [`Loose4`] leaves the words apart.
//!
//! Every operation takes the same time whatever the words are.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use crate::arch;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use simd_core::match_target;

/// Four words of each of some blocks, added, combined and turned one by one; sums are modulo 2^32.
pub(crate) trait Row: Copy {
    /// How many blocks there are.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "asked by targets of x86-64"))]
    const BLOCKS: usize;

    /// Whether the words are left apart, for a loop around them to be vectorised.
    const LOOSE: bool = false;

    /// The same words in every block.
    fn splat(words: [u32; 4]) -> Self;

    /// The words `[number, 0, 0, 0]` in the first block, `[number + 1, 0, 0, 0]` in the second, and so on.
    fn numbers(number: u32) -> Self;

    /// The words of each block.
    ///
    /// # Panics
    /// If `words` is not for as many blocks as this is.
    fn store(self, words: &mut [[u32; 4]]);

    /// The sums.
    fn add(self, other: Self) -> Self;

    /// The exclusive or.
    fn xor(self, other: Self) -> Self;

    /// `self ^ other`, each word then turned left by `LEFT` bits. `RIGHT` is `32 - LEFT`.
    fn xor_turn<const LEFT: i32, const RIGHT: i32>(self, other: Self) -> Self;

    /// `self + add`, and the sum's `xor ^ sum`, each word turned as [`xor_turn`](Self::xor_turn) does.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it has no clones, and inlined it calls those of its callers")]
    fn add_xor_turn<const LEFT: i32, const RIGHT: i32>(self, add: Self, xor: Self) -> (Self, Self) {
        let sum = self.add(add);
        (sum, xor.xor_turn::<LEFT, RIGHT>(sum))
    }

    /// The words of each block moved down by `BY` places, around the end.
    fn shift<const BY: usize>(self) -> Self;
}

/// Four words that need not be neighbours, so that a loop over many rows is vectorised across the rows.
#[derive(Clone, Copy)]
pub(crate) struct Loose4([u32; 4]);

impl Row for Loose4 {
    const BLOCKS: usize = 1;
    const LOOSE: bool = true;

    #[inline]
    fn splat(words: [u32; 4]) -> Self {
        Self(words)
    }

    #[inline]
    fn numbers(number: u32) -> Self {
        Self([number, 0, 0, 0])
    }

    #[inline]
    fn store(self, words: &mut [[u32; 4]]) {
        words.copy_from_slice(&[self.0]);
    }

    #[inline]
    fn add(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1]), a[2].wrapping_add(b[2]), a[3].wrapping_add(b[3])])
    }

    #[inline]
    fn xor(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]])
    }

    #[inline]
    fn xor_turn<const LEFT: i32, const RIGHT: i32>(self, other: Self) -> Self {
        let Self([a, b, c, d]) = self.xor(other);
        let by = LEFT.unsigned_abs();
        Self([a.rotate_left(by), b.rotate_left(by), c.rotate_left(by), d.rotate_left(by)])
    }

    #[inline]
    fn shift<const BY: usize>(self) -> Self {
        Self([self.0[BY % 4], self.0[(1 + BY) % 4], self.0[(2 + BY) % 4], self.0[(3 + BY) % 4]])
    }
}

/// Twice as many blocks, so that one half can go on while the other waits for a result.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "for targets of x86-64"))]
pub(crate) struct Two<R>(R, R);

#[simd_core::dispatch(targets = crate::targets::chacha20)]
impl<R: Row> Row for Two<R> {
    const BLOCKS: usize = 2 * R::BLOCKS;

    #[inline]
    fn splat(words: [u32; 4]) -> Self {
        Self(R::splat(words), R::splat(words))
    }

    #[inline]
    fn numbers(number: u32) -> Self {
        Self(R::numbers(number), R::numbers(number.wrapping_add(R::BLOCKS as u32)))
    }

    #[inline]
    fn store(self, words: &mut [[u32; 4]]) {
        let (first, second) = words.split_at_mut(R::BLOCKS);
        self.0.store(first);
        self.1.store(second);
    }

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.add(other.0), self.1.add(other.1))
    }

    #[inline]
    fn xor(self, other: Self) -> Self {
        Self(self.0.xor(other.0), self.1.xor(other.1))
    }

    #[inline]
    fn xor_turn<const LEFT: i32, const RIGHT: i32>(self, other: Self) -> Self {
        Self(self.0.xor_turn::<LEFT, RIGHT>(other.0), self.1.xor_turn::<LEFT, RIGHT>(other.1))
    }

    #[inline]
    fn shift<const BY: usize>(self) -> Self {
        Self(self.0.shift::<BY>(), self.1.shift::<BY>())
    }
}

/// Which byte comes where in four words that are each turned left by `LEFT` bits, a multiple of 8.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
const fn turned_bytes<const LEFT: i32>() -> [u32; 4] {
    let by = LEFT.unsigned_abs() / 8;
    let mut words = [0; 4];
    let mut i = 0;
    while i < 16 {
        words[i as usize / 4] |= (i / 4 * 4 + (i + 4 - by) % 4) << (i % 4 * 8);
        i += 1;
    }
    words
}

/// A type for the words of some blocks in one vector register, from the first operation to the last. Only clones for its feature use it.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! vector {
    (
        $(#[$attribute:meta])* $name:ident, $blocks:tt blocks, $vector:ident with $feature:tt
        add $add:ident, xor $xor:ident, shuffle $shuffle:ident, xor_turn($one:ident, $other:ident) $xor_turn:tt
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name(arch::$vector);

        impl $name {
            #[inline]
            pub(crate) fn new(words: [[u32; 4]; $blocks]) -> Self {
                Self(zerocopy::transmute!(words))
            }

            #[inline]
            pub(crate) fn words(self) -> [[u32; 4]; $blocks] {
                zerocopy::transmute!(self.0)
            }
        }

        // Intrinsics need a function with their features, which a method of a trait is not.
        #[simd_core::dispatch(targets = crate::targets::chacha20)]
        impl $name {
            fn sum(self, other: Self) -> Self {
                match_target! { $feature => Self(arch::$add(self.0, other.0)), _ => unreachable!("of no target") }
            }

            fn xored(self, other: Self) -> Self {
                match_target! { $feature => Self(arch::$xor(self.0, other.0)), _ => unreachable!("of no target") }
            }

            fn xor_turned<const LEFT: i32, const RIGHT: i32>(self, other: Self) -> Self {
                match_target! {
                    $feature => {
                        let ($one, $other) = (self, other);
                        Self($xor_turn)
                    }
                    _ => unreachable!("of no target"),
                }
            }

            fn shifted<const BY: usize>(self) -> Self {
                match_target! {
                    $feature => Self(match BY % 4 {
                        1 => arch::$shuffle::<0b00_11_10_01>(self.0),
                        2 => arch::$shuffle::<0b01_00_11_10>(self.0),
                        3 => arch::$shuffle::<0b10_01_00_11>(self.0),
                        _ => self.0,
                    }),
                    _ => unreachable!("of no target"),
                }
            }
        }

        #[simd_core::dispatch(targets = crate::targets::chacha20)]
        impl Row for $name {
            const BLOCKS: usize = $blocks;

            fn splat(words: [u32; 4]) -> Self {
                Self::new([words; $blocks])
            }

            fn numbers(number: u32) -> Self {
                let mut words = [[number, 0, 0, 0]; $blocks];
                for block in 0..$blocks {
                    words[block][0] = number.wrapping_add(block as u32);
                }
                Self::new(words)
            }

            fn store(self, words: &mut [[u32; 4]]) {
                words.copy_from_slice(&self.words());
            }

            fn add(self, other: Self) -> Self {
                self.sum(other)
            }

            fn xor(self, other: Self) -> Self {
                self.xored(other)
            }

            fn xor_turn<const LEFT: i32, const RIGHT: i32>(self, other: Self) -> Self {
                self.xor_turned::<LEFT, RIGHT>(other)
            }

            fn shift<const BY: usize>(self) -> Self {
                self.shifted::<BY>()
            }
        }
    };
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
vector! {
    /// A row of one block.
    U32x4, 1 blocks, __m128i with "avx2"
    add _mm_add_epi32, xor _mm_xor_si128, shuffle _mm_shuffle_epi32, xor_turn(one, other) {
        if LEFT % 8 == 0 {
            // One instruction of one cycle.
            arch::_mm_shuffle_epi8(one.xor(other).0, U32x4::new([turned_bytes::<LEFT>()]).0)
        } else {
            #[cfg(target_feature = "avx512vl")]
            {
                // The three operands come together in one instruction, so that `other` waits for a shift of one cycle,
                // where a rotation takes two on some CPUs. `one` is turned before `other` is there.
                let turned = arch::_mm_rol_epi32::<LEFT>(one.0);
                let left = arch::_mm_slli_epi32::<LEFT>(other.0);
                let right = arch::_mm_srli_epi32::<RIGHT>(other.0);
                arch::_mm_ternarylogic_epi32::<0b1001_0110>(turned, left, right)
            }
            #[cfg(not(target_feature = "avx512vl"))]
            {
                let sum = one.xor(other).0;
                arch::_mm_or_si128(arch::_mm_slli_epi32::<LEFT>(sum), arch::_mm_srli_epi32::<RIGHT>(sum))
            }
        }
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
vector! {
    /// The same row of two blocks.
    U32x8, 2 blocks, __m256i with "avx2"
    add _mm256_add_epi32, xor _mm256_xor_si256, shuffle _mm256_shuffle_epi32, xor_turn(one, other) {
        let sum = one.xor(other).0;
        if LEFT % 8 == 0 {
            arch::_mm256_shuffle_epi8(sum, U32x8::new([turned_bytes::<LEFT>(); 2]).0)
        } else {
            arch::_mm256_or_si256(arch::_mm256_slli_epi32::<LEFT>(sum), arch::_mm256_srli_epi32::<RIGHT>(sum))
        }
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
vector! {
    /// The same row of four blocks.
    U32x16, 4 blocks, __m512i with "avx512f"
    add _mm512_add_epi32, xor _mm512_xor_si512, shuffle _mm512_shuffle_epi32, xor_turn(one, other) {
        arch::_mm512_rol_epi32::<LEFT>(one.xor(other).0)
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[simd_core::dispatch(targets = crate::targets::chacha20)]
impl U32x16 {
    /// Block by block a matrix of four rows, transposed.
    #[inline]
    fn transpose_words([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        #[cfg(target_feature = "avx512f")]
        {
            let (a, b, c, d) = (a.0, b.0, c.0, d.0);
            let (ab, cd) = (arch::_mm512_unpacklo_epi32(a, b), arch::_mm512_unpacklo_epi32(c, d));
            let (ab_high, cd_high) = (arch::_mm512_unpackhi_epi32(a, b), arch::_mm512_unpackhi_epi32(c, d));
            [
                Self(arch::_mm512_unpacklo_epi64(ab, cd)),
                Self(arch::_mm512_unpackhi_epi64(ab, cd)),
                Self(arch::_mm512_unpacklo_epi64(ab_high, cd_high)),
                Self(arch::_mm512_unpackhi_epi64(ab_high, cd_high)),
            ]
        }
        #[cfg(not(target_feature = "avx512f"))]
        unreachable!("of no target");
    }

    /// Four rows of four blocks as four blocks, the rows of each side by side.
    #[inline]
    pub(crate) fn transpose_blocks([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        #[cfg(target_feature = "avx512f")]
        {
            let (a, b, c, d) = (a.0, b.0, c.0, d.0);
            let ab =
                [arch::_mm512_shuffle_i32x4::<0b01_00_01_00>(a, b), arch::_mm512_shuffle_i32x4::<0b11_10_11_10>(a, b)];
            let cd =
                [arch::_mm512_shuffle_i32x4::<0b01_00_01_00>(c, d), arch::_mm512_shuffle_i32x4::<0b11_10_11_10>(c, d)];
            [
                Self(arch::_mm512_shuffle_i32x4::<0b10_00_10_00>(ab[0], cd[0])),
                Self(arch::_mm512_shuffle_i32x4::<0b11_01_11_01>(ab[0], cd[0])),
                Self(arch::_mm512_shuffle_i32x4::<0b10_00_10_00>(ab[1], cd[1])),
                Self(arch::_mm512_shuffle_i32x4::<0b11_01_11_01>(ab[1], cd[1])),
            ]
        }
        #[cfg(not(target_feature = "avx512f"))]
        unreachable!("of no target");
    }
}

/// Sixteen blocks, with a vector for each of the four words.
///
/// Of a vector, word `i` of lane `j` (of 128 bits) is block `4 * i + j`: so four vectors transposed lane by lane have the
/// blocks in order.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[derive(Clone, Copy)]
pub(crate) struct Across16([U32x16; 4]);

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[simd_core::dispatch(targets = crate::targets::chacha20)]
impl Row for Across16 {
    const BLOCKS: usize = 16;

    #[inline]
    fn splat([a, b, c, d]: [u32; 4]) -> Self {
        Self([U32x16::new([[a; 4]; 4]), U32x16::new([[b; 4]; 4]), U32x16::new([[c; 4]; 4]), U32x16::new([[d; 4]; 4])])
    }

    #[inline]
    fn numbers(number: u32) -> Self {
        let order = U32x16::new([[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]]);
        let zero = U32x16::new([[0; 4]; 4]);
        Self([U32x16::new([[number; 4]; 4]).add(order), zero, zero, zero])
    }

    #[inline]
    fn store(self, words: &mut [[u32; 4]]) {
        let [a, b, c, d] = U32x16::transpose_words(self.0);
        let (first, second) = words.split_at_mut(8);
        Two(a, b).store(first);
        Two(c, d).store(second);
    }

    #[inline]
    fn add(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a.add(e), b.add(f), c.add(g), d.add(h)])
    }

    #[inline]
    fn xor(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a.xor(e), b.xor(f), c.xor(g), d.xor(h)])
    }

    #[inline]
    fn xor_turn<const LEFT: i32, const RIGHT: i32>(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([
            a.xor_turn::<LEFT, RIGHT>(e),
            b.xor_turn::<LEFT, RIGHT>(f),
            c.xor_turn::<LEFT, RIGHT>(g),
            d.xor_turn::<LEFT, RIGHT>(h),
        ])
    }

    /// Word by word. Only one port rotates 512-bit vectors, and some CPUs choose ports for a few neighbouring instructions
    /// at a time: with all words turned in a row, the other port had less to do.
    #[inline]
    fn add_xor_turn<const LEFT: i32, const RIGHT: i32>(self, add: Self, xor: Self) -> (Self, Self) {
        let ([a, b, c, d], [e, f, g, h], [i, j, k, l]) = (self.0, add.0, xor.0);
        let (a, i) = a.add_xor_turn::<LEFT, RIGHT>(e, i);
        let (b, j) = b.add_xor_turn::<LEFT, RIGHT>(f, j);
        let (c, k) = c.add_xor_turn::<LEFT, RIGHT>(g, k);
        let (d, l) = d.add_xor_turn::<LEFT, RIGHT>(h, l);
        (Self([a, b, c, d]), Self([i, j, k, l]))
    }

    #[inline]
    fn shift<const BY: usize>(self) -> Self {
        Self([self.0[BY % 4], self.0[(1 + BY) % 4], self.0[(2 + BY) % 4], self.0[(3 + BY) % 4]])
    }
}
