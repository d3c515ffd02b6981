fn macros() {
    let select = {
        {
            #[inline]
            fn __selected__baseline(x: &[u8], _: path::__private::Proof) -> u8 {
                first(x)
            }
            #[inline]
            unsafe fn __selected__baseline_entry(x: &[u8]) -> u8 {
                unsafe { __selected__baseline(x, path::__private::Proof::new()) }
            }
            #[allow(deprecated, and_others)]
            {
                let __chosen: unsafe fn(&[u8]) -> u8 = 'chosen: {
                    #[cfg(target_arch = "aarch64")]
                    {
                        #[inline]
                        #[target_feature(enable = "sve2")]
                        fn __selected__sve2(x: &[u8], _: path::__private::Proof) -> u8 {
                            unsafe {
                                path::__private::assert_present::<path::__private::SVE2>();
                            }
                            first(x)
                        }
                        #[inline]
                        #[target_feature(enable = "sve2")]
                        unsafe fn __selected__sve2_entry(x: &[u8]) -> u8 {
                            unsafe { __selected__sve2(x, path::__private::Proof::new()) }
                        }
                        if !path::__private::lacks::<path::__private::SVE2>() {
                            break 'chosen __selected__sve2_entry
                                as unsafe fn(&[u8]) -> u8;
                        }
                    }
                    __selected__baseline_entry as unsafe fn(&[u8]) -> u8
                };
                unsafe {
                    path::__private::core::mem::transmute::<
                        unsafe fn(&[u8]) -> u8,
                        fn(&[u8]) -> u8,
                    >(__chosen)
                }
            }
        }
    };
    let targets = {
        {
            path::Targets::new(const {
                &[
                    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
                    path::__private::Listed::new(
                        "avx2",
                        <path::__private::AVX2 as path::__private::Set>::SET,
                    ),
                    #[cfg(target_arch = "aarch64")]
                    path::__private::Listed::new(
                        "sve2",
                        <path::__private::SVE2 as path::__private::Set>::SET,
                    ),
                ]
            })
        }
    };
    let detected = {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            !path::__private::core::cfg!(
                not(all(target_feature = "avx2", target_feature = "aes"))
            )
                || path::__private::present::<
                    (path::__private::AVX2, path::__private::AES),
                >()
        }
        #[cfg(not(any(any(target_arch = "x86", target_arch = "x86_64"))))] { false }
    };
    crate::simd! {
        { path::__private::__select } { crate ::simd } path; [crate ::simd], | x : & [u8]
        | -> u8 { first(x) }
    };
    match () {
        #[cfg(
            any(
                all(
                    any(target_arch = "x86", target_arch = "x86_64"),
                    target_feature = "avx2"
                ),
                all(target_arch = "aarch64", target_feature = "sve2")
            )
        )]
        () => 1,
        #[cfg(
            all(
                not(
                    any(
                        all(
                            any(target_arch = "x86", target_arch = "x86_64"),
                            target_feature = "avx2"
                        ),
                        all(target_arch = "aarch64", target_feature = "sve2")
                    )
                ),
                all(
                    any(target_arch = "x86", target_arch = "x86_64"),
                    target_feature = "sse2"
                )
            )
        )]
        () => 2,
        #[cfg(
            not(
                any(
                    any(
                        all(
                            any(target_arch = "x86", target_arch = "x86_64"),
                            target_feature = "avx2"
                        ),
                        all(target_arch = "aarch64", target_feature = "sve2")
                    ),
                    all(
                        any(target_arch = "x86", target_arch = "x86_64"),
                        target_feature = "sse2"
                    )
                )
            )
        )]
        () => {
            compile_error! {
                "no arm fits the features that this code is compiled for, and there is no `_`\nhelp: add `_ => …`, for the baseline and for other builds"
            }
        }
    };
}
