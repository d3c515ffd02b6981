#[cfg_attr(
    doc,
    doc = "\n\nCompiled for neon (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
async fn wait(x: u8) -> u8 {
    {
        #[allow(unused_imports)]
        use ::simd_core::__private as __simd;
        #[inline]
        async fn __wait__baseline(x: u8, _: __simd::Proof) -> u8 {
            next(x).await
        }
        #[allow(deprecated, and_others)]
        {
            let __proof = unsafe { __simd::Proof::new() };
            #[cfg(target_arch = "aarch64")]
            {
                #[inline]
                #[target_feature(enable = "neon")]
                async fn __wait__neon(x: u8, _: __simd::Proof) -> u8 {
                    unsafe {
                        __simd::assert_present::<__simd::NEON>();
                    }
                    next(x).await
                }
                if <__simd::NEON as __simd::Set>::POSSIBLE
                    && !__simd::lacks::<__simd::NEON>()
                {
                    return unsafe { __wait__neon(x, __proof) }.await;
                }
            }
            unsafe { __wait__baseline(x, __proof) }.await
        }
    }
}
