//! Detection without the standard library, where there is a sound way.
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    not(any(target_env = "sgx", target_os = "none", target_os = "uefi"))
))]
#[path = "cpuid.rs"]
mod source;
#[cfg(any(
    all(target_arch = "aarch64", any(target_os = "linux", target_os = "android")),
    all(target_arch = "loongarch64", target_os = "linux")
))]
#[path = "kernel.rs"]
mod source;
#[cfg(all(target_arch = "aarch64", target_vendor = "apple"))]
#[path = "apple.rs"]
mod source;
// On x86 such a program has no system that saves vector registers, or may not execute `cpuid`.
#[cfg(not(any(
    all(
        any(target_arch = "x86", target_arch = "x86_64"),
        not(any(target_env = "sgx", target_os = "none", target_os = "uefi"))
    ),
    all(target_arch = "aarch64", any(target_os = "linux", target_os = "android", target_vendor = "apple")),
    all(target_arch = "loongarch64", target_os = "linux")
)))]
#[path = "none.rs"]
mod source;

pub(crate) use source::{DETECTABLE, detected};
