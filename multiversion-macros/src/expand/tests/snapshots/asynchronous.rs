#[cfg_attr(
    all(doc, not(doctest)),
    doc = "\n\nCompiled for sve2 (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
async fn wait(x: u8) -> u8 {
    {
        #[inline]
        async fn __wait__baseline(x: u8, _: ::simd_core::__private::Proof) -> u8 {
            next(x).await
        }
        let __proof = unsafe { ::simd_core::__private::Proof::new() };
        #[cfg(target_arch = "aarch64")]
        {
            #[inline]
            #[target_feature(enable = "sve2")]
            async fn __wait__sve2(x: u8, _: ::simd_core::__private::Proof) -> u8 {
                unsafe {
                    ::simd_core::__private::assert_present::<
                        ::simd_core::__private::SVE2,
                    >();
                }
                next(x).await
            }
            if !::simd_core::__private::lacks::<::simd_core::__private::SVE2>() {
                return unsafe { __wait__sve2(x, __proof) }.await;
            }
        }
        unsafe { __wait__baseline(x, __proof) }.await
    }
}
