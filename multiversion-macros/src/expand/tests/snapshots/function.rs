/// Adds.
#[must_use]
#[cfg_attr(
    doc,
    doc = "\n\nCompiled for avx2 (x86_64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn add(a: u32, b: u32) -> u32 {
    {
        #[allow(unused_imports)]
        use ::simd_core::__private as __simd;
        #[inline]
        fn __add__baseline(a: u32, b: u32, _: __simd::Proof) -> u32 {
            #[cfg(target_arch = "x86_64")]
            unsafe {
                __simd::assert_lacks::<__simd::AVX2>();
            }
            a + b
        }
        #[allow(deprecated, and_others)]
        {
            let __proof = unsafe { __simd::Proof::new() };
            #[cfg(target_arch = "x86_64")]
            {
                #[inline]
                #[target_feature(enable = "avx2")]
                fn __add__avx2(a: u32, b: u32, _: __simd::Proof) -> u32 {
                    unsafe {
                        __simd::assert_present::<__simd::AVX2>();
                    }
                    a + b
                }
                if <__simd::AVX2 as __simd::Set>::POSSIBLE
                    && !__simd::lacks::<__simd::AVX2>()
                {
                    return unsafe { __add__avx2(a, b, __proof) };
                }
            }
            unsafe { __add__baseline(a, b, __proof) }
        }
    }
}
