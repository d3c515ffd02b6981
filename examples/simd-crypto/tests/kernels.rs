//! The kernels against vectors and a plain reference, on every clone that this CPU can run.
use integration_tests::skip;
use simd_core::{detected, target_list};
use simd_crypto::targets;

mod suite;

target_list! {
    /// The features that make each target of each kernel the best.
    every = "vaes,vpclmulqdq,gfni,avx512bw,avx512vl,avx512vbmi2 | vaes,gfni,avx2,pclmulqdq | aes,avx2,pclmulqdq \
             | aes,ssse3,pclmulqdq | aes,pmull"
}

/// The suite runs whatever clones there are, and passes. So that nobody takes that for more than it is, this names the
/// targets that this CPU lacks, past the capture of the test harness.
#[test]
fn what_this_cpu_lacks() {
    use simd_core::Status;

    for (name, list) in targets::ALL {
        assert_eq!(list.iter().filter(|target| target.status() == Status::Runs).count(), 1, "{name}: {list}");
        for target in list.iter() {
            if let Status::Lacks(features) = target.status() {
                let target = target.name();
                skip(format_args!("{name} for {target}: this CPU lacks {features}"));
            }
        }
    }
}

#[cfg(any(target_feature = "sse3", not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[test]
fn each_kernel_has_its_target() {
    skip("the build's own features cannot be taken away, and other architectures have fewer kernels");
}

/// The targets of AES, Haraka, products and slices of GF(2^8) that run for each of `every`.
#[cfg(all(not(target_feature = "sse3"), any(target_arch = "x86_64", target_arch = "aarch64")))]
#[test]
#[simd_core::testing::each_target(every)]
fn each_kernel_has_its_target() {
    // A list holds the targets of the architecture only.
    let expected = match every.iter().position(|target| target.name() == every.chosen()) {
        _ if every.chosen() == "baseline" => ["baseline"; 4],
        _ if cfg!(target_arch = "aarch64") => ["aes", "aes", "aes", "baseline"],
        Some(0) => ["avx512f,vaes", "avx512vl,vaes", "avx512vl,avx512vbmi2,gfni,vpclmulqdq", "avx512bw,avx512vl,gfni"],
        Some(1) => ["vaes", "aes", "avx2,pclmulqdq", "avx2,gfni"],
        Some(2) => ["aes", "aes", "avx2,pclmulqdq", "avx2"],
        _ => ["aes", "aes", "pclmulqdq", "ssse3"],
    };
    assert_eq!(
        [targets::blocks, targets::haraka512, targets::products, targets::bytes].map(simd_core::Targets::chosen),
        expected
    );
}

/// The process's report of itself agrees with what unannotated code sees.
#[test]
fn target_agrees_with_detection() {
    let aes = cfg!(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")) && detected!("aes");
    assert_eq!(targets::haraka512.chosen() != "baseline", aes);
    assert_eq!(targets::blocks.chosen() != "baseline", aes);
    #[cfg(target_arch = "x86_64")]
    {
        assert_eq!(targets::products.chosen() != "baseline", detected!("pclmulqdq"));
        assert_eq!(targets::bytes.chosen() != "baseline", detected!("ssse3"));
    }
}
