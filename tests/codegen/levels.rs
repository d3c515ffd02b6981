//! The tests of calls, at every level of optimisation: what they are about shows only where reads are merged and clones
//! are inlined. With `SIMD_CORE_PROMISES=all`, at each level with and without debug assertions.

use integration_tests::has_compiler;
use integration_tests::scratch::{Profile, asks_for_all};

/// The lowest level with debug assertions and the highest without.
const ENDS: [Profile; 2] = [Profile::new("1", true).units(1).inlining_more(), Profile::new("3", false)];

#[test]
fn calls_at_every_level() {
    if has_compiler() {
        let profiles: &[Profile] = if asks_for_all() { &Profile::ALL } else { &ENDS };
        for profile in profiles {
            profile.test("calls");
        }
    }
}
