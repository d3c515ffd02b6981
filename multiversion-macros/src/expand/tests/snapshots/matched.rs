mod kernels {
    match_target! {
        ;
    }
    #[cfg(doc)]
    #[cfg(all(target_arch = "aarch64", target_feature = "sve2"))]
    const STEP: u32 = 4;
    #[cfg(not(doc))]
    #[doc(hidden)]
    static mut STEP: ::simd_core::__private::ConstantUsableOnlyInsideClones = ::simd_core::__private::ConstantUsableOnlyInsideClones;
    #[cfg(doc)]
    #[cfg(not(all(target_arch = "aarch64", target_feature = "sve2")))]
    const STEP: u32 = 1;
    #[cfg_attr(
        all(doc, not(doctest)),
        doc = "\n\nCompiled for sve2 (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
    )]
    #[allow(unfulfilled_lint_expectations)]
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sum(x: u32) -> u32 {
        #[allow(
            unused_variables,
            unused_mut,
            unused_assignments,
            unused_imports,
            unreachable_code,
            unfulfilled_lint_expectations
        )]
        {
            #[cfg(all(target_arch = "aarch64", target_feature = "sve2"))]
            const STEP: u32 = 4;
            #[cfg(not(all(target_arch = "aarch64", target_feature = "sve2")))]
            const STEP: u32 = 1;
            #[cfg(not(all(target_arch = "aarch64", target_feature = "sve2")))]
            #[inline]
            #[cfg_attr(
                all(any(target_arch = "aarch64"), target_feature = "sve2"),
                target_feature(enable = "sve2")
            )]
            fn __sum__baseline(x: u32, _: ::simd_core::__private::Proof) -> u32 {
                #[cfg(target_arch = "aarch64")]
                unsafe {
                    ::simd_core::__private::assert_lacks::<
                        ::simd_core::__private::SVE2,
                    >();
                }
                match simd_core::match_target!(()) {
                    #[cfg(all(target_arch = "aarch64", target_feature = "sve2"))]
                    () => x * STEP,
                    #[cfg(not(all(target_arch = "aarch64", target_feature = "sve2")))]
                    () => 2,
                }
            }
            let __proof = unsafe { ::simd_core::__private::Proof::new() };
            #[cfg(target_arch = "aarch64")]
            {
                {
                    #[cfg(
                        all(target_arch = "aarch64", any(all(), target_feature = "sve2"))
                    )]
                    const STEP: u32 = 4;
                    #[cfg(
                        not(
                            all(
                                target_arch = "aarch64",
                                any(all(), target_feature = "sve2")
                            )
                        )
                    )]
                    const STEP: u32 = 1;
                    #[cfg(all(target_arch = "aarch64", not(any())))]
                    #[inline]
                    #[target_feature(enable = "sve2")]
                    fn __sum__sve2(x: u32, _: ::simd_core::__private::Proof) -> u32 {
                        #[cfg(not(target_feature = "sve2"))]
                        unsafe {
                            ::simd_core::__private::assert_present::<
                                ::simd_core::__private::SVE2,
                            >();
                        }
                        match simd_core::match_target!(()) {
                            #[cfg(
                                all(
                                    target_arch = "aarch64",
                                    any(all(), target_feature = "sve2")
                                )
                            )]
                            () => x * STEP,
                            #[cfg(
                                not(
                                    all(
                                        target_arch = "aarch64",
                                        any(all(), target_feature = "sve2")
                                    )
                                )
                            )]
                            () => 2,
                        }
                    }
                    #[cfg(all(target_arch = "aarch64", not(any())))]
                    if ::simd_core::__private::core::cfg!(target_feature = "sve2")
                        || !::simd_core::__private::lacks::<
                            ::simd_core::__private::SVE2,
                        >()
                    {
                        return unsafe { __sum__sve2(x, __proof) };
                    }
                }
            }
            #[cfg(not(all(target_arch = "aarch64", target_feature = "sve2")))]
            { unsafe { __sum__baseline(x, __proof) } }
            #[cfg(all(target_arch = "aarch64", target_feature = "sve2"))]
            { ::simd_core::__private::core::unreachable!() }
        }
    }
    #[cfg(all(target_arch = "aarch64", not(any())))]
    const _: () = {
        #[cfg(all(target_arch = "aarch64", any(all(), target_feature = "sve2")))]
        const STEP: u32 = 4;
        #[cfg(not(all(target_arch = "aarch64", any(all(), target_feature = "sve2"))))]
        const STEP: u32 = 1;
    };
    #[cfg(not(all(target_arch = "aarch64", target_feature = "sve2")))]
    const _: () = {
        #[cfg(all(target_arch = "aarch64", target_feature = "sve2"))]
        const STEP: u32 = 4;
        #[cfg(not(all(target_arch = "aarch64", target_feature = "sve2")))]
        const STEP: u32 = 1;
    };
}
