trait Sum {
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sum(&self) -> u32 {
        {
            #[inline]
            fn __sum__baseline<B: ::simd_core::__private::core::ops::FnOnce() -> R, R>(
                __body: B,
            ) -> R {
                __body()
            }
            let __proof = unsafe { ::simd_core::__private::Proof::new() };
            #[cfg(target_arch = "aarch64")]
            {
                #[inline]
                #[target_feature(enable = "sve2")]
                fn __sum__sve2<B: ::simd_core::__private::core::ops::FnOnce() -> R, R>(
                    __body: B,
                ) -> R {
                    __body()
                }
                if !::simd_core::__private::lacks::<::simd_core::__private::SVE2>() {
                    return {
                        let __body = {
                            #[inline(always)]
                            move || -> u32 {
                                let __proof = __proof;
                                unsafe {
                                    ::simd_core::__private::assert_present::<
                                        ::simd_core::__private::SVE2,
                                    >();
                                }
                                self.total()
                            }
                        };
                        unsafe { __sum__sve2(__body) }
                    };
                }
            }
            {
                let __body = {
                    #[inline(always)]
                    move || -> u32 {
                        let __proof = __proof;
                        #[cfg(target_arch = "aarch64")]
                        unsafe {
                            ::simd_core::__private::assert_lacks::<
                                ::simd_core::__private::SVE2,
                            >();
                        }
                        self.total()
                    }
                };
                __sum__baseline(__body)
            }
        }
    }
}
