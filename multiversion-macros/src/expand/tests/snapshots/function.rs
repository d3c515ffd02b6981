/// Multiplies.
///
/// ```
/// # product();
/// ```
///
#[cfg_attr(
    all(doc, not(doctest)),
    doc = "\n\nCompiled for aes (aarch64), pclmulqdq (x86_64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
/// # Safety
///
/// The numbers are small.
#[must_use]
#[allow(unfulfilled_lint_expectations)]
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub unsafe fn product(a: u64, b: u64) -> u64 {
    #[allow(
        unused_variables,
        unused_mut,
        unused_assignments,
        unused_imports,
        unreachable_code,
        unfulfilled_lint_expectations
    )]
    {
        #[cfg(
            not(
                any(
                    all(target_arch = "aarch64", target_feature = "aes"),
                    all(target_arch = "x86_64", target_feature = "pclmulqdq")
                )
            )
        )]
        #[inline]
        #[cfg_attr(
            all(
                any(target_arch = "x86", target_arch = "x86_64"),
                target_feature = "pclmulqdq"
            ),
            target_feature(enable = "pclmulqdq")
        )]
        unsafe fn __product__baseline(
            a: u64,
            b: u64,
            _: ::simd_core::__private::Proof,
        ) -> u64 {
            #[cfg(target_arch = "aarch64")]
            unsafe {
                ::simd_core::__private::assert_lacks::<::simd_core::__private::AES>();
            }
            #[cfg(target_arch = "x86_64")]
            unsafe {
                ::simd_core::__private::assert_lacks::<
                    ::simd_core::__private::PCLMULQDQ,
                >();
            }
            #[cfg(target_feature = "pclmulqdq")] { fast(a, b) }
            #[cfg(not(target_feature = "pclmulqdq"))] { slow(a, b) }
        }
        let __proof = unsafe { ::simd_core::__private::Proof::new() };
        #[cfg(target_arch = "aarch64")]
        {
            #[cfg(all(target_arch = "aarch64", not(any())))]
            #[inline]
            #[target_feature(enable = "aes")]
            #[cfg_attr(
                all(
                    any(target_arch = "x86", target_arch = "x86_64"),
                    target_feature = "pclmulqdq"
                ),
                target_feature(enable = "pclmulqdq")
            )]
            unsafe fn __product__aes(
                a: u64,
                b: u64,
                _: ::simd_core::__private::Proof,
            ) -> u64 {
                #[cfg(not(target_feature = "aes"))]
                unsafe {
                    ::simd_core::__private::assert_present::<
                        ::simd_core::__private::AES,
                    >();
                }
                #[cfg(target_feature = "pclmulqdq")] { fast(a, b) }
                #[cfg(not(target_feature = "pclmulqdq"))] { slow(a, b) }
            }
            #[cfg(all(target_arch = "aarch64", not(any())))]
            if ::simd_core::__private::core::cfg!(target_feature = "aes")
                || !::simd_core::__private::lacks::<::simd_core::__private::AES>()
            {
                return unsafe { __product__aes(a, b, __proof) };
            }
        }
        #[cfg(target_arch = "x86_64")]
        {
            #[cfg(all(target_arch = "x86_64", not(any())))]
            #[inline]
            #[target_feature(enable = "pclmulqdq")]
            unsafe fn __product__pclmulqdq(
                a: u64,
                b: u64,
                _: ::simd_core::__private::Proof,
            ) -> u64 {
                #[cfg(not(target_feature = "pclmulqdq"))]
                unsafe {
                    ::simd_core::__private::assert_present::<
                        ::simd_core::__private::PCLMULQDQ,
                    >();
                }
                #[cfg(any(all(), target_feature = "pclmulqdq"))] { fast(a, b) }
                #[cfg(not(any(all(), target_feature = "pclmulqdq")))] { slow(a, b) }
            }
            #[cfg(all(target_arch = "x86_64", not(any())))]
            if ::simd_core::__private::core::cfg!(target_feature = "pclmulqdq")
                || !::simd_core::__private::lacks::<::simd_core::__private::PCLMULQDQ>()
            {
                return unsafe { __product__pclmulqdq(a, b, __proof) };
            }
        }
        #[cfg(
            not(
                any(
                    all(target_arch = "aarch64", target_feature = "aes"),
                    all(target_arch = "x86_64", target_feature = "pclmulqdq")
                )
            )
        )] { unsafe { __product__baseline(a, b, __proof) } }
        #[cfg(
            any(
                all(target_arch = "aarch64", target_feature = "aes"),
                all(target_arch = "x86_64", target_feature = "pclmulqdq")
            )
        )] { ::simd_core::__private::core::unreachable!() }
    }
}
///The targets aes (aarch64), pclmulqdq (x86_64), and the baseline.
pub(crate) const TARGETS: ::simd_core::Targets = {
    ::simd_core::Targets::new(const {
        &[
            #[cfg(target_arch = "aarch64")]
            ::simd_core::__private::Listed::new(
                "aes",
                <::simd_core::__private::AES as ::simd_core::__private::StaticTarget>::SET,
            ),
            #[cfg(target_arch = "x86_64")]
            ::simd_core::__private::Listed::new(
                "pclmulqdq",
                <::simd_core::__private::PCLMULQDQ as ::simd_core::__private::StaticTarget>::SET,
            ),
        ]
    })
};
