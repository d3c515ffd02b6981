#[cfg_attr(
    doc,
    doc = "\n\nCompiled for neon (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn f() {
    {
        #[allow(unused_imports)]
        use ::simd_core::__private as __simd;
        #[inline]
        fn __f__baseline(_: __simd::Proof) {
            #[cfg(target_arch = "aarch64")]
            unsafe {
                __simd::assert_lacks::<__simd::NEON>();
            }
        }
        #[allow(deprecated, and_others)]
        {
            let __proof = unsafe { __simd::Proof::new() };
            #[cfg(target_arch = "aarch64")]
            {
                #[inline]
                #[target_feature(enable = "neon")]
                fn __f__neon(_: __simd::Proof) {
                    unsafe {
                        __simd::assert_present::<__simd::NEON>();
                    }
                }
                if <__simd::NEON as __simd::Set>::POSSIBLE
                    && !__simd::lacks::<__simd::NEON>()
                {
                    return unsafe { __f__neon(__proof) };
                }
            }
            unsafe { __f__baseline(__proof) }
        }
    }
}
///The targets neon (aarch64), and the baseline.
pub(crate) const TARGETS: ::simd_core::Targets = {
    #[allow(unused_imports)]
    use ::simd_core::__private as __simd;
    ::simd_core::Targets::new(const {
        &[
            #[cfg(target_arch = "aarch64")]
            __simd::Listed::new("neon", <__simd::NEON as __simd::Set>::SET),
        ]
    })
};
