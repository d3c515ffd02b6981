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
                        #[target_feature(enable = "neon")]
                        fn __selected__neon(x: &[u8], _: path::__private::Proof) -> u8 {
                            unsafe {
                                path::__private::assert_present::<path::__private::NEON>();
                            }
                            first(x)
                        }
                        #[inline]
                        #[target_feature(enable = "neon")]
                        unsafe fn __selected__neon_entry(x: &[u8]) -> u8 {
                            unsafe { __selected__neon(x, path::__private::Proof::new()) }
                        }
                        if !path::__private::lacks::<path::__private::NEON>() {
                            break 'chosen __selected__neon_entry
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
                        "neon",
                        <path::__private::NEON as path::__private::Set>::SET,
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
                all(target_arch = "aarch64", target_feature = "neon")
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
                        all(target_arch = "aarch64", target_feature = "neon")
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
                        all(target_arch = "aarch64", target_feature = "neon")
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
