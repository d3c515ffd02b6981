//! `cargo dispatch why` on loops of many kinds: what it says, and that its advice, followed, gives vectors.

use core::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde_json::Value;

use super::{dispatch, printed, refused};
use crate::manifest;

const MANIFEST: &str = r#"
[dependencies]
far = { path = "far" }
simd-core = { path = SIMD_CORE }
[[bench]]
name = "sums"
harness = false
[workspace]
"#;

/// No other crate's code has it inline before link-time optimisation.
const FAR_LIBRARY: &str = r"
#[unsafe(no_mangle)]
pub extern fn far(x: u32) -> u32 {
    x.wrapping_mul(11)
}
";

/// Each row runs for as long in the profile.
const BENCH: &str = r#"
mod criterion;
fn main() {
    let mut c = criterion::Criterion::default();
    let mut words = [5u32; 4096];
    c.bench_function("floats", || shapes::order_of_floats(&[1.0; 4096]));
    c.bench_function("generic", || shapes::generic(&mut words, 7));
}
"#;

fn package() -> PathBuf {
    let files = [
        ("Cargo.toml", &*manifest("shapes", "2024", MANIFEST)),
        ("src/lib.rs", include_str!("shapes.rs")),
        ("far/Cargo.toml", &manifest("far", "2024", "")),
        ("far/src/lib.rs", FAR_LIBRARY),
        ("benches/sums.rs", BENCH),
        ("benches/criterion.rs", include_str!("criterion.rs")),
    ];
    crate::package("shapes", &files)
}

/// The output of a run with variables of the environment, or its error. The directory belongs to one run at a time.
fn why(variables: &[(&str, &str)], arguments: &[&str], said: fn(&mut Command) -> String) -> String {
    static RUN: Mutex<()> = Mutex::new(());
    let _run = RUN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut command = dispatch(&package(), &[&["why"], arguments].concat());
    command.envs(variables.iter().copied());
    if let Some(rustc) = std::env::var_os("SIMD_CORE_SECOND_RUSTC") {
        command.env("RUSTC", rustc);
    }
    said(&mut command)
}

/// The outcome for all functions with the attribute, which is built once.
fn shapes() -> &'static Value {
    static SHAPES: OnceLock<Value> = OnceLock::new();
    SHAPES.get_or_init(|| serde_json::from_str(&why(&[], &["--json"], printed)).expect("JSON"))
}

const V3: &str = "x86-64-v3";

fn clone(function: &str) -> &'static Value {
    clone_in(shapes(), function, V3)
}

fn clone_in<'a>(outcome: &'a Value, function: &str, target: &str) -> &'a Value {
    let functions = outcome["functions"].as_array().expect("a list");
    let is_called = |one: &&Value| one["function"].as_str().is_some_and(|path| path.ends_with(function));
    let found = functions.iter().find(is_called);
    let found = found.unwrap_or_else(|| panic!("no {function} in {outcome:#}"));
    let clones = found["clones"].as_array().expect("a list");
    let is_wanted = |one: &&Value| (one["target"] == "baseline") == (target == "baseline");
    clones.iter().find(is_wanted).unwrap_or_else(|| panic!("{found:#}"))
}

fn loops(function: &str) -> &'static [Value] {
    loops_for(function, V3)
}

fn loops_for(function: &str, target: &str) -> &'static [Value] {
    clone_in(shapes(), function, target)["loops"].as_array().expect("a list")
}

fn reasons(row: &Value) -> String {
    let reasons = row["reasons"].as_array().expect("a list").iter();
    reasons.fold(String::new(), |text, one| text + &one.to_string() + "\n")
}

/// Whether a loop of the function computes on vectors of 256 bits.
fn is_vectorized(function: &str) -> bool {
    let is_wide = |one: &Value| one["bits"] == 256 && one["is_vectorized"] == true;
    loops(function).iter().any(is_wide)
}

/// Each reason, with a part of what is said, and whether its mended form is there.
const REASONS: [(&str, &str, bool); 16] = [
    ("hash", "needs a value of the one before", false),
    ("order_of_floats", "added up in the order of the source", true),
    ("early_exit", "it can end before the last element", true),
    ("position", "it can end before the last element", false),
    ("panics", "it panics there", true),
    ("calls", "calls `shapes::tripled`, which is not inlined", true),
    ("depends", "what an earlier one has written", true),
    ("histogram", "two iterations may write to the same one", false),
    ("carried", "note a failure in a flag", true),
    ("maximum", "keep eight values in an array", true),
    ("unknown_count", "how often it repeats is not known", true),
    ("divides", "integers have no vector division", true),
    ("atomics", "atomics, or volatile memory", true),
    ("table", "a look-up in a table", true),
    ("gathers", "which load each lane for itself", false),
    ("text", "it reads text by `chars`", true),
];

#[test]
fn a_reason_is_said_and_its_advice_followed_gives_vectors() {
    let mut faults = String::new();
    for (function, part, has_mended) in REASONS {
        let said: String = loops(function).iter().map(reasons).collect();
        if is_vectorized(function) || !said.contains(part) {
            _ = writeln!(faults, "{function}: no {part:?} in {:#}", clone(function));
        }
        let mended = format!("{function}_mended");
        if has_mended && !is_vectorized(&mended) {
            _ = writeln!(faults, "{mended} is not vectorised: {:#}", clone(&mended));
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn what_is_vectorised_already_is_said_to_be() {
    for function in [
        "fine_indices",
        "fine_two_slices",
        "fine_bytes",
        "fine_while",
        "fine_adaptors",
        "within::squares",
        "Of::method",
    ] {
        let [only] = loops(function) else { panic!("{:#}", clone(function)) };
        assert!(is_vectorized(function) && reasons(only).is_empty(), "{only:#}");
        assert_eq!(only["what"], "vectorised, 256 bits", "{only:#}");
    }
}

#[test]
fn a_loop_is_where_it_begins() {
    let text = include_str!("shapes.rs");
    for (function, part) in
        [("fine_while", "while i < xs.len()"), ("ends_elsewhere", "for x in xs"), ("bare", "loop {")]
    {
        let lines = text.lines().enumerate().skip_while(|(_, line)| !line.contains(&format!("fn {function}(")));
        let start = lines.skip(1).find(|(_, line)| line.trim().starts_with(part)).map(|(at, _)| at as u64 + 1);
        assert!(loops(function).iter().all(|one| one["line"].as_u64() == start), "{:#}", clone(function));
    }
}

#[test]
fn vectors_of_one_iteration_are_no_vectorised_loop() {
    let [sums] = loops("two_sums") else { panic!("{:#}", clone("two_sums")) };
    assert_eq!(sums["what"], "vectorised within each iteration, 128 bits", "{sums:#}");
    assert!(reasons(sums).contains("added up in the order of the source"), "{sums:#}");
    // An unrolled inner loop over all places of a vector is one.
    assert!(loops("order_of_floats_mended").iter().all(|one| one["what"] != sums["what"]));
    let chunks = loops("order_of_floats_mended").iter().find(|one| one["bits"] == 256).expect("it is vectorised");
    assert_eq!(chunks["what"], "vectorised, 256 bits", "{chunks:#}");
}

#[test]
fn four_loops_in_one_place_of_the_standard_library() {
    let text = include_str!("shapes.rs");
    let own = text
        .lines()
        .enumerate()
        .skip_while(|(_, line)| !line.contains("fn four"))
        .filter(|(_, line)| line.contains("for i in 0..n"));
    let lines: Vec<u64> = own.take(4).map(|(at, _)| at as u64 + 1).collect();
    let rows = loops("four");
    assert_eq!(rows.iter().map(|row| row["line"].as_u64().expect("a line")).collect::<Vec<_>>(), lines, "{rows:#?}");
    let vectorized: Vec<bool> = rows.iter().map(|row| row["is_vectorized"] == true).collect();
    assert_eq!(vectorized, [true, false, true, false], "{rows:#?}");
    for (row, part) in [(&rows[1], "added up in the order"), (&rows[3], "can end before the last")] {
        assert_eq!(row["reasons"].as_array().map(Vec::len), Some(1), "{row:#}");
        assert!(reasons(row).contains(part), "{row:#}");
    }
}

#[test]
fn loops_that_the_machine_code_does_not_have() {
    for (function, part) in [("becomes_a_call", "is a call of `memset`"), ("is_unrolled", "is unrolled")] {
        assert!(loops(function).is_empty(), "{:#}", clone(function));
        let gone = &clone(function)["gone"][0];
        assert!(gone["what"].as_str().is_some_and(|what| what.contains(part)), "{gone:#}");
    }
}

#[test]
fn a_generic_function_needs_a_bench_and_a_plain_one_gets_the_attribute() {
    let notes = shapes()["notes"].to_string();
    assert!(notes.contains("`generic` has no code in this program, since it is generic: name a bench"), "{notes}");
    let text = why(&[], &["plain"], printed);
    assert!(text.contains("plain for x86-64-v3") && text.contains("plain for baseline"), "{text}");
    assert!(text.contains("`for x in xs`: vectorised, 256 bits"), "{text}");
    assert!(text.contains("with one codegen unit and without link-time optimisation"), "{text}");
    let unknown = why(&[], &["plane"], refused);
    assert!(unknown.contains("the sources have no function `plane`"), "{unknown}");
}

#[test]
fn a_loop_that_is_as_in_the_users_own_build() {
    let [row] = loops("calls_far") else { panic!("{:#}", clone("calls_far")) };
    assert!(reasons(row).contains("calls `far`, which is not inlined"), "{row:#}");
    assert!(row["own_build"].is_null(), "{row:#}");
}

#[test]
#[ignore = "builds all crates again, with link-time optimisation, which the gate takes"]
fn a_loop_that_differs_in_the_users_own_build_is_named() {
    let said = why(&[("CARGO_PROFILE_RELEASE_LTO", "true")], &["--json"], printed);
    let outcome: Value = serde_json::from_str(&said).expect("JSON");
    let row = |function| &clone_in(&outcome, function, "x86-64-v3")["loops"][0];
    let far = row("calls_far");
    assert_eq!((&far["is_vectorized"], &far["own_build"]), (&false.into(), &"vectorised, 256 bits".into()), "{far:#}");
    assert!(row("calls")["own_build"].is_null(), "{:#}", row("calls"));
}

#[test]
fn the_reason_of_a_function_is_of_no_other_with_its_name() {
    let said = |function: &str| loops_for(function, "baseline").iter().map(reasons).collect::<String>();
    let (sums, hashes) = (said("sums::same"), said("hashes::same"));
    assert!(sums.contains("added up in the order") && !sums.contains("a value of the one before"), "{sums}");
    assert!(hashes.contains("a value of the one before") && !hashes.contains("added up in the order"), "{hashes}");
    // Nor of another clone.
    for (target, own, other) in
        [("x86-64-v3", "added up", "can end before"), ("baseline", "can end before", "added up")]
    {
        let said: String = loops_for("by_clone", target).iter().map(reasons).collect();
        assert!(said.contains(own) && !said.contains(other), "{target}: {said}");
    }
}

#[test]
fn hot_loops_of_a_bench() {
    let outcome: Value = serde_json::from_str(&why(&[], &["--bench", "sums", "--json"], printed)).expect("JSON");
    let hot = outcome["hot"].as_array().expect("a list");
    let is_sum = |one: &&Value| one["code"] == "for x in xs" && one["is_vectorized"] == false;
    let sum = hot.iter().find(is_sum).unwrap_or_else(|| panic!("{outcome:#}"));
    assert!(sum["share"].as_f64().is_some_and(|share| share > 0.2), "{outcome:#}");
    assert!(reasons(sum).contains("added up in the order of the source"), "{outcome:#}");
    let notes = outcome["notes"].to_string();
    assert!(notes.contains("% of the time is in code of hot functions that is in no loop of theirs: "), "{notes}");
    // A generic function has code here.
    let is_generic =
        |one: &Value| one["function"].as_str().is_some_and(|name| name.contains("generic")) && one["bits"] == 256;
    assert!(hot.iter().any(is_generic), "{outcome:#}");
}
