//! Assertions that hold.

use super::{Assert, Function, WIDE, binary};
use simd_core_asm::{Callee, CalleeKind, Dispatched, Target};

const DISPATCHED: [&str; 5] = ["kernels::root", "kernels::sum", "kernels::generic", "Gf::square", "<Gf as Mul>::mul"];

/// Runs checks that need optimisation; where there is none, all of them must have been skipped.
#[track_caller]
fn holds(function: &Function, checks: usize, check: impl Fn(Assert<'_>) -> Assert<'_>) {
    let skipped = check(function.assert()).skipped().len();
    // This crate and its profile are one: no dependency is looked at.
    assert_eq!(skipped, if cfg!(debug_assertions) { checks } else { 0 }, "{}", function.path());
}

#[test]
fn every_clone_is_found_with_its_target() {
    if !super::all_clones() {
        return;
    }
    for path in DISPATCHED {
        let clones = binary().clones(path).unwrap();
        let mut targets: Vec<String> = clones.iter().map(|f| f.target().unwrap().to_string()).collect();
        targets.sort();
        targets.dedup();
        let mut expected = [
            "aes".to_owned(),
            "baseline".to_owned(),
            clones.target(WIDE).map_or_else(
                |_| clones.iter().map(|f| f.target().unwrap().to_string()).find(|t| t.contains(',')).unwrap(),
                |f| f.target().unwrap().to_string(),
            ),
        ];
        expected.sort();
        assert_eq!(targets, expected, "{path}");
        assert!(clones.iter().all(|f| !f.instructions().is_empty()), "{path}");
    }
}

#[test]
fn a_target_is_found_in_any_order_of_its_features() {
    if !super::all_clones() {
        return;
    }
    let clones = binary().clones("kernels::root").unwrap();
    let mut names: Vec<&str> = WIDE.split(',').collect();
    names.reverse();
    let function = clones.target(&names.join(", ")).unwrap();
    assert!(matches!(function.target(), Some(Target::Features(features)) if features.contains(names[0])));
    assert_eq!(clones.baseline().unwrap().target(), Some(Target::Baseline));
}

#[test]
fn instances_of_a_generic_function_are_all_there() {
    if !super::all_clones() {
        return;
    }
    let clones = binary().clones("kernels::generic").unwrap();
    assert_eq!(clones.iter().filter(|f| f.target() == Some(Target::Baseline)).count(), 2);
}

#[test]
fn nothing_is_left_in_the_clones() {
    if !(super::all_clones() && super::reads_fold()) {
        return;
    }
    for path in DISPATCHED {
        for clone in &binary().clones(path).unwrap() {
            clone.assert().within_target();
            if clone.target() != Some(Target::Baseline) {
                holds(clone, 5, |f| f.no_calls().no_panics().no_dispatch_in_callees().not_contains("call*"));
            }
        }
    }
}

#[test]
fn closures_that_are_compiled_alone_are_found_and_do_not_decide() {
    if !(super::all_clones() && super::reads_fold()) {
        return;
    }
    let binary = binary();
    let clones = binary.clones("kernels::sorted").unwrap();
    let wide = clones.target(WIDE).unwrap();
    let nested = wide.nested();
    assert!(!nested.is_empty());
    for closure in &nested {
        assert!(
            closure.path().ends_with("{{closure}}") || closure.path().ends_with("{closure#0}"),
            "{}",
            closure.path()
        );
        assert_eq!(closure.target(), wide.target());
        closure.assert().within_target();
        holds(closure, 2, |f| f.no_calls().no_dispatch());
    }
}

#[test]
fn mnemonics_are_counted() {
    let function = binary().function("fixtures::one::twin").unwrap();
    let (add, ret) = if cfg!(target_arch = "aarch64") { ("eor", "ret") } else { ("xor", "ret") };
    holds(&function, 5, |f| f.contains(add).count(ret, 1).at_least("r*", 1).at_most(4).not_contains("call"));
    assert_eq!(function.count("ret"), 1);
    assert!(function.instructions().iter().all(simd_core_asm::Instruction::is_known));
}

#[test]
fn loops_are_vectorized() {
    if !super::all_clones() {
        return;
    }
    let clones = binary().clones("kernels::sum").unwrap();
    holds(clones.target(WIDE).unwrap(), 1, |f| f.vectorized(if cfg!(target_arch = "aarch64") { 128 } else { 256 }));
    holds(clones.baseline().unwrap(), 1, |f| f.vectorized(128));
}

#[test]
fn calls_on_the_list_are_allowed() {
    if !super::all_clones() {
        return;
    }
    let clones = binary().clones("kernels::copied").unwrap();
    for clone in clones.iter().filter(|clone| clone.target() != Some(Target::Baseline)) {
        holds(clone, 1, |f| f.no_calls_except(&["memcpy"]));
    }
    let function = binary().function("fixtures::jumps").unwrap();
    holds(&function, 2, |f| f.no_calls_except(&["fixtures::plain"]).no_calls_except(&["*plain*"]));
}

#[test]
fn imports_have_names() {
    if !super::all_clones() {
        return;
    }
    let clones = binary().clones("kernels::copied").unwrap();
    if !cfg!(debug_assertions) {
        let calls = clones.target(WIDE).unwrap().calls();
        assert!(matches!(&calls[..], [call] if call.callee == Callee::Import("memcpy".to_owned())), "{calls:?}");
    }
    let pointer = binary().function("fixtures::calls_pointer").unwrap();
    assert!(pointer.calls().iter().any(|call| call.callee == Callee::Indirect));
}

#[test]
fn small_functions_use_no_stack() {
    if !super::all_clones() {
        return;
    }
    let twin = binary().function("fixtures::one::twin").unwrap();
    holds(&twin, 2, |f| f.stack_stores_at_most(0).stack_frame_at_most(0));
    let array = binary().clones("kernels::with_array").unwrap();
    holds(array.baseline().unwrap(), 1, |f| f.stack_frame_at_most(512));
}

#[test]
fn the_report_says_what_each_callee_is() {
    if !(super::all_clones() && super::reads_fold()) {
        return;
    }
    let binary = binary();
    let clones = binary.clones("kernels::with_plain_helper").unwrap();
    let report = clones.target(WIDE).unwrap().report();
    super::says(&report, &["with_plain_helper::__with_plain_helper_", "instructions"]);
    if !cfg!(debug_assertions) {
        super::says(
            &report,
            &["calls asm::fixtures::plain:\n      not dispatched: no clone, compiled for the build's own features"],
        );
        super::says(&binary.clones("kernels::root").unwrap().report(), &["    no calls"]);
    }
}

#[test]
fn calls_that_are_left_say_what_they_lead_to() {
    if !(super::all_clones() && super::reads_fold()) || cfg!(debug_assertions) {
        return;
    }
    let binary = binary();
    let kinds = |path: &str| {
        let clones = binary.clones(path).unwrap();
        let left = clones.target(WIDE).unwrap().calls_left();
        left.into_iter().map(|call| (call.callee.to_string(), call.kind, call.times)).collect::<Vec<_>>()
    };
    let one = |path: &str, kind| vec![(path.to_owned(), kind, 1)];
    assert_eq!(kinds("kernels::root"), []);
    assert_eq!(kinds("kernels::with_plain_helper"), one("asm::fixtures::plain", CalleeKind::NotDispatched));
    assert_eq!(kinds("kernels::with_glue"), one("asm::fixtures::glue", CalleeKind::Dispatcher));
    assert_eq!(kinds("kernels::copied"), one("memcpy", CalleeKind::Import));
    assert!(kinds("kernels::collected").iter().any(|(_, kind, _)| *kind == CalleeKind::Memory));
    let clones = binary.clones("kernels::calls_large").unwrap();
    for clone in &clones {
        let left = clone.calls_left();
        let large = left.iter().find(|call| call.kind == CalleeKind::Clone(clone.target().unwrap()));
        assert!(large.is_some_and(|call| call.times > 0), "{left:?}\n{}", clone.listing());
    }
    let kind = |path: &str| binary.function(path).unwrap().calls_left()[0].kind;
    assert_eq!(kind("fixtures::calls_pointer"), CalleeKind::Indirect);
    assert_eq!(kind("fixtures::indexes"), CalleeKind::Panic);
}

#[test]
fn a_hand_written_function_is_what_its_instructions_need() {
    if !(super::all_clones() && super::can_overreach()) || cfg!(debug_assertions) {
        return;
    }
    let binary = binary();
    let name = if cfg!(target_arch = "aarch64") { "sha3" } else { "avx2" };
    let features = simd_core_asm::Features::parse(binary.architecture(), name).unwrap();
    let by_hand = binary.function("fixtures::by_hand").unwrap();
    assert_eq!((by_hand.target(), by_hand.needs()), (None, features));
    super::says(&by_hand.listing(), &[&format!("[hand-written, its instructions need {name}]: ")]);
    let clones = binary.clones("kernels::with_hand_written").unwrap();
    for (clone, relation) in [(clones.target("aes").unwrap(), ", others than here"), (clones.baseline().unwrap(), "\n")]
    {
        let left = clone.calls_left();
        assert!(left.iter().any(|call| call.kind == CalleeKind::Featured(features)), "{left:?}\n{}", clone.listing());
        super::says(&clone.report(), &[&format!("hand-written, its instructions need {name}{relation}")]);
    }
    // An unannotated function and a clone need what they were compiled for, at most.
    assert!(binary.function("fixtures::plain").unwrap().needs().is_empty());
    let sum = binary.clones("kernels::sum").unwrap();
    assert!(sum.target(WIDE).unwrap().features().contains_all(&sum.target(WIDE).unwrap().needs()));
}

#[test]
fn a_callee_of_one_loop_alone_is_marked() {
    if !(super::all_clones() && super::reads_fold()) || cfg!(debug_assertions) {
        return;
    }
    let binary = binary();
    for (path, marked) in [("kernels::hot", true), ("kernels::warm", false), ("kernels::cold", false)] {
        let clones = binary.clones(path).unwrap();
        let clone = clones.target(WIDE).unwrap();
        let left = clone.calls_left();
        assert!(matches!(&left[..], [call] if call.is_lone_in_loop == marked), "{left:?}\n{}", clone.listing());
        let mark = ", as here; called in a loop, and from nowhere else";
        assert_eq!(clone.report().contains(mark), marked, "{}", clone.report());
    }
}

#[test]
fn functions_that_closures_multiply_are_named() {
    if !super::all_clones() {
        return;
    }
    let report = binary().report("fixtures::kernels").unwrap();
    assert_eq!(report.multiplied(), [("asm::fixtures::kernels::each".to_owned(), 4)]);
    super::says(
        &report.to_string(),
        &[
            "generic functions with many instances of each clone:\n       4  of asm::fixtures::kernels::each\n",
            "take the attribute off it",
        ],
    );
}

#[test]
fn ordinary_code_that_calls_clones_again_and_again_is_named() {
    if !super::all_clones() || cfg!(debug_assertions) {
        return;
    }
    let report = binary().report("fixtures::kernels").unwrap();
    let calls = |caller: &str| {
        let caller = report.callers().iter().find(|one| one.path().ends_with(caller)).unwrap();
        let calls =
            caller.calls().iter().map(|call| (call.path.rsplit("::").next().unwrap(), call.places, call.in_loops));
        (caller.is_hot(), calls.collect::<Vec<_>>())
    };
    let (is_hot, of_glue) = calls("fixtures::glue");
    assert!(
        is_hot && matches!(of_glue[..], [("mix", places, in_loops)] if places >= 1 && in_loops >= 1),
        "{of_glue:?}"
    );
    assert_eq!(calls("fixtures::unrolled"), (true, vec![("large", 8, 0)]));
    let (is_hot, of_keep) = calls("fixtures::keep");
    assert!(!is_hot && of_keep.contains(&("root", 1, 0)), "{of_keep:?}");
    // Neither clones nor what is left of dispatchers.
    assert!(!report.callers().iter().any(|caller| caller.path().contains("kernels::")), "{:?}", report.callers());
    super::says(
        &report.to_string(),
        &[
            "calls from unannotated code, in loops or from many places:\n",
            "       8  in asm::fixtures::unrolled:\n          8 of asm::fixtures::kernels::large\n",
            "Annotate\n  the caller",
        ],
    );
    assert!(!report.to_string().contains("in asm::fixtures::keep"));
}

#[test]
fn instances_with_the_same_name_are_counted() {
    if !super::all_clones() {
        return;
    }
    let text = binary().report("fixtures::kernels").unwrap().to_string();
    let named = binary().clones("kernels::generic").unwrap().iter().any(|clone| clone.path().contains('<'));
    for words in ["asm::fixtures::kernels::generic, 2 instances\n", "-Csymbol-mangling-version=v0"] {
        assert_eq!(text.contains(words), !named, "{text}");
    }
}

#[test]
fn callees_that_are_clones_are_allowed() {
    if !(super::all_clones() && super::reads_fold()) {
        return;
    }
    let binary = binary();
    for path in ["kernels::root", "kernels::calls_large", "kernels::copied"] {
        for clone in binary.clones(path).unwrap().iter().filter(|clone| clone.target() != Some(Target::Baseline)) {
            holds(clone, 1, |f| f.calls_only_clones_and(&["memcpy"]));
        }
    }
}

#[test]
fn a_report_covers_every_clone_of_a_module() {
    if !super::all_clones() {
        return;
    }
    let binary = binary();
    let all = binary.clones_in("fixtures::kernels").unwrap();
    for name in ["root", "sum", "sorted", "generic", "copied", "with_glue", "calls_large", "large"] {
        let of_name = |target: &str| {
            let (function, clone) = (format!("kernels::{name}::"), format!("::__{name}__{target}"));
            all.iter().any(|f| f.path().contains(&function) && f.path().contains(&clone))
        };
        assert!(of_name("aes") && of_name("baseline"), "{name}");
    }
    assert!(all.iter().any(|f| f.path().contains("closure")) && all.iter().all(|f| f.target().is_some()));
    assert!(!all.iter().any(|f| f.path().contains("Gf")));
    assert!(binary.clones_in("fixtures::Gf").unwrap().iter().all(|f| f.path().contains("Gf")));
    let squares = binary.clones_in("Gf::square").unwrap();
    assert!(!squares.is_empty() && squares.iter().all(|f| f.path().contains("::__square__")));
    let report = binary.report("fixtures::kernels").unwrap();
    let reported: usize = report.functions().iter().map(|function| function.clones().len()).sum();
    assert_eq!(reported, all.len());
    let root = report.functions().iter().find(|function| function.path().ends_with("kernels::root")).unwrap();
    assert_eq!(root.clones().last().unwrap().target(), Some(Target::Baseline));
    let copies: usize = root.clones().iter().map(Function::copies).sum();
    let remark =
        |function: &Dispatched, _: &Function| function.path().ends_with("kernels::root").then(|| "runs".into());
    let text = report.with_remarks(remark).to_string();
    let functions = text.split("\n\n").next().unwrap();
    super::says(functions, &["dispatched functions, ", &format!(", {} clones, ", all.len())]);
    let line = text.lines().skip_while(|line| !line.ends_with("kernels::root")).nth(1).unwrap();
    assert!(line.starts_with("  ") && line.ends_with(" bytes; runs"), "{line}");
    assert_eq!(text.matches("; runs").count(), copies, "{text}");
    super::says(&binary.report("fixtures::kernel").unwrap_err().to_string(), &["no function `fixtures::kernel`"]);
    let similar = ["no function `Gf::sqare`", "did you mean:\n    asm::fixtures::Gf::square\n"];
    super::says(&binary.report("Gf::sqare").unwrap_err().to_string(), &similar);
    assert!(binary.report("asm::fixtures::Gf::square").is_ok());
}
