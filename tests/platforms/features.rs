//! The table of CPU features against the compiler at hand: what each feature implies, which are stable, and that
//! none is missing.
//!
//! The compiler is asked without any library (`no_core`), so that every target can be asked for anywhere.
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    process::Command,
};

use integration_tests::build::scratch_directory;
use integration_tests::skip;

/// A family of architectures, as the macro crate knows it.
struct Family {
    arches: &'static [&'static str],
    /// Stable in the compiler at hand.
    known: &'static [Feature],
    /// Stable since Rust 1.x.
    later: &'static [(&'static str, u32)],
    unstable: &'static [&'static str],
    tied: &'static [(&'static str, &'static str)],
}

struct Feature {
    name: &'static str,
    bit: u32,
    /// The bits of all that it implies, itself included.
    full: &'static [u32],
}

macro_rules! define {
    ($($family:ident [$($arch:literal)*]
        detected [$(($seen:ident $seen_name:literal $seen_bit:literal [$($seen_full:literal)*]))*]
        static [$(($fixed:ident $fixed_name:literal $fixed_bit:literal [$($fixed_full:literal)*]))*]
        later [$(($later:literal $since:literal))*]
        unstable [$($unstable:literal)*]
        tied [$(($one:literal $other:literal))*];)*) => {
        const FAMILIES: &[Family] = &[$(Family {
            arches: &[$($arch),*],
            known: &[
                $(Feature { name: $seen_name, bit: $seen_bit, full: &[$($seen_full),*] },)*
                $(Feature { name: $fixed_name, bit: $fixed_bit, full: &[$($fixed_full),*] },)*
            ],
            later: &[$(($later, $since)),*],
            unstable: &[$($unstable),*],
            tied: &[$(($one, $other)),*],
        }),*];
    };
}
simd_core_macros::__table!(features define);

/// The features that only a nightly takes, with all that each implies, itself included.
struct Unstable {
    arches: &'static [&'static str],
    features: &'static [(&'static str, &'static [&'static str])],
}

macro_rules! define_unstable {
    ($($family:ident [$($arch:literal)*] [$(($name:literal [$($full:literal)*]))*];)*) => {
        const UNSTABLE: &[Unstable] = &[$(Unstable {
            arches: &[$($arch),*],
            features: &[$(($name, &[$($full),*])),*],
        }),*];
    };
}
simd_core_macros::__table!(unstable define_unstable);

const GATES: &str = "#![feature(aarch64_unstable_target_feature, apx_target_feature, avx10_target_feature, \
                     movrs_target_feature, riscv_target_feature, rtm_target_feature, x86_amx_intrinsics)]";

const TRIPLES: &[(&str, &str)] = &[
    ("x86", "i686-unknown-linux-gnu"),
    ("x86_64", "x86_64-unknown-linux-gnu"),
    ("aarch64", "aarch64-unknown-linux-gnu"),
    ("arm", "armv7-unknown-linux-gnueabihf"),
    ("riscv32", "riscv32imac-unknown-none-elf"),
    ("riscv64", "riscv64gc-unknown-linux-gnu"),
    ("loongarch64", "loongarch64-unknown-linux-gnu"),
    ("s390x", "s390x-unknown-linux-gnu"),
    ("powerpc", "powerpc-unknown-linux-gnu"),
    ("powerpc64", "powerpc64le-unknown-linux-gnu"),
    ("wasm32", "wasm32-unknown-unknown"),
    ("wasm64", "wasm64-unknown-unknown"),
];

/// The newest Rust whose features the table was read from.
const NEWEST: u32 = 97;

const PRELUDE: &str = r#"#![feature(no_core, lang_items)]
#![no_core]
#![crate_type = "lib"]
#[lang = "pointee_sized"] pub trait PointeeSized {}
#[lang = "meta_sized"] pub trait MetaSized: PointeeSized {}
#[lang = "sized"] pub trait Sized: MetaSized {}
"#;

impl Family {
    /// The features to enable to have `name`, for `#[target_feature]`.
    fn enable(&self, name: &str) -> String {
        match self.tied.iter().find(|(one, other)| *one == name || *other == name) {
            Some((one, other)) => format!("{one},{other}"),
            None => name.to_owned(),
        }
    }

    /// Whether the table says that a function with feature `from` may call one with `to`.
    fn implies(&self, from: &Feature, to: &Feature) -> bool {
        let parts = |feature: &Feature| {
            let names = self.enable(feature.name);
            names.split(',').filter_map(|name| self.known.iter().find(|known| known.name == name)).collect::<Vec<_>>()
        };
        let has: BTreeSet<u32> = parts(from).iter().flat_map(|part| part.full).copied().collect();
        parts(to).iter().all(|part| has.contains(&part.bit))
    }

    /// Whether the compiler lets a function with one of `callers` call one with one of `callees`, for each pair of their places.
    fn calls(
        &self,
        name: &str,
        triple: &str,
        gates: &str,
        callers: &[&str],
        callees: &[&str],
    ) -> Vec<((usize, usize), bool)> {
        let function = |name: &str| format!("#[target_feature(enable = \"{}\")] pub fn", self.enable(name));
        let functions = callees.iter().enumerate().map(|(i, name)| format!("{} f{i}() {{}}", function(name)));
        let mut lines: Vec<String> = functions.collect();
        let mut pairs = BTreeMap::new();
        for (i, caller) in callers.iter().enumerate() {
            lines.push(format!("{} g{i}() {{", function(caller)));
            for j in 0..callees.len() {
                pairs.insert(lines.len(), (i, j));
                lines.push(format!("f{j}();"));
            }
            lines.push("}".to_owned());
        }
        let errors = errors(name, triple, gates, &lines);
        for (line, code) in &errors {
            assert!(pairs.contains_key(line) && code == "E0133", "{triple}: {code} on {:?}", lines[*line]);
        }
        pairs.into_iter().map(|(line, pair)| (pair, !errors.contains_key(&line))).collect()
    }
}

fn rustc() -> Command {
    let mut command = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    // Language features may be enabled, as on a nightly; those of `#[target_feature]` are not.
    command.env("RUSTC_BOOTSTRAP", "1");
    command
}

fn output(command: &mut Command) -> String {
    let output = command.output().expect("the compiler starts");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the compiler writes UTF-8")
}

fn version() -> (u32, bool) {
    let text = output(rustc().arg("--version"));
    let minor = text.split('.').nth(1).and_then(|minor| minor.parse().ok()).expect("a version");
    (minor, text.contains("nightly") || text.contains("dev"))
}

/// The errors of the compiler on `lines`: the line that each is on, counted from 0, and its code.
///
/// Feature gates are on the first line of the file.
fn errors(name: &str, triple: &str, gates: &str, lines: &[String]) -> BTreeMap<usize, String> {
    let directory = scratch_directory("features");
    let file = directory.join(format!("{name}_{triple}.rs"));
    fs::write(&file, format!("{gates}{PRELUDE}{}", lines.join("\n"))).expect("a temporary file");
    let mut command = rustc();
    command.args([
        "--edition=2024",
        "--emit=metadata",
        "--error-format=short",
        "--cap-lints=allow",
        "--target",
        triple,
    ]);
    command.arg("--out-dir").arg(directory).arg(&file);
    let output = command.output().expect("the compiler starts");
    let text = String::from_utf8(output.stderr).expect("the compiler writes UTF-8");
    let start = format!("{}:", file.display());
    let mut errors = BTreeMap::new();
    for line in text.lines() {
        let Some((place, message)) = line.strip_prefix(&start).and_then(|line| line.split_once(": error")) else {
            // The summary is the one error without a place.
            let summary = line.contains("aborting due to");
            assert!(summary || !line.contains("error"), "{triple}: unexpected: {line}\n{text}");
            continue;
        };
        let line: usize = place.split(':').next().and_then(|line| line.parse().ok()).expect("a line number");
        let code = message.strip_prefix('[').and_then(|message| message.split(']').next()).unwrap_or(message);
        errors.insert(line - 1 - PRELUDE.lines().count(), code.to_owned());
    }
    assert_eq!(output.status.success(), errors.is_empty(), "{triple}: {text}");
    errors
}

/// Every family with a target of each of its architectures.
fn triples() -> impl Iterator<Item = (&'static Family, &'static str)> {
    let arches = FAMILIES.iter().flat_map(|family| family.arches.iter().map(move |arch| (family, *arch)));
    arches.map(|(family, arch)| {
        let (_, triple) = TRIPLES.iter().find(|(name, _)| *name == arch).expect("a target of each architecture");
        (family, *triple)
    })
}

#[test]
fn implications_are_the_compilers() {
    let mut asked = 0;
    for (family, triple) in triples() {
        // On WebAssembly a function may call any other: what is not there is found when the module is loaded.
        if family.arches.contains(&"wasm32") || family.known.is_empty() {
            continue;
        }
        let names: Vec<&str> = family.known.iter().map(|feature| feature.name).collect();
        let pairs = family.calls("pairs", triple, "", &names, &names);
        asked += pairs.len();
        for ((caller, callee), allowed) in pairs {
            let [caller, callee] = [caller, callee].map(|at| &family.known[at]);
            assert_eq!(
                family.implies(caller, callee),
                allowed,
                "{triple}: the table and the compiler differ on whether `{}` implies `{}`",
                caller.name,
                callee.name
            );
        }
    }
    assert!(asked > 10_000, "{asked} pairs");
}

/// Features that the compiler enables with an unstable one have to be detected with it. An older compiler may enable less.
#[test]
fn implications_of_unstable_features_are_the_compilers() {
    let (minor, _) = version();
    if minor > NEWEST {
        return skip(format_args!("the table is of Rust 1.{NEWEST}, and this is a later compiler"));
    }
    let mut asked = 0;
    for (family, triple) in triples() {
        let Some(Unstable { features, .. }) = UNSTABLE.iter().find(|unstable| unstable.arches == family.arches) else {
            continue;
        };
        let callees: Vec<&str> = family.known.iter().map(|f| f.name).chain(features.iter().map(|f| f.0)).collect();
        let callers: Vec<&str> = features.iter().map(|(name, _)| *name).collect();
        let pairs = family.calls("unstable-pairs", triple, GATES, &callers, &callees);
        asked += pairs.len();
        for ((caller, callee), allowed) in pairs {
            let ((caller, full), callee) = (features[caller], callees[callee]);
            let table = full.contains(&callee);
            let agree = if minor == NEWEST { table == allowed } else { table || !allowed };
            assert!(
                agree || family.enable(callee) != callee,
                "{triple}: the table and the compiler differ on whether `{caller}` implies `{callee}`"
            );
        }
    }
    assert!(asked > 5_000, "{asked} pairs");
}

#[test]
fn implications_on_webassembly_are_the_compilers() {
    // On 64 bits a few features are always on; the table is the same.
    for (family, triple) in triples().filter(|(_, triple)| triple.starts_with("wasm32")) {
        for caller in family.known {
            let enabled = format!("-Ctarget-feature=+{}", caller.name);
            // The oldest CPU has none of the features by itself.
            let text = output(rustc().args(["--print=cfg", "--target", triple, "-Ctarget-cpu=mvp", &enabled]));
            for callee in family.known {
                assert_eq!(
                    family.implies(caller, callee),
                    text.lines().any(|line| line == format!("target_feature=\"{}\"", callee.name)),
                    "{triple}: the table and the compiler differ on whether `{}` implies `{}`",
                    caller.name,
                    callee.name
                );
            }
        }
    }
}

#[test]
fn stability_is_the_compilers() {
    let (minor, nightly) = version();
    for (family, triple) in triples() {
        let item = |(i, name)| format!("#[target_feature(enable = \"{}\")] pub fn f{i}() {{}}", family.enable(name));
        let stable: Vec<String> = family.known.iter().map(|feature| feature.name).enumerate().map(item).collect();
        assert_eq!(errors("stable", triple, "", &stable), BTreeMap::new(), "{triple}: refused without a feature gate");

        let mut names = family.unstable.to_vec();
        for (name, since) in family.later {
            // A nightly counts as the release before it, whatever has landed in it.
            assert!(*since > minor || nightly, "{triple}: `{name}` is stable here");
            if !nightly {
                names.push(name);
            }
        }
        if minor > NEWEST {
            continue;
        }
        let unstable: Vec<String> = names.iter().copied().enumerate().map(item).collect();
        let errors = errors("unstable", triple, "", &unstable);
        for (i, name) in names.iter().enumerate() {
            assert!(errors.contains_key(&i), "{triple}: `{name}` is accepted without a feature gate");
        }
    }
}

#[test]
fn no_feature_is_missing() {
    let (minor, _) = version();
    if minor > NEWEST {
        return skip(format_args!("the table is of Rust 1.{NEWEST}, and this is a later compiler"));
    }
    for (family, triple) in triples() {
        let text = output(rustc().args(["--print=target-features", "--target", triple]));
        let listed = text.lines().skip(1).take_while(|line| !line.trim().is_empty());
        let listed: BTreeSet<&str> = listed.filter_map(|line| line.split_whitespace().next()).collect();
        assert!(listed.len() > 3, "{triple}: {text}");
        let known = family.known.iter().map(|feature| feature.name);
        let all = known.chain(family.later.iter().map(|(name, _)| *name)).chain(family.unstable.iter().copied());
        let all: BTreeSet<&str> = all.chain(["crt-static"]).collect();
        let missing: Vec<&&str> = listed.difference(&all).collect();
        assert!(missing.is_empty(), "{triple}: not in the table: {missing:?}");
    }
}
