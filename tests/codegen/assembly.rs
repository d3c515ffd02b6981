//! The program of `docs/assembly.md`, so that its commands can be run: a search whose helper is inlined, and one whose helper
//! is not.

use core::hint::black_box;
use simd_core::asm::{self, Target};
use simd_core::dispatch;

#[dispatch(targets = "avx2,popcnt | popcnt | aarch64:dotprod")]
mod whole {
    /// The distance of the nearest string.
    pub fn nearest(wanted: &[u64; 8], strings: &[[u64; 8]]) -> Option<u32> {
        strings.iter().map(|string| distance(wanted, string)).min()
    }

    /// The number of bits in which two strings differ.
    fn distance(a: &[u64; 8], b: &[u64; 8]) -> u32 {
        a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
    }
}

/// The same, but that the helper is unannotated code, and was too large to be inlined.
#[dispatch(targets = "avx2,popcnt | popcnt | aarch64:dotprod")]
mod lost {
    /// The distance of the nearest string.
    pub fn nearest(wanted: &[u64; 8], strings: &[[u64; 8]]) -> Option<u32> {
        strings.iter().map(|string| super::distance(wanted, string)).min()
    }
}

#[inline(never)]
fn distance(a: &[u64; 8], b: &[u64; 8]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
}

/// Has a panic left in it, which costs no features.
#[dispatch(targets = "avx2,popcnt | popcnt | aarch64:dotprod")]
mod panics {
    /// The number of bits in `words` from `start` on.
    pub fn ones(words: &[u64], start: usize) -> u32 {
        words[start..].iter().map(|word| word.count_ones()).sum()
    }
}

/// Keeps both in the program, and looks that the clones that the page is about are there.
fn clones(path: &str) -> Option<asm::Clones> {
    let nearest: [fn(&[u64; 8], &[[u64; 8]]) -> Option<u32>; 2] = [whole::nearest, lost::nearest];
    for nearest in black_box(nearest) {
        assert_eq!(nearest(&[7; 8], &[[0; 8], [3; 8]]), Some(8));
    }
    let why = if cfg!(debug_assertions) {
        "the page is about release builds"
    } else if cfg!(any(target_feature = "popcnt", target_feature = "dotprod")) {
        "the build decides"
    } else if cfg!(simd_core_portable) {
        "the portable reader folds nothing"
    } else {
        return Some(asm::clones(path).unwrap());
    };
    integration_tests::skip(format_args!("the clones of {path}: {why}"));
    None
}

/// The clones for targets; the baseline tests features on entry.
fn checked(path: &str) {
    let Some(clones) = clones(path) else { return };
    for clone in clones.iter().filter(|clone| clone.target() != Some(Target::Baseline)) {
        clone.assert().calls_only_clones_and(&[]).no_dispatch().within_target();
    }
}

#[test]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn the_helper_is_inlined() {
    checked("whole::nearest");
}

#[test]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn a_panic_is_no_loss() {
    let ones: fn(&[u64], usize) -> u32 = panics::ones;
    assert_eq!(black_box(ones)(&[1, 3], 1), 2);
    checked("panics::ones");
    let Some(clones) = clones("panics::ones") else { return };
    let panics = |clone: &asm::Function| clone.calls_left().iter().any(|call| call.kind == asm::CalleeKind::Panic);
    assert!(clones.iter().all(panics));
}

#[test]
#[ignore = "fails, to show what is printed then"]
fn the_helper_is_lost() {
    checked("lost::nearest");
}

#[test]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn the_report_names_what_was_lost() {
    let Some(clones) = clones("lost::nearest") else { return };
    println!("{}", asm::report("assembly::lost").unwrap());
    let report = clones.report();
    let mut lines = report.lines().skip_while(|line| !line.contains("calls assembly::distance"));
    lines.next().unwrap_or_else(|| panic!("the helper is not in\n{report}"));
    let what = lines.next().expect("what it is");
    assert_eq!(what, "      not dispatched: no clone, compiled for the build's own features");
    let panic = std::panic::catch_unwind(|| checked("lost::nearest")).expect_err("the helper was lost");
    let message = panic.downcast_ref::<String>().expect("a formatted message");
    assert!(message.contains("it calls `assembly::distance`"), "{message}");
}
