//! `--cfg simd_core_without="…"`: the clones for a feature, and for all that implies it, are not in the program.
#![cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use integration_tests::build::{Build, DEBUG, Package, RELEASE, TARGET, target_directory};
use integration_tests::{shown, some_of};
use object::read::archive::ArchiveFile;
use object::{Object as _, ObjectSymbol as _};

/// A library, and a program that uses it: the flag is for both. No two clones have the same features: LLVM would merge them.
const LIBRARY: &str = r#"
use simd_core::{Targets, detected, dispatch};

#[dispatch(targets = "avx512f | avx2,bmi2,fast-gather | avx2 | sse4.1", list = LIST)]
pub fn plain(x: &mut [u32]) -> u32 {
    x.iter_mut().for_each(|x| *x = x.wrapping_mul(7));
    inner(x)
}

#[dispatch(targets = "avx512bw,avx512vl | avx2 | sse4.1")]
#[inline(never)]
pub fn inner(x: &[u32]) -> u32 {
    x.iter().fold(0, |sum, x| sum ^ x.rotate_left(3))
}

pub struct Of<T>(pub T);

#[dispatch(targets = "x86-64-v4 | avx2,fma | sse4.1")]
impl<T: Copy + Into<u64>> Of<T> {
    pub fn method(&self) -> u64 { inner(&[1]); self.0.into() + 1 }
}

#[dispatch(targets = "avx512f | avx2 | sse4.1")]
impl<T: Copy + Into<u64>> Iterator for Of<T> {
    type Item = u64;
    fn next(&mut self) -> Option<u64> { Some(self.0.into() + 2) }
}

pub fn pointer() -> fn(u64) -> u64 {
    #[dispatch(targets = "avx512f | avx2 | sse4.1")]
    fn add(x: u64) -> u64 { x + 3 }
    add
}

pub fn list() -> Targets { LIST }

pub fn asked() -> [bool; 2] { [detected!("avx512f"), detected!("avx2")] }
"#;

const PROGRAM: &str = r#"
fn main() {
    let mut numbers: Vec<u32> = (0..std::env::args().count() as u32 + 40).collect();
    println!("{} {:?}", without::plain(&mut numbers), without::Of(5_u32).method());
    println!("{:?} {}", without::Of(5_u32).next(), without::pointer()(1));
    println!("{} {:?} {}", without::list().chosen(), without::asked(), simd_core::features());
    print!("{}", without::list());
}
"#;

fn cargo(package: &Package, build: Build, flags: &[&str], arguments: &[&str]) -> Output {
    let flags: Vec<&'static str> = flags.iter().map(|flag| &*flag.to_string().leak()).collect();
    build.more(&flags).cargo(&package.directory, arguments).arg("--quiet").output().expect("cargo starts")
}

#[track_caller]
fn program(build: Build, flags: &[&str]) -> PathBuf {
    let package = Package::new("without", LIBRARY).file("src/main.rs", PROGRAM);
    let output = cargo(&package, build, flags, &["build"]);
    assert!(output.status.success(), "{flags:?}: {}", shown(&output));
    target_directory().join(TARGET).join("debug/without")
}

/// The labels of the clones in the symbols of a program or a library.
fn clones(file: &PathBuf) -> BTreeSet<String> {
    let bytes = &*fs::read(file).expect("it was built");
    let mut objects = vec![bytes];
    if let Ok(library) = ArchiveFile::parse(bytes) {
        let members = library.members().map(|member| member.expect("a member"));
        objects = members.map(|member| member.data(bytes).expect("in the file")).collect();
    }
    let objects = objects.into_iter().filter_map(|bytes| object::File::parse(bytes).ok());
    let names = |file: object::File<'_>| -> Vec<String> {
        file.symbols().filter_map(|symbol| symbol.name().ok().map(str::to_owned)).collect()
    };
    let names: Vec<String> = objects.flat_map(names).collect();
    let labels = [
        "avx512f",
        "avx512vl_avx512bw",
        "avx512bw_avx512vl",
        "x86_64_v4",
        "avx2_bmi2_fast_gather",
        "avx2",
        "avx2_fma",
        "sse4_1",
    ];
    let stands = |label: &str| {
        let end = format!("__{label}");
        names.iter().any(|name| {
            // A mangled name goes on with the hash; what has another label goes on with `_`.
            name.match_indices(&end).any(|(at, _)| !name[at + end.len()..].starts_with('_'))
        })
    };
    labels.into_iter().filter(|label| stands(label)).map(str::to_owned).collect()
}

#[test]
fn excluded_clones_are_not_in_the_program() {
    for &build in some_of(&[DEBUG, RELEASE], 1) {
        let all = clones(&program(build, &[]));
        for label in ["avx512f", "x86_64_v4", "avx2_bmi2_fast_gather", "avx2", "sse4_1"] {
            assert!(all.contains(label), "{label} of {all:?}, {build}");
        }
        let expected = |flags: &[&str], left: &[&str], gone: &[&str], says: &str| {
            let program = program(build, flags);
            let clones = [&program, &program.with_file_name("libwithout.rlib")].map(clones);
            assert!(left.iter().all(|label| clones[0].contains(*label)), "{flags:?}, {build}: {clones:?}");
            // Not even compiled.
            let stays = |label: &&&str| clones.iter().any(|clones| clones.contains(**label));
            assert_eq!(gone.iter().find(stays), None, "{flags:?}, {build}: {clones:?}");
            let output = Command::new(&program).output().expect("it starts");
            let text = shown(&output);
            assert!(output.status.success() && text.contains(says), "{flags:?}: {text}");
            assert!(text.contains("Some(7) 4"), "{text}");
            text
        };
        let wide = ["avx512f", "avx512vl_avx512bw", "avx512bw_avx512vl", "x86_64_v4"];
        let text = expected(
            &["--cfg=simd_core_without=\"avx512f\""],
            &["avx2_bmi2_fast_gather", "avx2", "sse4_1"],
            &wide,
            "avx512f: left out, the program is built without avx512f",
        );
        assert!(text.contains("[false, "), "{text}");
        expected(
            &["--cfg=simd_core_without=\"avx2\""],
            &["sse4_1"],
            &[&wide[..], &["avx2", "avx2_fma", "avx2_bmi2_fast_gather"]].concat(),
            "avx512f: left out, the program is built without avx2",
        );
        expected(
            &["--cfg=simd_core_without=\"fast-gather\"", "--cfg=simd_core_without=\"avx512f, neon\""],
            &["avx2", "sse4_1"],
            &[&wide[..], &["avx2_bmi2_fast_gather"]].concat(),
            "avx2,bmi2,fast-gather: left out, the program is built without fast-gather",
        );
    }
}

#[test]
fn a_wrong_name_is_an_error() {
    let package = Package::new("without-a-wrong-name", LIBRARY);
    for (flag, message) in [
        ("--cfg=simd_core_without=\"avx3\"", "`simd_core_without` names `avx3`, which is not a feature"),
        ("--cfg=simd_core_without=\"avx2,avx3\"", "`simd_core_without` names `avx3`, which is not a feature"),
        ("--cfg=simd_core_without", "`simd_core_without` names ``, which is not a feature"),
        ("--cfg=simd_core_without=\"x86-64-v4\"", "`simd_core_without` names `x86-64-v4`, which is a level"),
        ("--cfg=simd_core_without=\"sse4_2\"", "`simd_core_without` names `sse4_2`, which is an alias"),
        ("--cfg=simd_core_without=\"sse2\"", "`simd_core_without` names a feature that the build enables everywhere"),
    ] {
        let output = cargo(&package, DEBUG, &[flag], &["check"]);
        assert!(!output.status.success() && shown(&output).contains(message), "{flag}: {}", shown(&output));
    }
    // One set of flags serves several architectures.
    let output = cargo(&package, DEBUG, &["--cfg=simd_core_without=\"sve2\""], &["check"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", shown(&output));
}
