#[cfg_attr(
    all(doc, not(doctest)),
    doc = "\n\nCompiled for sve2 (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn f() {
    {
        #[inline]
        fn __f__baseline(_: ::simd_core::__private::Proof) {}
        let __proof = unsafe { ::simd_core::__private::Proof::new() };
        #[cfg(target_arch = "aarch64")]
        {
            #[inline]
            #[target_feature(enable = "sve2")]
            fn __f__sve2(_: ::simd_core::__private::Proof) {}
            if !::simd_core::__private::lacks::<::simd_core::__private::SVE2>() {
                return unsafe { __f__sve2(__proof) };
            }
        }
        unsafe { __f__baseline(__proof) }
    }
}
///The targets sve2 (aarch64), and the baseline.
pub(crate) const TARGETS: ::simd_core::Targets = {
    ::simd_core::Targets::new(const {
        &[
            #[cfg(target_arch = "aarch64")]
            ::simd_core::__private::Listed::new(
                "sve2",
                <::simd_core::__private::SVE2 as ::simd_core::__private::StaticTarget>::SET,
            ),
        ]
    })
};
