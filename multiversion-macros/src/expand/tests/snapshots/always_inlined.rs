mod kernels {
    #[cfg_attr(
        all(doc, not(doctest)),
        doc = "\n\nCompiled for sve2 (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
    )]
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn sum(xs: &[u32]) -> u32 {
        {
            #[inline]
            fn __sum__baseline(xs: &[u32], _: ::simd_core::__private::Proof) -> u32 {
                #[cfg(target_arch = "aarch64")]
                unsafe {
                    ::simd_core::__private::assert_lacks::<
                        ::simd_core::__private::SVE2,
                    >();
                }
                xs.iter().fold(0, |sum, &x| add(sum, x))
            }
            let __proof = unsafe { ::simd_core::__private::Proof::new() };
            #[cfg(target_arch = "aarch64")]
            {
                #[inline]
                #[target_feature(enable = "sve2")]
                fn __sum__sve2(xs: &[u32], _: ::simd_core::__private::Proof) -> u32 {
                    unsafe {
                        ::simd_core::__private::assert_present::<
                            ::simd_core::__private::SVE2,
                        >();
                    }
                    xs.iter()
                        .fold(
                            0,
                            #[inline(always)]
                            |sum, &x| {
                                unsafe {
                                    ::simd_core::__private::assert_present::<
                                        ::simd_core::__private::SVE2,
                                    >();
                                }
                                add(sum, x)
                            },
                        )
                }
                if !::simd_core::__private::lacks::<::simd_core::__private::SVE2>() {
                    return unsafe { __sum__sve2(xs, __proof) };
                }
            }
            unsafe { __sum__baseline(xs, __proof) }
        }
    }
    #[inline(always)]
    fn add(a: u32, b: u32) -> u32 {
        a.wrapping_add(b)
    }
}
