//! The assertions on this test's own code: each assertion is seen to hold and to fail.
//!
//! Assertions that must hold are checked in optimised builds, and seen to be skipped in others. Those that must fail fail in both: the
//! binary is then said to be optimised, whatever it is.

#[path = "asm/auditing.rs"]
mod auditing;
#[path = "asm/errors.rs"]
mod errors;
#[path = "asm/failing.rs"]
mod failing;
#[path = "asm/files.rs"]
mod files;
#[path = "asm/fixtures.rs"]
mod fixtures;
#[path = "asm/holding.rs"]
mod holding;

use std::io::Write as _;

use simd_core_asm::{Assert, Binary, Function};

/// The wide target of the fixtures, as it stands in the attribute.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
const WIDE: &str = "avx2,pclmulqdq";
/// The wide target of the fixtures, as it stands in the attribute.
#[cfg(target_arch = "aarch64")]
const WIDE: &str = "sha3,dotprod";

/// Makes the linker keep the fixtures.
fn binary() -> Binary {
    fixtures::keep();
    Binary::current().unwrap()
}

/// Whether every clone of the fixtures is there. If not, says which test does nothing, past the harness's capture.
#[track_caller]
fn all_clones() -> bool {
    let enabled = cfg!(any(
        target_feature = "aes",
        all(target_feature = "avx2", target_feature = "pclmulqdq"),
        all(target_feature = "sha3", target_feature = "dotprod")
    ));
    present(enabled, "the build enables a target of the fixtures, which takes the baseline's place")
}

/// Whether clones decide nothing for a second time.
#[track_caller]
fn reads_fold() -> bool {
    present(cfg!(any(miri, simd_core_portable)), "the portable reader folds nothing")
}

/// Whether some CPU that the build is for lacks what the overreaching fixture uses.
#[track_caller]
fn can_overreach() -> bool {
    let enabled = cfg!(any(target_feature = "avx2", target_feature = "sha3"));
    present(enabled, "the build enables the features that should be too much")
}

#[track_caller]
fn present(missing: bool, why: &str) -> bool {
    if missing {
        let line = format!("SKIPPED the test at {}: {why}\n", core::panic::Location::caller());
        _ = std::io::stderr().write_all(line.as_bytes());
    }
    !missing
}

/// The text of the panic with which a check on this function fails, were its code optimised or not.
fn fault(path: &str, check: impl FnOnce(Assert<'_>) -> Assert<'_>) -> String {
    let function = binary().optimized().function(path).unwrap();
    failure(&function, check)
}

fn failure(function: &Function, check: impl FnOnce(Assert<'_>) -> Assert<'_>) -> String {
    let check = core::panic::AssertUnwindSafe(|| {
        check(function.assert());
    });
    let panic = std::panic::catch_unwind(check).expect_err("the check holds, though it should not");
    *panic.downcast::<String>().unwrap()
}

/// Checks that each part is in the text.
#[track_caller]
fn says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
}
