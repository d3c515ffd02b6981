//! The suite of behaviour, written out and compiled without the macro: the same results, for each target.
//!
//! What is left out is counted: what a macro makes has no text in a file, and tests of the kit need the kit's macro.

use core::fmt::Write as _;
use std::fs;
use std::path::Path;

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Item, ItemFn, ItemMacro};

use super::{cargo, expand, package, shown, succeeds};

const MANIFEST: &str = r#"
[package]
name = "behaviour"
version = "0.0.0"
edition = "2024"
autotests = false
[lib]
test = false
[dev-dependencies]
tests = { path = "tests" }
rustversion = "1"
simd-core = { path = SIMD_CORE, default-features = false, features = ["testing"] }
[target.'cfg(target_arch = "x86_64")'.dev-dependencies]
cpufeatures = "0.3"
[[test]]
name = "behaviour"
path = "suite/main.rs"
[lints.rust]
unexpected_cfgs = { level = "warn", check-cfg = ["cfg(simd_core_no_detect)"] }
[workspace]
"#;

/// The library of helpers, which otherwise depends on simd-core with the macro.
const HELPERS: &str = r#"
[package]
name = "tests"
version = "0.0.0"
edition = "2024"
[lib]
name = "integration_tests"
path = HELPERS
"#;

const SCRIPT: &str = r#"fn main() {
    for name in ["HOST", "TARGET"] {
        println!("cargo::rustc-env=INTEGRATION_TESTS_{name}={}", std::env::var(name).unwrap());
    }
}
"#;

/// Files that are about what a written file has not: fragments of macros, the test kit, the code of a page.
const LEFT_OUT: [&str; 3] = ["groups", "kit", "migration"];

/// The macros whose items are made with the attribute, tests of them, and calls in other tests.
const MADE: [(&str, &[&str]); 3] = [
    ("hygiene", &["function", "item", "impls", "hygienic", "one_name_twice", "made_by_macros"]),
    ("match_target", &["through_local_macros"]),
    ("target_lists", &["dispatched"]),
];
const LINES: [(&str, &str, &str); 4] = [
    ("match_target", "        kernels::through_local_macros().0,\n", ""),
    ("match_target", "        kernels::through_local_macros().1,\n", ""),
    ("match_target", "[expected; 20]", "[expected; 18]"),
    ("target_lists", "    assert_eq!(by_a_macro(), 6);\n", ""),
];

#[test]
fn the_suite_behaves_the_same_without_the_macro() {
    if !integration_tests::asks_for_all() {
        integration_tests::skip("the suite, written out; SIMD_CORE_TESTS=all");
        return;
    }
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let (mut files, mut root) = (Vec::new(), String::new());
    let (mut kept, mut all) = (0, 0);
    for line in fs::read_to_string(tests.join("behaviour/main.rs")).expect("the suite").lines() {
        let Some(name) = line.strip_prefix("mod ").and_then(|line| line.strip_suffix(';')) else { continue };
        let source = fs::read_to_string(tests.join("behaviour").join(name).with_extension("rs")).expect(name);
        let source = match name {
            "drops" => twice(&source),
            "methods" => methods(&source),
            _ => source,
        };
        all += annotated(&source);
        if LEFT_OUT.contains(&name) {
            continue;
        }
        let source = without_made(name, &source);
        kept += annotated(&source);
        files.push((format!("suite/{name}.rs"), source));
        _ = writeln!(root, "#[cfg_attr(not(miri), path = \"{name}.dispatched.rs\")]\nmod {name};");
    }
    integration_tests::report(format_args!("{kept} of {all} attributes of the suite are written out"));
    assert!(all - kept <= all / 20, "{kept} of {all}");
    let helpers = HELPERS.replace("HELPERS", &format!("{:?}", tests.join("src/lib.rs")));
    files.extend([
        ("suite/main.rs".to_owned(), root),
        ("src/lib.rs".to_owned(), String::new()),
        ("tests/Cargo.toml".to_owned(), helpers),
        ("tests/build.rs".to_owned(), SCRIPT.to_owned()),
    ]);
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let directory = package("suite", MANIFEST, &files);
    let (code, said) = expand(&directory, &["--write"]);
    assert_eq!(code, Some(0), "{said}");
    let tree = cargo(&directory, &["tree", "-e", "all", "-p", "simd-core"], &[]);
    assert!(!shown(&tree).contains("simd-core-macros"), "{}", shown(&tree));
    // One at a time: a test of panics has the hook of the whole process.
    let test = |profile: &str, variables: &[(&str, &str)]| {
        let arguments = ["test", "--profile", profile, "--", "--test-threads=1"];
        succeeds(&cargo(&directory, &arguments, variables));
    };
    for profile in ["dev", "release"] {
        test(profile, &[]);
        for only in ["aes", ""] {
            test(profile, &[("SIMD_CORE_ONLY", only)]);
        }
    }
    test("dev", &[("RUSTFLAGS", "-Ctarget-cpu=x86-64-v3")]);
}

/// The number of attributes.
fn annotated(source: &str) -> usize {
    source.matches("dispatch(targets").count() + source.matches("renamed(targets").count()
}

/// A file of the suite without what is made by macros.
fn without_made(file: &str, source: &str) -> String {
    struct Made<'a>(&'a [&'a str], Vec<core::ops::Range<usize>>);
    impl Visit<'_> for Made<'_> {
        fn visit_item(&mut self, item: &Item) {
            let name = match item {
                Item::Fn(ItemFn { sig, .. }) => Some(sig.ident.to_string()),
                Item::Macro(ItemMacro { ident: Some(name), .. }) => Some(name.to_string()),
                Item::Macro(ItemMacro { mac, .. }) => mac.path.get_ident().map(ToString::to_string),
                Item::Struct(item) => Some(item.ident.to_string()),
                Item::Impl(item) => match &*item.self_ty {
                    syn::Type::Path(path) => path.path.get_ident().map(ToString::to_string),
                    _ => None,
                },
                _ => None,
            };
            if name.is_some_and(|name| self.0.contains(&&*name)) {
                self.1.push(item.span().byte_range());
            } else {
                visit::visit_item(self, item);
            }
        }
    }
    let mut text = source.replace("#![forbid(unsafe_code)]\n", "");
    let names = MADE.iter().find(|(name, _)| *name == file).map_or(&[][..], |(_, names)| names);
    let mut made = Made(names, Vec::new());
    made.visit_file(&syn::parse_file(&text).expect(file));
    for range in made.1.into_iter().rev() {
        text.replace_range(range, "");
    }
    for (name, from, to) in LINES {
        if name == file {
            assert!(text.contains(from), "{name}: {from}");
            text = text.replace(from, to);
        }
    }
    // The tests run in a process for each target instead.
    let kit = |line: &&str| {
        let line = line.trim_start();
        let attribute = line.starts_with("#[each_target(") || line.starts_with("#[simd_core::testing::each_target(");
        !attribute && line != "use simd_core::testing::each_target;"
    };
    let lines: Vec<&str> = text.lines().filter(kit).collect();
    lines.join("\n").replace("use simd_core::{dispatch, testing::each_target};", "use simd_core::dispatch;") + "\n"
}

/// `twice! { … }` as the two modules that it makes.
fn twice(source: &str) -> String {
    replaced(source, "twice", &|items| {
        format!(
            "mod plain {{ use super::*; {items} }}\n\
             #[simd_core::dispatch(targets = \"avx2,aes | aes\")] mod dispatched {{ use super::*; {items} }}"
        )
    })
}

/// The modules that `methods!` makes.
fn methods(source: &str) -> String {
    let file = syn::parse_file(source).expect("methods");
    let definition = file.items.iter().find_map(|item| match item {
        Item::Macro(item) if item.ident.as_ref().is_some_and(|name| name == "methods") => Some(item.mac.tokens.span()),
        _ => None,
    });
    let text = &source[definition.expect("the macro").byte_range()];
    let body = &text[text.find("=> {").expect("a rule") + 4..text.rfind('}').expect("its end")];
    replaced(source, "methods", &|arguments| {
        let (module, attributes) = arguments.split_once(": [").expect("a module and its attributes");
        let (whole, each) = attributes.trim_end_matches(']').split_once("] [").expect("two attributes");
        body.replace("$module", module).replace("$($whole)*", whole).replace("$($each)*", each)
    })
}

/// `source` with what `made` makes of the arguments of each call of a macro, and without its definition.
fn replaced(source: &str, name: &str, made: &dyn Fn(&str) -> String) -> String {
    let file = syn::parse_file(source).expect(name);
    let mut text = source.to_owned();
    for item in file.items.iter().rev() {
        let Item::Macro(item) = item else { continue };
        let range = item.span().byte_range();
        if item.ident.as_ref().is_some_and(|ident| ident == name) {
            text.replace_range(range, "");
        } else if item.mac.path.is_ident(name) {
            let arguments = item.mac.delimiter.span();
            let inside = arguments.open().byte_range().end..arguments.close().byte_range().start;
            let made = made(&source[inside]);
            text.replace_range(range, &made);
        }
    }
    text
}
