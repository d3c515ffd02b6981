/// Reads.
///
/// ```
/// # read();
/// ```
///
#[cfg_attr(
    doc,
    doc = "\n\nCompiled for neon (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
/// # Safety
///
/// The pointer is valid.
#[inline(always)]
pub unsafe fn read(x: *const u8) -> u8 {
    {
        #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
        #[inline]
        unsafe fn __read__baseline(
            x: *const u8,
            _: ::simd_core::__private::Proof,
        ) -> u8 {
            #[cfg(target_arch = "aarch64")]
            unsafe {
                ::simd_core::__private::assert_lacks::<::simd_core::__private::NEON>();
            }
            unsafe { *x }
        }
        #[cfg_attr(
            not(all(target_arch = "aarch64", target_feature = "neon")),
            allow(deprecated, and_others)
        )]
        {
            #[cfg(target_arch = "aarch64")]
            #[inline]
            #[target_feature(enable = "neon")]
            unsafe fn __read__neon(
                x: *const u8,
                _: ::simd_core::__private::Proof,
            ) -> u8 {
                #[cfg(not(target_feature = "neon"))]
                unsafe {
                    ::simd_core::__private::assert_present::<
                        ::simd_core::__private::NEON,
                    >();
                }
                unsafe { *x }
            }
            let __proof = unsafe { ::simd_core::__private::Proof::new() };
            #[cfg(target_arch = "aarch64")]
            if ::core::cfg!(target_feature = "neon")
                || <::simd_core::__private::NEON as ::simd_core::__private::Set>::POSSIBLE
                    && !::simd_core::__private::lacks::<::simd_core::__private::NEON>()
            {
                return unsafe { __read__neon(x, __proof) };
            }
            #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
            { unsafe { __read__baseline(x, __proof) } }
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            { ::core::unreachable!() }
        }
    }
}
