//! What keeps the clones of safe trait methods safe: rustc's check in the author's own build.

use std::process::Output;

use integration_tests::package::Package;
use integration_tests::scratch::TARGET;
use integration_tests::{has_compiler, shown};

/// A safe method that reads through a pointer, in the clones for one target alone.
const UNSAFE_WITHOUT_SAYING_SO: &str = "
pub struct Reader;
pub trait Read { fn read(&self, from: *const u32) -> u32; }
#[simd_core::dispatch(targets = \"avx2 | neon\")]
impl Read for Reader {
    fn read(&self, from: *const u32) -> u32 {
        #[cfg(any(target_feature = \"avx2\", target_feature = \"neon\"))]
        { *from }
        #[cfg(not(any(target_feature = \"avx2\", target_feature = \"neon\")))]
        { let _ = from; 0 }
    }
}
";

/// Compiles it with `flags` for rustc.
fn compiled(flags: &[&str]) -> Output {
    let package = Package::new(env!("CARGO_TARGET_TMPDIR"), "cap-lints", "2024", UNSAFE_WITHOUT_SAYING_SO);
    package
        .command(&["rustc", "--lib", "--target", TARGET])
        .arg("--")
        .args(flags)
        .output()
        .expect("cargo runs these tests")
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn a_safe_method_cannot_do_what_is_unsafe() {
    if has_compiler() {
        for flags in [&[][..], &["--cap-lints=warn"]] {
            let output = compiled(flags);
            let capped = flags != [""; 0];
            assert_eq!(output.status.success(), capped, "{flags:?}: {}", shown(&output));
            assert!(shown(&output).contains("dereference of raw pointer is unsafe"), "{flags:?}: {}", shown(&output));
        }
    }
}

/// A limit that `docs/design.md` gives the reason of. When this fails, the limit is gone.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn whoever_turns_lints_off_loses_the_check() {
    if has_compiler() {
        let output = compiled(&["--cap-lints=allow"]);
        assert!(output.status.success(), "rustc refuses it: {}", shown(&output));
    }
}
