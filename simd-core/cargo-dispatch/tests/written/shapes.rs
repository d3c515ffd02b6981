//! Items of many kinds, in a crate under another name.
#![allow(clippy::needless_range_loop)]

// The license of this file.

#[cfg_attr(not(miri), path = "shapes/inner.dispatched.rs")]
pub mod inner;
mod plain;

use core::fmt;
use renamed::{detected, dispatch, Targets};

/// Of a crate under another name.
pub const TARGETS: Targets = renamed::targets!("avx2 | sse4.1");

pub fn fast() -> bool {
    detected!("avx2,fma") && !detected!("aarch64: sve2") || [detected!("sse4.1")].iter().any(|x| *x)
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct V<const N: usize>(pub [u32; N]);

#[dispatch(targets = "avx2,fma | sse4.1", crate = renamed, list = pub LIST)]
impl<const N: usize> V<N> {
    pub const ZERO: Self = Self([0; N]);

    // Adds.
    /// Adds all.
    #[inline]
    pub fn add<T>(&self, other: &Self, with: T) -> Self
    where
        T: Fn(u32, u32) -> u32 + Copy,
    {
        let mut out = *self;
        for i in 0..N {
            out.0[i] = with(out.0[i], other.0[i]);
        }
        out
    }

    /// In place.
    pub fn double(&mut self) -> &mut Self {
        self.0.iter_mut().for_each(|x| *x = x.wrapping_mul(2));
        self
    }

    pub fn many(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8) -> u8 {
        a ^ b ^ c ^ d ^ e ^ f ^ g
    }

    #[dispatch(skip)]
    fn plain(&self) -> usize {
        N
    }

    /// # Safety
    ///
    /// Valid.
    pub unsafe fn read(p: *const u32) -> u32 {
        // SAFETY: as the caller promises.
        unsafe { *p }
    }

    pub fn size(&self) -> usize {
        self.plain()
    }
}

#[dispatch(targets = "avx2 | sse4.1", crate = renamed)]
impl<const N: usize> fmt::Display for V<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for x in self.0 {
            write!(f, "{x} ")?;
        }
        Ok(())
    }
}

#[dispatch(targets = "avx2 | sse4.1", crate = renamed)]
impl<const N: usize> core::ops::Add for V<N> {
    type Output = Self;
    fn add(self, V(other): Self) -> Self {
        V::add(&self, &V(other), |a, b| a.wrapping_add(b))
    }
}

#[dispatch(targets = "avx2 | sse4.1 | sve2", crate = renamed)]
pub mod kernels {
    //! Annotated whole.
    use renamed::match_target;

    #[cfg(target_feature = "avx2")]
    const LANES: usize = 8;
    #[cfg(not(target_feature = "avx2"))]
    const LANES: usize = 4;

    // A helper.
    fn helper(x: u32) -> u32 {
        x.rotate_left(3)
    }

    pub fn sum(xs: &[u32]) -> (u32, usize) {
        let sum = xs
            .chunks(LANES)
            .map(|c| {
                c.iter()
                    .map(|&x| helper(x))
                    .fold(0, |a: u32, b| a.wrapping_add(b))
            })
            .fold(0, |a: u32, b| a.wrapping_add(b));
        (sum, LANES)
    }

    pub fn kind() -> &'static str {
        match_target! {
            "x86_64: avx2" => "avx2",
            "x86, x86_64: sse4.1" => { "sse4.1" }
            _ => "other",
        }
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    fn selected(x: u64) -> u64 {
        x + 1
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    fn selected(x: u64) -> u64 {
        x + 1
    }

    pub fn both(x: u64) -> u64 {
        fn nested(x: u64) -> u64 {
            x * 2
        }
        nested(selected(x))
    }

    pub async fn later(x: u32) -> u32 {
        core::future::ready(x).await + 1
    }

    pub mod more {
        pub fn collect(n: u32) -> Vec<u32> {
            (0..n).filter(|x| x % 3 == 0).collect()
        }
    }

    #[cfg(test)]
    mod tests {
        #[test]
        fn sums() {
            assert_eq!(super::sum(&[1, 2]).0, 24);
        }
    }
}

/// Only with a feature.
#[cfg_attr(feature = "simd", dispatch(targets = "avx2", crate = renamed))]
#[cfg(not(windows))]
pub fn maybe(xs: &[u8]) -> u64 {
    xs.iter().map(|&x| u64::from(x)).sum()
}

#[dispatch(targets = "avx2", crate = renamed)]
pub fn pointer(p: *const u8, (a, b): (u8, u8)) -> bool {
    p.is_null() && a == b || detected!("avx2") && !detected!("sse2")
}

#[cfg(any())]
#[dispatch(targets = "avx2", crate = renamed)]
pub fn left_out() -> Missing {
    Missing
}

pub fn outer(n: u32) -> u32 {
    #[dispatch(targets = "avx2", crate = renamed)]
    fn inner(n: u32) -> u32 {
        n + 1
    }
    inner(n) + plain::two()
}

/// A trait with a provided method.
pub trait Hash {
    fn seed(&self) -> u64;
    #[dispatch(targets = "aes", crate = renamed)]
    fn mix(&self, x: u64) -> u64 {
        self.seed().wrapping_mul(x ^ x >> 31)
    }
}

impl Hash for u8 {
    fn seed(&self) -> u64 {
        u64::from(*self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list;

    #[test]
    fn results_are_those_of_the_plain_program() {
        let twos = V([1_u32, 2, 3]).add(&V([1, 0, 2]), |one, other| one + other);
        assert_eq!((twos, V::<1>::ZERO.0), (V([2, 2, 5]), [0]));
        assert_eq!(*V([3]).double() + V([1]), V([7]));
        assert_eq!((V::<1>::many(1, 2, 4, 8, 16, 32, 64), twos.size()), (127, 3));
        // SAFETY: it is a place of the array.
        assert_eq!(unsafe { V::<1>::read(&raw const twos.0[1]) }, 2);
        assert_eq!(format!("{twos}"), "2 2 5 ");
        assert_eq!((kernels::both(1), kernels::more::collect(7)), (4, vec![0, 3, 6]));
        assert_eq!((maybe(&[1, 2]), pointer(core::ptr::null(), (1, 1)), outer(1)), (3, true, 4));
        assert_eq!((7_u8.mix(5), list::count(b"\n\n")), (35, 3));
        let mut bytes = [1, 2];
        inner::xor(&mut bytes, &[3, 3]);
        assert_eq!(bytes, [2, 1]);
    }

    #[test]
    fn clones_are_those_of_the_cpu() {
        let chosen = LIST.chosen();
        assert_eq!((chosen == "avx2,fma", fast()), (renamed_detected(), fast()));
        let expected = match () {
            () if std::env::var("SIMD_CORE_ONLY").is_ok_and(|only| only.is_empty()) => "other",
            #[cfg(target_arch = "x86_64")]
            () if std::is_x86_feature_detected!("avx2") => "avx2",
            #[cfg(target_arch = "x86_64")]
            () if std::is_x86_feature_detected!("sse4.1") => "sse4.1",
            () => "other",
        };
        assert_eq!(kernels::kind(), expected);
        assert_eq!(kernels::sum(&[1, 2]), (24, if expected == "avx2" { 8 } else { 4 }));
    }

    fn renamed_detected() -> bool {
        detected!("avx2,fma")
    }
}
