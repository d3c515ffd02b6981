//! The tests of calls, at every level of optimisation: what they are about shows only where reads are merged and clones
//! are inlined. A plain run has them without optimisation, as it has all tests.

use integration_tests::build::{Build, INLINES_MORE, RELEASE, workspace};
use integration_tests::{asks_for_all, for_each, shown, skip};

#[test]
fn calls_at_every_level() {
    if !asks_for_all() {
        return skip("calls at other levels of optimisation; SIMD_CORE_TESTS=all");
    }
    const CHECKED: Build = Build { debug_assertions: true, ..RELEASE };
    const ONE_UNIT: Build = Build { codegen_units: 1, ..RELEASE };
    const INLINING: Build = Build { flags: INLINES_MORE, ..ONE_UNIT };
    // What shares a codegen unit can be inlined, and what is inlined shares its reads, so that few and many of each show something.
    let builds = [
        RELEASE,
        Build { opt_level: "1", debug_assertions: true, ..INLINING },
        Build { opt_level: "2", debug_assertions: true, ..ONE_UNIT },
        Build { debug_assertions: true, ..INLINING },
        Build { opt_level: "s", ..CHECKED },
        Build { opt_level: "1", ..RELEASE },
        Build { opt_level: "2", ..INLINING },
        Build { opt_level: "s", ..ONE_UNIT },
    ];
    for_each(builds, |build| {
        let output =
            build.as_here().cargo(&workspace(), &["test", "--package", "calls"]).output().expect("cargo starts");
        assert!(output.status.success(), "{}", shown(&output));
    });
}
