fn macros() {
    let select = {
        {
            #[allow(unused_imports)]
            use path::__private as __simd;
            #[inline]
            fn __selected__baseline(x: &[u8], _: __simd::Proof) -> u8 {
                first(x)
            }
            #[inline]
            unsafe fn __selected__baseline_entry(x: &[u8]) -> u8 {
                unsafe { __selected__baseline(x, __simd::Proof::new()) }
            }
            #[allow(deprecated, and_others)]
            {
                let __chosen: unsafe fn(&[u8]) -> u8 = 'chosen: {
                    #[cfg(target_arch = "aarch64")]
                    {
                        #[inline]
                        #[target_feature(enable = "neon")]
                        fn __selected__neon(x: &[u8], _: __simd::Proof) -> u8 {
                            unsafe {
                                __simd::assert_present::<__simd::NEON>();
                            }
                            first(x)
                        }
                        #[inline]
                        #[target_feature(enable = "neon")]
                        unsafe fn __selected__neon_entry(x: &[u8]) -> u8 {
                            unsafe { __selected__neon(x, __simd::Proof::new()) }
                        }
                        if <__simd::NEON as __simd::Set>::POSSIBLE
                            && !__simd::lacks::<__simd::NEON>()
                        {
                            break 'chosen __selected__neon_entry
                                as unsafe fn(&[u8]) -> u8;
                        }
                    }
                    __selected__baseline_entry as unsafe fn(&[u8]) -> u8
                };
                unsafe {
                    ::core::mem::transmute::<
                        unsafe fn(&[u8]) -> u8,
                        fn(&[u8]) -> u8,
                    >(__chosen)
                }
            }
        }
    };
    let targets = {
        {
            #[allow(unused_imports)]
            use path::__private as __simd;
            path::Targets::new(const {
                &[
                    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
                    __simd::Listed::new("avx2", <__simd::AVX2 as __simd::Set>::SET),
                    #[cfg(target_arch = "aarch64")]
                    __simd::Listed::new("neon", <__simd::NEON as __simd::Set>::SET),
                ]
            })
        }
    };
    let detected = {
        #[allow(unused_imports)]
        use path::__private as __simd;
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            !::core::cfg!(not(all(target_feature = "avx2", target_feature = "aes")))
                || __simd::present::<(__simd::AVX2, __simd::AES)>()
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
