//! 64 bytes: what vectors of every size are made from and stored to.
use core::fmt;
use zeroize::Zeroize;

/// 64 bytes, as words: in a clone they are in as few registers as hold them. They are four lanes, or eight, or 64 elements.
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
    #[inline]
    pub(crate) fn new(bytes: &[u8; 64]) -> Self {
        Self(little_endian(zerocopy::transmute!(*bytes)))
    }

    #[inline]
    pub(crate) fn to_bytes(self) -> [u8; 64] {
        zerocopy::transmute!(little_endian(self.0))
    }
}

/// The words as the vectors of a target.
macro_rules! as_vectors {
    ($($Vectors:ty)*) => { $(
        impl From<$Vectors> for Wide {
            #[inline]
            fn from(vectors: $Vectors) -> Self {
                Self(zerocopy::transmute!(vectors))
            }
        }

        impl From<Wide> for $Vectors {
            #[inline]
            fn from(wide: Wide) -> Self {
                zerocopy::transmute!(wide.0)
            }
        }
    )* };
}

as_vectors!([[u64; 2]; 4]);
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
as_vectors!(crate::arch::__m512i [crate::arch::__m256i; 2] [crate::arch::__m128i; 4]);
#[cfg(target_arch = "aarch64")]
as_vectors!([crate::arch::uint8x16_t; 4]);

/// A `map` over the words would be a call, in code for vectors.
#[inline]
fn little_endian(words: [u64; 8]) -> [u64; 8] {
    if cfg!(target_endian = "little") { words } else { words.map(u64::swap_bytes) }
}

/// A function that is an instruction of two vectors on each lane, in the vectors that a target of the list has, and `$otherwise` in
/// the baseline.
macro_rules! lanewise {
    (modes $($function:tt)*) => {
        lanewise! { @ modes "vaes,vpclmulqdq,avx512bw" "vaes,vpclmulqdq,avx2" ["aes,pclmulqdq,ssse3"] $($function)* }
    };
    (chacha20 $($function:tt)*) => {
        lanewise! { @ chacha20 "avx512vl" "avx2" [] $($function)* }
    };
    (
        @ $list:ident $has_512:tt $has_256:tt [$($has_128:tt)?] $(#[$docs:meta])*
        $vis:vis $name:ident $(<$immediate:ident>)? ($a:ident, $b:ident) = $of_512:path | $of_256:path $(| $of_128:path)?,
        _ => $otherwise:expr
    ) => {
        $(#[$docs])*
        #[simd_core::dispatch(targets = crate::targets::$list)]
        #[inline]
        $vis fn $name$(<const $immediate: i32>)?($a: Wide, $b: Wide) -> Wide {
            match_target! {
                $has_512 => Wide::from($of_512($a.into(), $b.into())),
                $has_256 => {
                    let (a, b): ([__m256i; 2], [__m256i; 2]) = ($a.into(), $b.into());
                    Wide::from([$of_256(a[0], b[0]), $of_256(a[1], b[1])])
                }
                $($has_128 => {
                    let (a, b): ([__m128i; 4], [__m128i; 4]) = ($a.into(), $b.into());
                    Wide::from([$of_128(a[0], b[0]), $of_128(a[1], b[1]), $of_128(a[2], b[2]), $of_128(a[3], b[3])])
                })?
                _ => $otherwise,
            }
        }
    };
}
pub(crate) use lanewise;
