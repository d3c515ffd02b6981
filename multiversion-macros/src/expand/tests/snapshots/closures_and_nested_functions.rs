#[cfg_attr(
    doc,
    doc = "\n\nCompiled for neon (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
#[inline(always)]
fn apply(xs: &[u32]) -> u32 {
    {
        #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
        #[inline]
        fn __apply__baseline(xs: &[u32], _: ::simd_core::__private::Proof) -> u32 {
            #[cfg(target_arch = "aarch64")]
            unsafe {
                ::simd_core::__private::assert_lacks::<::simd_core::__private::NEON>();
            }
            {
                fn twice(x: u32) -> u32 {
                    x * 2
                }
                xs.iter().map(|&x| twice(x)).sum()
            }
        }
        #[cfg_attr(
            not(all(target_arch = "aarch64", target_feature = "neon")),
            allow(deprecated, and_others)
        )]
        {
            #[cfg(target_arch = "aarch64")]
            #[inline]
            #[target_feature(enable = "neon")]
            fn __apply__neon(xs: &[u32], _: ::simd_core::__private::Proof) -> u32 {
                #[cfg(not(target_feature = "neon"))]
                unsafe {
                    ::simd_core::__private::assert_present::<
                        ::simd_core::__private::NEON,
                    >();
                }
                #[inline(always)]
                fn twice(x: u32) -> u32 {
                    #[inline]
                    #[target_feature(enable = "neon")]
                    fn __twice__neon(x: u32) -> u32 {
                        #[cfg(not(target_feature = "neon"))]
                        unsafe {
                            ::simd_core::__private::assert_present::<
                                ::simd_core::__private::NEON,
                            >();
                        }
                        x * 2
                    }
                    #[cfg(not(target_feature = "neon"))]
                    if ::simd_core::__private::lacks::<::simd_core::__private::NEON>() {
                        ::simd_core::__private::target_lost()
                    }
                    unsafe { __twice__neon(x) }
                }
                xs.iter()
                    .map(|&x| {
                        #[cfg(not(target_feature = "neon"))]
                        unsafe {
                            ::simd_core::__private::assert_present::<
                                ::simd_core::__private::NEON,
                            >();
                        }
                        twice(x)
                    })
                    .sum()
            }
            let __proof = unsafe { ::simd_core::__private::Proof::new() };
            #[cfg(target_arch = "aarch64")]
            if ::core::cfg!(target_feature = "neon")
                || <::simd_core::__private::NEON as ::simd_core::__private::Set>::POSSIBLE
                    && !::simd_core::__private::lacks::<::simd_core::__private::NEON>()
            {
                return unsafe { __apply__neon(xs, __proof) };
            }
            #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
            { unsafe { __apply__baseline(xs, __proof) } }
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            { ::core::unreachable!() }
        }
    }
}
