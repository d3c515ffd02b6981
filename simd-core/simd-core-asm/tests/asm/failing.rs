//! Assertions that fail on planted faults, and what they say.

use super::{WIDE, binary, failure, fault, says};

#[test]
fn a_helper_that_is_not_inlined_is_named() {
    if !super::all_clones() {
        return;
    }
    let clones = binary().optimized().clones("kernels::with_plain_helper").unwrap();
    let function = clones.target(WIDE).unwrap();
    let text = failure(function, |f| f.no_calls());
    says(
        &text,
        &[
            "no_calls() does not hold for `asm::fixtures::kernels::with_plain_helper::__with_plain_helper_",
            "help: a function that should have been inlined needs the attribute",
            "\n> ",
        ],
    );
    // Without optimisation the helper is called from the closure.
    if !cfg!(debug_assertions) {
        says(
            &text,
            &["it calls `asm::fixtures::plain`\n", "; asm::fixtures::plain  ; not dispatched: no clone, compiled"],
        );
        let text = failure(function, |f| f.no_calls_except(&["fixtures::glue", "memcpy"]));
        says(&text, &["no_calls_except([\"fixtures::glue\", \"memcpy\"])", "it calls `asm::fixtures::plain`"]);
    }
}

#[test]
fn callees_that_are_no_clones_are_named() {
    if !super::all_clones() || cfg!(debug_assertions) {
        return;
    }
    let binary = binary().optimized();
    for (path, callee, what) in [
        ("with_plain_helper", "asm::fixtures::plain", "not dispatched: no clone"),
        ("with_glue", "asm::fixtures::glue", "dispatcher: no clone, tests again"),
    ] {
        let clones = binary.clones(&format!("kernels::{path}")).unwrap();
        let text = failure(clones.target(WIDE).unwrap(), |f| f.calls_only_clones_and(&["memcpy"]));
        let named = format!("::__{path}_");
        says(&text, &["calls_only_clones_and([\"memcpy\"]) does not hold for `asm::fixtures::kernels", &named, what]);
        says(&text, &[&format!("it calls `{callee}`\n"), &format!("; {callee}  ; {what}")]);
    }
    let clones = binary.clones("kernels::copied").unwrap();
    says(&failure(clones.target(WIDE).unwrap(), |f| f.calls_only_clones_and(&[])), &["it calls `memcpy`"]);
}

#[test]
fn a_jump_to_another_function_is_a_call() {
    says(&fault("fixtures::jumps", |f| f.no_calls()), &["it calls `asm::fixtures::plain`"]);
}

#[test]
fn a_pointer_is_on_no_list() {
    let text = fault("fixtures::calls_pointer", |f| f.no_calls_except(&["*"]));
    says(&text, &["it calls `(indirect)`", "known only at run time"]);
}

#[test]
fn a_panic_is_found() {
    let text = fault("fixtures::indexes", |f| f.no_panics());
    says(
        &text,
        &["it can panic: `core::panicking::panic_bounds_check`", "leads to `core::panicking::", "help: indexing"],
    );
}

#[test]
fn a_panic_in_a_callee_is_found_with_the_way_there() {
    let text = fault("fixtures::indexes_below", |f| f.no_panics());
    says(&text, &["it can panic: `asm::fixtures::indexes` calls `core::panicking::panic_bounds_check`"]);
}

#[test]
fn a_decision_is_found() {
    if !super::all_clones() {
        return;
    }
    if cfg!(debug_assertions) {
        return; // the dispatcher reads the words in a function of simd-core's
    }
    let text = fault("fixtures::glue", |f| f.no_dispatch());
    says(&text, &["it tests CPU features at run time", "; the feature words  ; decides"]);
}

#[test]
fn a_decision_in_a_callee_is_found() {
    if !super::all_clones() {
        return;
    }
    let clones = binary().optimized().clones("kernels::with_glue").unwrap();
    let clone = clones.target(WIDE).unwrap();
    if cfg!(debug_assertions) {
        return; // the clone's own assertions read the words
    }
    clone.assert().no_dispatch();
    let text = failure(clone, |f| f.no_dispatch_in_callees());
    says(&text, &["a callee decides at run time: `asm::fixtures::glue`", "\n> "]);
}

#[test]
fn an_instruction_beyond_the_target_is_marked() {
    if !super::can_overreach() {
        return;
    }
    let text = fault("overreaching::__overreaching__aes", |f| f.within_target());
    if cfg!(target_arch = "aarch64") {
        says(&text, &["need `sha3`, beyond `", "eor3", "; needs sha3"]);
    } else {
        says(&text, &["need `avx", "beyond `", "; needs avx"]);
    }
    says(&text, &["within_target() does not hold for `asm::fixtures::overreaching::__overreaching__aes`"]);
    let text = fault("overreaching::__overreaching__aes", |f| f.within_features("aes"));
    says(&text, &["within_features(\"aes\") does not hold"]);
    let enough = if cfg!(target_arch = "aarch64") { "sha3" } else { "avx2" };
    binary().function("overreaching::__overreaching__aes").unwrap().assert().within_features(enough);
}

#[test]
fn an_unknown_feature_is_refused() {
    let text = fault("fixtures::one::twin", |f| f.within_features("avx3"));
    says(&text, &["`avx3` is no CPU feature that rustc knows on this architecture"]);
}

#[test]
fn mnemonics_that_are_missing_or_too_many() {
    let path = "fixtures::one::twin";
    says(&fault(path, |f| f.contains("vpclmulqdq")), &["contains(\"vpclmulqdq\")", "there is no `vpclmulqdq`", "ret"]);
    says(&fault(path, |f| f.not_contains("r*t")), &["not_contains(\"r*t\")", "`r*t` is there 1 times", "; not wanted"]);
    says(&fault(path, |f| f.count("ret", 2)), &["`ret` is there 1 times, not 2", "; counted"]);
    says(&fault(path, |f| f.at_least("ret", 2)), &["`ret` is there 1 times, not 2 or more"]);
    says(&fault(path, |f| f.at_most(1)), &["instructions, more than 1"]);
}

#[test]
fn a_loop_that_is_not_vectorized() {
    let text = fault("fixtures::chained", |f| f.vectorized(256));
    if !cfg!(debug_assertions) {
        says(&text, &["no loop computes on 256 bits at a time", "; loop, scalar  ; 0 bits"]);
    }
    says(&fault("fixtures::one::twin", |f| f.vectorized(128)), &["there is no loop"]);
}

#[test]
fn stack_that_is_used() {
    if !super::all_clones() {
        return;
    }
    let clones = binary().optimized().clones("kernels::with_array").unwrap();
    let baseline = clones.baseline().unwrap();
    let text = failure(baseline, |f| f.stack_frame_at_most(64));
    says(&text, &["stack_frame_at_most(64)", "the stack frame has ", "bytes, more than 64", "\n> "]);
    let text = failure(baseline, |f| f.stack_stores_at_most(0));
    says(&text, &["instructions write to the stack, more than 0", "bytes\n"]);
}
