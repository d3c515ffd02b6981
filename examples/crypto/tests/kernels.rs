//! The kernels against vectors and a plain reference, on every clone that this CPU can run.
use simd_core::detected;
use simd_core::testing::this_program;
use simd_crypto::{aes, haraka};
use std::env;

mod suite;

/// What the process runs when the environment leaves only these features.
const ONLY: &str = "SIMD_CORE_ONLY";

/// Targets of the kernels on this architecture, best first; the last is the baseline.
const TARGETS: &[&str] = if cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
    &["vaes,avx512f", "vaes,avx2", "aes", ""]
} else if cfg!(target_arch = "aarch64") {
    &["aes", ""]
} else {
    &[""]
};

/// The suite again in processes that see fewer features. This process tests the best that the CPU has.
#[test]
fn every_other_target() {
    if env::var_os(ONLY).is_some() {
        return;
    }
    for target in TARGETS {
        let out = this_program()
            .args(["suite::", "--include-ignored", "the_target_runs"])
            .env(ONLY, target)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&out.stdout);
        assert!(out.status.success(), "with only {target:?}:\n{text}{}", String::from_utf8_lossy(&out.stderr));
        assert!(text.contains("test the_target_runs ... ok"), "{text}");
    }
}

/// In such a process: the clone that it was started for is the one that runs, unless the CPU lacks it or the build has more.
#[test]
#[ignore = "run by every_other_target with the environment set"]
fn the_target_runs() {
    let wanted = env::var(ONLY).unwrap();
    let best = best_of(&wanted);
    assert_eq!(aes::target(), best);
    assert_eq!(haraka::target(), if best == "baseline" { "baseline" } else { "aes" });
}

/// The first target that this process has; the build's own features cannot be taken away.
fn best_of(wanted: &str) -> &'static str {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        let vaes = std::is_x86_feature_detected!("vaes") && (wanted.contains("vaes") || cfg!(target_feature = "vaes"));
        let avx512 = std::is_x86_feature_detected!("avx512f")
            && (wanted.contains("avx512f") || cfg!(target_feature = "avx512f"));
        let aes = std::is_x86_feature_detected!("aes") && (wanted.contains("aes") || cfg!(target_feature = "aes"));
        match (vaes, avx512, aes) {
            (true, true, _) => "vaes,avx512f",
            (true, false, _) => "vaes,avx2",
            (false, _, true) => "aes",
            (false, _, false) => "baseline",
        }
    }
    #[cfg(target_arch = "aarch64")]
    {
        let aes = std::arch::is_aarch64_feature_detected!("aes") && (wanted == "aes" || cfg!(target_feature = "aes"));
        if aes { "aes" } else { "baseline" }
    }
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
    {
        let _ = wanted;
        "baseline"
    }
}

/// What the process says of itself agrees with what ordinary code is told.
#[test]
fn target_agrees_with_detection() {
    let aes = cfg!(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")) && detected!("aes");
    assert_eq!(haraka::target() == "aes", aes);
    assert_eq!(aes::target() != "baseline", aes);
}
