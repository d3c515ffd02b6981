#[cfg_attr(
    all(doc, not(doctest)),
    doc = "\n\nCompiled for sve2 (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn apply(xs: &[u32]) -> u32 {
    {
        #[inline]
        fn __apply__baseline(xs: &[u32], _: ::simd_core::__private::Proof) -> u32 {
            #[cfg(target_arch = "aarch64")]
            unsafe {
                ::simd_core::__private::assert_lacks::<::simd_core::__private::SVE2>();
            }
            fn twice(x: u32) -> u32 {
                x * 2
            }
            xs.iter().map(|&x| twice(x)).sum()
        }
        let __proof = unsafe { ::simd_core::__private::Proof::new() };
        #[cfg(target_arch = "aarch64")]
        {
            #[inline]
            #[target_feature(enable = "sve2")]
            fn __apply__sve2(xs: &[u32], _: ::simd_core::__private::Proof) -> u32 {
                unsafe {
                    ::simd_core::__private::assert_present::<
                        ::simd_core::__private::SVE2,
                    >();
                }
                #[inline(always)]
                fn twice(x: u32) -> u32 {
                    #[inline]
                    #[target_feature(enable = "sve2")]
                    fn __twice__sve2(x: u32) -> u32 {
                        unsafe {
                            ::simd_core::__private::assert_present::<
                                ::simd_core::__private::SVE2,
                            >();
                        }
                        x * 2
                    }
                    if ::simd_core::__private::lacks::<::simd_core::__private::SVE2>() {
                        ::simd_core::__private::target_lost()
                    }
                    {}
                    unsafe { __twice__sve2(x) }
                }
                xs.iter()
                    .map(|&x| {
                        unsafe {
                            ::simd_core::__private::assert_present::<
                                ::simd_core::__private::SVE2,
                            >();
                        }
                        twice(x)
                    })
                    .sum()
            }
            if !::simd_core::__private::lacks::<::simd_core::__private::SVE2>() {
                return unsafe { __apply__sve2(xs, __proof) };
            }
        }
        unsafe { __apply__baseline(xs, __proof) }
    }
}
