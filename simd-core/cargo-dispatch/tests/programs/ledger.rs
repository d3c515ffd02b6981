//! The ledger of clones that ran: two runs of one crate's tests, as if on two machines, and `cargo dispatch ledger`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use integration_tests::build::{DEBUG, Package};
use integration_tests::shown;

const LIBRARY: &str = r#"
#![forbid(unsafe_code)]
#![deny(warnings)]
use simd_core::dispatch;

#[dispatch(targets = "sse4.1 | ssse3", list = LIST)]
pub fn tested(x: u64) -> u64 { x.count_ones().into() }

simd_core::target_list!(named = "sse4.1");

#[dispatch(targets = named)]
pub fn listed(x: u64) -> u64 { x.swap_bytes() }

pub fn chosen() -> fn(u64) -> u64 {
    #[dispatch(targets = named)] fn increment(x: u64) -> u64 { x + 1 } increment
}

#[dispatch(targets = "sse4.1")]
pub fn forgotten(x: u64) -> u64 { x.leading_zeros().into() }

pub struct Of<T>(pub T);

#[dispatch(targets = "sse4.1")]
impl<T: Copy + Into<u64>> Of<T> {
    pub fn method(&self) -> u64 { (0..1).fold(self.0.into(), |x, _| x + 1) }
}

#[dispatch(targets = "sse4.1")]
impl Iterator for Of<u8> {
    type Item = u64;
    fn next(&mut self) -> Option<u64> { let mut sum = 0; for _ in 0..1 { sum += tested(self.0.into()); } Some(sum) }
}

#[dispatch(targets = "sse4.1")]
pub mod arms {
    simd_core::match_target! {
        "sse4.1" => { pub fn some(x: u64) -> u64 { x + 2 } }
        _ => { pub fn some(x: u64) -> u64 { 2 + x } }
    }

    pub fn all(x: u64) -> u64 {
        some(x)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn test() {
        if std::env::var_os("ABORTS").is_some() {
            assert_eq!(super::tested(5), 2);
            std::process::abort();
        }
        assert_eq!(super::Of(3_u8).next(), Some(2));
        assert_eq!(super::Of(3_u8).method(), 4);
        assert_eq!(super::LIST.iter().count(), 3);
        assert_eq!(super::listed(1), 1 << 56);
        assert_eq!(super::chosen()(4), 5);
        assert_eq!(super::arms::all(4), 6);
    }
}
"#;

const FLAGS: [&str; 2] = ["--cfg=simd_core_ledger", "--check-cfg=cfg(simd_core_ledger)"];

/// A run of the tests that leaves its ledger in a directory.
fn tests(flags: &[&'static str], ledger: &Path, only: &str, aborts: bool) -> Output {
    let package = Package::new("ledger", LIBRARY);
    let arguments = ["test", "--quiet", "--lib", "--features", "simd-core/testing"];
    let mut command = DEBUG.more(flags).cargo(&package.directory, &arguments);
    command.env("SIMD_CORE_LEDGER", ledger).env("SIMD_CORE_ONLY", only).env_remove("SIMD_CORE_WITHOUT");
    if aborts {
        command.env("ABORTS", "1");
    }
    command.output().expect("cargo starts")
}

fn directory(name: &str) -> PathBuf {
    let directory = crate::scratch("ledgers").join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("a temporary directory");
    directory
}

fn dispatch(arguments: &[&str]) -> Output {
    crate::dispatch(Path::new("."), &["ledger"]).args(arguments).output().expect("it was built")
}

#[test]
fn two_machines() {
    let [one, other] = ["one", "other"].map(directory);
    let [first, second] = [&one, &other].map(|path| path.to_str().expect("cargo's directory"));
    for (directory, only) in [(&one, "sse4.1"), (&other, "")] {
        let output = tests(&FLAGS, directory, only, false);
        assert!(output.status.success(), "{}", shown(&output));
    }
    let both = dispatch(&[first, second, "--require-all"]);
    let text = shown(&both);
    assert_eq!(both.status.code(), Some(1), "{text}");
    assert!(text.starts_with("14 of 17 clones of 9 functions ran, in "), "{text}");
    let never: Vec<&str> = text.lines().filter(|line| line.starts_with("    ")).collect();
    let expected = ["forgotten:19  baseline", "forgotten:19  sse4_1", "tested:7  ssse3"];
    assert_eq!(never.len(), expected.len(), "{text}");
    assert!(never.iter().zip(expected).all(|(line, end)| *line == format!("    ledger::{end}")), "{text}");

    // Without the second machine its clones are missing; without the option that is no failure.
    let alone = dispatch(&[first]);
    let text = shown(&alone);
    assert!(alone.status.success() && text.contains("    ledger::method:25  baseline\n"), "{text}");
    assert!(
        text.contains("    ledger::listed:12  baseline\n") && text.contains("    ledger::increment:15  baseline\n"),
        "{text}"
    );
}

/// A clone that the build leaves out is not in the program, so that no machine has to run it.
#[test]
fn clones_that_are_left_out_are_not_listed() {
    let directory = directory("left-out");
    let flags = [&FLAGS[..], &["--cfg=simd_core_without=\"sse4.1\""]].concat();
    let output = tests(&flags, &directory, "", false);
    assert!(output.status.success(), "{}", shown(&output));
    let text = shown(&dispatch(&[directory.to_str().expect("cargo's directory")]));
    assert!(text.starts_with("7 of 9 clones of 8 functions ran, in ") && !text.contains("sse4_1"), "{text}");
}

/// Clones that ran before a test has ended the process are in the ledger.
#[test]
fn a_process_that_aborts() {
    let directory = directory("aborts");
    let output = tests(&FLAGS, &directory, "", true);
    assert!(!output.status.success());
    let text = shown(&dispatch(&[directory.to_str().expect("cargo's directory")]));
    assert!(text.contains("forgotten:19  baseline") && !text.contains("tested:7  baseline"), "{text}");
}

#[test]
fn no_ledger_is_no_success() {
    let empty = directory("empty");
    let path = empty.to_str().expect("cargo's directory");
    for (arguments, message) in [
        (&[path][..], "help: build the tests with `--cfg simd_core_ledger`, and run them with"),
        (&[], "required arguments were not provided"),
        (&["/nowhere", "--require-all"], "help: give the directory that SIMD_CORE_LEDGER named for the tests\n"),
        (&[path, "--require"], "unexpected argument '--require'"),
    ] {
        let output = dispatch(arguments);
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        assert!(shown(&output).contains(message), "{}", shown(&output));
    }
    fs::write(empty.join("a.ledger"), "no ledger").expect("as the directory");
    let output = dispatch(&[path]);
    assert_eq!(output.status.code(), Some(2));
    let words = shown(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("does not begin with `simd-core ledger 1`"), "{words}");
    // A directory that is not there is said by the tests themselves.
    let output = tests(&FLAGS, &empty.join("gone"), "", false);
    assert!(!output.status.success() && shown(&output).contains("SIMD_CORE_LEDGER: "), "{}", shown(&output));
}
