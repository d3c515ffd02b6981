#[cfg_attr(
    doc,
    doc = "\n\nCompiled for neon (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
impl<T: Copy> Matrix<T> {
    const ROWS: usize = 4;
    #[inline(always)]
    pub fn row<'a>(&'a self, index: usize) -> &'a [T] {
        let __proof = unsafe { ::simd_core::__private::Proof::new() };
        #[cfg(target_arch = "aarch64")]
        if ::core::cfg!(target_feature = "neon")
            || <::simd_core::__private::NEON as ::simd_core::__private::Set>::POSSIBLE
                && !::simd_core::__private::lacks::<::simd_core::__private::NEON>()
        {
            return unsafe { Self::__row__neon(self, index, __proof) };
        }
        #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
        { unsafe { Self::__row__baseline(self, index, __proof) } }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        { ::core::unreachable!() }
    }
    #[cfg(target_arch = "aarch64")]
    #[doc(hidden)]
    #[inline]
    #[cfg_attr(
        not(all(target_arch = "aarch64", target_feature = "neon")),
        allow(deprecated, and_others)
    )]
    #[target_feature(enable = "neon")]
    fn __row__neon<'a>(
        &'a self,
        index: usize,
        _: ::simd_core::__private::Proof,
    ) -> &'a [T] {
        #[cfg(not(target_feature = "neon"))]
        unsafe {
            ::simd_core::__private::assert_present::<::simd_core::__private::NEON>();
        }
        &self.rows[index]
    }
    #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
    #[doc(hidden)]
    #[inline]
    fn __row__baseline<'a>(
        &'a self,
        index: usize,
        _: ::simd_core::__private::Proof,
    ) -> &'a [T] {
        #[cfg(target_arch = "aarch64")]
        unsafe {
            ::simd_core::__private::assert_lacks::<::simd_core::__private::NEON>();
        }
        &self.rows[index]
    }
}
