//! The tests of calls, at every level of optimisation: what they are about shows only where reads are merged and clones
//! are inlined. With `SIMD_CORE_PROMISES=all`, at each level with and without debug assertions.

use integration_tests::has_compiler;
use integration_tests::scratch::Profile;

#[test]
fn calls_at_every_level() {
    if has_compiler() {
        let all = std::env::var_os("SIMD_CORE_PROMISES").is_some();
        // The lowest with debug assertions and the highest without.
        let profiles = if all { (0..8).collect() } else { vec![0, 6] };
        for index in profiles {
            Profile::ALL[index].test("calls");
        }
    }
}
