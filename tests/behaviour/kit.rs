//! The test kit as its users have it: tests that run once for each target.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use integration_tests::{TARGETS, expected, ran};
use simd_core::testing::{agree, each_target};
use simd_core::{Status, dispatch};
mod failing;

#[dispatch(targets = "avx2,aes | aes", list = LIST)]
fn which() -> &'static str {
    ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
}

#[dispatch(targets = "avx2,aes | aes")]
fn sum(xs: &[u32]) -> u32 {
    xs.iter().fold(0, |sum, &x| sum.wrapping_add(x))
}

/// Whether this is the process for one target.
fn child() -> Option<String> {
    std::env::var("SIMD_CORE_TESTING_CHILD").ok()
}

/// The name that `which` goes by in the list.
fn name(which: &str) -> &str {
    match which {
        "" => "baseline",
        // Implied features are not named, and names stand in the order of rustc's table.
        which if which == TARGETS[0] => LIST.iter().next().unwrap().name(),
        which => which,
    }
}

#[test]
#[each_target(targets = "avx2,aes | aes")]
fn runs_the_target_it_was_started_for() {
    assert_eq!(which(), expected());
    assert_eq!(LIST.chosen(), name(expected()));
    if let Some(target) = child() {
        assert_eq!(target, LIST.chosen());
        let runs = LIST.iter().filter(|target| target.status() == Status::Runs);
        assert_eq!(runs.map(|target| target.name()).collect::<Vec<_>>(), [target]);
    }
}

#[each_target(LIST)]
#[test]
fn before_or_after_test() {
    assert_eq!(which(), expected());
}

mod in_a_module {
    use super::*;

    #[test]
    #[simd_core::testing::each_target(["avx2,aes", "aes"], crate = ::simd_core)]
    fn has_its_path() {
        assert_eq!(which(), expected());
    }
}

#[test]
#[each_target(LIST)]
fn r#loop() {
    assert_eq!(which(), expected());
}

#[test]
#[each_target(LIST)]
fn with_a_result() -> Result<(), std::num::ParseIntError> {
    let number: u32 = "17".parse()?;
    assert_eq!(sum(&[number, 1]), 18);
    Ok(())
}

#[test]
#[each_target(LIST)]
fn with_an_exit_code() -> ExitCode {
    if sum(&[]) == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[test]
#[ignore = "to be run with --ignored or --include-ignored"]
#[each_target(LIST)]
fn ignored() {
    assert_eq!(which(), expected());
}

/// The text for a bug report, in each process.
#[test]
#[each_target(LIST)]
#[cfg(all(
    target_arch = "x86_64",
    not(any(target_feature = "aes", target_feature = "avx2", miri, simd_core_no_detect))
))]
fn the_table() {
    let lines = match LIST.chosen() {
        "baseline" => ["not here, lacks avx2, aes", "not here, lacks aes", "runs"],
        "aes" => ["not here, lacks avx2", "runs", "not needed"],
        _ => ["runs", "not needed", "not needed"],
    };
    let names = ["avx2,aes", "aes", "baseline"];
    let table: Vec<String> = names.iter().zip(lines).map(|(name, line)| format!("{name}: {line}")).collect();
    assert_eq!(LIST.to_string(), table.join("\n"));
    let found = simd_core::features();
    assert_eq!(found.contains("aes"), which().contains("aes"));
    assert_eq!(format!(", {found},").contains(", avx2,"), which().contains("avx2"));
}

/// Targets after one that the build enables.
#[test]
#[cfg(target_arch = "x86_64")]
fn what_can_never_run() {
    let list = simd_core::targets!("x86_64: sse2");
    let statuses: Vec<Status> = list.iter().map(|target| target.status()).collect();
    assert_eq!(statuses, [Status::Runs, Status::LeftOut]);
    assert_eq!(list.to_string().lines().last(), Some("baseline: left out, the build enables a better one"));
    assert_eq!(list.chosen(), "sse2");
}

/// As attributes do that run futures.
macro_rules! async_test {
    ($(#[$attribute:meta])* async fn $name:ident() $body:block) => {
        #[test]
        $(#[$attribute])*
        fn $name() {
            integration_tests::block_on(async $body);
        }
    };
}
async_test! {
    #[simd_core::testing::each_target(LIST)]
    async fn asynchronous() {
        assert_eq!(std::future::ready(which()).await, expected());
    }
}

/// As they do it if they come after this one.
#[test]
fn asynchronous_inside() {
    #[simd_core::testing::each_target(LIST)]
    async fn asynchronous_inside() -> Result<(), String> {
        assert_eq!(std::future::ready(which()).await, expected());
        Ok(())
    }
    assert_eq!(integration_tests::block_on(asynchronous_inside()), Ok(()));
}

macro_rules! make {
    ($name:ident) => {
        #[test]
        #[each_target(LIST)]
        fn $name() {
            assert_eq!(which(), expected());
        }
    };
}
make!(made_by_a_macro);

#[test]
#[each_target(LIST)]
fn results_of_every_kind_agree() {
    assert_eq!(agree(|| sum(&[1, 2, 3])), 6);
    agree(|| "several\nlines, a \\ and \u{1}simd_core begins".to_owned());
    agree(|| vec![1_u8; 100_000]);
    if cfg!(panic = "unwind") {
        let panic = std::panic::catch_unwind(|| agree(|| sum(&vec![1, 2][3..])));
        assert!(panic.is_err());
    }
}

proptest::proptest! {
    #[test]
    #[simd_core::testing::each_target(LIST)]
    fn sums_agree(xs: Vec<u32>) {
        agree(|| sum(&xs));
    }
}
