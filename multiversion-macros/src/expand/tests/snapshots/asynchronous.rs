#[cfg_attr(
    doc,
    doc = "\n\nCompiled for neon (aarch64), and for any other CPU; the first of these that the CPU has is taken at run time."
)]
#[allow(clippy::inline_always, reason = "a dispatcher is a few instructions")]
#[inline(always)]
async fn wait(x: u8) -> u8 {
    #[cfg(target_arch = "aarch64")]
    #[allow(clippy::extra_unused_lifetimes and_others)]
    #[inline]
    #[cfg_attr(
        not(all(target_arch = "aarch64", target_feature = "neon")),
        allow(deprecated, let_underscore_drop, and_others)
    )]
    #[target_feature(enable = "neon")]
    async fn __wait_neon(x: u8) -> u8 {
        #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
        unsafe {
            ::simd_core::__private::assert_present::<
                ::simd_core::__private::features::NEON,
            >();
        }
        next(x).await
    }
    #[cfg(not(any(all(target_arch = "aarch64", target_feature = "neon"))))]
    #[allow(clippy::extra_unused_lifetimes and_others)]
    #[inline]
    async fn __wait_baseline(x: u8) -> u8 {
        next(x).await
    }
    #[cfg(
        all(
            target_arch = "aarch64",
            not(all(target_arch = "aarch64", target_feature = "neon"))
        )
    )]
    #[doc(hidden)]
    #[cold]
    #[inline(never)]
    async fn __wait_first(x: u8) -> u8 {
        let __found = ::simd_core::__private::ensure();
        #[cfg(
            all(
                target_arch = "aarch64",
                not(all(target_arch = "aarch64", target_feature = "neon"))
            )
        )]
        if __found
            .contains(
                <::simd_core::__private::features::NEON as ::simd_core::__private::Set>::SET
                    .leaf,
            )
        {
            return unsafe { __wait_neon(x) }.await;
        }
        #[cfg(
            all(
                target_arch = "aarch64",
                all(target_arch = "aarch64", target_feature = "neon")
            )
        )] { unsafe { __wait_neon(x) }.await }
        #[cfg(not(any(all(target_arch = "aarch64", target_feature = "neon"))))]
        { __wait_baseline(x).await }
    }
    #[cfg(
        all(
            target_arch = "aarch64",
            not(all(target_arch = "aarch64", target_feature = "neon"))
        )
    )]
    {
        'first: {
            #[cfg(
                all(
                    target_arch = "aarch64",
                    not(all(target_arch = "aarch64", target_feature = "neon"))
                )
            )]
            {
                if !::simd_core::__private::not_present::<
                    ::simd_core::__private::features::NEON,
                >() {
                    return ::simd_core::__private::Chosen(
                            ::simd_core::__private::pin!(unsafe { __wait_neon(x,) }),
                            || {
                                ::simd_core::__private::present::<
                                    ::simd_core::__private::features::NEON,
                                >()
                            },
                        )
                        .await;
                }
                if !::simd_core::__private::absent::<
                    ::simd_core::__private::features::NEON,
                >() {
                    break 'first;
                }
            }
            #[cfg(
                all(
                    target_arch = "aarch64",
                    all(target_arch = "aarch64", target_feature = "neon")
                )
            )]
            {
                return unsafe { __wait_neon(x) }.await;
            }
            #[cfg(not(any(all(target_arch = "aarch64", target_feature = "neon"))))]
            {
                return __wait_baseline(x).await;
            }
        }
        ::simd_core::__private::Outlined(::simd_core::__private::pin!(__wait_first(x,)))
            .await
    }
    #[cfg(
        not(
            all(
                target_arch = "aarch64",
                not(all(target_arch = "aarch64", target_feature = "neon"))
            )
        )
    )]
    {
        #[cfg(
            all(
                target_arch = "aarch64",
                all(target_arch = "aarch64", target_feature = "neon")
            )
        )] { unsafe { __wait_neon(x) }.await }
        #[cfg(not(any(all(target_arch = "aarch64", target_feature = "neon"))))]
        { __wait_baseline(x).await }
    }
}
