#[test]
fn works() {
    if let ::core::option::Option::Some(passed) = ::simd_core::testing::__each_target(
        {
            #[allow(unused_imports)]
            use ::simd_core::__private as __simd;
            ::simd_core::Targets::new(const {
                &[
                    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
                    __simd::Listed::new("avx2", <__simd::AVX2 as __simd::Set>::SET),
                ]
            })
        },
        ::core::module_path!(),
        "works",
    ) {
        return passed;
    }
    assert!(true)
}
