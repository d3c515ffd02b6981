#[cfg_attr(
    doc,
    doc = "\n\nCompiled for neon (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
#[inline(always)]
fn f() {
    {
        #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
        #[inline]
        fn __f__baseline(_: ::simd_core::__private::Proof) {
            #[cfg(target_arch = "aarch64")]
            unsafe {
                ::simd_core::__private::assert_lacks::<::simd_core::__private::NEON>();
            }
        }
        #[cfg_attr(
            not(all(target_arch = "aarch64", target_feature = "neon")),
            allow(deprecated, and_others)
        )]
        {
            #[cfg(target_arch = "aarch64")]
            #[inline]
            #[target_feature(enable = "neon")]
            fn __f__neon(_: ::simd_core::__private::Proof) {
                #[cfg(not(target_feature = "neon"))]
                unsafe {
                    ::simd_core::__private::assert_present::<
                        ::simd_core::__private::NEON,
                    >();
                }
            }
            let __proof = unsafe { ::simd_core::__private::Proof::new() };
            #[cfg(target_arch = "aarch64")]
            if ::core::cfg!(target_feature = "neon")
                || <::simd_core::__private::NEON as ::simd_core::__private::Set>::POSSIBLE
                    && !::simd_core::__private::lacks::<::simd_core::__private::NEON>()
            {
                return unsafe { __f__neon(__proof) };
            }
            #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
            { unsafe { __f__baseline(__proof) } }
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            { ::core::unreachable!() }
        }
    }
}
///The targets neon (aarch64), and the baseline.
pub(crate) const TARGETS: ::simd_core::Targets = ::simd_core::Targets::new(const {
    &[
        #[cfg(target_arch = "aarch64")]
        ::simd_core::__private::Listed::new(
            "neon",
            <::simd_core::__private::NEON as ::simd_core::__private::Set>::SET,
        ),
    ]
});
