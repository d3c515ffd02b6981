//! The tests of calls, at every level of optimisation: what they are about shows only where reads are merged and clones
//! are inlined.

use integration_tests::has_compiler;
use integration_tests::scratch::Profile;

#[test]
fn calls_at_every_level() {
    if has_compiler() {
        for profile in Profile::ALL {
            profile.test("calls");
        }
    }
}
