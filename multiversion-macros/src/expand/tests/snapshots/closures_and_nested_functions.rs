#[cfg_attr(
    doc,
    doc = "\n\nCompiled for neon (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn apply(xs: &[u32]) -> u32 {
    {
        #[allow(unused_imports)]
        use ::simd_core::__private as __simd;
        #[inline]
        fn __apply__baseline(xs: &[u32], _: __simd::Proof) -> u32 {
            #[cfg(target_arch = "aarch64")]
            unsafe {
                __simd::assert_lacks::<__simd::NEON>();
            }
            {
                fn twice(x: u32) -> u32 {
                    x * 2
                }
                xs.iter().map(|&x| twice(x)).sum()
            }
        }
        #[allow(deprecated, and_others)]
        {
            let __proof = unsafe { __simd::Proof::new() };
            #[cfg(target_arch = "aarch64")]
            {
                #[inline]
                #[target_feature(enable = "neon")]
                fn __apply__neon(xs: &[u32], _: __simd::Proof) -> u32 {
                    unsafe {
                        __simd::assert_present::<__simd::NEON>();
                    }
                    #[inline(always)]
                    fn twice(x: u32) -> u32 {
                        #[inline]
                        #[target_feature(enable = "neon")]
                        fn __twice__neon(x: u32) -> u32 {
                            unsafe {
                                __simd::assert_present::<__simd::NEON>();
                            }
                            x * 2
                        }
                        if __simd::lacks::<__simd::NEON>() {
                            __simd::target_lost()
                        }
                        {}
                        unsafe { __twice__neon(x) }
                    }
                    xs.iter()
                        .map(|&x| {
                            unsafe {
                                __simd::assert_present::<__simd::NEON>();
                            }
                            twice(x)
                        })
                        .sum()
                }
                if <__simd::NEON as __simd::Set>::POSSIBLE
                    && !__simd::lacks::<__simd::NEON>()
                {
                    return unsafe { __apply__neon(xs, __proof) };
                }
            }
            unsafe { __apply__baseline(xs, __proof) }
        }
    }
}
