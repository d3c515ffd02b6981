//! The kernels against vectors and a plain reference, on every clone that this CPU can run.
use simd_core::detected;
use simd_core::testing::this_program;
use simd_crypto::{aes, gf, haraka, pmul};
use std::env;

mod suite;

/// What the process runs when the environment leaves only these features.
const ONLY: &str = "SIMD_CORE_ONLY";

/// Features that make each target of each kernel on this architecture the best, where the CPU has them; with the last,
/// that is the baseline. The best targets of all run in this process.
const TARGETS: &[&str] = if cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
    &["vaes,avx512f,gfni,pclmulqdq", "vaes,avx2,pclmulqdq", "aes,ssse3,pclmulqdq", ""]
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
            .args(["suite::", "the_target_runs", "--include-ignored", "--skip", "::once::"])
            .env(ONLY, target)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&out.stdout);
        assert!(out.status.success(), "with only {target:?}:\n{text}{}", String::from_utf8_lossy(&out.stderr));
        assert!(text.contains("test the_target_runs ... ok"), "{text}");
    }
}

/// The suite runs whatever clones there are, and passes. So that nobody takes that for more than it is, this names the
/// targets that this CPU lacks, past the capture of the test harness.
#[test]
fn what_this_cpu_lacks() {
    use simd_core::Status;
    use simd_crypto::targets;
    use std::io::Write;
    for (name, list) in [
        ("block", targets::block),
        ("blocks", targets::blocks),
        ("products", targets::products),
        ("bytes", targets::bytes),
        ("modes", targets::modes),
        ("chacha20", targets::chacha20),
    ] {
        assert_eq!(list.iter().filter(|target| target.status() == Status::Runs).count(), 1, "{name}: {list}");
        for target in list.iter() {
            if let Status::Lacks(features) = target.status() {
                let target = target.name();
                let _ = writeln!(std::io::stderr(), "{name}: skipped for {target}: this CPU lacks {features}");
            }
        }
    }
}

/// In such a process: the clones that it was started for are the ones that run, unless the CPU lacks them or the build has
/// more.
#[test]
#[ignore = "run by every_other_target with the environment set"]
fn the_target_runs() {
    let wanted = env::var(ONLY).unwrap();
    let best = best_of(&wanted);
    assert_eq!([aes::target(), haraka::target(), pmul::target(), gf::slices_target()], best);
}

/// The first target of AES, Haraka, products and slices of GF(2^8) that this process has; the build's own features cannot
/// be taken away.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn best_of(wanted: &str) -> [&'static str; 4] {
    /// Whether the CPU has a feature, and the build has it or the environment leaves it, or one that implies it.
    macro_rules! has {
        ($name:tt $($implied_by:literal)*) => {
            cfg!(target_feature = $name)
                || cfg!(not(any(miri, simd_core_no_detect)))
                    && std::is_x86_feature_detected!($name)
                    && (wanted.split(',').any(|word| [$name, $($implied_by),*].contains(&word)))
        };
    }
    let (vaes, avx512f, gfni) = (has!("vaes") && has!("aes" "vaes"), has!("avx512f"), has!("gfni"));
    let (avx2, ssse3) = (has!("avx2" "vaes" "avx512f"), has!("ssse3" "avx2" "vaes" "avx512f"));
    let aes = match (vaes, avx512f) {
        (true, true) => "avx512f,vaes",
        (true, false) => "vaes",
        (false, _) if has!("aes") => "aes",
        (false, _) => "baseline",
    };
    let pmul = match (avx2, has!("pclmulqdq")) {
        _ if cfg!(target_feature = "avx512vbmi2") => "avx512vl,avx512vbmi2,gfni,vpclmulqdq",
        (true, true) => "avx2,pclmulqdq",
        (false, true) => "pclmulqdq",
        (_, false) => "baseline",
    };
    let slices = match (avx2, gfni) {
        (true, true) if cfg!(target_feature = "avx512bw") => "avx512bw,avx512vl,gfni",
        (true, true) => "avx2,gfni",
        (true, false) => "avx2",
        (false, _) if ssse3 => "ssse3",
        (false, _) => "baseline",
    };
    [aes, if aes == "baseline" { aes } else { "aes" }, pmul, slices]
}

/// The same for other CPUs.
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn best_of(wanted: &str) -> [&'static str; 4] {
    #[cfg(target_arch = "aarch64")]
    {
        let aes = cfg!(target_feature = "aes")
            || cfg!(not(any(miri, simd_core_no_detect)))
                && std::arch::is_aarch64_feature_detected!("aes")
                && wanted == "aes";
        if aes { ["aes", "aes", "aes", "neon"] } else { ["baseline", "baseline", "baseline", "neon"] }
    }
    #[cfg(not(target_arch = "aarch64"))]
    {
        let _ = wanted;
        ["baseline"; 4]
    }
}

/// What the process says of itself agrees with what ordinary code is told.
#[test]
fn target_agrees_with_detection() {
    let aes = cfg!(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")) && detected!("aes");
    assert_eq!(haraka::target() == "aes", aes);
    assert_eq!(aes::target() != "baseline", aes);
    #[cfg(target_arch = "x86_64")]
    {
        assert_eq!(pmul::target() != "baseline", detected!("pclmulqdq"));
        assert_eq!(gf::slices_target() != "baseline", detected!("ssse3"));
    }
}
