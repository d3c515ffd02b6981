//! The variables of the test kit, which are read before `main`.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use super::*;

const ONLY: &str = "SIMD_CORE_ONLY";
const WITHOUT: &str = "SIMD_CORE_WITHOUT";

/// A program with the test kit, which prints the clone that runs and the features.
fn program() -> PathBuf {
    super::program(BUILD, "limited")
}

const BUILD: Build = Build { features: &["std", "testing"], ..OPTIMISED };

/// What the program does with `variables` and nothing else in its environment.
fn with<N: AsRef<OsStr>, V: AsRef<OsStr>>(variables: impl IntoIterator<Item = (N, V)>) -> Output {
    output(Command::new(program()).env_clear().envs(variables))
}

/// `main` runs, and prints `clone`.
#[track_caller]
fn takes(variables: &[(&str, &str)], clone: u8) {
    let output = with(variables.iter().copied());
    let said = shown(&output);
    assert!(output.status.success() && said.starts_with(&format!("clone {clone}, detected: true")), "{said}");
    assert!(output.stderr.is_empty(), "{said}");
}

#[test]
fn features_are_taken_away() {
    if !has_compiler() {
        return;
    }
    let best = libraries::best_clone();
    takes(&[], best);
    takes(&[(ONLY, "")], 0);
    takes(&[(WITHOUT, "")], best);
    takes(&[(WITHOUT, "aes")], 0);
    takes(&[(WITHOUT, "sse4.2,pclmulqdq")], best & 1);
    takes(&[(WITHOUT, "avx2")], best & 1);
    takes(&[(ONLY, "aes")], best & 1);
    takes(&[(ONLY, "avx2,aes")], best);
    takes(&[(ONLY, "avx2,aes"), (WITHOUT, "aes")], 0);
    takes(&[("SIMD_CORE_RUNNER", "anything"), ("HOME", "avx2")], best);
}

/// The process ends before `main`, with a message of one line.
#[track_caller]
fn refused(output: &Output, message: &str) {
    let said = shown(output);
    assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]), "{said}");
    let errors = std::str::from_utf8(&output.stderr).expect("other bytes are escaped");
    assert!(errors.contains(message) && errors.starts_with("simd-core: "), "{said}");
    assert!(!errors.contains("panicked"), "{said}");
    assert!(errors.ends_with('\n') && errors.lines().count() == 1, "{said}");
    assert!(!errors.trim_end().contains(|c: char| c.is_control()), "{said}");
    assert!(errors.len() < 400, "{} bytes are no clear message", errors.len());
}

#[test]
fn mistakes_end_the_program() {
    if !has_compiler() {
        return;
    }
    for (name, value, message) in [
        ("SIMD_CORE_ONYL", "aes", "there is no variable SIMD_CORE_ONYL: did you mean SIMD_CORE_ONLY?"),
        ("simd_core_without", "", "there is no variable simd_core_without: did you mean SIMD_CORE_WITHOUT?"),
        (ONLY, "aes,avx3", "SIMD_CORE_ONLY names `avx3`, which is not a feature of x86_64: the names are those of"),
        (WITHOUT, "neon", "SIMD_CORE_WITHOUT names `neon`, which is not a feature of x86_64"),
        (WITHOUT, "x86-64-v3", "SIMD_CORE_WITHOUT names the level `x86-64-v3`: name the features to disable"),
    ] {
        refused(&with([(name, value)]), message);
    }
}

#[test]
fn hostile_values() {
    if !has_compiler() {
        return;
    }
    let long = "x".repeat(100_000);
    let list = "aes,".repeat(25_000);
    for (value, message) in [
        (&b"\xff\xfe"[..], r"names `\xff\xfe`"),
        (b"aes,\xc3\x28", r"names `\xc3(`"),
        (b"\x1b[2J\x07", r"names `\x1b[2J\x07`"),
        (b"aes\n", ""),
        (b"a\nb\r\n", r"names `a\nb`"),
        (b"{}%s%n\\", r"names `{}%s%n\\`"),
        ("a\u{202e}b\u{85}".as_bytes(), r"names `a\xe2\x80\xaeb\xc2\x85`"),
        (long.as_bytes(), "names `xxxx"),
        (list.as_bytes(), ""),
        (&[b','; 100_000], ""),
    ] {
        for name in [ONLY, WITHOUT] {
            let output = with([(name, OsStr::from_bytes(value))]);
            if message.is_empty() {
                assert!(output.status.success(), "{name}={:.20}: {}", value.escape_ascii(), shown(&output));
            } else {
                refused(&output, message);
            }
        }
    }
    for (name, message) in [
        (&b"SIMD_CORE_O\xff\x1b"[..], r"there is no variable SIMD_CORE_O\xff\x1b: did you mean SIMD_CORE_ONLY?"),
        (&[b"SIMD_CORE_W".as_slice(), long.as_bytes()].concat(), "there is no variable SIMD_CORE_Wxxx"),
    ] {
        refused(&with([(OsStr::from_bytes(name), "")]), message);
    }
}

#[test]
fn many_variables() {
    if !has_compiler() {
        return;
    }
    let others = (0..20_000).map(|n| (OsString::from(format!("VARIABLE_{n}")), OsString::from("value")));
    let ours = [(ONLY.into(), "aes".into())];
    let output = with(others.chain(ours));
    assert!(shown(&output).starts_with(&format!("clone {}, ", libraries::best_clone() & 1)), "{}", shown(&output));
}

/// Nobody reads what is said.
#[test]
fn without_a_standard_error() {
    if !has_compiler() {
        return;
    }
    for redirection in ["2>&-", "2>/dev/full"] {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec \"$0\" {redirection}")]).arg(program()).env(ONLY, "avx3");
        assert_eq!(output(&mut shell).status.code(), Some(2), "{redirection}");
    }
}

/// The environment of a program is no affair of the libraries that it loads.
#[test]
fn a_library_ignores_them() {
    if !has_compiler() {
        return;
    }
    let library = [BUILD.path(&[LIBRARY.kind("cdylib")])];
    for variable in [("SIMD_CORE_ONYL", "aes"), (ONLY, ""), (WITHOUT, "avx3")] {
        let lines = libraries::load("host-kit", &library, &[variable]);
        assert!(lines.iter().all(|line| line.ends_with(&libraries::best())) && lines.len() == 1, "{lines:?}");
    }
}
