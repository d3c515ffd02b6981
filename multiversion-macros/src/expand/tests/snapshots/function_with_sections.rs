/// Reads.
///
/// ```
/// # read();
/// ```
///
#[cfg_attr(
    all(doc, not(doctest)),
    doc = "\n\nCompiled for sve2 (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
/// # Safety
///
/// The pointer is valid.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub unsafe fn read(x: *const u8) -> u8 {
    {
        #[inline]
        unsafe fn __read__baseline(
            x: *const u8,
            _: ::simd_core::__private::Proof,
        ) -> u8 {
            #[cfg(target_arch = "aarch64")]
            unsafe {
                ::simd_core::__private::assert_lacks::<::simd_core::__private::SVE2>();
            }
            unsafe { *x }
        }
        let __proof = unsafe { ::simd_core::__private::Proof::new() };
        #[cfg(target_arch = "aarch64")]
        {
            #[inline]
            #[allow(unused_unsafe)]
            #[target_feature(enable = "sve2")]
            unsafe fn __read__sve2(
                x: *const u8,
                _: ::simd_core::__private::Proof,
            ) -> u8 {
                unsafe {
                    ::simd_core::__private::assert_present::<
                        ::simd_core::__private::SVE2,
                    >();
                }
                unsafe { *x }
            }
            if !::simd_core::__private::lacks::<::simd_core::__private::SVE2>() {
                return unsafe { __read__sve2(x, __proof) };
            }
        }
        unsafe { __read__baseline(x, __proof) }
    }
}
