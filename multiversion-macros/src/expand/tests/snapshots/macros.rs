fn macros() {
    let targets = {
        {
            path::Targets::new(const {
                &[
                    #[cfg(target_arch = "aarch64")]
                    path::__private::Listed::new(
                        "sve2",
                        <path::__private::SVE2 as path::__private::StaticTarget>::SET,
                    ),
                ]
            })
        }
    };
    let detected = {
        #[cfg(target_arch = "x86_64")]
        {
            !path::__private::core::cfg!(
                not(all(target_feature = "avx2", target_feature = "aes"))
            )
                || path::__private::present::<
                    (path::__private::AVX2, path::__private::AES),
                >()
        }
        #[cfg(not(any(target_arch = "x86_64")))] { false }
    };
    match () {
        #[cfg(
            any(
                all(target_arch = "x86_64", target_feature = "avx2"),
                all(target_arch = "aarch64", target_feature = "sve2")
            )
        )]
        () => 1,
        #[cfg(
            all(
                not(
                    any(
                        all(target_arch = "x86_64", target_feature = "avx2"),
                        all(target_arch = "aarch64", target_feature = "sve2")
                    )
                ),
                all(target_arch = "x86_64", target_feature = "aes")
            )
        )]
        () => 2,
        #[cfg(
            not(
                any(
                    any(
                        all(target_arch = "x86_64", target_feature = "avx2"),
                        all(target_arch = "aarch64", target_feature = "sve2")
                    ),
                    all(target_arch = "x86_64", target_feature = "aes")
                )
            )
        )]
        () => {
            ::core::compile_error! {
                "no arm fits the features that this code is compiled for, and there is no `_`\nhelp: add `_ => …`, for the baseline and for other builds"
            }
        }
    };
}
