//! An impl that is a promise exists where the build has the feature, wherever it is written.

#[target_feature(enable = "avx512f")]
fn needs() {}

#[allow(unused_macros, reason = "used where the build has the feature")]
macro_rules! promise {
    ($cpu:ty) => {
        // SAFETY: the build has the feature.
        unsafe impl super::Promise for $cpu {}
    };
}

#[simd_core::dispatch(targets = "avx512f")]
mod kernels {
    pub unsafe trait Promise {}

    pub fn promised<T: Promise>() {
        // SAFETY: as `T` promises.
        unsafe { super::needs() }
    }

    pub struct ByBlock;
    pub struct ByLength;
    pub struct ByConstant;
    pub struct Skipped;
    pub struct ByMacro;

    #[cfg(target_feature = "avx512f")]
    const CONSTANT: u8 = {
        // SAFETY: the build has the feature.
        unsafe impl Promise for ByConstant {}
        1
    };

    #[cfg(target_feature = "avx512f")]
    mod inner {
        const _: () = {
            // SAFETY: the build has the feature.
            unsafe impl super::Promise for super::ByBlock {}
        };

        pub struct Array(
            [u8; {
                // SAFETY: the build has the feature.
                unsafe impl super::Promise for super::ByLength {}
                1
            }],
        );

        #[dispatch(skip)]
        // SAFETY: the build has the feature.
        unsafe impl super::Promise for super::Skipped {}

        promise!(super::ByMacro);
    }
}

fn main() {
    kernels::promised::<kernels::ByBlock>();
    kernels::promised::<kernels::ByLength>();
    kernels::promised::<kernels::ByConstant>();
    kernels::promised::<kernels::Skipped>();
    kernels::promised::<kernels::ByMacro>();
}
