//! AES kernels are straight code.

use super::{Arch, Build, build, failure, says};
use integration_tests::{asks_for_all, for_each, skip};
use simd_core::asm::{Binary, Function};

fn clone(binary: &Binary, path: &str, target: &str) -> Function {
    let clones = binary.clones(path).unwrap();
    clones.target(target).unwrap();
    clones.into_vec().into_iter().find(|clone| clone.target().is_some_and(|name| name.to_string() == target)).unwrap()
}

/// So many AES rounds, one after the other: no branch, no call, no panic, no decision.
fn straight(function: &Function, arch: Arch, rounds: usize) {
    let function = function.assert().no_calls().no_panics().no_dispatch().within_target();
    match arch {
        Arch::X86_64 => function.count("*aesenc", rounds).not_contains("j*"),
        Arch::Aarch64 => function.count("aese", rounds).count("aesmc", rounds).not_contains("b*").not_contains("cb*"),
    };
}

/// The program for each architecture, with a planted fault or without; none in a plain run, for which it takes too long to compile.
pub(super) fn releases(fault: &'static str) -> Vec<Build> {
    let all = |&arch| Build { package: "promises-aes", fault, ..Build::release(arch) };
    if asks_for_all() {
        Arch::available().iter().map(all).collect()
    } else {
        skip("machine code of AES kernels; SIMD_CORE_TESTS=all");
        Vec::new()
    }
}

fn levels() -> Vec<Build> {
    if releases("").is_empty() { Vec::new() } else { build::levels("promises-aes") }
}

/// Haraka v2 (Kölbl, Lauridsen, Mendel, Rechberger; ToSC 2016) has five rounds, each of two AES rounds on every block
/// of the state: two blocks, or four, or two vectors of two blocks.
#[test]
fn haraka_is_straight_code() {
    for_each(levels().into_iter().filter(Build::unrolls), |build| {
        let binary = build.binary();
        let mut hashes = vec![("haraka_v2::haraka256", "aes", 2), ("haraka_v2::haraka512", "aes", 4)];
        if build.arch == Arch::X86_64 {
            hashes.push(("haraka_v2::haraka512", "avx512vl,vaes", 2));
        }
        for (path, target, vectors) in hashes {
            let function = clone(&binary, path, target);
            straight(&function, build.arch, 5 * 2 * vectors);
            // Four blocks, their keys and what the mixing shuffles are less than the registers of either architecture.
            function.assert().stack_stores_at_most(0).stack_frame_at_most(0);
        }
    });
}

/// Where loops are not unrolled, the rounds are still instructions in the clone, and it calls clones only.
#[test]
fn haraka_at_other_levels_calls_clones_alone() {
    for_each(levels().into_iter().filter(|build| !build.unrolls()), |build| {
        let binary = build.binary();
        for path in ["haraka_v2::haraka256", "haraka_v2::haraka512"] {
            let function = clone(&binary, path, "aes");
            function.assert().no_dispatch_in_callees().no_panics().within_target().calls_only_clones_and(&[]);
        }
    });
}

/// `aesenc` adds its key last, `aese` first. In a chain each key moves into the next round, and one is left for the end.
#[test]
fn keys_fold_into_the_next_round_on_arm() {
    for_each(levels().into_iter().filter(Build::unrolls), |build| {
        let function = clone(&build.binary(), "chains::eight_rounds", "aes");
        straight(&function, build.arch, 8);
        if build.arch == Arch::Aarch64 {
            function.assert().count("eor", 1).count("*eor*", 1);
        }
    });
}

/// What the compiler cannot see through between two rounds keeps a key from moving.
#[test]
fn keys_that_do_not_fold_are_found() {
    for build in releases("fault-opaque-round") {
        let function = clone(&build.binary(), "chains::eight_rounds", "aes");
        says(
            &failure(|| drop(function.assert().stack_stores_at_most(0))),
            &["chains::eight_rounds::__eight_rounds__aes`"],
        );
        if build.arch == Arch::Aarch64 {
            says(&failure(|| drop(function.assert().count("eor", 1))), &["`eor` is there 8 times, not 1"]);
        }
    }
}

/// The baseline has no AES instruction, and branches.
#[test]
fn code_that_is_not_straight_is_found() {
    for build in releases("") {
        let baseline = build.binary().function("eight_rounds_elsewhere").unwrap();
        let text = failure(|| straight(&baseline, build.arch, 8));
        says(&text, &["`promises_aes::eight_rounds_elsewhere`: it calls "]);
    }
}
