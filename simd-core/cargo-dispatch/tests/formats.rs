//! `cargo dispatch report` and `audit` on programs for other systems: those of `simd-core/simd-core-asm/tests/formats`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

fn formats() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../simd-core-asm/tests/formats")
}

/// Each program, its format and architecture, the file that its names come from if that is another one, and the target
/// that its list has there.
const PROGRAMS: [(&str, &str, &str, Option<&str>, &str); 5] = [
    ("windows-x86_64/formats.exe", "PE", "x86-64", Some("windows-x86_64/formats.pdb"), "avx2"),
    ("windows-gnu-x86_64/formats.exe", "PE", "x86-64", None, "avx2"),
    ("windows-aarch64/formats.exe", "PE", "AArch64", None, "sha3"),
    ("macos-x86_64/formats", "Mach-O", "x86-64", None, "avx2"),
    (
        "macos-aarch64/formats",
        "Mach-O",
        "AArch64",
        Some("macos-aarch64/formats.dSYM/Contents/Resources/DWARF/formats"),
        "sha3",
    ),
];

fn dispatch(arguments: &[&str], program: &Path) -> Output {
    crate::dispatch(Path::new("."), arguments).arg(program).output().expect("the program was built")
}

fn text(output: &Output) -> String {
    [&output.stdout[..], &output.stderr].iter().map(|text| String::from_utf8_lossy(text)).collect()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(output)))
}

#[test]
fn reports() {
    for (path, format, architecture, names, target) in PROGRAMS {
        let program = formats().join(path);
        let output = dispatch(&["report"], &program);
        let report = text(&output);
        assert_eq!(output.status.code(), Some(0), "{report}");
        let names = names.map(|path| formats().join(path));
        let first = format!("{}, {format}, {architecture}\n", program.display());
        let second = names.as_ref().map_or_else(String::new, |path| format!("names: {}\n", path.display()));
        assert!(report.starts_with(&format!("{first}{second}this CPU: ")), "{report}");
        assert!(report.lines().skip(2).all(|line| line.chars().count() <= 80), "{report}");
        // The helper without the attribute is found by its name, in the clones for targets. Nothing tells on Windows for
        // Arm whether a CPU has SHA3, so that the list is empty there.
        let lists = path != "windows-aarch64/formats.exe";
        let call = "calls formats::mix:\n      not dispatched: no clone, compiled for the build's own features\n";
        assert_eq!(report.contains(call), lists, "{report}");

        let data = json(&dispatch(&["report", "--json"], &program));
        assert_eq!((&data["format"], &data["architecture"]), (&format.into(), &architecture.into()), "{path}");
        assert_eq!(data["names"].as_str().map(Path::new), names.as_deref(), "{path}");
        let functions = data["functions"].as_array().expect("a list");
        let sum = functions.iter().find(|one| one["path"] == "formats::kernels::sum").expect("it is in each program");
        let clones = sum["clones"].as_array().expect("a list");
        let targets: Vec<_> = clones.iter().filter_map(|clone| clone["target"].as_str()).collect();
        assert!(targets.contains(if lists { &target } else { &"baseline" }), "{path}: {targets:?}");
        let foreign = cfg!(target_arch = "x86_64") == (architecture == "AArch64");
        for clone in clones {
            assert_eq!(clone["status"] == "elsewhere", foreign, "{path}: {clone:#}");
            assert!(clone["bytes"].as_u64().is_some_and(|bytes| bytes > 10), "{path}: {clone:#}");
        }
    }
}

/// The hand-written function is reached without a test: a leak. The clones are not, and nor is `main`.
#[test]
fn audits() {
    let scratch = TempDir::new().expect("a directory");
    for (path, format, architecture, _, target) in PROGRAMS {
        let program = formats().join(path);
        // Each system requires these of every CPU: Windows since version 8.1, and macOS by the first Macs of 64 bits.
        let baseline = match (architecture, format) {
            ("AArch64", _) => "aarch64",
            (_, "Mach-O") => "x86-64+cmpxchg16b+sse4.1",
            _ => "x86-64+cmpxchg16b",
        };
        let output = dispatch(&["audit", "--baseline", baseline, "--json"], &program);
        let data = json(&output);
        let of = &data["programs"][0];
        assert_eq!((output.status.code(), &of["format"]), (Some(1), &format.into()), "{path}");
        let findings = of["findings"].as_array().expect("a list");
        let [leak] = &findings[..] else { panic!("{path}: {findings:#?}") };
        assert_eq!(
            (&leak["function"], &leak["needs"]),
            (&"formats::by_hand".into(), &Value::from(vec![target])),
            "{path}"
        );
        // The clones for SHA3 have none of its instructions.
        let has_clones = architecture == "x86-64";
        assert_eq!(of["clones"].as_u64().is_some_and(|number| number >= 1), has_clones, "{path}: {of:#}");

        // Where every CPU has the target there is none, and none that a file allows.
        let output = dispatch(&["audit", "--baseline", &format!("{baseline}+{target}")], &program);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        let allow = scratch.path().join("allow.toml");
        let entry = format!("[[allow]]\nfunction = \"formats::by_hand\"\nneeds = \"{target}\"\nreason = \"planted\"\n");
        fs::write(&allow, entry).expect("the directory is there");
        let allow = allow.to_str().expect("a path in UTF-8");
        let output = dispatch(&["audit", "--baseline", baseline, "--allow", allow], &program);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        assert!(text(&output).contains("\n       1  allowed by name\n"), "{}", text(&output));
    }
}

#[test]
fn what_is_missing_is_said() {
    let scratch = TempDir::new().expect("a directory");
    let alone = |path: &str, name: &str| {
        fs::copy(formats().join(path), scratch.path().join(name)).expect("both are there");
        scratch.path().join(name)
    };
    // A file for 32-bit Arm, by its header.
    let mut arm = [0_u8; 64];
    arm[..20].copy_from_slice(b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x28\0");
    (arm[20], arm[40]) = (1, 52);
    fs::write(scratch.path().join("arm"), arm).expect("the directory is there");
    fs::write(scratch.path().join("lib.rlib"), b"!<arch>\n").expect("the directory is there");
    let names = "macos-aarch64/formats.dSYM/Contents/Resources/DWARF/formats";
    for (program, messages) in [
        (
            alone("windows-x86_64/formats.exe", "formats.exe"),
            &["no symbol table", "formats.pdb: not there", "STRIP=none"][..],
        ),
        (alone("macos-aarch64/formats", "formats"), &["no symbol table", "formats.dSYM", "STRIP=none"]),
        (alone(names, "names"), &["it holds no code", "help: give the path of a program"]),
        (
            alone("windows-x86_64/formats.pdb", "names.pdb"),
            &["a PDB file holds names", "help: give the path of a program"],
        ),
        (scratch.path().join("arm"), &["holds Arm code", "help: build the program for one of these"]),
        (scratch.path().join("lib.rlib"), &["not linked", "help: a library's rlib does not hold its clones"]),
    ] {
        for command in ["report", "audit"] {
            let output = dispatch(&[command], &program);
            let said = text(&output);
            assert_eq!(output.status.code(), Some(2), "{command}: {said}");
            assert!(messages.iter().all(|message| said.contains(message)), "{command} {program:?}: {said}");
        }
    }
}
