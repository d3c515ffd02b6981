//! The random items of the suite, written out and compiled without the macro: each prints what the plain program prints, compiled with the
//! features of the clone, or is refused by the tool, which at most one in twenty is.

#![allow(dead_code, reason = "the generators are those of the suite of the macro, whose tests use all of them")]

use core::fmt::Write as _;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::{env, fs};

use generated::items::generate::{self, Program};
use generated::modules;
use serde_json::Value;

use super::{cargo, expand, package, shown, succeeds, write};
use crate::manifest;

#[path = "../../../../tests/codegen"]
#[allow(clippy::all, clippy::pedantic, reason = "as where these modules are at home")]
mod generated {
    pub(super) mod folding {
        mod features;
        pub(in super::super) mod random;
    }
    pub(super) mod items {
        mod body;
        pub(in super::super) mod generate;
        mod module;
        mod scope;
    }
    pub(super) mod modules {
        pub(in super::super) mod fill;
        pub(in super::super) mod generate;
        mod options;
        mod outside;
    }
}

const MANIFEST: &str = "[dependencies]\nsimd-core = { path = SIMD_CORE, default-features = false, features = [\"testing\"] }\n[workspace]\n";

const UNITS: usize = 5;

type Features = BTreeSet<String>;

/// The files of simd-core with its macro, which the plain program tests features with, and without.
struct Rustc {
    with: PathBuf,
    without: PathBuf,
}

fn flags(names: &Features) -> Vec<String> {
    names.iter().map(|name| format!("-Ctarget-feature=+{name}")).collect()
}

impl Rustc {
    fn new() -> Rustc {
        let manifest = manifest("random", "2024", MANIFEST);
        let built = |name: &str, manifest: &str| {
            let directory = package(&format!("random_{name}"), manifest, &[("src/lib.rs", "")]);
            let output = cargo(&directory, &["build", "--message-format=json"], &[]);
            succeeds(&output);
            let said = String::from_utf8(output.stdout).expect("JSON");
            let mut messages = said.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
            let of_simd_core = |message: &Value| message["target"]["name"] == "simd_core";
            let built = messages.rfind(of_simd_core).expect("it was built");
            built["filenames"][0].as_str().expect("a path").into()
        };
        let with = built("with", &manifest.replace("\"testing\"", "\"testing\", \"macros\""));
        Rustc { with, without: built("without", &manifest) }
    }

    fn shared() -> &'static Rustc {
        static SHARED: LazyLock<Rustc> = LazyLock::new(Rustc::new);
        &SHARED
    }

    fn command() -> Command {
        Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
    }

    /// The features of code that is compiled with `names`, each of which may be several.
    fn closure(names: &[&str]) -> Features {
        let names = names.iter().flat_map(|name| name.split(',')).filter(|name| !name.is_empty());
        let output = Self::command()
            .args(["--print", "cfg"])
            .args(flags(&names.map(str::to_owned).collect()))
            .output()
            .expect("the compiler starts");
        succeeds(&output);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let names = text.lines().filter_map(|line| line.strip_prefix("target_feature=\"")?.strip_suffix('"'));
        names.map(str::to_owned).collect()
    }

    /// For a crate, with the simd-core of a file.
    fn of(source: &Path, output: &Path, edition: &str, name: &str, simd_core: &Path, features: &Features) -> Command {
        let mut rustc = Self::command();
        rustc.args(["--edition", edition, "--crate-name", name, "-Awarnings"]).arg(source).arg("-o").arg(output);
        rustc.arg(format!("--extern=simd_core={}", simd_core.display())).args(flags(features));
        rustc.arg(format!("-Ldependency={}", simd_core.parent().expect("a directory").display()));
        rustc
    }

    /// The program of the file `main`.
    fn compile(main: &Path, simd_core: &Path, edition: &str, features: &Features) -> Result<PathBuf, String> {
        let output = main.with_extension("");
        let mut rustc = Self::of(main, &output, edition, "random", simd_core, features);
        let done = rustc.output().expect("the compiler starts");
        if done.status.success() { Ok(output) } else { Err(shown(&done)) }
    }

    fn run(program: &Path, limit: &str) -> Result<Vec<String>, String> {
        let output = Command::new(program).env("SIMD_CORE_ONLY", limit).output().expect("the program starts");
        if !output.status.success() {
            return Err(shown(&output));
        }
        Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
    }
}

/// A program of these modules, each in a file, and as one file without attributes.
fn files(program: &Program, units: &[usize], build: &Features) -> Vec<(String, String)> {
    // The list in a file of its own, and each module in one.
    let list = format!("simd_core::target_list!(pub(crate) main_list = \"{}\");\n", program.lists[0].join(" | "));
    let plain = generate::source("", &units.iter().map(|&at| (at, &program.units[at])).collect::<Vec<_>>());
    let plain = shared(&plain, &|name| if build.contains(name) { "all()" } else { "any()" }.to_owned());
    let mut files = vec![("src/plain.rs".to_owned(), plain), ("src/lists.rs".to_owned(), list)];
    let mut main = generate::source("", &[])
        .replace("fn main() {  }", "#[cfg_attr(not(miri), path = \"lists.dispatched.rs\")]\nmod lists;\n");
    let mut calls = String::new();
    for &at in units {
        let one = generate::source("", &[(at, &program.units[at])]);
        let start = one.find(&format!("pub mod u{at} {{\n")).expect("the module");
        let inside = &one[start..one.rfind("}\nfn main()").expect("its end")];
        let inside = &inside[inside.find('\n').expect("a line")..];
        let inside = shared(inside, &|name| format!("target_feature = \"{name}\""));
        let inside = inside
            .replace("cfg_attr(d,", "cfg_attr(false,")
            .replace("cfg_attr(all(d, not(any())),", "cfg_attr(false,")
            .replace("crate::main_list", "crate::lists::main_list");
        files.push((format!("src/u{at}.rs"), inside));
        _ = writeln!(main, "#[cfg_attr(not(miri), path = \"u{at}.dispatched.rs\")]\npub mod u{at};");
        _ = write!(calls, "u{at}::run(); ");
    }
    files.push(("src/main.rs".to_owned(), format!("{main}fn main() {{ {calls} }}\n")));
    files
}

#[derive(Default)]
struct Counts {
    accepted: usize,
    /// rustc refuses them without the attribute.
    discarded: usize,
    results: usize,
    refused: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

/// The source with tests of the features that stand between two `@`.
fn shared(source: &str, test: &dyn Fn(&str) -> String) -> String {
    let parts = source.split('@').enumerate();
    parts.map(|(at, part)| if at % 2 == 1 { test(part) } else { part.to_owned() }).collect()
}

impl Counts {
    /// Compares some modules of a program; whether they are to be compared one by one.
    fn together(&mut self, seed: u64, program: &Program, units: &[usize], rustc: &Rustc) -> bool {
        let alone = units.len() == 1;
        let edition = program.edition;
        let manifest = manifest("random", edition, MANIFEST);
        let build = Rustc::closure(program.build);
        let files = files(program, units, &build);
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
        let directory = package(&format!("random_items_{seed}"), &manifest, &files);
        // The plain programs, for each target of both lists and for none.
        let mut sets = vec![build.clone()];
        for target in program.lists.iter().flatten() {
            sets.push(Rustc::closure(&[&[*target], program.build].concat()));
        }
        let mut plain = Vec::new();
        for set in &sets {
            let Ok(path) = Rustc::compile(&directory.join("src/plain.rs"), &rustc.with, edition, set) else {
                self.discarded += usize::from(alone);
                return !alone;
            };
            plain.push(Rustc::run(&path, ""));
        }
        let (code, said) = expand(&directory, &["--write"]);
        if code != Some(0) {
            if alone {
                *self.refused.entry(reason(&said)).or_default() += 1;
            }
            return !alone;
        }
        let name = format!("seed {seed}, modules {units:?}, edition {edition}, build {:?}", program.build);
        let path = match Rustc::compile(&directory.join("src/main.rs"), &rustc.without, edition, &build) {
            Ok(path) => path,
            Err(error) if alone => {
                self.wrong.push(format!("{name}: the files do not compile:\n{error}"));
                return false;
            }
            Err(_) => return true,
        };
        self.accepted += units.len();
        let entries = units.iter().flat_map(|&unit| program.units[unit].entries.iter().map(|entry| entry.list));
        let entries: Vec<usize> = entries.collect();
        for limit in program.lists.iter().flatten().copied().chain([""]) {
            let names = [&[limit], program.build].concat();
            let available = Rustc::closure(&names);
            let chosen = program.lists.each_ref().map(|list| {
                let first = list.iter().find(|target| Rustc::closure(&[target]).is_subset(&available));
                let set = Rustc::closure(
                    &[first.as_slice().iter().map(|name| **name).collect(), program.build.to_vec()].concat(),
                );
                sets.iter().position(|other| *other == set).expect("a set")
            });
            let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
            let lines = Rustc::run(&path, &names.join(","));
            for (at, list) in entries.iter().enumerate() {
                let wanted = plain[chosen[*list]].as_ref().ok().and_then(|lines| lines.get(at));
                let found = lines.as_ref().ok().and_then(|lines| lines.get(at));
                self.results += 1;
                if wanted != found {
                    self.wrong.push(format!(
                        "{name}: SIMD_CORE_ONLY={names:?}: without the attribute {wanted:?}, written out {found:?}\n{:?}",
                        lines.as_ref().err()
                    ));
                    return false;
                }
            }
        }
        false
    }
}

/// The first error, without its place and without names.
fn reason(said: &str) -> String {
    let first = said.split(" help: ").next().unwrap_or_default();
    let first = first.rsplit(".rs:").next().unwrap_or_default();
    let first = first.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':' || c == ' ');
    let first = first.split(" (/").next().unwrap_or_default();
    first.split('`').step_by(2).collect::<Vec<_>>().join("_")
}

fn number(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn random_items_are_the_plain_program() {
    let rounds = number("SIMD_CORE_ITEMS_ROUNDS", if integration_tests::asks_for_all() { 16 } else { 1 });
    let first = number("SIMD_CORE_ITEMS_SEED", 1);
    let rustc = Rustc::shared();
    let native =
        Rustc::command().args(["--print", "cfg", "-Ctarget-cpu=native"]).output().expect("the compiler starts");
    let native = String::from_utf8_lossy(&native.stdout).into_owned();
    let has = |target: &str| target.split(',').all(|name| native.contains(&format!("target_feature=\"{name}\"")));
    let mut counts = Counts::default();
    // The tool knows no edition 2015.
    let programs = (first..).map(|seed| (seed, generate::program(seed, UNITS, &has)));
    for (seed, program) in programs.filter(|(_, program)| program.edition != "2015").take(rounds as usize) {
        if counts.together(seed, &program, &(0..UNITS).collect::<Vec<_>>(), rustc) {
            for unit in 0..UNITS {
                counts.together(seed, &program, &[unit], rustc);
            }
        }
    }
    let Counts { accepted, discarded, results, refused, wrong } = counts;
    let all: usize = refused.values().sum();
    integration_tests::report(format_args!(
        "{accepted} modules accepted with {results} results, {all} refused, {discarded} discarded, {} wrong",
        wrong.len()
    ));
    for (reason, count) in &refused {
        integration_tests::report(format_args!("{count:5} {reason}"));
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    assert!(accepted > 0 && all * 20 <= accepted.max(20), "{all} of {accepted} refused: {refused:?}");
}

/// Compiles the crates of a program, whose first is `first`; returns the program.
fn crates(
    program: &modules::generate::Program,
    first: &Path,
    simd_core: &Path,
    names: &Features,
    cfg: &[&str],
) -> Result<PathBuf, String> {
    let directory = first.parent().expect("a directory");
    let mut path = PathBuf::new();
    for (at, (name, pieces)) in program.crates.iter().enumerate() {
        let source = if at == 0 { first.to_owned() } else { directory.join(format!("{name}.rs")) };
        if at != 0 {
            write(&source, &modules::generate::render(pieces));
        }
        let is_program = at + 1 == program.crates.len();
        path = directory.join(format!("lib{name}.{}", if is_program { "bin" } else { "rlib" }));
        let mut rustc = Rustc::of(&source, &path, program.edition, name, simd_core, names);
        rustc.args(cfg).arg("-L").arg(directory).args(["--crate-type", if is_program { "bin" } else { "rlib" }]);
        for (other, _) in &program.crates[..at] {
            rustc.arg(format!("--extern={other}={}", directory.join(format!("lib{other}.rlib")).display()));
        }
        let output = rustc.output().expect("the compiler starts");
        if !output.status.success() {
            return Err(shown(&output));
        }
    }
    Ok(path)
}

/// What a program is without the macro: in short, and whether it is wrong.
fn module(seed: u64, rustc: &Rustc) -> (String, Option<String>) {
    let program = modules::generate::program(seed);
    let manifest = manifest("random", program.edition, MANIFEST);
    let (_, pieces) = &program.crates[0];
    // Lines are others in a written file.
    let source = modules::generate::render(pieces)
        .replace("Location::caller().line()", "Location::caller().file().len().min(1)");
    let has_main = source.contains("fn main()");
    let main = if has_main { "fn main() { root::main() }\n" } else { "" };
    let root = format!(
        "#![allow(warnings)]\n#[cfg_attr(not(miri), path = \"root.dispatched.rs\")]\n#[macro_use]\npub mod root;\npub use root::*;\n{main}"
    );
    let inside =
        source.replace("cfg_attr(d,", "cfg_attr(false,").replace("cfg_attr(all(d, not(any())),", "cfg_attr(false,");
    let tests = format!("cfg!(target_feature = \"{}\")", program.targets[0]);
    let files = [
        ("src/lib.rs", &*root),
        ("src/root.rs", &inside),
        ("src/test.inc", &tests),
        ("src/items.inc", modules::fill::INCLUDED_ITEM),
        ("src/original.rs", &source),
    ];
    let directory = package(&format!("random_modules_{seed}"), &manifest, &files);
    let original = directory.join("src/original.rs");
    let build = Rustc::closure(&[program.build]);
    let mut plain = Vec::new();
    for target in program.targets.iter().chain([&""]) {
        match crates(&program, &original, &rustc.with, &Rustc::closure(&[target, program.build]), &[]) {
            Ok(path) => plain.push(Rustc::run(&path, "")),
            Err(_) => return ("discarded, as rustc refuses the plain program".to_owned(), None),
        }
    }
    let run = |path: &Path| -> Vec<Result<Vec<String>, String>> {
        let limits = program.targets.iter().chain([&""]);
        limits.map(|target| Rustc::run(path, format!("{target},{}", program.build).trim_matches(','))).collect()
    };
    let by_macro = crates(&program, &original, &rustc.with, &build, &["--cfg", "d"]).map(|path| run(&path));
    let (code, said) = expand(&directory, &["--write"]);
    let text = |what: &str| Some(format!("seed {seed}: {what}\n{source}"));
    if code != Some(0) {
        let by = if by_macro.is_err() { "both" } else { "only the tool" };
        return (format!("refused by {by}: {}", reason(&said)), None);
    }
    let written = crates(&program, &directory.join("src/lib.rs"), &rustc.without, &build, &[]).map(|path| run(&path));
    match (by_macro, written) {
        (Err(_), Err(_)) => ("refused by both, the file by rustc".to_owned(), None),
        (Ok(_), Err(error)) => {
            let short = error.lines().find(|line| line.starts_with("error")).map(reason).unwrap_or_default();
            (format!("the file does not compile: {short}"), text(&error))
        }
        (Ok(one), Ok(other)) if one == other => {
            _ = fs::remove_dir_all(directory);
            ("accepted".to_owned(), None)
        }
        (Ok(one), Ok(other)) => ("another result".to_owned(), text(&format!("{one:?}\n{other:?}"))),
        (Err(_), Ok(other)) if other == plain => ("accepted by only the tool, and right".to_owned(), None),
        (Err(error), Ok(other)) => {
            ("refused by the macro, and another result".to_owned(), text(&format!("{error}\n{plain:?}\n{other:?}")))
        }
    }
}

#[test]
fn random_modules_are_what_the_macro_makes() {
    let rounds = number("SIMD_CORE_MODULES_ROUNDS", if integration_tests::asks_for_all() { 60 } else { 2 });
    let first = number("SIMD_CORE_MODULES_SEED", 1);
    let rustc = Rustc::shared();
    let (mut counts, mut wrong) = (BTreeMap::<String, u64>::new(), Vec::new());
    for seed in first..first + rounds {
        let (short, failure) = module(seed, rustc);
        *counts.entry(short).or_default() += 1;
        wrong.extend(failure);
    }
    for (verdict, count) in &counts {
        integration_tests::report(format_args!("{count:5} {verdict}"));
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    let of =
        |part: &str| counts.iter().filter(|(verdict, _)| verdict.contains(part)).map(|(_, count)| count).sum::<u64>();
    let refused = of("only the tool:");
    assert!(refused * 20 <= (of("accepted") + refused).max(20), "{counts:?}");
}
