//! The commands on a package of clones that are known: what they print, and what they say of mistakes.
#![cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]

#[path = "programs/ledger.rs"]
mod ledger;
#[path = "programs/tune.rs"]
mod tune;
#[path = "programs/why.rs"]
mod why;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{dispatch, manifest, write};
use integration_tests::shown;
use serde_json::Value;

const MANIFEST: &str = r#"
[package]
name = "clones"
version = "0.0.0"
edition = "2024"
[features]
environment = ["simd-core/environment"]
[dependencies]
simd-core = { path = SIMD_CORE }
[dev-dependencies]
criterion = { version = "0.8.2", default-features = false, features = ["cargo_bench_support"] }
[[bench]]
name = "clones"
harness = false
[[bench]]
name = "none"
harness = false
[profile.release.package."*"]
opt-level = 1
# They run while compiling, and take longer to optimise than they run.
[profile.release.package.proc-macro2]
opt-level = 0
[profile.release.package.quote]
opt-level = 0
[profile.release.package.simd-core-expand]
opt-level = 0
[profile.release.package.syn]
opt-level = 0
[profile.release.package.unicode-ident]
opt-level = 0
[workspace]
"#;

const LIBRARY: &str = r#"
use core::hint::black_box;
use simd_core::dispatch;

#[inline(always)]
fn sum(xs: &[u32], times: u32) -> u32 {
    (0..times).fold(0, |sum, _| black_box(xs).iter().fold(sum, |sum, x| (sum ^ x).wrapping_mul(3)))
}

/// With AVX2 it does four times the work, and with SSE4.1 the same.
#[dispatch(targets = "avx2 | sse4.1")]
pub fn loses(xs: &[u32]) -> u32 {
    sum(xs, if cfg!(target_feature = "avx2") { 8 } else { 2 })
}

/// With AVX2 it does a quarter of the work.
#[dispatch(targets = "avx2 | sse4.1")]
pub fn pays(xs: &[u32]) -> u32 {
    sum(xs, if cfg!(target_feature = "avx2") { 2 } else { 8 })
}

/// The compiler inlines the clones for targets everywhere, and keeps the baseline.
#[dispatch(targets = "avx2 | sse4.1")]
fn inlined(x: u32) -> u32 {
    if cfg!(target_feature = "sse4.1") { x ^ 5 } else { sum(&[x; 31], 3) ^ sum(&[x; 33], 5) ^ sum(&[x; 35], 7) }
}

#[dispatch(targets = "avx2 | sse4.1")]
pub fn calls_inlined(x: u32) -> u32 {
    inlined(x) + inlined(x ^ 1) + inlined(3)
}

/// Unannotated code in the way.
#[inline(never)]
pub fn helper(x: u32) -> u32 {
    black_box(x) + 1
}

/// Compiled without the features of its hand-written caller.
#[inline(never)]
pub fn scaled(xs: &mut [f32; 64], by: f32) {
    xs.iter_mut().for_each(|x| *x *= by);
}

#[target_feature(enable = "avx2")]
pub fn by_hand(xs: &mut [f32; 64]) {
    xs.iter_mut().for_each(|x| *x += 1.0);
    scaled(xs, 3.0);
}

pub struct Of(pub u32);

#[dispatch(targets = "avx2 | sse4.1")]
impl Of {
    #[inline(never)]
    pub fn method(&self) -> u32 {
        helper(self.0) + helper(7)
    }
}
"#;

const PROGRAM: &str = r#"
fn main() {
    let mut xs = core::hint::black_box([1.0; 64]);
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has it.
        unsafe { clones::by_hand(&mut xs) }
    }
    clones::scaled(&mut xs, 5.0);
    // Through pointers, so that the baselines stay.
    let [pays, loses]: [fn(&[u32]) -> u32; 2] = core::hint::black_box([clones::pays, clones::loses]);
    println!("{xs:?} {}", pays(&[1]) ^ loses(&[2]) ^ clones::calls_inlined(4) ^ clones::Of(3).method());
}
"#;

/// A library of nothing but dispatched items.
const EXPANDED: &str = r#"
#[simd_core::dispatch(targets = "popcnt")]
pub fn ones(words: &[u64]) -> u32 {
    words.iter().fold(0, |sum, word| sum + word.count_ones())
}

#[simd_core::dispatch(targets = "avx2,popcnt | popcnt")]
pub mod search {
    pub fn nearest(wanted: u64, words: &[u64]) -> Option<u32> {
        words.iter().map(|word| distance(wanted, *word)).min()
    }

    fn distance(one: u64, other: u64) -> u32 {
        (one ^ other).count_ones()
    }
}
"#;

const BENCHES: &str = r#"
use criterion::{Criterion, criterion_group};
fn benches(c: &mut Criterion) {
    let xs: Vec<u32> = (0..1000).collect();
    c.bench_function("loses", |b| b.iter(|| clones::loses(&xs)));
    c.bench_function("pays", |b| b.iter(|| clones::pays(&xs)));
}
criterion_group!(all, benches);
fn main() {
    // As with criterion 0.5.
    assert!(!std::env::args().any(|argument| argument == "--help"));
    all();
}
"#;

/// The package, for one test at a time: cargo builds there.
fn package() -> (PathBuf, MutexGuard<'static, ()>) {
    static ONE: Mutex<()> = Mutex::new(());
    let guard = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let files = [
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", LIBRARY),
        ("src/main.rs", PROGRAM),
        ("benches/clones.rs", BENCHES),
        ("benches/none.rs", "fn main() {}\n"),
    ];
    (crate::package("clones", &files), guard)
}

fn printed(command: &mut Command) -> String {
    let output = command.output().expect("the program was built");
    assert!(output.status.success(), "{}", shown(&output));
    String::from_utf8(output.stdout).expect("text")
}

fn refused(command: &mut Command) -> String {
    let output = command.output().expect("the program was built");
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    String::from_utf8(output.stderr).expect("text")
}

fn has_avx2() -> bool {
    let has = is_x86_feature_detected!("avx2");
    if !has {
        eprintln!("skipped: this CPU has no AVX2");
    }
    has
}

fn lines<'a>(report: &'a str, function: &str, target: &str) -> Vec<&'a str> {
    let of_function = report.lines().skip_while(|line| *line != function).skip(1);
    let of_clone = of_function.skip_while(|line| !line.starts_with(&format!("  {target}: ")));
    let first = of_clone.clone().take(1);
    first.chain(of_clone.skip(1).take_while(|line| line.starts_with("    "))).collect()
}

#[test]
fn a_report_tells_which_clone_runs_and_what_is_left() {
    if !has_avx2() {
        return;
    }
    let (directory, _one) = package();
    let report = printed(&mut dispatch(&directory, &["report", "--bin"]));
    assert!(report.contains("target/release/clones, ELF, x86-64\nthis CPU: "), "{report}");
    assert!(report.contains("\n5 dispatched functions, "), "{report}");
    // Only the baseline of this one is in the program, and it does not run.
    let inlined = lines(&report, "clones::inlined", "baseline").concat();
    assert!(inlined.contains("runs, unless a better clone was inlined everywhere"), "{report}");
    assert!(report.contains("\n       4  not dispatched: compiled for the build's own features\n"), "{report}");
    let runs = lines(&report, "clones::Of::method", "avx2");
    assert!(runs[0].ends_with(" bytes; runs"), "{report}");
    let call = [
        "    calls clones::helper (2 times):",
        "      not dispatched: no clone, compiled for the build's own features",
    ];
    assert_eq!(runs[1..], call, "{report}");
    assert!(lines(&report, "clones::Of::method", "sse4.1")[0].ends_with("; not needed"), "{report}");
    assert!(lines(&report, "clones::Of::method", "baseline")[0].ends_with("; not needed"), "{report}");
    let lost = "features:\n       1  in clones::by_hand:\n          1 of clones::scaled\n  Make the callee `#[inline(always)]`";
    assert!(report.contains(lost), "{report}");
    assert!(report.lines().skip(1).all(|line| line.chars().count() <= 80), "{report}");

    // By its path, and a part of the functions' paths.
    let part = printed(&mut dispatch(&directory, &["report", "target/release/clones", "Of"]));
    assert!(part.contains("\n1 dispatched function, 3 clones, ") && part.contains("clones::Of::method"), "{part}");
}

#[test]
fn what_the_environment_takes_away_is_said() {
    // A feature that the build enables cannot be taken away.
    if !has_avx2() || cfg!(target_feature = "avx2") {
        return;
    }
    let (directory, _one) = package();
    let mut ignores = dispatch(&directory, &["report", "--bin", "clones", "loses"]);
    let report = printed(ignores.env("SIMD_CORE_WITHOUT", "avx2"));
    assert!(
        report.contains("\nthe environment: SIMD_CORE_WITHOUT=avx2, which this program does not read\n"),
        "{report}"
    );
    assert!(lines(&report, "clones::loses", "avx2")[0].ends_with("; runs"), "{report}");

    let mut reads = dispatch(&directory, &["report", "-F", "environment", "--bin", "clones", "loses"]);
    let report = printed(reads.env("SIMD_CORE_WITHOUT", "avx2"));
    assert!(report.contains("\nthe environment: SIMD_CORE_WITHOUT=avx2\n  takes away: "), "{report}");
    let lost = lines(&report, "clones::loses", "avx2").concat();
    assert!(lost.contains("not here, lacks avx2 (taken away by the environment)"), "{report}");
    assert!(lines(&report, "clones::loses", "sse4.1")[0].ends_with("; runs"), "{report}");
}

#[test]
fn a_report_as_data() {
    if !has_avx2() {
        return;
    }
    let (directory, _one) = package();
    let report = printed(&mut dispatch(&directory, &["report", "--bin", "clones", "--json", "method"]));
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let function = &report["functions"][0];
    assert_eq!((&report["architecture"], &function["path"]), (&"x86-64".into(), &"clones::Of::method".into()));
    let clones = function["clones"].as_array().expect("a list");
    let status: Vec<_> = clones.iter().map(|clone| (clone["target"].as_str(), clone["status"].as_str())).collect();
    let [runs, not_needed] = [Some("runs"), Some("not needed")];
    assert_eq!(status, [(Some("avx2"), runs), (Some("sse4.1"), not_needed), (Some("baseline"), not_needed)]);
    assert_eq!(clones[0]["calls"][0]["callee"], "clones::helper", "{report:#}");
    assert_eq!(clones[0]["calls"][0]["times"], 2, "{report:#}");
    assert!(clones[0]["bytes"].as_u64().is_some_and(|bytes| bytes > 10), "{report:#}");
    assert_eq!(report["hand_written"][0]["path"], "clones::by_hand", "{report:#}");
}

#[test]
fn mistakes_are_explained() {
    let (directory, _one) = package();
    let program = directory.join("target/release/clones");
    printed(&mut dispatch(&directory, &["report", "--bin"]));
    let program = program.to_str().expect("a path in UTF-8");
    let stripped = directory.join("stripped");
    let strip = Command::new("strip").arg("-o").arg(&stripped).arg(program).status();
    for (arguments, messages) in [
        (&["report", program, "metod"][..], &["no function `metod`", "did you mean", "clones::Of::method"][..]),
        (&["report", "Cargo.toml"], &["cannot take `Cargo.toml` apart", "help: give the path of a program"]),
        (&["report", "no/such/program"], &["cannot read `no/such/program`", "help: build the program first"]),
        (&["report", "./src"], &["cannot read `./src`", "help: give the path of a program in this directory"]),
        (&["audit", "src"], &["cannot read `src`", "help: give the path of a program in this directory"]),
        (&["audit", "Cargo.toml"], &["cannot take `Cargo.toml` apart", "help: give the path of a program"]),
        (&["report", "--bin", "clones", "one", "two"], &["there can be one PATTERN"]),
        (&["report", "--bin", "other"], &["no bin target named `other`", "cargo could not build"]),
        (&["report", "--bin", "clones", "--lib"], &["cannot be used with"]),
        (&["bench", "--rounds", "5"], &["5 is not in 7.."]),
        (&["expand", "metod"], &["no dispatched function `metod`", "    Of::method", "    pays"]),
    ] {
        refuses(&directory, arguments, messages);
    }
    if strip.is_ok_and(|status| status.success()) {
        let messages = ["has no symbol table", "stripped.debug: not there", "CARGO_PROFILE_RELEASE_STRIP=none"];
        for command in ["report", "audit"] {
            refuses(&directory, &[command, "./stripped"], &messages);
        }
    }
}

/// A package of a library and a test, and one of nothing but a library.
#[test]
fn where_the_programs_are_is_said() {
    let scratch = tempfile::tempdir().expect("a directory");
    let directory = scratch.path();
    for (name, below, more) in [("tested", "", "[workspace]\nmembers = [\"single\"]\n"), ("single", "single", "")] {
        let manifest = format!("{more}[package]\nname = \"{name}\"\nedition = \"2024\"\n");
        write(&directory.join(below).join("Cargo.toml"), &manifest);
        write(&directory.join(below).join("src/lib.rs"), "\n");
    }
    write(&directory.join("tests/uses.rs"), "\n");
    let in_programs =
        "help: a library's clones are compiled in the programs that use it; take its unit\n      tests (`--lib`)";
    for (arguments, messages) in [
        (&["report"][..], &["error: the package has no binary\n", in_programs, "\nthere are:\n    --test uses\n"][..]),
        (&["report", "--bin"], &["the package has no binary\n", in_programs]),
        (&["report", "--example"], &["the package has no example\n", in_programs]),
        (&["report", "--bin", "-p", "single"], &["the package has no binary\n", in_programs, "path of a program\n"]),
        (
            &["bench"],
            &["the package has no benchmark\nhelp: write one with criterion", "\nthere are:\n    --test uses\n"],
        ),
        (&["expand", "--bench"], &["the package has no benchmark\n"]),
    ] {
        refuses(directory, arguments, messages);
    }
    let nowhere = tempfile::tempdir().expect("a directory");
    refuses(
        nowhere.path(),
        &["report"],
        &["could not find `Cargo.toml`", "help: run the command in a package's directory"],
    );
}

#[test]
fn expansions_are_those_of_the_code() {
    let (directory, _one) = package();
    let expanded = printed(&mut dispatch(&directory, &["expand", "Of::method"]));
    let line = 1 + LIBRARY.lines().position(|line| line == "impl Of {").expect("it is there");
    assert!(expanded.starts_with(&format!("// src/lib.rs:{line}\nimpl Of {{\n")), "{expanded}");
    for text in ["#[target_feature(enable = \"avx2\")]", "fn __method__sse4_1(&self, _: Proof)", "return unsafe"] {
        assert!(expanded.contains(text), "{text}\n{expanded}");
    }
    assert!(!expanded.contains("loses") && !expanded.contains("#[cfg"), "{expanded}");
    // Without compiling it again, and after a change.
    assert_eq!(printed(&mut dispatch(&directory, &["expand", "Of::method"])), expanded);
    write(&directory.join("src/lib.rs"), &LIBRARY.replace("helper(7)", "helper(8)"));
    let changed = printed(&mut dispatch(&directory, &["expand", "Of::method"]));
    write(&directory.join("src/lib.rs"), LIBRARY);
    assert_eq!(changed, expanded.replace("helper(7)", "helper(8)"));
    let exact = printed(&mut dispatch(&directory, &["expand", "--exact", "pays"]));
    assert!(exact.contains("#[cfg_attr("), "{exact}");
}

/// The page of the command shows the expansion of `ones`. A module is found by its name.
#[test]
fn expansions_are_those_of_the_page() {
    let (clones, _one) = package();
    let manifest = |name| manifest(name, "2024", "[dependencies]\nsimd-core.path = SIMD_CORE\n[workspace]\n");
    let [first, again] = ["first", "again"]
        .map(|name| crate::package(&format!("clones/expanded/{name}"), &[("Cargo.toml", &*manifest(name))]));
    write(&first.join("src/lib.rs"), EXPANDED);
    let expand = |directory: &Path, arguments: &[&str]| {
        let mut command = dispatch(directory, &["expand"]);
        command.args(arguments).env("CARGO_TARGET_DIR", clones.join("target"));
        command
    };
    let ones = printed(&mut expand(&first, &["ones"]));
    let (at, ones) = ones.split_once('\n').expect("its place comes first");
    assert_eq!(at, "// src/lib.rs:3");
    let (_, page) = include_str!("../README.md").split_once("## The expansion of a function").expect("its part");
    let (_, page) = page.split_once("```rust,ignore\n// src/main.rs:16\n").expect("the code");
    let (page, _) = page.split_once("```").expect("its end");
    assert_eq!(ones, page.replacen("fn ones", "pub fn ones", 1));

    let module = printed(&mut expand(&first, &["search"]));
    let (functions, gone) = (["pub mod search {", "pub fn nearest", "fn __nearest__popcnt("], ["fn ones", "allow("]);
    assert!(functions.iter().all(|text| module.contains(text)), "{module}");
    assert!(!gone.iter().any(|text| module.contains(text)), "{module}");
    assert!(module.lines().all(|line| line.chars().count() <= 100), "{module}");
    let method = printed(&mut expand(&first, &["first::search::distance"]));
    assert!(method.contains("pub mod search {") && !method.contains("nearest"), "{method}");

    // An expansion that is printed as it is can take the attribute's place.
    let exact = printed(&mut expand(&first, &["--exact"]));
    write(&again.join("src/lib.rs"), &exact);
    let nothing = refused(&mut expand(&again, &[]));
    assert!(nothing.contains("error: nothing is dispatched here\nhelp: choose a package"), "{nothing}");
    assert!(!nothing.contains("could not build"), "{nothing}\n{exact}");
    let ours = nothing.lines().skip_while(|line| !line.starts_with("error: "));
    assert!(ours.clone().count() > 1 && ours.clone().all(|line| line.len() <= 80), "{nothing}");
}

fn refuses(directory: &Path, arguments: &[&str], messages: &[&str]) {
    let said = refused(&mut dispatch(directory, arguments));
    assert!(messages.iter().all(|message| said.contains(message)), "{arguments:?}\n{said}");
    // Paths are as long as they are.
    assert!(said.lines().all(|line| line.chars().count() <= 80 || line.contains('/')), "{arguments:?}\n{said}");
}

#[test]
#[ignore = "builds criterion: a minute, which the gate takes"]
fn mistakes_with_benches_are_explained() {
    let (directory, _one) = package();
    refuses(&directory, &["report", "--bench"], &["choose one by its name", "    none"]);
    refuses(&directory, &["report", "--bench", "none"], &["has no clones of dispatched functions", "--lib"]);
    refuses(&directory, &["bench", "--bench", "none"], &["no bench has clones of dispatched functions"]);
}

#[test]
#[ignore = "builds criterion, and runs benches: minutes, which the gate takes"]
fn a_target_that_loses_is_found() {
    if !has_avx2() {
        return;
    }
    let (directory, _one) = package();
    let arguments = ["bench", "--bench", "clones", "--rounds", "7", "--time", "0.05"];
    let report = printed(dispatch(&directory, &arguments).arg("--json"));
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let verdict = |target: &str| {
        let verdicts = report["verdicts"].as_array().expect("a list");
        verdicts.iter().find(|verdict| verdict["target"] == target).expect("its verdict").clone()
    };
    let avx2 = verdict("avx2");
    assert_eq!(avx2["faster_on"], serde_json::json!(["pays"]), "{report:#}");
    let slower = avx2["slower"].as_array().expect("a list");
    let slower: Vec<_> = slower.iter().map(|one| (one["bench"].as_str(), one["than"].as_str())).collect();
    assert_eq!(slower, [(Some("loses"), Some("sse4.1")), (Some("loses"), Some("the baseline"))], "{report:#}");
    let median = avx2["slower"][0]["median"].as_f64().expect("a number");
    assert!((0.17..0.4).contains(&median), "{report:#}");
    assert_eq!(verdict("sse4.1")["benches"], 2, "{report:#}");

    // The bench calls them in loops, which nobody annotates.
    let report = printed(&mut dispatch(&directory, &["report", "--bench", "clones"]));
    assert!(!report.contains("calls from unannotated code"), "{report}");

    // Benches that are left out by their names are not compared.
    let text = printed(dispatch(&directory, &arguments).args(["--", "pays"]));
    assert!(text.contains("\nclones: pays, baseline ") && !text.contains("loses"), "{text}");
    assert!(text.contains("\n  clones: avx2: pays on 1 of 1\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}
