#[cfg_attr(
    doc,
    doc = "\n\nCompiled for neon (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
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
        #[allow(unused_imports)]
        use ::simd_core::__private as __simd;
        let __proof = unsafe { __simd::Proof::new() };
        #[cfg(target_arch = "aarch64")]
        {
            if <__simd::NEON as __simd::Set>::POSSIBLE
                && !__simd::lacks::<__simd::NEON>()
            {
                return unsafe { Self::__step__neon(self, __proof) };
            }
        }
        unsafe { Self::__step__baseline(self, __proof) }
    }
    #[cfg(target_arch = "aarch64")]
    #[doc(hidden)]
    #[inline]
    #[allow(deprecated, and_others)]
    #[cfg(not(not(small)))]
    #[target_feature(enable = "neon")]
    fn __step__neon(&self, _: ::simd_core::__private::Proof) -> u8 {
        #[allow(unused_imports)]
        use ::simd_core::__private as __simd;
        unsafe {
            __simd::assert_present::<__simd::NEON>();
        }
        g(|| {
            unsafe {
                __simd::assert_present::<__simd::NEON>();
            }
            self.x
        })
    }
    #[doc(hidden)]
    #[inline]
    #[cfg(not(not(small)))]
    fn __step__baseline(&self, _: ::simd_core::__private::Proof) -> u8 {
        #[allow(unused_imports)]
        use ::simd_core::__private as __simd;
        #[cfg(target_arch = "aarch64")]
        unsafe {
            __simd::assert_lacks::<__simd::NEON>();
        }
        g(|| self.x)
    }
}
