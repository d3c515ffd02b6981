#[cfg_attr(
    doc,
    doc = "\n\nCompiled for neon (aarch64) and for a baseline. The first of these that the CPU supports is selected at run time."
)]
impl Mul for Gf {
    type Output = Gf;
    #[inline(always)]
    fn mul(self, other: Gf) -> Gf {
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
                #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
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
                #[cfg_attr(
                    not(all(target_arch = "aarch64", target_feature = "neon")),
                    allow(deprecated, and_others)
                )]
                #[target_feature(enable = "neon")]
                unsafe fn __mul__neon(
                    self,
                    other: Gf,
                    _: ::simd_core::__private::Proof,
                ) -> Gf {
                    #[cfg(not(target_feature = "neon"))]
                    unsafe {
                        ::simd_core::__private::assert_present::<
                            ::simd_core::__private::NEON,
                        >();
                    }
                    product(self, other)
                }
                #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
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
            if ::core::cfg!(target_feature = "neon")
                || <::simd_core::__private::NEON as ::simd_core::__private::Set>::POSSIBLE
                    && !::simd_core::__private::lacks::<::simd_core::__private::NEON>()
            {
                return unsafe {
                    <Self as __Dispatch>::__mul__neon(self, other, __proof)
                };
            }
            #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
            { unsafe { <Self as __Dispatch>::__mul__baseline(self, other, __proof) } }
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            { ::core::unreachable!() }
        }
    }
}
