//! rustc and clippy say the same of code with and without the attribute, each thing once.

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};

use integration_tests::build::{Build, Crate, DEBUG, cargo, scratch_directory};
use integration_tests::{for_each, some_of};
use serde_json::Value;

/// What the compiler says: what a reader of its messages sees each of once or more often.
type Said = BTreeMap<Message, usize>;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Message {
    line: usize,
    /// Of the lint, or of the error.
    code: String,
    text: String,
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}]", self.line, self.text, self.code)
    }
}

/// Compiles `source` for metadata, with more flags, and reads what is said of it.
fn said(compiler: &str, edition: &str, source: &str, flags: &[&str]) -> Said {
    let build = Build { rustc: if compiler == "rustc" { "" } else { "clippy-driver" }, ..DEBUG };
    let flags = [flags, &["--error-format=json", "--emit=link"]].concat();
    let built = build.compile(&[Crate::library("code", source).edition(edition).flags(&flags)]);
    let text = built.map_or_else(|error| error, |built| built.said);
    let mut rendered = BTreeSet::new();
    let mut said = Said::new();
    for line in text.lines().filter(|line| line.starts_with('{')) {
        let message: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{text}"));
        let spans = message["spans"].as_array().map(Vec::as_slice).unwrap_or_default();
        // Cargo shows a text once.
        if spans.is_empty() || !rendered.insert(message["rendered"].as_str().unwrap_or_default().to_owned()) {
            continue;
        }
        // A lint on a whole function begins at its visibility, which a clone has none of.
        let primary = spans.iter().find(|span| span["is_primary"] == true);
        let line = primary.and_then(|span| span["line_start"].as_u64()).unwrap_or_default();
        let line = usize::try_from(line).unwrap_or_default();
        let code = message["code"]["code"].as_str().unwrap_or_default().to_owned();
        let text = message["message"].as_str().unwrap_or_default().to_owned();
        *said.entry(Message { line, code, text }).or_default() += 1;
    }
    assert!(!said.is_empty(), "nothing is said:\n{text}");
    said
}

/// What is in `one` more often than in `other`.
fn more(one: &Said, other: &Said) -> Vec<Message> {
    let more = one.iter().filter(|(message, count)| other.get(message).unwrap_or(&0) < count);
    more.map(|(message, _)| message.clone()).collect()
}

/// Lints of Clippy that clones do not silence, because they are not the only ones to have them. As rustc's, which a crate may forbid,
/// they come twice in an incremental compilation: once with the note that says where the level is from.
const REPEATED: [&str; 7] = [
    "clippy::as_conversions",
    "clippy::indexing_slicing",
    "clippy::panic",
    "clippy::shadow_reuse",
    "clippy::shadow_same",
    "clippy::unwrap_used",
    "clippy::use_self",
];

const DISPATCHED: &str = "--cfg=feature=\"dispatched\"";

/// What is said of `source` is the same in both, but for the lines that end in `// plain only`, and for clippy those
/// that end in `// plain only, clippy`.
fn same(source: &str, compiler: &str) {
    let ends = |line: &str, mark| line.ends_with(mark);
    let marks: BTreeSet<usize> = (1..)
        .zip(source.lines())
        .filter(|(_, line)| {
            ends(line, "// plain only") || (compiler == "clippy" && ends(line, "// plain only, clippy"))
        })
        .map(|(number, _)| number)
        .collect();
    for edition in ["2021", "2024"] {
        let plain = said(compiler, edition, source, &[]);
        let dispatched = said(compiler, edition, source, &[DISPATCHED]);
        let extra = more(&dispatched, &plain);
        assert!(extra.is_empty(), "only with the attribute, or more often, in edition {edition}: {extra:#?}");
        let missing = more(&plain, &dispatched);
        let unexpected: Vec<&Message> = missing.iter().filter(|message| !marks.contains(&message.line)).collect();
        assert!(unexpected.is_empty(), "not with the attribute in edition {edition}: {unexpected:#?}");
        let lines: BTreeSet<usize> = missing.iter().map(|message| message.line).collect();
        assert_eq!(lines, marks, "not all that is marked is missing in edition {edition}");

        // An incremental compilation tells the copies of a function apart.
        let cache = format!("-Cincremental={}", scratch_directory("incremental").display());
        let incremental = said(compiler, edition, source, &[DISPATCHED, &cache]);
        let mut extra = more(&incremental, &dispatched);
        extra.retain(|message| {
            (message.code.starts_with("clippy::") && !REPEATED.contains(&message.code.as_str()))
                || incremental[message] > 2 * dispatched.get(message).unwrap_or(&0)
        });
        assert!(extra.is_empty(), "more often in an incremental compilation: {extra:#?}");
    }
}

/// Dispatched code under every lint, denied: `tests/diagnostics/lint`, in both editions.
#[test]
fn nothing_is_found_in_clean_code() {
    // Clippy says what rustc says as well.
    let compilers: &[&str] = if has_clippy() { some_of(&["clippy-driver", ""], 1) } else { &[""] };
    for rustc in compilers {
        for_each(["2021", "2024"], |edition| {
            let code = Crate::file("code", "../diagnostics/lint/lib.rs").edition(edition);
            let built = Build { rustc, ..DEBUG }.compile(&[code]).unwrap();
            assert!(built.said.is_empty(), "{}", built.said);
        });
    }
}

/// Whether there is a clippy; says so if not.
fn has_clippy() -> bool {
    let found = cargo().args(["clippy", "--version"]).output().is_ok_and(|output| output.status.success());
    if !found {
        integration_tests::skip("this toolchain has no clippy");
    }
    found
}

/// What rustc allows if not told otherwise is denied by name in `tests/diagnostics/lint`.
#[rustversion::stable(1.95)]
#[test]
fn every_lint_of_rustc_is_denied() {
    /// Not for stable Rust, or about other things than code.
    const NOT_DENIED: [&str; 10] = [
        "fuzzy_provenance_casts",
        "linker_messages",
        "lossy_provenance_casts",
        "multiple_supertrait_upcastable",
        "must_not_suspend",
        "non_exhaustive_omitted_patterns",
        "resolving_to_items_shadowing_supertrait_items",
        "shadowing_supertrait_items",
        "unqualified_local_imports",
        // It is forbidden.
        "unsafe_code",
    ];
    let output = std::process::Command::new("rustc").args(["-W", "help"]).output().expect("cargo has found rustc");
    let text = String::from_utf8_lossy(&output.stdout).replace('-', "_");
    let allowed = text.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?, words.next()?)).filter(|(_, level)| *level == "allow").map(|(name, _)| name)
    });
    let allowed: BTreeSet<&str> = allowed.collect();
    assert!(allowed.len() > 40, "{text}");
    let source = include_str!("lint/lib.rs");
    let denied = |name: &&str| source.lines().any(|line| line.trim().trim_end_matches(',') == *name);
    let missing: Vec<&&str> = allowed.iter().filter(|name| !denied(name) && !NOT_DENIED.contains(name)).collect();
    assert!(missing.is_empty(), "deny these in tests/diagnostics/lint/lib.rs: {missing:#?}");
}

#[test]
fn findings() {
    if has_clippy() {
        same(include_str!("programs/findings.rs"), "clippy");
    }
}

#[test]
fn findings_of_rustc_alone() {
    same(include_str!("programs/findings.rs"), "rustc");
}

#[test]
fn errors() {
    same(include_str!("programs/errors.rs"), "rustc");
}

#[test]
fn errors_of_the_borrow_checker() {
    same(include_str!("programs/borrows.rs"), "rustc");
}
