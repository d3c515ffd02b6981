impl<T: Copy> Matrix<T> {
    const ROWS: usize = 4;
    #[cfg_attr(
        doc,
        doc = "\n\nCompiled for neon (aarch64), and for any other CPU; the first of these that the CPU has is taken at run time."
    )]
    #[allow(clippy::inline_always, reason = "a dispatcher is a few instructions")]
    #[inline(always)]
    pub fn row<'a>(&'a self, index: usize) -> &'a [T] {
        #[cfg(all(target_arch = "aarch64", not(any(all(target_feature = "neon")))))]
        if <::simd_core::__private::features::NEON as ::simd_core::__private::Set>::POSSIBLE
            && !::simd_core::__private::lacks::<::simd_core::__private::features::NEON>()
        {
            return unsafe {
                Self::__row__neon(self, index, ::simd_core::__private::Proof::new())
            };
        }
        #[cfg(all(target_arch = "aarch64", all(target_feature = "neon")))]
        {
            unsafe {
                Self::__row__neon(self, index, ::simd_core::__private::Proof::new())
            }
        }
        #[cfg(not(all(target_arch = "aarch64", any(all(target_feature = "neon")))))]
        {
            unsafe {
                Self::__row__baseline(self, index, ::simd_core::__private::Proof::new())
            }
        }
    }
    #[cfg(target_arch = "aarch64")]
    #[allow(clippy::extra_unused_lifetimes and_others)]
    #[doc(hidden)]
    #[inline]
    #[cfg_attr(
        not(all(target_feature = "neon")),
        allow(deprecated, let_underscore_drop, and_others)
    )]
    #[target_feature(enable = "neon")]
    fn __row__neon<'a>(
        &'a self,
        index: usize,
        _: ::simd_core::__private::Proof,
    ) -> &'a [T] {
        #[cfg(not(all(target_feature = "neon")))]
        unsafe {
            ::simd_core::__private::assert_present::<
                ::simd_core::__private::features::NEON,
            >();
        }
        &self.rows[index]
    }
    #[cfg(not(all(target_arch = "aarch64", any(all(target_feature = "neon")))))]
    #[allow(clippy::extra_unused_lifetimes and_others)]
    #[doc(hidden)]
    #[inline]
    fn __row__baseline<'a>(
        &'a self,
        index: usize,
        _: ::simd_core::__private::Proof,
    ) -> &'a [T] {
        #[cfg(all(target_arch = "aarch64", not(any(all(target_feature = "neon")))))]
        unsafe {
            ::simd_core::__private::assert_lacks::<
                ::simd_core::__private::features::NEON,
            >();
        }
        &self.rows[index]
    }
}
