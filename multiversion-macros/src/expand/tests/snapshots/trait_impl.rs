#[cfg_attr(
    all(doc, not(doctest)),
    doc = "\n\nCompiled for sve2 (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
impl Mul for Gf {
    type Output = Gf;
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul(self, other: Gf) -> Gf {
        {
            #[inline]
            fn __mul__baseline<B: ::simd_core::__private::core::ops::FnOnce() -> R, R>(
                __body: B,
            ) -> R {
                __body()
            }
            let __proof = unsafe { ::simd_core::__private::Proof::new() };
            #[cfg(target_arch = "aarch64")]
            {
                #[inline]
                #[target_feature(enable = "sve2")]
                fn __mul__sve2<B: ::simd_core::__private::core::ops::FnOnce() -> R, R>(
                    __body: B,
                ) -> R {
                    __body()
                }
                if !::simd_core::__private::lacks::<::simd_core::__private::SVE2>() {
                    return {
                        let __body = {
                            #[inline(always)]
                            move || -> Gf {
                                let __proof = __proof;
                                let _ = &raw const other;
                                let _ = &self;
                                unsafe {
                                    ::simd_core::__private::assert_present::<
                                        ::simd_core::__private::SVE2,
                                    >();
                                }
                                product(self, other)
                            }
                        };
                        unsafe { __mul__sve2(__body) }
                    };
                }
            }
            {
                let __body = {
                    #[inline(always)]
                    move || -> Gf {
                        let __proof = __proof;
                        let _ = &raw const other;
                        let _ = &self;
                        #[cfg(target_arch = "aarch64")]
                        unsafe {
                            ::simd_core::__private::assert_lacks::<
                                ::simd_core::__private::SVE2,
                            >();
                        }
                        product(self, other)
                    }
                };
                __mul__baseline(__body)
            }
        }
    }
}
