//! The audit of this test program: its clones, and the fixture that uses more than its target.

use simd_core_asm::{Features, Trust};

#[test]
fn clones_are_behind_their_dispatchers() {
    // Without optimisation, a test program takes half a minute to read.
    if cfg!(debug_assertions) && std::env::var_os("SIMD_CORE_TESTS").is_none() {
        eprintln!("SKIPPED: an audit of an unoptimised test program; SIMD_CORE_TESTS=all");
        return;
    }
    let binary = super::binary();
    let baseline = Features::enabled(binary.architecture());
    if baseline.contains("aes") || baseline.contains("avx2") {
        return; // The build has everywhere what the clones need, or what the fixture should not have.
    }
    let audit = binary.audit(&baseline, &Trust::default()).unwrap();
    let paths = audit.findings.iter().map(|finding| finding.path.as_str());
    let ours: Vec<&str> = paths.filter(|path| path.contains("fixtures::")).collect();
    assert!(matches!(ours[..], [path] if path.ends_with("overreaching::__overreaching__aes")), "{ours:?}");
    // Without optimisation nothing in the clones needs their targets.
    assert!(audit.clones > 0 || cfg!(debug_assertions), "{audit:?}");
}
