//! `cargo dispatch expand --write` and `--check`: files of a small crate, random ones, and of the suite of behaviour.
#![cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]

#[path = "written/folded.rs"]
mod folded;
#[path = "written/random.rs"]
mod random;
#[path = "written/suite.rs"]
mod suite;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use crate::write;
use integration_tests::shown;

const MANIFEST: &str = r#"
[package]
name = "small"
version = "0.0.0"
edition = "2021"
[features]
simd = []
[dependencies]
renamed = { package = "simd-core", path = SIMD_CORE, default-features = false, features = ["std"] }
[workspace]
"#;

const ROOT: &str = r#"//! A crate.
#![deny(warnings)]
#[cfg_attr(not(miri), path = "list/mod.dispatched.rs")]
pub mod list;
#[cfg_attr(not(miri), path = "lists.dispatched.rs")]
mod lists;
#[cfg_attr(not(miri), path = "shapes.dispatched.rs")]
pub mod shapes;
"#;

const LIST: &str = r#"//! Lists.

mod child;

renamed::target_list!(pub(crate) few = "aarch64: sve2 | ssse3");

/// Counts lines.
#[cfg_attr(false, dispatch(targets = crate::lists::wide, crate = renamed))]
pub fn count(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte == b'\n').count() + child::one()
}
"#;

/// Nothing but a list.
const LISTS: &str = r#"renamed::target_list!(
    /// Wide ones.
    pub(crate) wide = ["x86-64-v4 | avx2", super::list::few]
);
"#;

const INNER: &str = r"//! Inner.

/// Of a list elsewhere.
#[cfg_attr(false, dispatch(targets = crate::lists::wide, crate = renamed))]
pub fn xor(a: &mut [u8], b: &[u8]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a ^= b;
    }
}
";

const TEN: &str = r#"
#[cfg_attr(false, dispatch(targets = "x86-64-v4 | x86-64-v3"))]
pub fn ten(xs: &[u32], by: u32) -> u32 {
    let mut sum = 0u32;
    for x in xs {
        sum = sum.wrapping_add(x.wrapping_mul(by));
    }
    let more = sum.rotate_left(3);
    sum ^= more;
    sum ^= by;
    sum
}
"#;

/// With simd-core under its own name.
fn manifest() -> String {
    MANIFEST.replace("renamed = { package = \"simd-core\", ", "simd-core = { ")
}

/// A new package called `name` with these files.
fn package(name: &str, manifest: &str, files: &[(&str, &str)]) -> PathBuf {
    let name = format!("written/{name}");
    _ = fs::remove_dir_all(crate::scratch(&name));
    crate::package(&name, &[&[("Cargo.toml", manifest)], files].concat())
}

fn small(name: &str) -> PathBuf {
    let files = [
        ("src/lib.rs", ROOT),
        ("src/shapes.rs", include_str!("written/shapes.rs")),
        ("src/shapes/plain.rs", "pub(super) fn two() -> u32 {\n    2\n}\n"),
        ("src/shapes/inner.rs", INNER),
        ("src/list/mod.rs", LIST),
        ("src/lists.rs", LISTS),
        ("src/list/child.rs", "pub(super) fn one() -> usize {\n    1\n}\n"),
    ];
    package(name, MANIFEST, &files)
}

/// The command in `directory`: its exit code, and what it has written to both outputs.
fn expand(directory: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = crate::dispatch(directory, &["expand", "--offline"]);
    let output = command.args(arguments).output().expect("the command starts");
    // The command breaks its own lines.
    (output.status.code(), shown(&output).split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Where the tests of reports build, too, so that what both depend on is compiled once.
fn target() -> PathBuf {
    crate::scratch("clones/target")
}

fn cargo(directory: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(arguments).current_dir(directory).env("CARGO_NET_OFFLINE", "true").env_remove("RUSTFLAGS");
    cargo.env("CARGO_TARGET_DIR", target());
    cargo.envs(variables.iter().copied());
    cargo.output().expect("cargo starts")
}

#[track_caller]
fn succeeds(output: &Output) {
    assert!(output.status.success(), "{}", shown(output));
}

#[test]
fn written_files_are_the_users() {
    // What docs/soundness.md lists, and the user's own.
    const UNSAFE: [&str; 6] = ["cpu::Proof::new()", "self::cpu::assert_", "__", "Self::__", "*p", "V::<1>::read("];
    let directory = small("files");
    let (code, said) = expand(&directory, &["--write"]);
    assert_eq!(code, Some(0), "{said}");
    let read = |file: &str| fs::read_to_string(directory.join(file)).expect(file);
    let shapes = read("src/shapes.dispatched.rs");
    let head = format!(
        "// Written by cargo-dispatch {} from `shapes.rs`, to be made again by `cargo dispatch expand --write`.\n",
        env!("CARGO_PKG_VERSION")
    );
    assert!(shapes.starts_with(&head), "{shapes}");
    // Comments and documentation, paths of modules, and no macro.
    let comments =
        ["// The license of this file.", "    // Adds.\n    /// Adds all.\n", "    // A helper.\n", "/// In place."];
    let paths =
        ["#[path = \"shapes/plain.rs\"]\nmod plain;", "path = \"shapes/inner.dispatched.rs\")]\npub mod inner;"];
    for part in comments.iter().chain(&paths) {
        assert!(shapes.contains(part), "{part}\n{shapes}");
    }
    for part in
        ["dispatch(", "match_target!", "!detected!", "[detected!", "__private", "targets!", "((cpu", "simd_core"]
    {
        assert!(!shapes.contains(part), "{part}\n{shapes}");
    }
    for (at, block) in shapes.match_indices("unsafe {") {
        let inside = shapes[at + block.len()..].trim_start();
        assert!(UNSAFE.iter().any(|start| inside.starts_with(start)), "{}", &inside[..80]);
    }
    assert!(read("src/list/mod.dispatched.rs").contains("\nmod child;\n"));
    // Nothing to do.
    assert_eq!(expand(&directory, &["--write"]), (Some(0), String::new()));
    assert_eq!(expand(&directory, &["--check"]), (Some(0), String::new()));
}

#[test]
fn stale_files_are_found_and_formatting_is_no_difference() {
    let directory = small("stale");
    assert_eq!(expand(&directory, &["--write"]).0, Some(0));
    let (source, written) = (directory.join("src/list/mod.rs"), directory.join("src/list/mod.dispatched.rs"));
    let first = fs::read_to_string(&written).unwrap();
    // The user's own style, and the default again.
    let style = directory.join("rustfmt.toml");
    write(&style, "max_width = 60\nuse_small_heuristics = \"Max\"\n");
    succeeds(&cargo(&directory, &["fmt"], &[]));
    assert_ne!(fs::read_to_string(&written).unwrap(), first);
    assert_eq!(expand(&directory, &["--check"]), (Some(0), String::new()));
    fs::remove_file(style).unwrap();
    assert_eq!(expand(&directory, &["--check"]), (Some(0), String::new()));
    // A change of a source, and one of a file.
    write(&source, &LIST.replace("byte == b'\\n'", "byte == b'\\t'"));
    let (code, said) = expand(&directory, &["--check"]);
    assert_eq!(code, Some(1), "{said}");
    for part in ["--- src/list/mod.dispatched.rs", "-", "+", "b'\\t'", "stale: run `cargo dispatch expand --write`"] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    assert!(!said.contains("shapes"), "{said}");
    assert_eq!(expand(&directory, &["--write"]).0, Some(0));
    assert_eq!(expand(&directory, &["--check"]).0, Some(0));
    let by_hand = fs::read_to_string(&written).unwrap().replace("unsafe { __count__ssse3", "unsafe { __count__avx2");
    write(&written, &by_hand);
    assert_eq!(expand(&directory, &["--check"]).0, Some(1));
    fs::remove_file(&written).unwrap();
    assert_eq!(expand(&directory, &["--check"]).0, Some(1));
}

#[test]
fn written_files_compile_without_the_macro() {
    let directory = small("compiled");
    assert_eq!(expand(&directory, &["--write"]).0, Some(0));
    let tree = cargo(&directory, &["tree", "-e", "normal,build"], &[]);
    succeeds(&tree);
    assert!(!["syn", "quote", "proc-macro"].iter().any(|name| shown(&tree).contains(name)), "{}", shown(&tree));
    succeeds(&cargo(&directory, &["clippy", "--all-targets"], &[]));
    succeeds(&cargo(&directory, &["clippy", "--all-targets", "--features", "simd"], &[]));
    for flags in ["", "-Ctarget-cpu=x86-64-v3"] {
        succeeds(&cargo(&directory, &["test", "--features", "simd"], &[("RUSTFLAGS", flags)]));
    }
    succeeds(&cargo(&directory, &["doc", "--no-deps"], &[("RUSTDOCFLAGS", "-Dwarnings")]));
    // A form that this simd-core has not.
    let written = directory.join("src/list/mod.dispatched.rs");
    let other = fs::read_to_string(&written).unwrap().replace("::expanded::v1", "::expanded::v9");
    write(&written, &other);
    let said = shown(&cargo(&directory, &["check"], &[]));
    assert!(said.contains("could not find `v9` in `expanded`") || said.contains("no `v9` in `expanded`"), "{said}");
}

#[test]
fn a_function_of_ten_lines_is_at_most_sixty() {
    let manifest = manifest().replace("2021", "2024");
    let root = "#[cfg_attr(not(miri), path = \"ten.dispatched.rs\")]\npub mod ten;\n";
    let directory = package("ten", &manifest, &[("src/lib.rs", root), ("src/ten.rs", TEN)]);
    assert_eq!(expand(&directory, &["--write"]).0, Some(0));
    let text = fs::read_to_string(directory.join("src/ten.dispatched.rs")).unwrap();
    let function: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("#[allow")).collect();
    assert!((30..=60).contains(&function.len()), "{}:\n{text}", function.len());
    succeeds(&cargo(&directory, &["clippy"], &[("RUSTFLAGS", "-Dwarnings")]));
}

/// What a macro and an included file put into a body: neither ends an assertion, nor has a proof.
#[test]
fn bodies_reach_no_name_of_the_file() {
    const ROOT: &str = "#![deny(warnings)]
macro_rules! items {
    () => {
        #[allow(dead_code)]
        mod cpu {}
    };
}
#[cfg_attr(not(miri), path = \"m.dispatched.rs\")]
pub mod m;
";
    const SOURCE: &str = "pub trait Go {
    fn go(&self, xs: &[u32]) -> u32;
}
pub struct S;
#[cfg_attr(false, dispatch(targets = \"x86-64-v3 | sse4.1\"))]
impl S {
    pub fn sum(&self, xs: &[u32]) -> u32 {
        items! {}
        #[cfg_attr(false, dispatch(targets = \"avx2\"))]
        fn inner(xs: &[u32]) -> u32 {
            items! {}
            xs.iter().sum()
        }
        let all = simd_core::match_target! { \"avx2\" => 2, _ => 1 };
        xs.iter().map(|x| x * all).sum::<u32>() + inner(xs)
    }
}
#[cfg_attr(false, dispatch(targets = \"x86-64-v3 | sse4.1\"))]
impl Go for S {
    fn go(&self, xs: &[u32]) -> u32 {
        items! {}
        include!(\"body.in\")
    }
}
";
    let manifest = manifest();
    let files = [("src/lib.rs", ROOT), ("src/m.rs", SOURCE), ("src/body.in", "self.sum(xs)")];
    let directory = package("bodies", &manifest, &files);
    assert_eq!(expand(&directory, &["--write"]).0, Some(0));
    succeeds(&cargo(&directory, &["check"], &[]));
    write(&directory.join("src/body.in"), "Self::__sum__baseline(self, xs, __proof)");
    let said = shown(&cargo(&directory, &["check"], &[]));
    assert!(said.contains("use of moved value: `__proof`"), "{said}");
}

#[test]
fn more_targets_and_features_than_a_tuple_has() {
    let features = "avx2,fma,bmi1,bmi2,lzcnt,movbe,f16c,popcnt,aes,pclmulqdq,rdrand,xsave,fxsr";
    let few = "avx2,fma | avx2,aes | avx2,bmi2 | avx2 | avx,aes | avx | sse4.2,aes | sse4.2,popcnt | sse4.2 | sse4.1,aes | sse4.1 | ssse3,aes | ssse3";
    assert!(features.split(',').count() > 12 && few.split('|').count() > 12);
    let source = format!(
        "#[cfg_attr(false, dispatch(targets = \"{features} | {few}\"))]\npub fn f(x: &[u32]) -> u32 {{\n    x.iter().sum()\n}}\n"
    );
    let manifest = manifest();
    let directory = package("many", &manifest, &[("src/lib.rs", LINE), ("src/m.rs", &source)]);
    assert_eq!(expand(&directory, &["--write"]).0, Some(0));
    succeeds(&cargo(&directory, &["check"], &[("RUSTFLAGS", "-Dwarnings")]));
}

const LINE: &str = "#[cfg_attr(not(miri), path = \"m.dispatched.rs\")]\npub mod m;\n";
const GOOD: &str = "#[cfg_attr(false, dispatch(targets = \"avx2\"))]\npub fn f() {}\n";

#[test]
fn what_cannot_be_written_is_refused_by_name() {
    let behind = |more: &str| format!("{GOOD}{more}");
    let cases: [(&str, &str, &[&str]); 10] = [
        (
            "forbid_here",
            &format!("#![forbid(unsafe_code)]\n{GOOD}"),
            &["m.rs: `unsafe_code` is forbidden (", "src/m.rs)"],
        ),
        ("none", "pub fn f() {}\n", &["m.rs: nothing is to be written out"]),
        ("wrong", &GOOD.replace("avx2", "avx3"), &["m.rs:1:", "`avx3`"]),
        (
            "elsewhere",
            &GOOD.replace("\"avx2\"", "other::list"),
            &["m.rs:1:45: `other::list` is no list of this crate", "help: declare"],
        ),
        ("broken", &behind("fn g() {\n"), &["m.rs:3:8: "]),
        (
            "made",
            &behind("macro_rules! m {\n() => {\n#[simd_core::dispatch(targets = \"aes\")]\nfn g() {}\n};\n}\n"),
            &["m.rs:5:2: `m`: an attribute that a macro makes cannot be written out"],
        ),
        (
            "made_in_body",
            &GOOD.replace("{}", "{\nm! {\n#[dispatch(targets = \"aes\")]\nfn g() {}\n}\n}"),
            &["m.rs:4:2: an attribute that a macro makes"],
        ),
        (
            "fragment",
            &behind("macro_rules! m {\n($e:expr) => { simd_core::match_target! { \"avx2\" => $e, _ => 1 } };\n}\n"),
            &["m.rs:4:", "`match_target!` with a fragment of a macro"],
        ),
        (
            "static",
            &GOOD.replace("fn f() {}", "static S: u8 = 1;"),
            &["m.rs:2:5: `#[dispatch]` cannot be used on a static"],
        ),
        (
            "with_others",
            &GOOD.replace("))]", "), inline)]"),
            &["m.rs:1:", "`cfg_attr` with `dispatch` and other attributes"],
        ),
    ];
    let manifest = manifest();
    for (name, source, expected) in cases {
        let directory = package(&format!("refused_{name}"), &manifest, &[("src/lib.rs", LINE), ("src/m.rs", source)]);
        for task in ["--write", "--check"] {
            let (code, said) = expand(&directory, &[task]);
            assert_eq!(code, Some(2), "{name}: {said}");
            assert!(expected.iter().all(|part| said.contains(part)), "{name}: {expected:?}\n{said}");
            assert!(!directory.join("src/m.dispatched.rs").exists(), "{name}");
        }
    }
}

#[test]
fn what_has_no_source_or_no_line_is_refused() {
    let manifest = manifest();
    let (other, good) = ("pub fn f() {}\n", ("src/m.rs", GOOD));
    let old = manifest.replace("2021", "2015");
    let lints = format!("{manifest}[lints.rust]\nunsafe_code = \"forbid\"\n");
    let [asleep, forbids] = [format!("{LINE}mod n;\n"), format!("#![forbid(unsafe_code)]\n{LINE}")];
    let forbidden = "src/lib.rs), and a file with clones has `unsafe` of its own: it calls them, which only a macro";
    let [conditional, plain] = ["cfg_attr(unix, path = \"n.dispatched.rs\")", "path = \"n.dispatched.rs\""]
        .map(|line| format!("{LINE}#[{line}]\nmod n;\n"));
    let otherwise = "`mod n;` asks for a written file otherwise than by";
    // What would be left out of the build without a word.
    let unclaimed = ("src/n.dispatched.rs", "// Written by cargo-dispatch 0.0.0 from `n.rs`.\n");
    let cases = [
        ("by_hand", &*manifest, LINE, &[good, ("src/m.dispatched.rs", other)][..], "m.dispatched.rs exists"),
        ("no_file", &manifest, LINE, &[], "there is no file of `mod m;`"),
        ("no_line", &manifest, "pub mod m;\n", &[("src/m.rs", other)], "no module asks for a written file"),
        ("old", &old, LINE, &[good], "edition 2015"),
        ("unclaimed", &manifest, LINE, &[good, unclaimed], "n.dispatched.rs: no module is declared with this file"),
        ("conditional", &manifest, &conditional, &[good, ("src/n.dispatched.rs", "")], otherwise),
        ("plain", &manifest, &plain, &[good, ("src/n.dispatched.rs", "")], otherwise),
        ("asleep", &manifest, &asleep, &[good, ("src/n.rs", GOOD)], "n.rs:1:1: nothing wakes this attribute"),
        ("forbid", &manifest, &forbids, &[good], forbidden),
        ("lints", &lints, LINE, &[good], "Cargo.toml"),
    ];
    for (name, manifest, root, files, message) in cases {
        let directory = package(&format!("refused_{name}"), manifest, &[&[("src/lib.rs", root)], files].concat());
        for task in ["--write", "--check"] {
            let (code, said) = expand(&directory, &[task]);
            assert!(code == Some(2) && said.contains(message), "{name}: {said}");
        }
        for (file, text) in files {
            assert_eq!(fs::read_to_string(directory.join(file)).unwrap(), *text, "{name}");
        }
    }
    // The name `core` is refused, but not Rust's own under it, which crates have that std depends on.
    for (package_of_it, refused) in [("other", true), ("rustc-std-workspace-core", false)] {
        let named = format!("core = {{ package = {package_of_it:?}, path = \"core\", optional = true }}\n[workspace]");
        let files = [
            ("core/Cargo.toml", &*format!("[package]\nname = {package_of_it:?}\nedition = \"2021\"\n")),
            ("core/src/lib.rs", ""),
            ("src/lib.rs", LINE),
            ("src/m.rs", GOOD),
        ];
        let directory = package("named_core", &manifest.replace("[workspace]", &named), &files);
        let (code, said) = expand(&directory, &["--write"]);
        assert_eq!(
            (code, said.contains("under the name `core`")),
            (Some(if refused { 2 } else { 0 }), refused),
            "{said}"
        );
    }
}
