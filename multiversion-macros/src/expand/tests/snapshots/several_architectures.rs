#[allow(unfulfilled_lint_expectations)]
#[cfg_attr(
    doc,
    doc = "\n\nCompiled for aes (aarch64), pclmulqdq (x86_64), and for any other CPU; the first of these that the CPU has is taken at run time."
)]
#[allow(clippy::inline_always, reason = "a dispatcher is a few instructions")]
#[inline(always)]
fn product(a: u64, b: u64) -> u64 {
    #[cfg(target_arch = "aarch64")]
    #[allow(
        unused_variables,
        unused_mut,
        unused_assignments,
        unused_imports,
        unreachable_code
    )]
    #[allow(unfulfilled_lint_expectations)]
    #[allow(clippy::items_after_statements, clippy::needless_return)]
    #[allow(clippy::extra_unused_lifetimes and_others)]
    #[inline]
    #[target_feature(enable = "aes")]
    fn __product_aes(a: u64, b: u64) -> u64 {
        #[cfg(not(all(target_arch = "aarch64", target_feature = "aes")))]
        unsafe {
            ::simd_core::__private::assert_present::<
                ::simd_core::__private::features::AES,
            >();
        }
        #[cfg(target_feature = "pclmulqdq")] { fast(a, b) }
        #[cfg(not(target_feature = "pclmulqdq"))] { slow(a, b) }
    }
    #[cfg(target_arch = "x86_64")]
    #[allow(
        unused_variables,
        unused_mut,
        unused_assignments,
        unused_imports,
        unreachable_code
    )]
    #[allow(unfulfilled_lint_expectations)]
    #[allow(clippy::items_after_statements, clippy::needless_return)]
    #[allow(clippy::extra_unused_lifetimes and_others)]
    #[inline]
    #[target_feature(enable = "pclmulqdq")]
    fn __product_pclmulqdq(a: u64, b: u64) -> u64 {
        #[cfg(not(all(target_arch = "x86_64", target_feature = "pclmulqdq")))]
        unsafe {
            ::simd_core::__private::assert_present::<
                ::simd_core::__private::features::PCLMULQDQ,
            >();
        }
        #[cfg(any(all(), target_feature = "pclmulqdq"))] { fast(a, b) }
        #[cfg(not(any(all(), target_feature = "pclmulqdq")))] { slow(a, b) }
    }
    #[cfg(
        not(
            any(
                all(target_arch = "aarch64", target_feature = "aes"),
                all(target_arch = "x86_64", target_feature = "pclmulqdq")
            )
        )
    )]
    #[allow(
        unused_variables,
        unused_mut,
        unused_assignments,
        unused_imports,
        unreachable_code
    )]
    #[allow(unfulfilled_lint_expectations)]
    #[allow(clippy::extra_unused_lifetimes and_others)]
    #[inline]
    fn __product_baseline(a: u64, b: u64) -> u64 {
        #[cfg(
            all(
                any(
                    all(
                        target_arch = "aarch64",
                        not(all(target_arch = "aarch64", target_feature = "aes"))
                    ),
                    all(
                        target_arch = "x86_64",
                        not(all(target_arch = "x86_64", target_feature = "pclmulqdq"))
                    )
                ),
                not(debug_assertions)
            )
        )]
        if !(true
            && {
                #[cfg(
                    all(
                        target_arch = "aarch64",
                        not(all(target_arch = "aarch64", target_feature = "aes"))
                    )
                )]
                {
                    ::simd_core::__private::absent::<
                        ::simd_core::__private::features::AES,
                    >()
                }
                #[cfg(
                    not(
                        all(
                            target_arch = "aarch64",
                            not(all(target_arch = "aarch64", target_feature = "aes"))
                        )
                    )
                )] { true }
            }
            && {
                #[cfg(
                    all(
                        target_arch = "x86_64",
                        not(all(target_arch = "x86_64", target_feature = "pclmulqdq"))
                    )
                )]
                {
                    ::simd_core::__private::absent::<
                        ::simd_core::__private::features::PCLMULQDQ,
                    >()
                }
                #[cfg(
                    not(
                        all(
                            target_arch = "x86_64",
                            not(
                                all(target_arch = "x86_64", target_feature = "pclmulqdq")
                            )
                        )
                    )
                )] { true }
            })
        {
            return unsafe {
                ::simd_core::__private::choose(
                    &[
                        #[cfg(
                            all(
                                target_arch = "aarch64",
                                not(all(target_arch = "aarch64", target_feature = "aes"))
                            )
                        )]
                        <::simd_core::__private::features::AES as ::simd_core::__private::Set>::SET,
                        #[cfg(
                            all(
                                target_arch = "x86_64",
                                not(
                                    all(target_arch = "x86_64", target_feature = "pclmulqdq")
                                )
                            )
                        )]
                        <::simd_core::__private::features::PCLMULQDQ as ::simd_core::__private::Set>::SET,
                    ],
                    &[
                        #[cfg(
                            all(
                                target_arch = "aarch64",
                                not(all(target_arch = "aarch64", target_feature = "aes"))
                            )
                        )]
                        (__product_aes as unsafe fn(_, _) -> _),
                        #[cfg(
                            all(
                                target_arch = "x86_64",
                                not(
                                    all(target_arch = "x86_64", target_feature = "pclmulqdq")
                                )
                            )
                        )]
                        (__product_pclmulqdq as unsafe fn(_, _) -> _),
                        #[cfg(
                            all(
                                target_arch = "aarch64",
                                all(target_arch = "aarch64", target_feature = "aes")
                            )
                        )]
                        (__product_aes as unsafe fn(_, _) -> _),
                        #[cfg(
                            all(
                                target_arch = "x86_64",
                                all(target_arch = "x86_64", target_feature = "pclmulqdq")
                            )
                        )]
                        (__product_pclmulqdq as unsafe fn(_, _) -> _),
                        #[cfg(
                            not(
                                any(
                                    all(target_arch = "aarch64", target_feature = "aes"),
                                    all(target_arch = "x86_64", target_feature = "pclmulqdq")
                                )
                            )
                        )]
                        (__product_baseline as unsafe fn(_, _) -> _),
                    ],
                )(a, b)
            };
        }
        #[cfg(
            all(
                any(
                    all(
                        target_arch = "aarch64",
                        not(all(target_arch = "aarch64", target_feature = "aes"))
                    ),
                    all(
                        target_arch = "x86_64",
                        not(all(target_arch = "x86_64", target_feature = "pclmulqdq"))
                    )
                ),
                not(debug_assertions)
            )
        )]
        unsafe {
            #[cfg(
                all(
                    target_arch = "aarch64",
                    not(all(target_arch = "aarch64", target_feature = "aes"))
                )
            )]
            ::simd_core::__private::assert_not_present::<
                ::simd_core::__private::features::AES,
            >();
            #[cfg(
                all(
                    target_arch = "x86_64",
                    not(all(target_arch = "x86_64", target_feature = "pclmulqdq"))
                )
            )]
            ::simd_core::__private::assert_not_present::<
                ::simd_core::__private::features::PCLMULQDQ,
            >();
        }
        #[cfg(target_feature = "pclmulqdq")] { fast(a, b) }
        #[cfg(not(target_feature = "pclmulqdq"))] { slow(a, b) }
    }
    #[cfg(
        any(
            all(
                target_arch = "aarch64",
                not(all(target_arch = "aarch64", target_feature = "aes"))
            ),
            all(
                target_arch = "x86_64",
                not(all(target_arch = "x86_64", target_feature = "pclmulqdq"))
            )
        )
    )]
    {
        'first: {
            #[cfg(
                all(
                    target_arch = "aarch64",
                    not(all(target_arch = "aarch64", target_feature = "aes"))
                )
            )]
            {
                if !::simd_core::__private::not_present::<
                    ::simd_core::__private::features::AES,
                >() {
                    return unsafe { __product_aes(a, b) };
                }
                if !::simd_core::__private::absent::<
                    ::simd_core::__private::features::AES,
                >() {
                    break 'first;
                }
            }
            #[cfg(
                all(
                    target_arch = "x86_64",
                    not(all(target_arch = "x86_64", target_feature = "pclmulqdq"))
                )
            )]
            {
                if !::simd_core::__private::not_present::<
                    ::simd_core::__private::features::PCLMULQDQ,
                >() {
                    return unsafe { __product_pclmulqdq(a, b) };
                }
                if !::simd_core::__private::absent::<
                    ::simd_core::__private::features::PCLMULQDQ,
                >() {
                    break 'first;
                }
            }
            #[cfg(
                all(
                    target_arch = "aarch64",
                    all(target_arch = "aarch64", target_feature = "aes")
                )
            )]
            {
                return unsafe { __product_aes(a, b) };
            }
            #[cfg(
                all(
                    target_arch = "x86_64",
                    all(target_arch = "x86_64", target_feature = "pclmulqdq")
                )
            )]
            {
                return unsafe { __product_pclmulqdq(a, b) };
            }
            #[cfg(
                not(
                    any(
                        all(target_arch = "aarch64", target_feature = "aes"),
                        all(target_arch = "x86_64", target_feature = "pclmulqdq")
                    )
                )
            )]
            {
                return __product_baseline(a, b);
            }
        }
        unsafe {
            ::simd_core::__private::choose(
                &[
                    #[cfg(
                        all(
                            target_arch = "aarch64",
                            not(all(target_arch = "aarch64", target_feature = "aes"))
                        )
                    )]
                    <::simd_core::__private::features::AES as ::simd_core::__private::Set>::SET,
                    #[cfg(
                        all(
                            target_arch = "x86_64",
                            not(
                                all(target_arch = "x86_64", target_feature = "pclmulqdq")
                            )
                        )
                    )]
                    <::simd_core::__private::features::PCLMULQDQ as ::simd_core::__private::Set>::SET,
                ],
                &[
                    #[cfg(
                        all(
                            target_arch = "aarch64",
                            not(all(target_arch = "aarch64", target_feature = "aes"))
                        )
                    )]
                    (__product_aes as unsafe fn(_, _) -> _),
                    #[cfg(
                        all(
                            target_arch = "x86_64",
                            not(
                                all(target_arch = "x86_64", target_feature = "pclmulqdq")
                            )
                        )
                    )]
                    (__product_pclmulqdq as unsafe fn(_, _) -> _),
                    #[cfg(
                        all(
                            target_arch = "aarch64",
                            all(target_arch = "aarch64", target_feature = "aes")
                        )
                    )]
                    (__product_aes as unsafe fn(_, _) -> _),
                    #[cfg(
                        all(
                            target_arch = "x86_64",
                            all(target_arch = "x86_64", target_feature = "pclmulqdq")
                        )
                    )]
                    (__product_pclmulqdq as unsafe fn(_, _) -> _),
                    #[cfg(
                        not(
                            any(
                                all(target_arch = "aarch64", target_feature = "aes"),
                                all(target_arch = "x86_64", target_feature = "pclmulqdq")
                            )
                        )
                    )]
                    (__product_baseline as unsafe fn(_, _) -> _),
                ],
            )(a, b)
        }
    }
    #[cfg(
        not(
            any(
                all(
                    target_arch = "aarch64",
                    not(all(target_arch = "aarch64", target_feature = "aes"))
                ),
                all(
                    target_arch = "x86_64",
                    not(all(target_arch = "x86_64", target_feature = "pclmulqdq"))
                )
            )
        )
    )]
    {
        #[cfg(
            all(
                target_arch = "aarch64",
                all(target_arch = "aarch64", target_feature = "aes")
            )
        )] { unsafe { __product_aes(a, b) } }
        #[cfg(
            all(
                target_arch = "x86_64",
                all(target_arch = "x86_64", target_feature = "pclmulqdq")
            )
        )] { unsafe { __product_pclmulqdq(a, b) } }
        #[cfg(
            not(
                any(
                    all(target_arch = "aarch64", target_feature = "aes"),
                    all(target_arch = "x86_64", target_feature = "pclmulqdq")
                )
            )
        )] { __product_baseline(a, b) }
    }
}
