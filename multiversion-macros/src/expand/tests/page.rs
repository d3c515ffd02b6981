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
        "The clones are inside the function, and the function selects one. Each condition tests the \
         CPU: `lacks` is a load and a comparison, and a constant where the build enables the target for all code, or where this \
         program cannot have it. The `assert_…` calls are hints to the optimizer: with them, it knows the condition of a dispatched function \
         that a clone calls. Only `unsafe` code can make a `Proof`, so only the conditions lead to a clone. `cargo check` compiles \
         the baseline alone where all clones have the same code, and a build without optimization has no hints.",
        FUNCTION[0],
        FUNCTION[1],
    ],
    [
        "A list with several architectures",
        "A clone exists in builds for its architecture.",
        "targets = \"avx512bw | avx2 | sve2\"",
        "fn sum(values: &[u32]) -> u32 { values.iter().sum() }",
    ],
    [
        "Code for one clone",
        "`cfg(target_feature)` and `match_target!` are evaluated for each clone. `any(all(), …)` is true. Other features count if the \
         build enables them. rustc lets code that uses them stand only in functions that have them, so where the build enables a \
         target for all code, the clones that cannot be selected are left out by `cfg`.",
        "targets = \"x86_64: avx2\"",
        "fn lanes() -> usize { if cfg!(target_feature = \"avx2\") { 8 } else { 1 } }",
    ],
    [
        "Closures and nested functions",
        "A nested function gets the clone's features, behind a wrapper that is an ordinary function. A closure repeats its clone's \
         assertion, since it may be compiled separately.",
        "targets = \"aarch64: sve2\"",
        "fn apply(xs: &[u32]) -> u32 { fn twice(x: u32) -> u32 { x * 2 } xs.iter().map(|&x| twice(x)).sum() }",
    ],
    [
        "An inherent method",
        "The clones are private methods beside the method, where `Self` has its usual meaning.",
        "targets = \"aarch64: sve2\"",
        "impl Matrix { pub fn row(&self, index: usize) -> &[f32] { &self.rows[index] } }",
    ],
    [
        "A method of a trait",
        "The clones are closures in the method, safe code as in the method itself. A closure captures the arguments, consumes a `Proof`, and is inlined into a nested function that has the features. So is a clone of a single method with the attribute.",
        "targets = \"aarch64: aes\"",
        "impl Mul for Gf { type Output = Gf; fn mul(self, other: Gf) -> Gf { product(self, other) } }",
    ],
    [
        "An `async fn`",
        "The code after each `.await` repeats the assertion, and the baseline asserts nothing: its future may be polled anywhere.",
        "targets = \"aarch64: sve2\"",
        "async fn wait(x: u8) -> u8 { next(x).await }",
    ],
];

const FUNCTION: [&str; 2] = ["targets = \"x86_64: avx2\"", "pub fn add(a: u32, b: u32) -> u32 { a + b }"];

fn expanded(args: &str, item: &str) -> String {
    pretty(lists::dispatch(tokens(args), tokens(item), false))
}

#[test]
fn pages() {
    let section = format!("```ignore\n{}```\n", expanded(FUNCTION[0], FUNCTION[1]));
    let mut page = "# Expansion of the attribute\n\n\
        <!-- Written by the tests of `simd-core-macros`: `UPDATE_EXPECT=1 cargo test -p simd-core-macros pages`. -->\n\n\
        This is the macro's own output, formatted; long lists of lints are shortened. The lint attributes ensure that code \
        with several copies causes one warning. For a function of your own, use `cargo dispatch expand` or `cargo \
        expand`.\n"
        .to_owned();
    for [heading, text, args, item] in FORMS {
        let written = prettyplease::unparse(&syn::parse_str(item).unwrap());
        let expanded = expanded(args, item);
        let before = format!("```rust\n#[dispatch({args})]\n{written}```");
        page.extend(["\n## ", heading, "\n\n", text, "\n\n", &before, "\n\nbecomes\n\n```rust\n", &expanded, "```\n"]);
    }
    // The package alone has neither.
    if Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").exists() {
        expect_file!["../../../../docs/expansion.md"].assert_eq(&page);
        expect_file!["../../../../simd-core/src/expansion.md"].assert_eq(&section);
    }
}
