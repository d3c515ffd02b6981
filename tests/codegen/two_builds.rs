//! A library that is compiled for one set of features, in a program that is compiled for more: nothing is lost, and
//! each clone is the one that the library means.
#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]

use std::process::Command;

use integration_tests::scratch::{Profile, some_of, workspace};
use integration_tests::{has_compiler, shown, skip};

/// A plain run takes the first.
const PROFILES: [Profile; 5] = [
    Profile::new("3", false),
    Profile::new("3", true),
    Profile::new("1", false),
    Profile::new("2", false).units(1),
    Profile::new("s", false).units(1),
];

/// Only the program gets this.
const FLAG: &str = if cfg!(target_arch = "aarch64") { "-Ctarget-feature=+aes" } else { "-Ctarget-feature=+avx2" };

fn has_feature() -> bool {
    #[cfg(target_arch = "aarch64")]
    let has = std::arch::is_aarch64_feature_detected!("aes");
    #[cfg(target_arch = "x86_64")]
    let has = std::arch::is_x86_feature_detected!("avx2");
    has
}

#[test]
fn a_program_with_more_features_than_its_library() {
    if !has_compiler() {
        return;
    }
    if cfg!(simd_core_no_detect) || !has_feature() {
        skip("a program with more features than its library: there is no more");
        return;
    }
    for profile in some_of(&PROFILES, 1) {
        for flags in [&[][..], &[FLAG]] {
            let program = profile.build_with(&workspace(), "two-builds", "two-builds", flags);
            let output = Command::new(program).env_remove("SIMD_CORE_ONLY").output().expect("the program starts");
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{profile} {flags:?}: {}", shown(&output));
            assert_eq!(text, "1 [2, 2, 2, 2]\n2 [2, 2, 2, 2]\n", "{profile} {flags:?}");
        }
    }
}
