//! Where the attribute decides about inlining: loops of other crates, and closures.

use super::{Arch, build, failure, says, target_clones};
use integration_tests::for_each;
use simd_core::asm::{Binary, Function};

fn each_clone(binary: &Binary, arch: Arch, root: &str, check: fn(&Function)) {
    target_clones(binary, arch, root).iter().for_each(check);
}

fn calls_nothing(clone: &Function) {
    clone.assert().no_calls_except(&["core::panicking::*"]);
}

/// What calls only its own item and the standard library is compiled where it is called.
#[test]
fn what_calls_nothing_of_its_crate_is_inlined_into_another_ones_clones() {
    for_each(build::matrix().into_iter().filter(|build| build.unrolls()), |build| {
        let binary = build.binary();
        for root in ["kinds::short_loop", "kinds::long_loop", "kinds::inherent_loop", "kinds::trait_loop"] {
            each_clone(&binary, build.arch, root, calls_nothing);
        }
    });
}

/// What calls a private helper that is not annotated is compiled next to it, so that the helper is part of its clones. With
/// link-time optimisation all of it may be part of its caller.
#[test]
fn what_calls_a_helper_stays_with_it() {
    for_each(build::matrix().into_iter().filter(|build| build.unrolls() && build.how.lto.is_empty()), |build| {
        let binary = build.binary();
        let stay = [
            "promises_leaf::at_home",
            "promises_leaf::Element::at_home",
            "<promises_leaf::Element as promises_leaf::Home>::stays",
        ];
        for path in stay {
            for clone in &binary.clones(path).unwrap_or_else(|error| panic!("{error}")) {
                calls_nothing(clone);
                holds_no_function(clone);
            }
        }
    });
}

fn holds_no_function(clone: &Function) {
    let nested = clone.nested();
    assert!(nested.is_empty(), "`{}` is called", nested[0].path());
}

/// A sort is not inlined, so it has no features. It calls a closure that has them.
#[test]
fn a_leaf_closure_is_part_of_a_sort_and_another_has_features() {
    for_each(build::matrix(), |build| {
        let binary = build.binary();
        each_clone(&binary, build.arch, "kinds::leaf_closure", holds_no_function);
        each_clone(&binary, build.arch, "kinds::closure_sort", |clone| {
            says(&failure(|| holds_no_function(clone)), &["closure_sort::__closure_sort__"]);
            clone.nested().iter().for_each(|closure| drop(closure.assert().within_target()));
        });
    });
}

/// Adaptors have no features, and call the `next` of an iterator for each element.
#[test]
fn an_iterator_is_part_of_its_adaptors() {
    for_each(build::matrix().into_iter().filter(|build| build.unrolls()), |build| {
        let binary = build.binary();
        each_clone(&binary, build.arch, "kinds::iterator", |clone| {
            holds_no_function(clone);
            calls_nothing(clone);
        });
    });
}

/// A short function without loops and calls has no clones, so that the closure of a baseline tests nothing.
#[test]
fn a_leaf_function_is_part_of_a_closure() {
    for_each(build::matrix().into_iter().filter(|build| build.unrolls()), |build| {
        let clones = build.binary().clones("kinds::leaf_function").unwrap();
        let baseline = clones.baseline().unwrap();
        holds_no_function(baseline);
        calls_nothing(baseline);
        baseline.assert().no_dispatch();
    });
}
