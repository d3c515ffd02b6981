#[cfg_attr(
    doc,
    doc = "\n\nCompiled for neon (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
#[inline(always)]
async fn wait(x: u8) -> u8 {
    {
        #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
        #[inline]
        async fn __wait__baseline(x: u8, _: ::simd_core::__private::Proof) -> u8 {
            next(x).await
        }
        #[cfg_attr(
            not(all(target_arch = "aarch64", target_feature = "neon")),
            allow(deprecated, and_others)
        )]
        {
            #[cfg(target_arch = "aarch64")]
            #[inline]
            #[target_feature(enable = "neon")]
            async fn __wait__neon(x: u8, _: ::simd_core::__private::Proof) -> u8 {
                #[cfg(not(target_feature = "neon"))]
                unsafe {
                    ::simd_core::__private::assert_present::<
                        ::simd_core::__private::NEON,
                    >();
                }
                next(x).await
            }
            let __proof = unsafe { ::simd_core::__private::Proof::new() };
            #[cfg(target_arch = "aarch64")]
            if ::core::cfg!(target_feature = "neon")
                || <::simd_core::__private::NEON as ::simd_core::__private::Set>::POSSIBLE
                    && !::simd_core::__private::lacks::<::simd_core::__private::NEON>()
            {
                return unsafe { __wait__neon(x, __proof) }.await;
            }
            #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
            { unsafe { __wait__baseline(x, __proof) }.await }
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            { ::core::unreachable!() }
        }
    }
}
