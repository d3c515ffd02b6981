//! What the CPU at hand can do.
use crate::mask::Mask;

/// The features of this CPU, with [`Mask::INIT`]: those that the build enables and those that the standard library
/// sees. A feature counts only if all that it implies is present too.
#[must_use]
pub(crate) fn detect() -> Mask {
    Mask::INIT.or(Mask::STATIC.or(seen()).closed())
}

macro_rules! define {
    ($($family:ident [$($arch:literal)*]
        detected [$(($constant:ident $name:tt $bit:literal $full:tt))*]
        static $static:tt later $later:tt unstable $unstable:tt tied $tied:tt;)*) => {
        $(
            /// What the standard library sees; under Miri, which emulates no CPU in particular, nothing.
            #[cfg(all(feature = "std", not(miri), any($(target_arch = $arch),*)))]
            #[allow(unused_mut, reason = "there are architectures for which the standard library detects nothing")]
            fn seen() -> Mask {
                let mut seen = Mask::EMPTY;
                $(if has!($family $name) {
                    seen = seen.or(Mask::bit($bit));
                })*
                seen
            }
        )*

        #[cfg(not(all(feature = "std", not(miri), any($($(target_arch = $arch),*),*))))]
        fn seen() -> Mask {
            Mask::EMPTY
        }
    };
}

#[cfg(all(feature = "std", not(miri)))]
#[allow(unused_macros, reason = "there are architectures for which the standard library detects nothing")]
macro_rules! has {
    (X86 $name:tt) => {
        std::arch::is_x86_feature_detected!($name)
    };
    (Aarch64 $name:tt) => {
        std::arch::is_aarch64_feature_detected!($name)
    };
    (Riscv $name:tt) => {
        std::arch::is_riscv_feature_detected!($name)
    };
    (Loongarch $name:tt) => {
        std::arch::is_loongarch_feature_detected!($name)
    };
    (S390x $name:tt) => {
        std::arch::is_s390x_feature_detected!($name)
    };
}

simd_core_macros::__features!(define);

#[cfg(test)]
mod tests;
