mod kernels {
    #[cfg_attr(
        doc,
        doc = "\n\nCompiled for neon (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
    )]
    #[inline(always)]
    pub fn sum(xs: &[u32]) -> u32 {
        {
            #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
            #[inline]
            fn __sum__baseline(xs: &[u32], _: ::simd_core::__private::Proof) -> u32 {
                #[cfg(target_arch = "aarch64")]
                unsafe {
                    ::simd_core::__private::assert_lacks::<
                        ::simd_core::__private::NEON,
                    >();
                }
                xs.iter().fold(0, |sum, &x| add(sum, x))
            }
            #[cfg_attr(
                not(all(target_arch = "aarch64", target_feature = "neon")),
                allow(deprecated, and_others)
            )]
            {
                #[cfg(target_arch = "aarch64")]
                #[inline]
                #[target_feature(enable = "neon")]
                fn __sum__neon(xs: &[u32], _: ::simd_core::__private::Proof) -> u32 {
                    #[cfg(not(target_feature = "neon"))]
                    unsafe {
                        ::simd_core::__private::assert_present::<
                            ::simd_core::__private::NEON,
                        >();
                    }
                    xs.iter()
                        .fold(
                            0,
                            |sum, &x| {
                                #[cfg(not(target_feature = "neon"))]
                                unsafe {
                                    ::simd_core::__private::assert_present::<
                                        ::simd_core::__private::NEON,
                                    >();
                                }
                                add(sum, x)
                            },
                        )
                }
                let __proof = unsafe { ::simd_core::__private::Proof::new() };
                #[cfg(target_arch = "aarch64")]
                if ::core::cfg!(target_feature = "neon")
                    || <::simd_core::__private::NEON as ::simd_core::__private::Set>::POSSIBLE
                        && !::simd_core::__private::lacks::<
                            ::simd_core::__private::NEON,
                        >()
                {
                    return unsafe { __sum__neon(xs, __proof) };
                }
                #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
                { unsafe { __sum__baseline(xs, __proof) } }
                #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
                { ::core::unreachable!() }
            }
        }
    }
    #[inline(always)]
    fn add(a: u32, b: u32) -> u32 {
        a.wrapping_add(b)
    }
}
