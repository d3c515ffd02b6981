#[cfg_attr(
    all(doc, not(doctest)),
    doc = "\n\nCompiled for sve2 (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
impl S {
    #[cfg(not(small))]
    #[inline(always)]
    #[cold]
    fn step(&self) -> u8 {
        g(|| self.x)
    }
    #[cfg(not(not(small)))]
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn step(&self) -> u8 {
        let __proof = unsafe { ::simd_core::__private::Proof::new() };
        #[cfg(target_arch = "aarch64")]
        {
            if !::simd_core::__private::lacks::<::simd_core::__private::SVE2>() {
                return unsafe { Self::__step__sve2(self, __proof) };
            }
        }
        unsafe { Self::__step__baseline(self, __proof) }
    }
    #[cfg(target_arch = "aarch64")]
    #[doc(hidden)]
    #[cfg(not(not(small)))]
    #[target_feature(enable = "sve2")]
    fn __step__sve2(&self, _: ::simd_core::__private::Proof) -> u8 {
        unsafe {
            ::simd_core::__private::assert_present::<::simd_core::__private::SVE2>();
        }
        g(|| {
            unsafe {
                ::simd_core::__private::assert_present::<::simd_core::__private::SVE2>();
            }
            self.x
        })
    }
    #[doc(hidden)]
    #[cfg(not(not(small)))]
    fn __step__baseline(&self, _: ::simd_core::__private::Proof) -> u8 {
        #[cfg(target_arch = "aarch64")]
        unsafe {
            ::simd_core::__private::assert_lacks::<::simd_core::__private::SVE2>();
        }
        g(|| self.x)
    }
    #[inline(always)]
    fn add(a: u32, b: u32) -> u32 {
        a.wrapping_add(b)
    }
}
