//! Messages in the oldest edition, where paths mean something else.

use integration_tests::package::Package;
use integration_tests::scratch::TARGET;
use integration_tests::{has_compiler, shown};

const MISTAKES: &str = "
extern crate simd_core;
#[simd_core::dispatch(targets = \"avx3\")]
pub fn target() {}
#[simd_core::dispatch(target = \"avx2\")]
pub fn option() {}
";

#[test]
fn mistakes_are_told_in_the_edition_2015() {
    if has_compiler() {
        let package = Package::new(env!("CARGO_TARGET_TMPDIR"), "mistakes", "2015", MISTAKES);
        let output = package.command(&["build", "--lib", "--target", TARGET]).output().expect("cargo runs these tests");
        assert!(!output.status.success());
        for message in ["unknown target feature `avx3`", "unknown option `target`"] {
            assert!(shown(&output).contains(message), "{message}: {}", shown(&output));
        }
        assert!(!shown(&output).contains("E0433"), "{}", shown(&output));
    }
}

const PATHS: &str = "
mod paths {
    extern crate simd_core as other;
    use self::other::dispatch;
    #[dispatch(targets = \"avx2 | sve2\", crate = self::other)]
    pub fn f(x: u32) -> u32 { let add = |y| x + y; add(1) }
    #[dispatch(targets = \"avx2 | sve2\", crate = ::paths::other)]
    mod inner {
        pub fn f(x: u32) -> u32 { let add = |y| x + y; add(1) }
    }
    pub fn g() -> u32 { inner::f(1) }
}
pub fn f() -> u32 { paths::f(1) + paths::g() }
";

#[test]
fn a_path_to_the_crate_is_the_users_in_the_edition_2015() {
    if has_compiler() {
        let package = Package::new(env!("CARGO_TARGET_TMPDIR"), "paths", "2015", PATHS);
        let output = package.command(&["build", "--lib", "--target", TARGET]).output().expect("cargo runs these tests");
        assert!(output.status.success(), "{}", shown(&output));
    }
}
