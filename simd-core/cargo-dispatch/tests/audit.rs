//! `cargo dispatch audit` on programs that it builds: with every kind of test, and with planted leaks.
#![cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu", not(target_feature = "avx2")))]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use integration_tests::shown;
use serde_json::Value;
use tempfile::TempDir;

/// Those in `features.rs`.
const FEATURES: usize = 53;

/// A directory of programs, and what rustc builds them with.
struct Scratch(TempDir);

impl Scratch {
    fn new() -> Self {
        Self(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn rustc(&self, source: &str, name: &str, flags: &[&str]) -> PathBuf {
        self.built(source, name, "x86_64-unknown-linux-gnu", flags).unwrap_or_else(|errors| panic!("{errors}"))
    }

    fn built(&self, source: &str, name: &str, target: &str, flags: &[&str]) -> Result<PathBuf, String> {
        let out = self.path(name);
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/audit").join(source);
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut command = Command::new(rustc);
        command.args(["--edition=2024", "-Copt-level=3", "-Ccodegen-units=1", "--target", target]);
        let output = command.arg(source).arg("-o").arg(&out).args(flags).output().unwrap();
        if output.status.success() { Ok(out) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
    }

    /// The object of a C file, if there is this compiler.
    fn cc(&self, compiler: &str, source: &str) -> Option<String> {
        let out = self.path("c.o");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/audit").join(source);
        let status = Command::new(compiler).args(["-O2", "-c", "-o"]).arg(&out).arg(source).status().ok()?;
        assert!(status.success(), "{compiler}");
        Some(out.to_str().unwrap().to_owned())
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name).to_str().unwrap().to_owned()
    }
}

fn audit(program: &Path, arguments: &[&str]) -> Output {
    crate::dispatch(Path::new("."), &["audit"]).args(arguments).arg(program).output().unwrap()
}

fn findings(program: &Path, arguments: &[&str]) -> Vec<Value> {
    let output = audit(program, &[arguments, &["--json"]].concat());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", shown(&output)));
    let mut findings = report["programs"][0]["findings"].as_array().unwrap().clone();
    findings.retain(|found| found["family"].is_null());
    assert_eq!(output.status.code(), Some(i32::from(!findings.is_empty())), "{}", shown(&output));
    findings
}

fn names(findings: &[Value]) -> Vec<&str> {
    findings.iter().map(|finding| finding["function"].as_str().unwrap()).collect()
}

/// The kernels in `planted.rs` and `planted.c` that these findings name, and all that there are.
fn kernels(found: &[Value], sources: &[&str]) -> (BTreeSet<String>, BTreeSet<String>) {
    let identifiers = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let kernel = |word: &&str| word.len() > 5 && (word.starts_with("leak_") || word.starts_with("safe_"));
        words.filter(kernel).map(str::to_owned).collect()
    };
    let names = identifiers(&names(found).join(" "));
    let texts = sources.iter().map(|source| {
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/audit").join(source)).unwrap()
    });
    (names, texts.flat_map(|text| identifiers(&text)).collect())
}

/// Every kernel that is reached in some way without a test is found, and no other.
fn planted(target: &str, compiler: Option<&str>, baseline: &str, absent: &[&str], more: &[String]) {
    let scratch = Scratch::new();
    let object = compiler.map(|compiler| scratch.cc(compiler, "planted.c"));
    if object == Some(None) {
        eprintln!("skipped: no {compiler:?}");
        return;
    }
    let link = object.flatten().map(|object| format!("-Clink-arg={object}"));
    let mut flags: Vec<&str> = more.iter().map(String::as_str).collect();
    flags.extend(link.iter().flat_map(|link| ["--cfg", "have_c", link, "-Clink-arg=-lgcc"]));
    let program = match scratch.built("planted.rs", "program.exe", target, &flags) {
        Err(errors) if errors.contains("target may not be installed") => {
            eprintln!("skipped: no {target}");
            return;
        }
        built => built.unwrap(),
    };
    let sources = if link.is_some() { &["planted.rs", "planted.c"][..] } else { &["planted.rs"] };
    let at_baseline = findings(&program, &["--baseline", baseline]);
    let (mut found, all) = kernels(&at_baseline, sources);
    let leaks = all.into_iter().filter(|name| name.starts_with("leak_") && !absent.contains(&name.as_str()));
    if target != "x86_64-unknown-linux-gnu" {
        found.remove("safe_table"); // the places that an index can name are followed only there
    }
    assert_eq!(found, leaks.collect(), "{target}");
    if more == ["-Copt-level=3"] {
        let report: Value = serde_json::from_slice(&audit(&program, &["--json"]).stdout).unwrap();
        let of = &report["programs"][0];
        assert!(of["tested"].as_u64().unwrap() >= 11 && of["clones"] == 0, "{of:#}");
        assert_eq!(findings(&program, &["--baseline", "x86-64-v2"]).len(), at_baseline.len());
        // Where every CPU has it, it is none.
        for enough in ["haswell", "x86-64-v3"] {
            let (found, _) = kernels(&findings(&program, &["--baseline", enough]), sources);
            assert!(found.is_empty(), "{enough}: {found:?}");
        }
    }
}

#[test]
fn planted_in_every_form_on_elf() {
    for level in ["1", "3"] {
        planted("x86_64-unknown-linux-gnu", Some("cc"), "x86-64", &[], &[format!("-Copt-level={level}")]);
    }
    let absent = ["leak_other", "leak_untyped"]; // any feature is trusted there, and there is no such assembly
    let linker = ["-Clinker=aarch64-linux-gnu-gcc".to_owned()];
    planted("aarch64-unknown-linux-musl", Some("aarch64-linux-gnu-gcc"), "aarch64", &absent, &linker);
}

#[test]
fn planted_in_every_form_for_windows() {
    planted("x86_64-pc-windows-gnu", Some("x86_64-w64-mingw32-gcc"), "x86-64-v2", &[], &[]);
}

#[test]
fn planted_in_every_form_for_macos() {
    // Libraries of which nothing is known but the names.
    const LIBRARY: &str = "--- !tapi-tbd\ntbd-version: 4\ntargets: [ arm64-macos ]\n\
        install-name: /usr/lib/libSystem.B.dylib\nexports:\n  - targets: [ arm64-macos ]\n    symbols: [ none ]\n...\n";
    let scratch = Scratch::new();
    for name in ["System", "c", "m", "iconv"] {
        scratch.write(&format!("lib{name}.tbd"), LIBRARY);
    }
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "sysroot"]).output().unwrap();
    let lld = format!("{}/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld", shown(&output).trim());
    let mut flags = vec![format!("-Clinker={lld}"), "-Clinker-flavor=ld64.lld".to_owned()];
    flags.extend(
        [&format!("-L{}", scratch.0.path().display()), "-lSystem", "-undefined", "dynamic_lookup"]
            .map(|argument| format!("-Clink-arg={argument}")),
    );
    planted("aarch64-apple-darwin", None, "aarch64+lse+rcpc", &["leak_other", "leak_untyped"], &flags);
}

/// The middle of functions is entered by cold parts, tables, labels, handlers and assembly; names, bits and flags show nothing.
#[test]
fn ways_around_a_test() {
    let scratch = Scratch::new();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/audit");
    for (name, flags) in [
        ("ways", &["-pie", "-fpie"][..]),
        ("ways", &["-no-pie", "-fno-pie"]),
        ("further", &["-pie", "-fpie", "-Wl,-init=by_init"]),
        ("further", &["-no-pie", "-fno-pie", "-Wl,-init=by_init"]),
    ] {
        let sources = ["c", "cpp", "s"].map(|extension| format!("{name}.{extension}"));
        let program = scratch.path(name);
        let mut cc = Command::new("g++");
        // Its C, since an address of a label is not part of C++.
        cc.current_dir(&directory).args(["-O2", "-w"]).args(flags).arg("-o").arg(&program);
        for (language, source) in ["c", "c++", "assembler"].into_iter().zip(&sources) {
            cc.args(["-x", language, source]);
        }
        let Ok(output) = cc.arg("-pthread").output() else {
            eprintln!("skipped: no g++");
            return;
        };
        assert!(output.status.success(), "{}", shown(&output));
        let found = findings(&program, &[])
            .iter()
            .map(|found| found["function"].as_str().unwrap().to_owned())
            .collect::<BTreeSet<_>>();
        let (_, all) = kernels(&[], &sources.each_ref().map(|source| &**source));
        let mut leaks: BTreeSet<String> = all.into_iter().filter(|name| name.starts_with("leak_")).collect();
        if leaks.remove("leak_named") {
            // Its symbol is that of a clone.
            leaks.insert("__total__avx2".to_owned());
        }
        assert_eq!(found, leaks, "{name} {flags:?}");
    }
}

/// Tables of distances, which the compiler writes for selections, callbacks, and flags that other code sets.
#[test]
fn further_ways_around_a_test() {
    let scratch = Scratch::new();
    for level in ["1", "3"] {
        let program = scratch.rustc("further.rs", "program", &[&format!("-Copt-level={level}")]);
        let (found, all) = kernels(&findings(&program, &[]), &["further.rs"]);
        assert_eq!(found, all.into_iter().filter(|name| name.starts_with("leak_")).collect(), "{level}");
    }
}

#[test]
fn a_test_for_another_feature_is_none() {
    let scratch = Scratch::new();
    let program = scratch.rustc("features.rs", "program", &[]);
    let found = findings(&program, &[]);
    let found = names(&found);
    assert!(found.iter().all(|name| name.ends_with("::wrong")), "{found:?}");
    // No program can run `xsaves`.
    let output = shown(&audit(&program, &[]));
    assert!(output.contains("\n       1  no finding, privileged instructions"), "{output}");
    assert_eq!(found.len() + 1, FEATURES);
}

#[test]
fn a_crate_with_flags_of_its_own_is_found() {
    let scratch = Scratch::new();
    let library = scratch.rustc("wide.rs", "libwide.rlib", &["--crate-type=rlib", "-Ctarget-feature=+avx2"]);
    let link = format!("wide={}", library.display());
    let program = scratch.rustc("tested.rs", "program", &["--cfg", "leak=\"crate\"", "--extern", &link]);
    let found = findings(&program, &[]);
    assert_eq!(names(&found), ["wide::sum"]);
    assert_eq!(found[0]["reached"].as_array().unwrap().last().unwrap(), "wide::sum");
    assert!(found[0]["reached"].as_array().unwrap().iter().any(|step| step == "tested::main"));
    let output = shown(&audit(&program, &[]));
    assert!(output.lines().all(|line| line.chars().count() <= 80 || line.contains("program: ELF")), "{output}");
    assert!(output.contains("error: wide::sum\n") && output.contains("above the baseline: avx2\n"), "{output}");
}

/// An enum in a struct is known in BLAKE3's own calls.
#[test]
fn a_crate_that_keeps_what_it_detected() {
    let scratch = Scratch::new();
    for (name, more, expected) in [
        ("blake3", &[][..], &[][..]),
        ("blake3", &["--cfg", "direct"], &["blake3_wide"]),
        ("another", &[], &["blake3_wide"]),
    ] {
        let flags = ["--crate-type=rlib", "--crate-name", name];
        let library = scratch.rustc("kept.rs", &format!("lib{name}.rlib"), &flags);
        let link = format!("kept={}", library.display());
        let program = scratch.rustc("kept.rs", "program", &[&["--cfg", "program", "--extern", &link], more].concat());
        assert_eq!(names(&findings(&program, &[])), expected, "{name} {more:?}");
    }
}

/// An instruction above the baseline in an initialiser of a library ends the program that loads it.
#[test]
fn an_initialiser_of_a_library() {
    let scratch = Scratch::new();
    let library = scratch.rustc("loaded.rs", "libloaded.so", &["--crate-type=cdylib", "-Cpanic=abort"]);
    let found = findings(&library, &[]);
    assert_eq!(names(&found), ["loaded::at_load"]);
    assert_eq!(found[0]["needs"][0], "avx2");
    assert_eq!(found[0]["reached"], serde_json::json!(["loaded::AT_LOAD", "loaded::start", "loaded::at_load"]));
    let library =
        scratch.rustc("loaded.rs", "libloaded.so", &["--crate-type=cdylib", "-Cpanic=abort", "--cfg", "tested"]);
    assert_eq!(findings(&library, &[]), [] as [Value; 0]);
}

/// A summary by crate comes first, and a draft for `--allow` that has to be completed.
#[test]
fn a_draft_of_what_to_allow() {
    let scratch = Scratch::new();
    let program = scratch.rustc("tested.rs", "program", &["--cfg", "leak=\"call\""]);
    let draft = scratch.path("draft.toml");
    let output = audit(&program, &["--write-allow", draft.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let text_of_output = shown(&output);
    assert!(text_of_output.contains("reached without a test\n          tested: avx2 1\n"), "{text_of_output}");
    let text_of_draft = fs::read_to_string(&draft).unwrap();
    assert_eq!(text_of_draft, "[[allow]]\nfunction = \"tested::leaked\"\nneeds = \"avx2\"\nreason = \"\"\n\n");
    assert_eq!(audit(&program, &["--allow", draft.to_str().unwrap()]).status.code(), Some(2), "without reasons");
    scratch.write("draft.toml", &text_of_draft.replace("\"\"", "\"for the test\""));
    assert_eq!(audit(&program, &["--allow", draft.to_str().unwrap()]).status.code(), Some(0));
    // The words that have been filled in stay.
    assert_eq!(audit(&program, &["--write-allow", draft.to_str().unwrap()]).status.code(), Some(2));
}

/// As `head` is, which reads some lines.
#[test]
fn a_reader_that_has_seen_enough() {
    let scratch = Scratch::new();
    let leaks = scratch.rustc("tested.rs", "program", &["--cfg", "leak=\"call\""]);
    // Of results and messages.
    for (program, reads_messages, code) in [(&leaks, true, 1), (&scratch.path("none"), false, 2)] {
        let mut command = crate::dispatch(Path::new("."), &["audit"]);
        command.arg(program).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        drop(child.stderr.take_if(|_| !reads_messages));
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), shown(&output).as_str()), (Some(code), ""));
    }
}

#[test]
fn what_a_file_allows() {
    let scratch = Scratch::new();
    let program = scratch.rustc("tested.rs", "program", &["--cfg", "leak=\"call\""]);
    let allow =
        |needs: &str| format!("[[allow]]\nfunction = \"leaked\"\nneeds = \"{needs}\"\nreason = \"for the test\"\n");
    let enough = scratch.write("enough.toml", &allow("avx2"));
    assert_eq!(audit(&program, &["--allow", &enough]).status.code(), Some(0));
    let less = scratch.write("less.toml", &allow("sse4.2"));
    assert_eq!(names(&findings(&program, &["--allow", &less])), ["tested::leaked"]);
    // On another program the entry is stale, unless both are given.
    let clean = scratch.rustc("tested.rs", "clean", &[]);
    let output = audit(&clean, &["--allow", &enough]);
    assert_eq!(output.status.code(), Some(1));
    assert!(shown(&output).contains("error: `leaked` in "), "{}", shown(&output));
    assert_eq!(audit(&clean, &["--allow", &enough, program.to_str().unwrap()]).status.code(), Some(0));
}

#[test]
fn a_variable_that_a_file_names_is_a_test() {
    let scratch = Scratch::new();
    let program = scratch.rustc("tested.rs", "program", &["--cfg", "variable"]);
    assert_eq!(names(&findings(&program, &[])), ["tested::by_variable"]);
    let entry = |name: &str| format!("[[test]]\nvariable = \"{name}\"\nreason = \"for the test\"\n");
    let right = scratch.write("right.toml", &entry("MY_CPU"));
    assert_eq!(audit(&program, &["--allow", &right]).status.code(), Some(0));
    let wrong = scratch.write("wrong.toml", &entry("NOT_THERE"));
    let output = shown(&audit(&program, &["--allow", &wrong]));
    assert!(output.contains("error: `NOT_THERE` in ") && output.contains("tested::by_variable"), "{output}");
}

#[test]
fn a_stripped_program_with_a_debug_file() {
    let scratch = Scratch::new();
    let program = scratch.rustc("tested.rs", "program", &["--cfg", "leak=\"call\""]);
    let tool = |arguments: &[&str]| {
        Command::new("objcopy")
            .current_dir(scratch.0.path())
            .args(arguments)
            .status()
            .is_ok_and(|status| status.success())
    };
    if !tool(&["--only-keep-debug", "program", "program.debug"]) {
        eprintln!("skipped: no objcopy");
        return;
    }
    assert!(tool(&["--strip-all", "--add-gnu-debuglink=program.debug", "program"]));
    assert_eq!(names(&findings(&program, &[])), ["tested::leaked"]);
    fs::remove_file(scratch.path("program.debug")).unwrap();
    let output = audit(&program, &[]);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(shown(&output).contains("no symbol table"), "{}", shown(&output));
}

#[test]
fn wrong_arguments() {
    let scratch = Scratch::new();
    let program = scratch.rustc("wide.rs", "libwide.so", &["--crate-type=cdylib", "-Cpanic=abort"]);
    let unreasoned =
        scratch.write("unreasoned.toml", "[[allow]]\nfunction = \"f\"\nneeds = \"avx2\"\nreason = \" \"\n");
    let misspelt = scratch.write("misspelt.toml", "[[allow]]\nfunction = \"f\"\nneeds = \"avx3\"\nreason = \"r\"\n");
    let unknown = scratch.write("unknown.toml", "[[alow]]\nfunction = \"f\"\n");
    for (arguments, message) in [
        (&["--baseline", "x86-65"][..], "`x86-65` is no baseline for x86_64"),
        (&["--baseline", "aarch64"], "`aarch64` is no baseline for x86_64"),
        (&["--baseline", "x86-64+avx3"], "`avx3` is no CPU feature"),
        (&["--baseline", "x86-64-v9"], "`x86-64-v9` is no CPU feature"),
        (&["--allow", &unreasoned], "a reason"),
        (&["--allow", &misspelt], "`avx3` is no CPU feature"),
        (&["--allow", &unknown], "unknown field `alow`"),
        (&["--allow", "no-such-file.toml"], "cannot read `no-such-file.toml`"),
    ] {
        let output = audit(&program, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", shown(&output));
        assert!(shown(&output).contains(message), "{arguments:?}: {}", shown(&output));
    }
    let output = audit(Path::new("no-such-program"), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(shown(&output).contains("cannot read `no-such-program`"), "{}", shown(&output));
}
