//! Calls between dispatched functions decide nothing: not in the best clone, not in the others.

use super::{Arch, Build, build, failure, says, target_clones};
use integration_tests::for_each;
use simd_core::asm::{Binary, CallLeft, Callee, CalleeKind, Flow, Function, Target};

/// The roots below which nothing is left to decide.
const SETTLED: [&str; 17] = [
    "kinds::same_module",
    "kinds::other_module",
    "kinds::other_crate",
    "kinds::not_inlined",
    "kinds::inherent_method",
    "kinds::generic_bound",
    "kinds::operator",
    "kinds::closure_map",
    "kinds::closure_fold",
    "kinds::closure_sort",
    "kinds::recursion",
    "kinds::mutual_recursion",
    "kinds::fewer_features",
    "kinds::other_thread",
    "kinds::caught",
    "kinds::asynchronous",
    "several::three_targets",
];

/// No clone of the root decides, nor does what it calls, nor the closures and coroutines that lie in it.
fn settles(binary: &Binary, arch: Arch, root: &str) {
    for clone in target_clones(binary, arch, root) {
        for function in clone.nested().iter().chain([&clone]) {
            function.assert().no_dispatch_in_callees().within_target();
            calls_only_clones(function);
        }
    }
}

/// Of the fixtures' functions only clones are called, each for the caller's target or for less. What of the standard
/// library is not inlined may do as it likes: it calls the closures of the clone.
fn calls_only_clones(function: &Function) {
    for CallLeft { callee, kind, .. } in function.calls_left() {
        let fits = match kind {
            CalleeKind::Clone(Target::Features(features)) => function.features().contains_all(&features),
            CalleeKind::Clone(_) => false,
            _ => callee.name().is_none_or(|name| !name.trim_start_matches('<').starts_with("promises_")),
        };
        assert!(fits, "`{}` calls `{callee}`\n{}{}", function.path(), function.report(), function.listing());
    }
}

/// A callee for features that the caller does not settle is decided on, once, outside of the loop.
fn decides_once(binary: &Binary, root: &str, build: &Build) {
    for clone in target_clones(binary, build.arch, root) {
        assert!(!clone.dispatches().is_empty(), "`{}` decides nothing\n{}", clone.path(), clone.listing());
        outside_of_loops(&clone, build);
    }
}

/// At level 3 no loop reads the words; below it, LLVM takes only what every round runs out of a loop. At `z` it leaves a loop's
/// test at the start, since a second one before the loop would be more code, and takes nothing out.
pub(crate) fn outside_of_loops(function: &Function, build: &Build) {
    match build.how.opt_level {
        "3" => no_read_in_a_loop(function),
        "z" => {}
        _ => no_read_at_the_head_of_a_loop(function),
    }
}

/// The feature words are read outside of loops only. Where they turn out not to be known yet, the loop may ask.
pub(crate) fn no_read_in_a_loop(function: &Function) {
    for found in function.loops() {
        no_read_among(function, &found.body);
    }
}

/// The instructions at which each loop begins, up to its first branch, read nothing: the best target's check is outside.
/// What is decided for the others may be asked in the loop, on CPUs that have not the best.
pub(crate) fn no_read_at_the_head_of_a_loop(function: &Function) {
    let instructions = function.instructions();
    for found in function.loops() {
        let start = instructions.iter().position(|i| i.address() == found.start).unwrap();
        let length = instructions[start..].iter().take_while(|i| i.flow() == Flow::Next).count();
        no_read_among(function, &Vec::from_iter(start..start + length));
    }
}

fn no_read_among(function: &Function, instructions: &[usize]) {
    let calls: Vec<usize> = function.calls().iter().map(|call| call.index).collect();
    for at in function.dispatches() {
        assert!(
            calls.contains(&at) || !instructions.contains(&at),
            "`{}` reads the feature words in a loop\n{}",
            function.path(),
            function.listing()
        );
    }
}

/// A call through a trait object decides in the method: the caller's features cannot be known there.
fn decides_in_the_method(binary: &Binary, arch: Arch) {
    for clone in target_clones(binary, arch, "kinds::trait_object") {
        clone.assert().no_dispatch();
        assert!(clone.calls().iter().any(|call| call.callee == Callee::Indirect), "{}", clone.listing());
    }
    let method = binary.function("<Element as Object>::visit").unwrap();
    assert!(!method.dispatches().is_empty(), "{}", method.listing());
}

/// A dispatched coroutine that another awaits is a function of its own, which knows nothing of who polls it: it decides
/// when it is polled first. The awaiting one does not.
fn decides_in_the_coroutine(binary: &Binary, arch: Arch) {
    for clone in target_clones(binary, arch, "kinds::awaiting") {
        for inner in clone.nested() {
            inner.assert().no_dispatch().within_target();
        }
    }
}

#[test]
fn nothing_is_decided_twice() {
    for_each(build::matrix(), |build| {
        let binary = build.binary();
        for root in SETTLED {
            settles(&binary, build.arch, root);
        }
        decides_once(&binary, "kinds::disjoint_features", &build);
        calls_its_own_clone(&binary, build.arch);
        decides_in_the_method(&binary, build.arch);
        decides_in_the_coroutine(&binary, build.arch);
    });
}

/// What cannot be inlined is called, the clone for the same target.
fn calls_its_own_clone(binary: &Binary, arch: Arch) {
    for clone in target_clones(binary, arch, "kinds::not_inlined") {
        let kind = CalleeKind::Clone(clone.target().unwrap());
        let left = clone.calls_left();
        assert!(left.iter().any(|call| call.kind == kind), "`{}` calls no clone\n{}", clone.path(), clone.report());
    }
}

#[test]
fn glue_without_the_attribute_is_found() {
    for &arch in Arch::available() {
        let binary = Build { fault: "fault-plain-glue", ..Build::release(arch) }.binary();
        let text = failure(|| settles(&binary, arch, "kinds::other_crate"));
        says(&text, &["other_crate::__other_crate_", "a callee decides at run time: `promises_tree::plain::glue`"]);
    }
}

#[test]
fn a_clone_without_its_assertion_is_found() {
    for &arch in Arch::available() {
        let binary = Build { fault: "fault-lost-assertion", ..Build::release(arch) }.binary();
        let lost = binary.function("roots::lost::__lost__sse4_1").unwrap();
        says(
            &failure(|| drop(lost.assert().no_dispatch())),
            &["`promises_tree::roots::lost::__lost__sse4_1`: it tests CPU features at run time"],
        );
    }
}

/// The portable reader loads the words atomically, which does not fold and is not hoisted.
#[test]
fn reads_that_do_not_fold_are_found() {
    for &arch in Arch::available() {
        for opt_level in ["2", "3"] {
            let build = Build::release(arch).level(opt_level).more(&["--cfg=simd_core_portable"]);
            let binary = build.binary();
            for root in SETTLED {
                says(&failure(|| settles(&binary, arch, root)), &["run time"]);
            }
            let check = || decides_once(&binary, "kinds::disjoint_features", &build);
            says(&failure(check), &["__disjoint_features_", "reads the feature words in a loop"]);
        }
    }
}
