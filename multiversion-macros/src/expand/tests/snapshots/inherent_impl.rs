#[cfg_attr(
    all(doc, not(doctest)),
    doc = "\n\nCompiled for sve2 (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
impl<T: Copy> Matrix<T> {
    const ROWS: usize = 4;
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn row<'a>(&'a self, from: &[T]) -> &'a [T] {
        let __proof = unsafe { ::simd_core::__private::Proof::new() };
        #[cfg(target_arch = "aarch64")]
        {
            if !::simd_core::__private::lacks::<::simd_core::__private::SVE2>() {
                return unsafe { Self::__row__sve2(self, from, __proof) };
            }
        }
        unsafe { Self::__row__baseline(self, from, __proof) }
    }
    #[cfg(target_arch = "aarch64")]
    #[doc(hidden)]
    #[inline]
    #[target_feature(enable = "sve2")]
    fn __row__sve2<'a>(
        &'a self,
        from: &[T],
        _: ::simd_core::__private::Proof,
    ) -> &'a [T] {
        unsafe {
            ::simd_core::__private::assert_present::<::simd_core::__private::SVE2>();
        }
        self.find(from)
    }
    #[doc(hidden)]
    #[inline]
    fn __row__baseline<'a>(
        &'a self,
        from: &[T],
        _: ::simd_core::__private::Proof,
    ) -> &'a [T] {
        #[cfg(target_arch = "aarch64")]
        unsafe {
            ::simd_core::__private::assert_lacks::<::simd_core::__private::SVE2>();
        }
        self.find(from)
    }
    #[inline(always)]
    pub fn new(rows: Vec<[T; 4]>) -> Self {
        Self { rows, changed: false }
    }
    #[inline(always)]
    pub fn rows(&self) -> &[[T; 4]] {
        &self.rows
    }
}
