//! Detection by the standard library.
use crate::mask::Mask;

macro_rules! define {
    ($($family:ident [$($arch:literal)*]
        detected [$(($constant:ident $name:tt $bit:literal $full:tt))*]
        static $static:tt later $later:tt unstable $unstable:tt tied $tied:tt;)*) => {
        $(
            #[cfg(any($(target_arch = $arch),*))]
            pub(crate) const DETECTABLE: Mask = Mask::bits(&[$($bit),*]);

            #[cfg(any($(target_arch = $arch),*))]
            #[allow(unused_mut, reason = "there are architectures for which the standard library detects nothing")]
            pub(crate) fn detected() -> Mask {
                let mut seen = Mask::EMPTY;
                $(if has!($family $name) {
                    seen = seen.or(Mask::bit($bit));
                })*
                seen
            }
        )*

        #[cfg(not(any($($(target_arch = $arch),*),*)))]
        pub(crate) const DETECTABLE: Mask = Mask::EMPTY;

        #[cfg(not(any($($(target_arch = $arch),*),*)))]
        pub(crate) fn detected() -> Mask {
            Mask::EMPTY
        }
    };
}

#[allow(unused_macros, reason = "there are architectures for which the standard library detects nothing")]
macro_rules! has {
    (X86 $name:tt) => {
        std::arch::is_x86_feature_detected!($name)
    };
    // To rustc this is FEAT_AES with FEAT_PMULL, and an Arm CPU may have the first only.
    (Aarch64 "aes") => {
        std::arch::is_aarch64_feature_detected!("aes") && pmull()
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

table!(features define);

/// The standard library's `aes` leaves FEAT_PMULL out on Linux, and its `pmull` is false on one family of CPUs that has it.
#[cfg(all(target_arch = "aarch64", any(target_os = "linux", target_os = "android")))]
fn pmull() -> bool {
    // SAFETY: the function reads a table that the process was given at its start.
    unsafe { libc::getauxval(libc::AT_HWCAP) & libc::HWCAP_PMULL != 0 }
}

#[cfg(all(target_arch = "aarch64", not(any(target_os = "linux", target_os = "android"))))]
fn pmull() -> bool {
    std::arch::is_aarch64_feature_detected!("pmull")
}
