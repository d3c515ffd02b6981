crate::simd! {
    { ::simd_core::__private::__dispatch } { crate ::simd } { targets = crate ::simd,
    list = TARGETS } { fn f() {} }
}
