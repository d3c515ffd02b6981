//! The lines that rustdoc names for examples in documentation.

use integration_tests::package::Package;
use integration_tests::scratch::TARGET;
use integration_tests::{has_compiler, shown};

const EXAMPLES: &str = "
/// ```
/// examples::function();
/// ```
#[simd_core::dispatch(targets = \"avx2 | sve2\")]
pub fn function() {}

#[simd_core::dispatch(targets = \"avx2 | sve2\")]
pub mod kernels {
    /// ```
    /// examples::kernels::first();
    /// ```
    pub fn first() {}

    /// A second one, with a section.
    ///
    /// # Examples
    ///
    /// ```
    /// examples::kernels::second();
    /// ```
    #[must_use]
    pub fn second() -> u8 { 1 }
}
";

#[test]
fn examples_have_their_lines() {
    if has_compiler() {
        let package = Package::new(env!("CARGO_TARGET_TMPDIR"), "examples", "2024", EXAMPLES);
        let output = package.command(&["test", "--doc", "--target", TARGET]).output().expect("cargo runs these tests");
        assert!(output.status.success(), "{}", shown(&output));
        for line in ["function (line 2)", "kernels::first (line 10)", "kernels::second (line 19)"] {
            assert!(shown(&output).contains(line), "{line}: {}", shown(&output));
        }
    }
}
