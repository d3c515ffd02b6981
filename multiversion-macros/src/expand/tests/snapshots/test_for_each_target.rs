#[test]
fn works() {
    if let ::core::option::Option::Some(__passed) = ::simd_core::testing::__each_target(
        {
            ::simd_core::Targets::new(const {
                &[
                    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
                    ::simd_core::__private::Listed::new(
                        "avx2",
                        <::simd_core::__private::AVX2 as ::simd_core::__private::StaticTarget>::SET,
                    ),
                ]
            })
        },
        ::core::module_path!(),
        "works",
    ) {
        return __passed;
    }
    assert!(true)
}
