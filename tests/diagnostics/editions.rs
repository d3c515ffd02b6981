//! Messages in the oldest edition, where paths mean something else.

use integration_tests::build::{Crate, DEBUG};

const MISTAKES: &str = "
extern crate simd_core;
#[simd_core::dispatch(targets = \"avx3\")]
pub fn target() {}
#[simd_core::dispatch(target = \"avx2\")]
pub fn option() {}
";

#[test]
fn mistakes_are_told_in_the_edition_2015() {
    let said = DEBUG.compile(&[Crate::library("mistakes", MISTAKES).edition("2015")]).expect_err("mistakes");
    for message in ["unknown target feature `avx3`", "unknown option `target`"] {
        assert!(said.contains(message), "{message}: {said}");
    }
    assert!(!said.contains("E0433"), "{said}");
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
    DEBUG.compile(&[Crate::library("paths", PATHS).edition("2015")]).unwrap();
}
