//! The lines that rustdoc names for examples in documentation.

use integration_tests::build::{DEBUG, Package};
use integration_tests::shown;

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
    let package = Package::new("examples", EXAMPLES);
    let output = DEBUG.cargo(&package.directory, &["test", "--doc"]).output().expect("cargo runs these tests");
    assert!(output.status.success(), "{}", shown(&output));
    for line in ["function (line 2)", "kernels::first (line 10)", "kernels::second (line 19)"] {
        assert!(shown(&output).contains(line), "{line}: {}", shown(&output));
    }
}
