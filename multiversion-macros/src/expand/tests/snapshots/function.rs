/// Adds.
#[must_use]
#[cfg_attr(
    all(doc, not(doctest)),
    doc = "\n\nCompiled for avx2 (x86_64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn add(a: u32, b: u32) -> u32 {
    {
        #[inline]
        fn __add__baseline(a: u32, b: u32, _: ::simd_core::__private::Proof) -> u32 {
            #[cfg(target_arch = "x86_64")]
            unsafe {
                ::simd_core::__private::assert_lacks::<::simd_core::__private::AVX2>();
            }
            a + b
        }
        let __proof = unsafe { ::simd_core::__private::Proof::new() };
        #[cfg(target_arch = "x86_64")]
        {
            #[inline]
            #[target_feature(enable = "avx2")]
            fn __add__avx2(a: u32, b: u32, _: ::simd_core::__private::Proof) -> u32 {
                unsafe {
                    ::simd_core::__private::assert_present::<
                        ::simd_core::__private::AVX2,
                    >();
                }
                a + b
            }
            if !::simd_core::__private::lacks::<::simd_core::__private::AVX2>() {
                return unsafe { __add__avx2(a, b, __proof) };
            }
        }
        unsafe { __add__baseline(a, b, __proof) }
    }
}
