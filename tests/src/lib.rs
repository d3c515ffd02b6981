//! Helpers shared by the integration tests.
//!
//! Most of them compile functions for [`TARGETS`], and the functions return what [`ran`] makes of the features that
//! they see. A test compares that with [`expected`], once for each target.

pub mod build;

use core::future::Future;
use core::task::{Context, Poll, Waker};
use std::io::Write;
use std::pin::pin;
use std::process::Output;
use std::{env, fmt};

/// The targets of most tests: the first is for x86, the second for x86 and aarch64. Other architectures have none.
pub const TARGETS: [&str; 2] = ["avx2,aes", "aes"];

/// The clone that ran, by the features that it saw; empty for the baseline.
pub const fn ran(avx2: bool, aes: bool) -> &'static str {
    match (avx2, aes) {
        (true, true) => TARGETS[0],
        (false, true) => TARGETS[1],
        (_, false) => "",
    }
}

/// The clone that has to run in this process.
pub fn expected() -> &'static str {
    TARGETS.into_iter().find(|target| available(target)).unwrap_or("")
}

/// Which of `avx2` and `aes` the clone that has to run in this process sees with `cfg`.
pub fn sees() -> (bool, bool) {
    let target = expected();
    (cfg!(target_feature = "avx2") || target == TARGETS[0], cfg!(target_feature = "aes") || !target.is_empty())
}

/// Whether this process has all features of `target`: whether the build enables each, or the CPU has it and the
/// environment leaves it.
pub fn available(target: &str) -> bool {
    let only = env::var("SIMD_CORE_ONLY").ok();
    let left = |feature| only.as_ref().is_none_or(|only| only.split(',').any(|name| name == feature));
    let asked = !cfg!(any(miri, simd_core_no_detect));
    target
        .split(',')
        .filter(|name| !name.is_empty())
        .all(|feature| enabled(feature) || (asked && on_this_cpu(feature) && left(feature)))
}

/// Whether the build enables `feature` everywhere.
fn enabled(feature: &str) -> bool {
    match feature {
        "aes" => cfg!(target_feature = "aes"),
        "avx2" => cfg!(target_feature = "avx2"),
        _ => panic!("add `{feature}` to the features of the tests"),
    }
}

/// The standard library's answer on `feature`.
fn on_this_cpu(feature: &str) -> bool {
    match feature {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        "aes" => std::arch::is_x86_feature_detected!("aes"),
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        "avx2" => std::arch::is_x86_feature_detected!("avx2"),
        #[cfg(target_arch = "aarch64")]
        "aes" => std::arch::is_aarch64_feature_detected!("aes"),
        _ => false,
    }
}

/// Whether tests that need a compiler can run: not where the tests themselves are emulated.
pub fn has_compiler() -> bool {
    let (host, target) = (env!("INTEGRATION_TESTS_HOST"), env!("INTEGRATION_TESTS_TARGET"));
    if host != target {
        skip(format_args!("tests of the compiler's output run on {host}, not on {target}"));
    }
    host == target
}

pub fn skip(why: impl fmt::Display) {
    report(format_args!("SKIPPED: {why}"));
}

/// Whether the environment asks for every variant of a check, as the gate does. A plain run takes a few of each.
pub fn asks_for_all() -> bool {
    match env::var("SIMD_CORE_TESTS") {
        Ok(value) if value == "all" => true,
        Ok(value) => panic!("SIMD_CORE_TESTS is `{value}`; expected `all`"),
        Err(_) => false,
    }
}

/// The first `plain` of `variants`, or all of them where the environment [asks for all](asks_for_all).
pub fn some_of<T>(variants: &[T], plain: usize) -> &[T] {
    if asks_for_all() {
        return variants;
    }
    if plain < variants.len() {
        skip(format_args!("all but {plain} of {} variants; SIMD_CORE_TESTS=all", variants.len()));
    }
    &variants[..plain]
}

/// Runs `check` for each of `variants`, also after one has failed, and panics with the names of all for which it has.
#[track_caller]
pub fn for_each<T: fmt::Display>(variants: impl IntoIterator<Item = T>, check: impl Fn(&T)) {
    let fails = |one: &T| std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| check(one))).is_err();
    let failed: Vec<String> = variants.into_iter().filter(fails).map(|one| one.to_string()).collect();
    assert!(failed.is_empty(), "it failed for {}", failed.join("; "));
}

/// Says `message` even where the test harness keeps a test's output to itself.
pub fn report(message: fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{message}");
}

pub fn shown(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../docs/testing.md")]
struct Testing;

#[cfg(all(doctest, feature = "host"))]
#[doc = include_str!("../../docs/assembly.md")]
struct Assembly;

#[cfg(all(doctest, feature = "host"))]
#[doc = include_str!("../../docs/guide.md")]
struct Guide;

#[cfg(doctest)]
#[doc = include_str!("../../docs/targets.md")]
struct Targets;
