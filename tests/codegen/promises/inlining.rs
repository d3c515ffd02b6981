//! Where the attribute decides about inlining: loops of other crates, and closures.

use super::{Arch, build, failure, says, target_clones};
use simd_core::asm::{Binary, Function};

fn each_clone(binary: &Binary, arch: Arch, root: &str, check: fn(&Function)) {
    target_clones(binary, arch, root).iter().for_each(check);
}

fn calls_nothing(clone: &Function) {
    clone.assert().no_calls_except(&["core::panicking::*"]);
}

/// What other crates call is compiled in its own one, unless it is short. Link-time optimisation sees both, and level `z`
/// inlines little.
#[test]
fn a_short_loop_of_another_crate_is_inlined_and_a_long_one_called() {
    for build in build::matrix("promises-tree").into_iter().filter(|build| build.lto == "false") {
        let binary = build.binary();
        if build.opt_level != "z" {
            each_clone(&binary, build.arch, "kinds::short_loop", calls_nothing);
        }
        each_clone(&binary, build.arch, "kinds::long_loop", |clone| {
            says(&failure(|| calls_nothing(clone)), &["it calls `promises_leaf::kernels::long_loop::__long_loop__"]);
        });
    }
}

fn holds_no_function(clone: &Function) {
    let nested = clone.nested();
    assert!(nested.is_empty(), "`{}` is called", nested[0].path());
}

/// A sort is not inlined, so it has no features. It calls a closure that has them.
#[test]
fn a_leaf_closure_is_part_of_a_sort_and_another_has_features() {
    for build in build::matrix("promises-tree") {
        let binary = build.binary();
        each_clone(&binary, build.arch, "kinds::leaf_closure", holds_no_function);
        each_clone(&binary, build.arch, "kinds::closure_sort", |clone| {
            says(&failure(|| holds_no_function(clone)), &["closure_sort::__closure_sort__"]);
            clone.nested().iter().for_each(|closure| drop(closure.assert().within_target()));
        });
    }
}

/// Adaptors have no features, and call the `next` of an iterator for each element.
#[test]
fn an_iterator_is_part_of_its_adaptors() {
    for build in build::matrix("promises-tree").into_iter().filter(|build| build.unrolls()) {
        let binary = build.binary();
        each_clone(&binary, build.arch, "kinds::iterator", |clone| {
            holds_no_function(clone);
            calls_nothing(clone);
        });
    }
}

/// A short function without loops and calls has no clones, so that the closure of a baseline tests nothing.
#[test]
fn a_leaf_function_is_part_of_a_closure() {
    for build in build::matrix("promises-tree").into_iter().filter(|build| build.unrolls()) {
        let clones = build.binary().clones("kinds::leaf_function").unwrap();
        let baseline = clones.baseline().unwrap();
        holds_no_function(baseline);
        calls_nothing(baseline);
        baseline.assert().no_dispatch();
    }
}
