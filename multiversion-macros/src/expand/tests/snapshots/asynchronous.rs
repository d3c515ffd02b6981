#[cfg_attr(
    doc,
    doc = "\n\nCompiled for neon (aarch64), and for any other CPU; the first of these that the CPU has is taken at run time."
)]
#[allow(clippy::inline_always, reason = "a dispatcher is a few instructions")]
#[inline(always)]
async fn wait(x: u8) -> u8 {
    #[allow(clippy::extra_unused_lifetimes and_others)]
    {
        #[cfg(target_arch = "aarch64")]
        #[inline]
        #[cfg_attr(
            not(all(target_feature = "neon")),
            allow(deprecated, let_underscore_drop, and_others)
        )]
        #[target_feature(enable = "neon")]
        async fn __wait__neon(x: u8, _: ::simd_core::__private::Proof) -> u8 {
            #[cfg(not(all(target_feature = "neon")))]
            unsafe {
                ::simd_core::__private::assert_present::<
                    ::simd_core::__private::features::NEON,
                >();
            }
            next(x).await
        }
        #[cfg(not(all(target_arch = "aarch64", any(all(target_feature = "neon")))))]
        #[inline]
        async fn __wait__baseline(x: u8, _: ::simd_core::__private::Proof) -> u8 {
            next(x).await
        }
        #[cfg(all(target_arch = "aarch64", not(any(all(target_feature = "neon")))))]
        if <::simd_core::__private::features::NEON as ::simd_core::__private::Set>::POSSIBLE
            && !::simd_core::__private::lacks::<::simd_core::__private::features::NEON>()
        {
            return unsafe { __wait__neon(x, ::simd_core::__private::Proof::new()) }
                .await;
        }
        #[cfg(all(target_arch = "aarch64", all(target_feature = "neon")))]
        { unsafe { __wait__neon(x, ::simd_core::__private::Proof::new()) }.await }
        #[cfg(not(all(target_arch = "aarch64", any(all(target_feature = "neon")))))]
        { unsafe { __wait__baseline(x, ::simd_core::__private::Proof::new()) }.await }
    }
}
