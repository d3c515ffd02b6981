#[cfg_attr(
    all(doc, not(doctest)),
    doc = "\n\nCompiled for neon (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
impl Mul for Gf {
    type Output = Gf;
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul(self, other @ _: Gf) -> Gf {
        {
            #[allow(unused_imports)]
            use Mul as _;
            #[allow(clippy::min_ident_chars)]
            trait __Dispatch: ::core::marker::Sized {
                #[cfg(target_arch = "aarch64")]
                unsafe fn __mul__neon(
                    self,
                    other: Gf,
                    _: ::simd_core::__private::Proof,
                ) -> Gf;
                fn __mul__baseline(
                    self,
                    other: Gf,
                    _: ::simd_core::__private::Proof,
                ) -> Gf;
            }
            #[allow(clippy::assign_op_pattern)]
            impl __Dispatch for Gf {
                #[cfg(target_arch = "aarch64")]
                #[inline]
                #[forbid(unsafe_op_in_unsafe_fn)]
                #[allow(deprecated, and_others)]
                #[target_feature(enable = "neon")]
                unsafe fn __mul__neon(
                    self,
                    other: Gf,
                    _: ::simd_core::__private::Proof,
                ) -> Gf {
                    unsafe {
                        ::simd_core::__private::assert_present::<
                            ::simd_core::__private::NEON,
                        >();
                    }
                    product(self, other)
                }
                #[inline]
                fn __mul__baseline(
                    self,
                    other: Gf,
                    _: ::simd_core::__private::Proof,
                ) -> Gf {
                    #[cfg(target_arch = "aarch64")]
                    unsafe {
                        ::simd_core::__private::assert_lacks::<
                            ::simd_core::__private::NEON,
                        >();
                    }
                    product(self, other)
                }
            }
            let __proof = unsafe { ::simd_core::__private::Proof::new() };
            #[cfg(target_arch = "aarch64")]
            {
                if !::simd_core::__private::lacks::<::simd_core::__private::NEON>() {
                    return unsafe {
                        <Self as __Dispatch>::__mul__neon(self, other, __proof)
                    };
                }
            }
            unsafe { <Self as __Dispatch>::__mul__baseline(self, other, __proof) }
        }
    }
}
