use super::{DETECTABLE, detect};
use crate::mask::Mask;

#[test]
fn detection_is_closed_and_has_the_builds_features() {
    let found = detect();
    assert!(found.contains(Mask::INIT) && found.contains(Mask::STATIC));
    assert_eq!(found.without(Mask::INIT).closed(), found.without(Mask::INIT));
    assert_eq!(detect(), found);
    // A dispatcher treats undetectable features as absent.
    assert!(Mask::INIT.or(Mask::STATIC).or(DETECTABLE).contains(found));
}

/// The standard library's answers, whichever source this build uses.
#[cfg(not(any(miri, simd_core_no_detect)))]
#[allow(clippy::duplicate_mod, reason = "the same file, compared with whoever is asked in this build")]
#[path = "standard.rs"]
mod standard;

#[test]
#[cfg(not(any(miri, simd_core_no_detect)))]
fn what_can_be_detected_is_what_the_standard_library_finds() {
    let features = DETECTABLE.without(Mask::PROPERTIES);
    assert!(standard::DETECTABLE.contains(features));
    let all = Mask::STATIC.or(standard::detected()).closed();
    assert_eq!(detect().without(Mask::INIT.or(Mask::PROPERTIES)), all.and(Mask::STATIC.or(features)));
}

#[test]
#[cfg(any(miri, simd_core_no_detect))]
fn without_detection_there_is_what_the_build_enables() {
    assert_eq!(detect(), Mask::INIT.or(Mask::STATIC).or(Mask::PROPERTIES));
}

#[test]
#[cfg(all(not(any(miri, simd_core_no_detect)), any(target_arch = "x86", target_arch = "x86_64")))]
fn x86_agrees_with_cpuid() {
    use crate::mask::feature;
    #[cfg(target_arch = "x86")]
    use core::arch::x86::__cpuid;
    #[cfg(target_arch = "x86_64")]
    use core::arch::x86_64::__cpuid;

    // Leaf 1, Intel SDM volume 2, CPUID: none of these needs the operating system's help beyond SSE.
    #[allow(unused_unsafe, reason = "a safe function on newer toolchains")]
    // SAFETY: every CPU on which the standard library runs has `cpuid`.
    let ecx = unsafe { __cpuid(1) }.ecx;
    for (bit, set) in [
        (0, feature::SSE3),
        (1, feature::PCLMULQDQ),
        (9, feature::SSSE3),
        (19, feature::SSE4_1),
        (20, feature::SSE4_2),
        (23, feature::POPCNT),
        (25, feature::AES),
        (30, feature::RDRAND),
    ] {
        assert_eq!(detect().contains(set.leaf), ecx >> bit & 1 == 1, "bit {bit}");
    }
}
