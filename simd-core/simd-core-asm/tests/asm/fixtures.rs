//! Dispatched functions that are right, and functions with planted faults.

use core::hint::black_box;
use core::ops::Mul;
use simd_core::dispatch;

// `inline(never)` keeps the baseline out of the dispatcher's callers, for the tests to find it.
#[dispatch(targets = "avx2,pclmulqdq | sha3,dotprod | aes")]
pub(crate) mod kernels {
    /// A small callee: it must vanish in the clones of the others.
    pub(crate) fn mix(a: u64, b: u64) -> u64 {
        a.wrapping_mul(b) ^ a.rotate_left(9)
    }

    #[inline(never)]
    pub(crate) fn root(xs: &[u64]) -> u64 {
        xs.iter().fold(1, |a, &x| mix(a, x))
    }

    #[inline(never)]
    pub(crate) fn sum(xs: &[u32]) -> u32 {
        xs.iter().fold(0, |a, &x| a.wrapping_add(x))
    }

    #[inline(never)]
    pub(crate) fn sorted(xs: &mut [u64]) {
        xs.sort_by(|a, b| mix(*a, 3).cmp(&mix(*b, 5)));
    }

    #[inline(never)]
    pub(crate) fn generic<T: Copy + Into<u64>>(xs: &[T]) -> u64 {
        xs.iter().fold(0, |a, &x| mix(a, x.into()))
    }

    #[inline(never)]
    pub(crate) fn copied(to: &mut [u8; 4096], from: &[u8; 4096]) {
        to.copy_from_slice(from);
    }

    /// Calls a function with features of its own, whatever the clone has.
    #[inline(never)]
    pub(crate) fn with_hand_written(xs: &mut [u32; 64]) -> u32 {
        super::call_by_hand(xs);
        xs[0] ^ 1
    }

    /// As `large`, and of one caller only.
    #[inline(never)]
    fn lone(a: u64, b: u64) -> u64 {
        if a < 2 { mix(b, a) } else { lone(a >> 7, b ^ 3).wrapping_mul(lone(a >> 15, b)) }
    }

    #[inline(never)]
    pub(crate) fn hot(xs: &[u64]) -> u64 {
        xs.iter().fold(1, |a, &x| a ^ lone(x, a))
    }

    /// A loop, and a callee that has other callers.
    #[inline(never)]
    pub(crate) fn warm(xs: &[u64]) -> u64 {
        xs.iter().fold(1, |a, &x| a ^ large(x, a))
    }

    /// One caller, and no loop.
    #[inline(never)]
    fn rare(a: u64, b: u64) -> u64 {
        if a < 2 { mix(b, a) } else { rare(a >> 9, b ^ 5).wrapping_mul(rare(a >> 17, b)) }
    }

    #[inline(never)]
    pub(crate) fn cold(x: u64) -> u64 {
        rare(x, 3) ^ 5
    }

    /// Has one instance for each closure.
    #[inline(never)]
    pub(crate) fn each(xs: &[u64], f: impl Fn(u64) -> u64) -> u64 {
        xs.iter().fold(0, |a, &x| a ^ f(x))
    }

    /// Cannot be inlined to the end. `inline(never)` would not do: Rust 1.92 to 1.97 forget it in featured functions.
    #[inline(never)]
    pub(crate) fn large(a: u64, b: u64) -> u64 {
        if a < 2 { mix(a, b) } else { large(a >> 8, b ^ 1).wrapping_mul(large(a >> 16, b)) }
    }

    #[inline(never)]
    pub(crate) fn calls_large(a: u64, b: u64) -> u64 {
        large(a, b) ^ large(b, a).rotate_left(17)
    }

    /// Fault: the helper has no attribute and stays a function of its own.
    #[inline(never)]
    pub(crate) fn with_plain_helper(xs: &[u64]) -> u64 {
        xs.iter().fold(1, |a, &x| super::plain(a, x))
    }

    /// Fault: the glue has no attribute, so that what it calls decides again.
    #[inline(never)]
    pub(crate) fn with_glue(xs: &[u64]) -> u64 {
        super::glue(xs) + 1
    }

    /// No fault: a vector, which calls the allocator.
    #[inline(never)]
    pub(crate) fn collected(xs: &[u64]) -> Vec<u64> {
        xs.iter().map(|&x| mix(x, 7)).collect()
    }

    /// No fault: an array on the stack, to have stores and a frame.
    #[inline(never)]
    pub(crate) fn with_array(x: u64) -> u64 {
        let array: [u64; 32] = core::array::from_fn(|i| x.wrapping_mul(i as u64));
        core::hint::black_box(&array).iter().fold(0, |a, &b| a ^ b)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Gf(pub(crate) u64);

#[dispatch(targets = "avx2,pclmulqdq | sha3,dotprod | aes")]
impl Gf {
    #[inline(never)]
    pub(crate) fn square(self) -> Self {
        self * self
    }
}

#[dispatch(targets = "avx2,pclmulqdq | sha3,dotprod | aes")]
impl Mul for Gf {
    type Output = Self;

    #[inline(never)]
    fn mul(self, other: Self) -> Self {
        Self(kernels::mix(self.0, other.0))
    }
}

#[inline(never)]
pub(crate) fn plain(a: u64, b: u64) -> u64 {
    a.wrapping_mul(b).wrapping_add(b)
}

#[inline(never)]
pub(crate) fn glue(xs: &[u64]) -> u64 {
    xs.iter().fold(3, |a, &x| kernels::mix(a, x))
}

/// Fault: eight calls, each of which decides, as of a loop that was unrolled.
#[inline(never)]
pub(crate) fn unrolled(xs: &[u64; 8]) -> u64 {
    let [a, b, c, d, e, f, g, h] = *xs;
    let left = kernels::large(kernels::large(kernels::large(a, b), c), d);
    let right = kernels::large(kernels::large(kernels::large(e, f), g), h);
    kernels::large(kernels::large(left, right), a)
}

/// A clone in name only: compiled for more than it says. By hand, as the attribute does not make such a thing.
#[allow(non_snake_case, reason = "called like a clone")]
pub(crate) mod overreaching {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    #[target_feature(enable = "avx2")]
    #[inline(never)]
    #[allow(clippy::cast_ptr_alignment, reason = "read and written unaligned")]
    pub(crate) fn __overreaching__aes(xs: &mut [u32; 64]) {
        #[cfg(target_arch = "x86")]
        use core::arch::x86::{__m256i, _mm256_add_epi32, _mm256_set1_epi32};
        #[cfg(target_arch = "x86_64")]
        use core::arch::x86_64::{__m256i, _mm256_add_epi32, _mm256_set1_epi32};
        // SAFETY: the array has 64 elements, and eight of them the size of the vector; both may lie anywhere.
        unsafe {
            let p = xs.as_mut_ptr().cast::<__m256i>();
            p.write_unaligned(_mm256_add_epi32(p.read_unaligned(), _mm256_set1_epi32(5)));
        }
    }

    #[cfg(target_arch = "aarch64")]
    #[target_feature(enable = "sha3")]
    #[inline(never)]
    pub(crate) fn __overreaching__aes(xs: &mut [u32; 64]) {
        use core::arch::aarch64::veor3q_u32;
        // SAFETY: the array has 64 elements, and four of them the size of the vector; both may lie anywhere.
        unsafe {
            let p = xs.as_mut_ptr().cast::<core::arch::aarch64::uint32x4_t>();
            p.write_unaligned(veor3q_u32(p.read_unaligned(), p.add(1).read_unaligned(), p.add(2).read_unaligned()));
        }
    }
}

/// No clone by its name: compiled for features of its own.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[target_feature(enable = "avx2")]
#[inline(never)]
pub(crate) fn by_hand(xs: &mut [u32; 64]) {
    for x in xs {
        *x = x.wrapping_mul(9);
    }
}

/// No clone by its name: compiled for features of its own.
#[cfg(target_arch = "aarch64")]
#[target_feature(enable = "sha3")]
#[inline(never)]
pub(crate) fn by_hand(xs: &mut [u32; 64]) {
    use core::arch::aarch64::{veor3q_u32, vld1q_u32, vst1q_u32};
    // SAFETY: the array has 64 elements, and may lie anywhere.
    unsafe {
        let p = xs.as_mut_ptr();
        // Other elements than in `overreaching`: the compiler keeps one of two functions with the same code.
        vst1q_u32(p, veor3q_u32(vld1q_u32(p), vld1q_u32(p.add(4)), vld1q_u32(p.add(12))));
    }
}

/// As people call such a function, which cannot be inlined where its features are missing.
#[inline]
fn call_by_hand(xs: &mut [u32; 64]) {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has the feature.
        unsafe { by_hand(xs) }
    }
    #[cfg(target_arch = "aarch64")]
    if std::arch::is_aarch64_feature_detected!("sha3") {
        // SAFETY: the CPU has the feature.
        unsafe { by_hand(xs) }
    }
}

#[inline(never)]
pub(crate) fn indexes(xs: &[u64], i: usize) -> u64 {
    xs[i]
}

#[inline(never)]
pub(crate) fn indexes_below(xs: &[u64], i: usize) -> u64 {
    indexes(xs, i).rotate_left(3)
}

#[inline(never)]
pub(crate) fn jumps(a: u64, b: u64) -> u64 {
    plain(a ^ 1, b)
}

#[inline(never)]
pub(crate) fn calls_pointer(f: fn(u64, u64) -> u64, a: u64) -> u64 {
    f(a, 1) + 1
}

#[inline(never)]
pub(crate) fn chained(xs: &[f64]) -> f64 {
    xs.iter().fold(0.0, |a, &x| a + x)
}

/// Two functions whose paths end alike.
pub(crate) mod one {
    #[inline(never)]
    pub(crate) fn twin(x: u64) -> u64 {
        x ^ 0x11
    }
}

/// Two functions whose paths end alike.
pub(crate) mod two {
    #[inline(never)]
    pub(crate) fn twin(x: u64) -> u64 {
        x ^ 0x22
    }
}

/// Calls everything, through what the optimiser cannot see through.
pub(crate) fn keep() {
    // Of a slice's length, too, nothing is known.
    let xs = black_box(&[1, 2, 3, 5][..]);
    let mut total = kernels::root(xs) ^ u64::from(kernels::sum(black_box(&[7; 100][..])));
    kernels::sorted(black_box(&mut [1, 2, 3, 5][..]));
    total ^= kernels::generic(black_box(&[1_u8, 2][..])) ^ kernels::generic(black_box(&[1_u32, 2][..]));
    kernels::copied(&mut black_box([0; 4096]), &black_box([1; 4096]));
    total ^= kernels::with_plain_helper(xs)
        ^ kernels::with_glue(xs)
        ^ kernels::calls_large(xs[2], xs[3])
        ^ kernels::with_array(xs[0])
        ^ kernels::collected(xs)[0]
        ^ unrolled(&black_box([3; 8]))
        ^ u64::from(kernels::with_hand_written(&mut black_box([5; 64])))
        ^ kernels::hot(xs)
        ^ kernels::warm(xs)
        ^ kernels::cold(xs[3]);
    total ^= kernels::each(xs, |x| x ^ 1)
        ^ kernels::each(xs, |x| x.wrapping_mul(x))
        ^ kernels::each(xs, |x| x.rotate_left(3))
        ^ kernels::each(xs, |x| u64::from(x.count_ones()));
    total ^= (black_box(Gf(3)).square() * Gf(5)).0;
    total ^= indexes(xs, black_box(2))
        ^ indexes_below(xs, black_box(1))
        ^ jumps(total, 3)
        ^ black_box(calls_pointer as fn(fn(u64, u64) -> u64, u64) -> u64)(plain, 3);
    total ^=
        black_box(chained as fn(&[f64]) -> f64)(&black_box([1.0, 2.0])).to_bits() ^ one::twin(total) ^ two::twin(total);
    #[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
    black_box(overreaching::__overreaching__aes as unsafe fn(_));
    black_box(total);
}
