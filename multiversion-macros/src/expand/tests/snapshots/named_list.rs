/// Docs.
///The targets avx2 (x86, x86_64), sve2 (aarch64), and the baseline.
pub const simd: path::Targets = {
    path::Targets::new(const {
        &[
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            path::__private::Listed::new(
                "avx2",
                <path::__private::AVX2 as path::__private::StaticTarget>::SET,
            ),
            #[cfg(target_arch = "aarch64")]
            path::__private::Listed::new(
                "sve2",
                <path::__private::SVE2 as path::__private::StaticTarget>::SET,
            ),
        ]
    })
};
#[doc(hidden)]
#[macro_export]
macro_rules! __simd_a_lists_rs_3_9 {
    ({ $($callback:tt)* } $($rest:tt)*) => {
        $($callback)* ! { ["avx2", "sve2"] $($rest)* }
    };
    ($($rest:tt)*) => {
        ::core::compile_error! {
        "`simd` is a list of targets: write `#[dispatch(targets = simd)]`" }
    };
}
#[doc(hidden)]
pub use __simd_a_lists_rs_3_9 as simd;
simd! {
    { path::__private::__target_list } { simd } path; wide = ["avx512f", simd]
}
::core::compile_error! {
    "unknown target feature `avx22`\nhelp: did you mean `avx2`?"
}
///The targets , and the baseline.
const wrong: path::Targets = { path::Targets::new(const { &[] }) };
#[doc(hidden)]
macro_rules! __wrong_a_lists_rs_5_9 {
    ({ $($callback:tt)* } $($rest:tt)*) => {
        $($callback)* ! { [] $($rest)* }
    };
    ($($rest:tt)*) => {
        ::core::compile_error! {
        "`wrong` is a list of targets: write `#[dispatch(targets = wrong)]`" }
    };
}
#[doc(hidden)]
use __wrong_a_lists_rs_5_9 as wrong;
///The targets avx2 (x86, x86_64), and the baseline.
const own: path::Targets = {
    path::Targets::new(const {
        &[
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            path::__private::Listed::new(
                "avx2",
                <path::__private::AVX2 as path::__private::StaticTarget>::SET,
            ),
        ]
    })
};
#[doc(hidden)]
macro_rules! __own_a_lists_rs_6_9 {
    ({ $($callback:tt)* } $($rest:tt)*) => {
        $($callback)* ! { ["avx2"] $($rest)* }
    };
    ($($rest:tt)*) => {
        ::core::compile_error! {
        "`own` is a list of targets: write `#[dispatch(targets = own)]`" }
    };
}
#[doc(hidden)]
use __own_a_lists_rs_6_9 as own;
