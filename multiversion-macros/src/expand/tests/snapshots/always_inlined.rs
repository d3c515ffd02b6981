mod kernels {
    #[cfg_attr(
        doc,
        doc = "\n\nCompiled for neon (aarch64), and for any other CPU; the first of these that the CPU has is taken at run time."
    )]
    #[allow(clippy::inline_always, reason = "a dispatcher is a few instructions")]
    #[inline(always)]
    pub fn sum(xs: &[u32]) -> u32 {
        #[allow(clippy::extra_unused_lifetimes and_others)]
        {
            #[cfg(target_arch = "aarch64")]
            #[inline]
            #[cfg_attr(
                not(all(target_feature = "neon")),
                allow(deprecated, let_underscore_drop, and_others)
            )]
            #[target_feature(enable = "neon")]
            fn __sum__neon(xs: &[u32], _: ::simd_core::__private::Proof) -> u32 {
                #[cfg(not(all(target_feature = "neon")))]
                unsafe {
                    ::simd_core::__private::assert_present::<
                        ::simd_core::__private::features::NEON,
                    >();
                }
                xs.iter()
                    .fold(
                        0,
                        |sum, &x| {
                            #[cfg(not(all(target_feature = "neon")))]
                            unsafe {
                                ::simd_core::__private::assert_present::<
                                    ::simd_core::__private::features::NEON,
                                >();
                            }
                            add(sum, x)
                        },
                    )
            }
            #[cfg(not(all(target_arch = "aarch64", any(all(target_feature = "neon")))))]
            #[inline]
            fn __sum__baseline(xs: &[u32], _: ::simd_core::__private::Proof) -> u32 {
                #[cfg(
                    all(target_arch = "aarch64", not(any(all(target_feature = "neon"))))
                )]
                unsafe {
                    ::simd_core::__private::assert_lacks::<
                        ::simd_core::__private::features::NEON,
                    >();
                }
                xs.iter().fold(0, |sum, &x| add(sum, x))
            }
            #[cfg(all(target_arch = "aarch64", not(any(all(target_feature = "neon")))))]
            if <::simd_core::__private::features::NEON as ::simd_core::__private::Set>::POSSIBLE
                && !::simd_core::__private::lacks::<
                    ::simd_core::__private::features::NEON,
                >()
            {
                return unsafe { __sum__neon(xs, ::simd_core::__private::Proof::new()) };
            }
            #[cfg(all(target_arch = "aarch64", all(target_feature = "neon")))]
            { unsafe { __sum__neon(xs, ::simd_core::__private::Proof::new()) } }
            #[cfg(not(all(target_arch = "aarch64", any(all(target_feature = "neon")))))]
            { unsafe { __sum__baseline(xs, ::simd_core::__private::Proof::new()) } }
        }
    }
    #[inline(always)]
    fn add(a: u32, b: u32) -> u32 {
        a.wrapping_add(b)
    }
}
