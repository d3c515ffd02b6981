mod kernels {
    #[cfg_attr(
        doc,
        doc = "\n\nCompiled for neon (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
    )]
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn sum(xs: &[u32]) -> u32 {
        {
            #[allow(unused_imports)]
            use ::simd_core::__private as __simd;
            #[inline]
            fn __sum__baseline(xs: &[u32], _: __simd::Proof) -> u32 {
                #[cfg(target_arch = "aarch64")]
                unsafe {
                    __simd::assert_lacks::<__simd::NEON>();
                }
                xs.iter().fold(0, |sum, &x| add(sum, x))
            }
            #[allow(deprecated, and_others)]
            {
                let __proof = unsafe { __simd::Proof::new() };
                #[cfg(target_arch = "aarch64")]
                {
                    #[inline]
                    #[target_feature(enable = "neon")]
                    fn __sum__neon(xs: &[u32], _: __simd::Proof) -> u32 {
                        unsafe {
                            __simd::assert_present::<__simd::NEON>();
                        }
                        xs.iter()
                            .fold(
                                0,
                                |sum, &x| {
                                    unsafe {
                                        __simd::assert_present::<__simd::NEON>();
                                    }
                                    add(sum, x)
                                },
                            )
                    }
                    if <__simd::NEON as __simd::Set>::POSSIBLE
                        && !__simd::lacks::<__simd::NEON>()
                    {
                        return unsafe { __sum__neon(xs, __proof) };
                    }
                }
                unsafe { __sum__baseline(xs, __proof) }
            }
        }
    }
    #[inline(always)]
    fn add(a: u32, b: u32) -> u32 {
        a.wrapping_add(b)
    }
}
