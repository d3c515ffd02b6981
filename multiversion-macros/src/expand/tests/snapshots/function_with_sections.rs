/// Reads.
///
/// ```
/// # read();
/// ```
///
#[cfg_attr(
    doc,
    doc = "\n\nCompiled for neon (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
/// # Safety
///
/// The pointer is valid.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub unsafe fn read(x: *const u8) -> u8 {
    {
        #[allow(unused_imports)]
        use ::simd_core::__private as __simd;
        #[inline]
        unsafe fn __read__baseline(x: *const u8, _: __simd::Proof) -> u8 {
            #[cfg(target_arch = "aarch64")]
            unsafe {
                __simd::assert_lacks::<__simd::NEON>();
            }
            unsafe { *x }
        }
        #[allow(deprecated, and_others)]
        {
            let __proof = unsafe { __simd::Proof::new() };
            #[cfg(target_arch = "aarch64")]
            {
                #[inline]
                #[target_feature(enable = "neon")]
                unsafe fn __read__neon(x: *const u8, _: __simd::Proof) -> u8 {
                    unsafe {
                        __simd::assert_present::<__simd::NEON>();
                    }
                    unsafe { *x }
                }
                if <__simd::NEON as __simd::Set>::POSSIBLE
                    && !__simd::lacks::<__simd::NEON>()
                {
                    return unsafe { __read__neon(x, __proof) };
                }
            }
            unsafe { __read__baseline(x, __proof) }
        }
    }
}
