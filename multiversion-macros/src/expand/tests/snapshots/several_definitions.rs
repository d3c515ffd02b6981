mod kernels {
    #[cfg_attr(
        all(doc, not(doctest)),
        doc = "\n\nCompiled for avx2 (x86_64) and for a baseline. The first of these that the CPU supports is selected at run time."
    )]
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn width() -> u32 {
        {
            #[cfg(
                all(
                    not(all(target_arch = "x86_64", target_feature = "avx2")),
                    target_feature = "avx2"
                )
            )]
            #[inline]
            #[cfg_attr(
                all(
                    any(target_arch = "x86", target_arch = "x86_64"),
                    target_feature = "avx2"
                ),
                target_feature(enable = "avx2")
            )]
            fn __width__baseline(_: ::simd_core::__private::Proof) -> u32 {
                #[cfg(target_arch = "x86_64")]
                unsafe {
                    ::simd_core::__private::assert_lacks::<
                        ::simd_core::__private::AVX2,
                    >();
                }
                8
            }
            #[cfg(
                all(
                    not(all(target_arch = "x86_64", target_feature = "avx2")),
                    not(target_feature = "avx2")
                )
            )]
            #[inline]
            #[cfg_attr(
                all(
                    any(target_arch = "x86", target_arch = "x86_64"),
                    target_feature = "avx2"
                ),
                target_feature(enable = "avx2")
            )]
            fn __width__baseline(_: ::simd_core::__private::Proof) -> u32 {
                #[cfg(target_arch = "x86_64")]
                unsafe {
                    ::simd_core::__private::assert_lacks::<
                        ::simd_core::__private::AVX2,
                    >();
                }
                1
            }
            let __proof = unsafe { ::simd_core::__private::Proof::new() };
            #[cfg(target_arch = "x86_64")]
            {
                #[cfg(
                    all(
                        all(target_arch = "x86_64", not(any())),
                        any(all(), target_feature = "avx2")
                    )
                )]
                #[inline]
                #[target_feature(enable = "avx2")]
                fn __width__avx2(_: ::simd_core::__private::Proof) -> u32 {
                    #[cfg(not(target_feature = "avx2"))]
                    unsafe {
                        ::simd_core::__private::assert_present::<
                            ::simd_core::__private::AVX2,
                        >();
                    }
                    8
                }
                #[cfg(
                    all(
                        all(target_arch = "x86_64", not(any())),
                        not(any(all(), target_feature = "avx2"))
                    )
                )]
                #[inline]
                #[target_feature(enable = "avx2")]
                fn __width__avx2(_: ::simd_core::__private::Proof) -> u32 {
                    #[cfg(not(target_feature = "avx2"))]
                    unsafe {
                        ::simd_core::__private::assert_present::<
                            ::simd_core::__private::AVX2,
                        >();
                    }
                    1
                }
                #[cfg(all(target_arch = "x86_64", not(any())))]
                if ::simd_core::__private::core::cfg!(target_feature = "avx2")
                    || !::simd_core::__private::lacks::<::simd_core::__private::AVX2>()
                {
                    return unsafe { __width__avx2(__proof) };
                }
            }
            #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
            { unsafe { __width__baseline(__proof) } }
            #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
            { ::simd_core::__private::core::unreachable!() }
        }
    }
    fn left() {}
}
