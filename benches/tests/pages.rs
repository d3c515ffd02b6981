//! The pages that the report makes of figures.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// A run with these figures: group, work, contender and nanoseconds.
fn run(cpu: &str, figures: &[(&str, &str, &str, f64)]) -> Value {
    let figure =
        |(group, work, by, ns): &(&str, &str, &str, f64)| json!({ "group": group, "work": work, "by": by, "ns": ns });
    let figures: Vec<Value> = figures.iter().map(figure).collect();
    let machine = json!({
        "name": cpu, "cpu": cpu, "features": ["avx2"], "gigahertz": 3.0, "rustc": "rustc", "flags": "none", "system": "linux x86_64",
        "commit": "c0ffee"
    });
    json!({ "machine": machine, "sources": { "loops": "0" }, "figures": figures, "notes": [] })
}

struct Pages {
    output: Output,
    first: String,
    details: String,
    readme: String,
}

/// The pages of runs. Each test has a name of its own for its files.
fn merge(test: &str, runs: &[Value]) -> Pages {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&place).unwrap();
    let file = |(i, run): (usize, &Value)| {
        let file = place.join(format!("{i}.json"));
        fs::write(&file, run.to_string()).unwrap();
        file
    };
    let files: Vec<PathBuf> = runs.iter().enumerate().map(file).collect();
    let readme =
        ["costs", "tree", "summary"].map(|name| format!("<!-- report: {name} -->\nstale\n<!-- end -->\n")).concat();
    pages(&place, &readme, &files)
}

/// The pages of the runs in `files`.
fn pages(place: &Path, readme: &str, files: &[PathBuf]) -> Pages {
    for name in ["docs", "benches"] {
        fs::create_dir_all(place.join(name)).unwrap();
    }
    fs::write(place.join("README.md"), readme).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_benches"));
    let output = command.args(["pages", "--to"]).arg(place).args(files).output().unwrap();
    let read = |name: &str| fs::read_to_string(place.join(name)).unwrap_or_default();
    Pages { first: read("docs/performance.md"), details: read("benches/details.md"), readme: read("README.md"), output }
}

#[track_caller]
fn assert_line(page: &str, line: &str) {
    assert!(page.lines().any(|other| other == line), "no {line} in:\n{page}");
}

/// ChaCha20 of ours and of others, and a loop.
fn figures(ours: f64, loop_of_ours: f64) -> Vec<(&'static str, &'static str, &'static str, f64)> {
    vec![
        ("loops", "hex", "plain loop", 300.0),
        ("loops", "hex", "simd-core", loop_of_ours),
        ("loops", "hex", "simd-core, target-cpu=native", 100.0),
        ("loops", "hex", "the best crate", 200.0),
        ("ChaCha20", "64 KiB", "simd-core", ours),
        ("ChaCha20", "64 KiB", "simd-core, target-cpu=native", 1000.0),
        ("ChaCha20", "64 KiB", "simd-core, only the CPU's features", 1250.0),
        ("ChaCha20", "64 KiB", "RustCrypto chacha20", 2000.0),
        ("ChaCha20", "64 KiB", "RustCrypto chacha20, cfg chacha20_avx512", 1600.0),
    ]
}

/// The pages in the repository are those of the runs in it.
#[test]
fn the_pages_have_the_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("runs");
    fs::create_dir_all(&place).unwrap();
    let runs = fs::read_dir(root.join("benches/runs")).unwrap().map(|entry| entry.unwrap().path());
    let mut runs: Vec<PathBuf> = runs.collect();
    runs.sort();
    let read = |name: &str| fs::read_to_string(root.join(name)).unwrap();
    let readme = read("README.md");
    let pages = pages(&place, &readme, &runs);
    let same = readme == pages.readme
        && read("docs/performance.md") == pages.first
        && read("docs/tree.svg") == fs::read_to_string(place.join("docs/tree.svg")).unwrap()
        && read("benches/details.md") == pages.details;
    assert!(same, "run `pages benches/runs/*.json`: {}", String::from_utf8_lossy(&pages.output.stderr));
}

#[test]
fn one_machine() {
    let pages = merge("one_machine", &[run("Intel one", &figures(1250.0, 100.0))]);
    assert!(pages.output.status.success(), "{pages:?}", pages = pages.output);
    assert!(pages.first.lines().count() <= 120);
    assert_line(
        &pages.first,
        "| 1 loops with the attribute, against the same loops without it | **3.00×** (3.00× to 3.00×) |",
    );
    assert_line(&pages.first, "| loops with the attribute, against the same loops without it | none |");
    assert!(pages.first.contains("- Intel one, of commit c0ffee: "), "{}", pages.first);
    assert!(pages.first.contains("No run on: AMD, aarch64"));
    // The hash that is stored is not that of the present sources.
    assert_line(&pages.first, "| hex † | 300 ns | 100 ns (3.00×) | 200 ns (1.50×) |");
    assert_line(&pages.details, "| ChaCha20, 64 KiB | RustCrypto, the better build | 1.25× | 1.28× | met |");
    assert_line(&pages.details, "| ChaCha20, 64 KiB | OpenSSL | 1.00× | – | not measured |");
    assert_line(
        &pages.details,
        "| every kernel and loop; the worst is ChaCha20, 64 KiB | a build for this CPU | 0.97× | 0.80× | **missed** |",
    );
    assert_line(
        &pages.details,
        "| every kernel and loop; the worst is ChaCha20, 64 KiB | the same features for all code, untuned | 0.97× | 1.00× | met |",
    );
    // The text between the marks is gone.
    assert_line(&pages.readme, "| cost of a call from a clone to a clone | – |");
    assert!(!pages.readme.contains("stale"), "{}", pages.readme);
}

/// A row is marked unless the hash that was stored with it is that of its sources.
#[test]
fn rows_of_the_present_sources_have_no_mark() {
    let mut run = run("Intel one", &[("dispatch", "throughput", "simd-core, nested", 1.0)]);
    let details = |run: &Value| merge("marks", core::slice::from_ref(run)).details;
    assert_line(&details(&run), "| simd-core, nested † | 1.00 ns |");
    let code: String = include_str!("../src/cases/dispatch/x86_64.rs")
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with("//"))
        .collect();
    run["sources"]["dispatch"] = format!("{:08x}", crc32fast::hash(code.as_bytes())).into();
    assert_line(&details(&run), "| simd-core, nested | 1.00 ns |");
}

/// Of all rows of several groups, the one in which ours is the worst.
#[test]
fn the_worst_row_of_all_groups() {
    let figures = [
        ("AES-128-GCM", "encrypt 64 B", "simd-core", 50.0),
        ("AES-128-GCM", "encrypt 64 B", "RustCrypto's mode on simd-core", 80.0),
        ("AES-128-GCM", "encrypt 64 B", "RustCrypto", 100.0),
        ("AES-128-CTR", "64 B", "simd-core", 60.0),
        ("AES-128-CTR", "64 B", "RustCrypto's mode on simd-core", 125.0),
        ("AES-128-CTR", "64 B", "RustCrypto", 100.0),
        ("AES-128-CTR", "1 KiB", "simd-core", 130.0),
    ];
    let pages = merge("worst_row", &[run("Intel one", &figures)]);
    let worst = "AES-128-CTR, 64 B, RustCrypto's mode on simd-core";
    assert_line(
        &pages.details,
        &format!("| AEAD, CTR and CBC; the worst row is {worst} | RustCrypto | 1.00× | 0.80× | **missed** |"),
    );
    // Nothing was measured of what this is about.
    assert_line(&pages.first, "| loops with the attribute, against the best crate | – |");
}

#[test]
fn losses_are_named() {
    let pages = merge("losses", &[run("Intel one", &figures(1250.0, 400.0))]);
    assert_line(&pages.first, "| loops with the attribute, against the same loops without it | hex (0.75×) |");
    assert_line(&pages.first, "| loops with the attribute, against a native build | hex (0.25×) |");
    assert_line(&pages.first, "| loops with the attribute, against the best crate | hex (0.50×) |");
}

#[test]
fn two_machines_and_the_worst_of_both() {
    let runs = [run("Intel one", &figures(1250.0, 100.0)), run("AMD two", &figures(1500.0, 100.0))];
    let pages = merge("two_machines", &runs);
    assert_line(
        &pages.details,
        "| ChaCha20, 64 KiB | RustCrypto, the better build | 1.25× | 1.28× | 1.07× | **missed** |",
    );
    assert_line(
        &pages.first,
        "| hex † | 300 ns | 100 ns (3.00×) | 200 ns (1.50×) | 300 ns | 100 ns (3.00×) | 200 ns (1.50×) |",
    );
    assert!(pages.first.contains("No run on: aarch64"));
}

#[test]
fn what_cannot_be_shown_is_an_error() {
    let error = |test: &str, run: Value| {
        let pages = merge(test, &[run]);
        assert!(!pages.output.status.success() && pages.first.is_empty());
        String::from_utf8(pages.output.stderr).unwrap()
    };
    let group = error("group", run("one", &[("chess", "mate", "simd-core", 1.0)]));
    assert!(group.contains("report.toml has no section for chess"), "{group}");
    let column = error("column", run("one", &[("limits", "copy", "someone", 1.0)]));
    assert!(column.contains("report.toml does not explain the column someone"), "{column}");
    let data = error("data", json!({ "figures": 1 }));
    assert!(data.contains("0.json is no run of this report"), "{data}");
}

/// It fails at once, and not after what it measures.
#[test]
fn a_folder_is_no_place_for_figures() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_benches"));
    let output = command.args(["measure", "--out", env!("CARGO_TARGET_TMPDIR")]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && error.contains("could not write"), "{error}");
}

#[test]
fn a_picture_of_the_tree() {
    let figures = [("leaf", 60.0), ("round", 30.0), ("root", 12.0)]
        .map(|(by, ns)| ("strategies", "Haraka-512, independent", by, ns));
    let pages = merge("tree", &[run("Intel one", &figures)]);
    let line = "![Haraka-512 on Intel one, time for a hash with the attribute on the AES step only: 60.0 ns; on one round: 30.0 ns; \
        on the whole hash: 12.0 ns.](docs/tree.svg)";
    assert_line(&pages.readme, line);
    let picture = fs::read_to_string(Path::new(env!("CARGO_TARGET_TMPDIR")).join("tree/docs/tree.svg")).unwrap();
    let widths: Vec<&str> = picture.split("width=\"").skip(2).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(widths, ["360", "180", "72"], "{picture}");
}
