//! Where the build has the best target's features, nothing is left of the dispatch.

use super::{Arch, Build, build, failure, says, targets};
use integration_tests::for_each;
use simd_core::asm::{Binary, Error, Features, Target};

/// No decision, and of each root the best clone only. The initialiser remains: other crates may need it.
fn nothing_is_left(binary: &Binary, arch: Arch) {
    let best = Features::parse(binary.architecture(), targets(arch)[0]).unwrap();
    for root in ["kinds::same_module", "kinds::other_crate", "kinds::operator", "kernels::large"] {
        match binary.clones(root) {
            Ok(clones) => {
                for clone in &clones {
                    assert_eq!(clone.target(), Some(Target::Features(best)), "`{}` is still there", clone.path());
                    clone.assert().within_target().no_dispatch_in_callees();
                }
            }
            // Without a choice to make, the clone can be inlined into its caller.
            Err(Error::NotFound { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    binary
        .function("plain::around_a_leaf")
        .unwrap()
        .assert()
        .no_calls_except(&["__large__avx2_pclmulqdq", "__large__aes_sha3"]);
}

#[test]
fn no_dispatcher_and_no_baseline_remain() {
    for_each(build::levels("promises-tree"), |build| {
        let (rustflags, enabled): (&[&str], _) = match build.arch {
            Arch::X86_64 => (&["-C", "target-cpu=x86-64-v3", "-C", "target-feature=+pclmulqdq"], "x86-64-v3,pclmulqdq"),
            Arch::Aarch64 => (&["-C", "target-feature=+sha3,+aes,+dotprod"], "sha3,aes,dotprod"),
        };
        let binary = build.more(rustflags).binary();
        nothing_is_left(&binary.with_enabled(enabled).unwrap(), build.arch);
    });
}

#[test]
fn a_dispatcher_that_remains_is_found() {
    for &arch in Arch::available() {
        let binary = Build::release(arch).binary();
        says(&failure(|| nothing_is_left(&binary, arch)), &["is still there"]);
    }
}
