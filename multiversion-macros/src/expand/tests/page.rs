//! The attribute's expansion as pages: one in the repository, and a section of the attribute's documentation.

use std::path::Path;

use expect_test::expect_file;

use super::snapshots::pretty;
use super::tokens;
use crate::lists;

/// A heading, an explanation, the attribute's arguments, and the item.
const FORMS: &[[&str; 4]] = &[
    [
        "A function",
        "The clones are inside the function, and the function selects one. `lacks` is a load and a comparison, and a constant where the \
         build enables the target for all code. The `assert_…` calls are hints to the optimizer. Only `unsafe` code can make a `Proof`, so \
         only the conditions lead to a clone.",
        FUNCTION[0],
        FUNCTION[1],
    ],
    [
        "Code for one clone",
        "`cfg(target_feature)` and `match_target!` are evaluated for each clone. `any(all(), …)` is true. Where the build enables a \
         target for all code, the clones that cannot be selected are left out by `cfg`, since rustc lets their intrinsics stand only in \
         functions with the features.",
        "targets = \"x86_64: avx2\"",
        "fn lanes() -> usize { if cfg!(target_feature = \"avx2\") { 8 } else { 1 } }",
    ],
    [
        "Closures and nested functions",
        "A nested function gets the clone's features, behind a wrapper without features. A closure repeats its clone's \
         assumption, since it may be compiled separately.",
        "targets = \"aarch64: sve2\"",
        "fn apply(xs: &[u32]) -> u32 { fn twice(x: u32) -> u32 { x * 2 } xs.iter().map(|&x| twice(x)).sum() }",
    ],
    [
        "A method of a trait",
        "The clones are closures in the method, safe code as in the method itself. A closure captures the arguments, consumes a `Proof`, and \
         is inlined into a nested function that has the features.",
        "targets = \"aarch64: aes\"",
        "impl Mul for Gf { type Output = Gf; fn mul(self, other: Gf) -> Gf { product(self, other) } }",
    ],
];

const FUNCTION: [&str; 2] = ["targets = \"x86_64: avx2\"", "pub fn add(a: u32, b: u32) -> u32 { a + b }"];

fn expanded(args: &str, item: &str) -> String {
    let code = pretty(lists::dispatch(tokens(args), tokens(item), false));
    // The paragraph for rustdoc.
    let docs = code.split_once("#[cfg_attr(\n    all(doc, not(doctest)),").and_then(|(before, rest)| {
        let (_, after) = rest.split_once("\n)]\n")?;
        Some(before.to_owned() + after)
    });
    docs.unwrap_or(code)
}

#[test]
fn pages() {
    let section = format!("```ignore\n{}```\n", expanded(FUNCTION[0], FUNCTION[1]));
    let mut page = "# Expansion of the attribute\n\n\
        <!-- Written by the tests of `simd-core-expand`: `UPDATE_EXPECT=1 cargo test -p simd-core-expand pages`. -->\n\n\
        What the attribute writes. This is the macro's own output, formatted, without the paragraph for \
        rustdoc, and with shortened lists of lints. For a function of your own, use `cargo dispatch expand`.\n"
        .to_owned();
    for [heading, text, args, item] in FORMS {
        let written = prettyplease::unparse(&syn::parse_str(item).unwrap());
        let expanded = expanded(args, item);
        let before = format!("```rust\n#[dispatch({args})]\n{written}```");
        page.extend(["\n## ", heading, "\n\n", text, "\n\n", &before, "\n\nbecomes\n\n```rust\n", &expanded, "```\n"]);
    }
    // The package by itself has neither.
    if Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").exists() {
        expect_file!["../../../../multiversion-macros/expansion.md"].assert_eq(&page);
        expect_file!["../../../../simd-core/src/expansion.md"].assert_eq(&section);
    }
}
