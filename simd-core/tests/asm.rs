//! `simd_core::asm` on this test's own code: each assertion is seen to hold and to fail.
//!
//! What must hold is checked in optimised builds, and seen to be skipped in others. What must fail fails in both: the
//! binary is then said to be optimised, whatever it is.

#[path = "asm/errors.rs"]
mod errors;
#[path = "asm/failing.rs"]
mod failing;
#[path = "asm/fixtures.rs"]
mod fixtures;
#[path = "asm/holding.rs"]
mod holding;

use simd_core::asm::{Assert, Binary, Function};

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
