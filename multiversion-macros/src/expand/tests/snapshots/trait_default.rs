trait Sum {
    #[cfg_attr(
        all(doc, not(doctest)),
        doc = "\n\nCompiled for neon (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
    )]
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sum(&self) -> u32 {
        {
            #[allow(unused_imports)]
            use Sum as _;
            trait __Dispatch: Sum {
                #[cfg(target_arch = "aarch64")]
                #[inline]
                #[forbid(unsafe_op_in_unsafe_fn)]
                #[allow(deprecated, and_others)]
                #[target_feature(enable = "neon")]
                unsafe fn __sum__neon(&self, _: ::simd_core::__private::Proof) -> u32 {
                    unsafe {
                        ::simd_core::__private::assert_present::<
                            ::simd_core::__private::NEON,
                        >();
                    }
                    self.total()
                }
                #[inline]
                fn __sum__baseline(&self, _: ::simd_core::__private::Proof) -> u32 {
                    #[cfg(target_arch = "aarch64")]
                    unsafe {
                        ::simd_core::__private::assert_lacks::<
                            ::simd_core::__private::NEON,
                        >();
                    }
                    self.total()
                }
            }
            impl<__This: ?::core::marker::Sized + Sum> __Dispatch for __This {}
            let __proof = unsafe { ::simd_core::__private::Proof::new() };
            #[cfg(target_arch = "aarch64")]
            {
                if !::simd_core::__private::lacks::<::simd_core::__private::NEON>() {
                    return unsafe { <Self as __Dispatch>::__sum__neon(self, __proof) };
                }
            }
            unsafe { <Self as __Dispatch>::__sum__baseline(self, __proof) }
        }
    }
}
