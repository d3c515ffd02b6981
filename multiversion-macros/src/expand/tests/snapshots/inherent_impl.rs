#[cfg_attr(
    doc,
    doc = "\n\nCompiled for neon (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
impl<T: Copy> Matrix<T> {
    const ROWS: usize = 4;
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn row<'a>(&'a self, index: usize) -> &'a [T] {
        #[allow(unused_imports)]
        use ::simd_core::__private as __simd;
        let __proof = unsafe { __simd::Proof::new() };
        #[cfg(target_arch = "aarch64")]
        {
            if <__simd::NEON as __simd::Set>::POSSIBLE
                && !__simd::lacks::<__simd::NEON>()
            {
                return unsafe { Self::__row__neon(self, index, __proof) };
            }
        }
        unsafe { Self::__row__baseline(self, index, __proof) }
    }
    #[cfg(target_arch = "aarch64")]
    #[doc(hidden)]
    #[inline]
    #[allow(deprecated, and_others)]
    #[target_feature(enable = "neon")]
    fn __row__neon<'a>(
        &'a self,
        index: usize,
        _: ::simd_core::__private::Proof,
    ) -> &'a [T] {
        #[allow(unused_imports)]
        use ::simd_core::__private as __simd;
        unsafe {
            __simd::assert_present::<__simd::NEON>();
        }
        &self.rows[index]
    }
    #[doc(hidden)]
    #[inline]
    fn __row__baseline<'a>(
        &'a self,
        index: usize,
        _: ::simd_core::__private::Proof,
    ) -> &'a [T] {
        #[allow(unused_imports)]
        use ::simd_core::__private as __simd;
        #[cfg(target_arch = "aarch64")]
        unsafe {
            __simd::assert_lacks::<__simd::NEON>();
        }
        &self.rows[index]
    }
}
