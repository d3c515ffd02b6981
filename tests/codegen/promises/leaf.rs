//! What a leaf costs: in a tree, in a loop that nobody annotated, from code that knows nothing.

use super::nested::outside_of_loops;
use super::{Arch, Build, build, failure, says, target_clones};
use integration_tests::for_each;
use simd_core::asm::{Binary, Callee, Function};

fn multiply(arch: Arch) -> &'static str {
    match arch {
        Arch::X86_64 => "*pclmul*",
        Arch::Aarch64 => "pmull*",
    }
}

/// From code that knows nothing, the leaf is a check and a direct call.
fn a_check_and_a_call(binary: &Binary, arch: Arch) {
    let caller = binary.function("plain::multiplies").unwrap();
    caller.assert().not_contains(multiply(arch));
    let reads = caller.dispatches();
    let called = |call: &simd_core::asm::Call| {
        matches!(&call.callee, Callee::Function { target: Some(target), .. }
        if target.to_string() == "pclmulqdq" || target.to_string() == "aes")
    };
    let direct = caller.calls().into_iter().find(called);
    let Some(direct) = direct else { panic!("no direct call of the clone\n{}", caller.listing()) };
    // A read before the call, and no other call on the way: one load, one test, one call.
    assert!(reads.iter().any(|&read| read < direct.index), "no read before the call\n{}", caller.listing());
    let before = caller.calls().iter().filter(|call| !call.is_tail && call.index < direct.index).count();
    assert_eq!(before, 0, "something is called first\n{}", caller.listing());
}

/// With the feature enabled for the whole build, the leaf is its instruction everywhere.
fn the_instruction_alone(caller: &Function, arch: Arch) {
    caller.assert().count(multiply(arch), 1).no_calls().at_most(6);
}

/// In a tree whose features include it, the leaf is its instruction.
#[test]
fn a_carry_less_product_is_one_instruction_in_a_tree_and_a_call_elsewhere() {
    for_each(build::matrix(), |build| {
        let binary = build.binary();
        a_check_and_a_call(&binary, build.arch);
        for clone in target_clones(&binary, build.arch, "kinds::carry_less") {
            if build.arch == Arch::Aarch64 || clone.features().contains("pclmulqdq") {
                let clone = clone.assert().count(multiply(build.arch), 1).no_dispatch_in_callees();
                clone.no_calls_except(&["core::panicking::*"]);
            }
        }
    });
}

#[test]
fn a_carry_less_product_is_the_instruction_where_the_build_has_it() {
    for_each(build::levels("promises-tree"), |build| {
        let rustflags: &[&str] = match build.arch {
            Arch::X86_64 => &["-C", "target-feature=+pclmulqdq"],
            Arch::Aarch64 => &["-C", "target-feature=+aes"],
        };
        let binary = build.more(rustflags).binary();
        the_instruction_alone(&binary.function("plain::multiplies").unwrap(), build.arch);
        says(&failure(|| a_check_and_a_call(&binary, build.arch)), &["`promises_tree::plain::multiplies`"]);
        let caller = build.binary().function("plain::multiplies").unwrap();
        says(&failure(|| the_instruction_alone(&caller, build.arch)), &["`promises_tree::plain::multiplies`"]);
    });
}

/// What a loop calls is a clone, directly: the first round of a process goes the same way as all others.
fn clones_in_loops(caller: &Function) {
    let loops = caller.loops();
    let in_a_loop = |call: &&simd_core::asm::Call| loops.iter().any(|found| found.body.contains(&call.index));
    let calls = caller.calls();
    assert!(calls.iter().any(|call| in_a_loop(&call)), "{}", caller.listing());
    for call in calls.iter().filter(in_a_loop) {
        let is_clone = matches!(&call.callee, Callee::Function { target: Some(_), .. });
        assert!(is_clone, "`{}` calls `{}` in a loop\n{}", caller.path(), call.callee, caller.listing());
    }
}

#[test]
fn a_loop_around_a_leaf_checks_once() {
    for_each(build::matrix(), |build| {
        let caller = build.binary().function("plain::around_a_leaf").unwrap();
        assert!(!caller.dispatches().is_empty(), "{}", caller.listing());
        assert!(!caller.loops().is_empty(), "{}", caller.listing());
        outside_of_loops(&caller, &build);
        clones_in_loops(&caller);
    });
}

/// The portable reader loads the words atomically, which no compiler takes out of a loop.
#[test]
fn a_check_in_the_loop_is_found() {
    for &arch in Arch::available() {
        for opt_level in ["2", "3"] {
            let build = Build::release(arch).level(opt_level).more(&["--cfg=simd_core_portable"]);
            let caller = build.binary().function("plain::around_a_leaf").unwrap();
            let text = failure(|| outside_of_loops(&caller, &build));
            says(&text, &["`promises_tree::plain::around_a_leaf` reads the feature words in a loop"]);
        }
    }
}

#[test]
fn a_helper_without_the_attribute_is_found() {
    for &arch in Arch::available() {
        let good = Build::release(arch).binary();
        let bad = Build { fault: "fault-plain-helper", ..Build::release(arch) }.binary();
        for (fault, binary) in [(false, good), (true, bad)] {
            for clone in target_clones(&binary, arch, "kinds::same_module") {
                let check = || drop(clone.assert().no_calls());
                if fault {
                    says(&failure(check), &["same_module::__same_module_", "it calls `promises_tree::plain::helper`"]);
                } else {
                    check();
                }
            }
        }
    }
}
