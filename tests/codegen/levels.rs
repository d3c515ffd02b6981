//! The tests of calls, at every level of optimisation: what they are about shows only where reads are merged and clones
//! are inlined. With `SIMD_CORE_TESTS=all`, at each level with and without debug assertions.

use integration_tests::has_compiler;
use integration_tests::scratch::{Profile, some_of};

#[test]
fn calls_at_every_level() {
    if has_compiler() {
        for profile in some_of(&Profile::ALL, 1) {
            profile.test("calls");
        }
    }
}
