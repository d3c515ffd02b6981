//! Names that differ between clones, in other modules and crates: each use is an error, never a lint.

use integration_tests::build::{Crate, DEBUG};
use integration_tests::some_of;

const LIBRARY: &str = r#"
#![forbid(unsafe_code, dead_code, non_upper_case_globals, unused)]
pub mod imp {
    #[simd_core::dispatch(targets = "avx2 | aarch64: sve2")]
    pub mod kernels {
        pub const W: usize = if cfg!(target_feature = "avx2") { 8 } else { 4 };
        pub type V = [u8; W];
        pub fn lanes() -> usize { W + size_of::<V>() }
    }
    pub use kernels::*;
}
pub use imp::*;
pub mod named { pub use crate::imp::kernels::{V, W}; }
"#;

/// Bodies of functions of another crate, which has the name by a glob of a glob, by an import and by paths; with the number of the error.
const USES: &[(&str, &str)] = &[
    ("E0530", "fn f(n: usize) -> bool { matches!(n, W) }"),
    ("E0530", "fn f(n: usize) { let W = n; }"),
    ("E0530", "fn f(n: usize) -> bool { match n { W => true, _ => false } }"),
    ("E0530", "fn f(n: Option<usize>) -> bool { if let Some(W) = n { true } else { false } }"),
    ("E0530", "fn f(W: usize) {}"),
    ("E0530", "fn f() { let _ = |W: usize| W; }"),
    ("E0530", "fn f(n: usize) { match n { W @ 3 => {} _ => {} } }"),
    ("E0532", "fn f(n: usize) -> bool { matches!(n, lib::W) }"),
    ("E0532", "fn f(n: usize) -> bool { matches!(n, lib::named::W) }"),
    ("E0029", "fn f(n: usize) -> bool { matches!(n, 0..W) }"),
    ("E0308", "fn f() -> usize { W }"),
    ("E0308", "fn f() -> usize { lib::imp::kernels::W }"),
    ("E0308", "fn f() -> [u8; W] { [0; 4] }"),
    ("E0308", "fn f() -> [u8; 4] { [0; W] }"),
    ("E0308", "struct S([u8; W]);"),
    ("E0308", "static S: usize = W;"),
    ("E0308", "const C: usize = W;"),
    ("E0308", "fn g<const N: usize>() {} fn f() { g::<{ W }>() }"),
    ("E0277", r#"fn f() -> String { format!("{W}") }"#),
    ("E0308", r#"fn f() -> String { format!("{:1$}", 1, W) }"#),
    ("E0369", "fn f() -> bool { W == W }"),
    ("E0133", "fn f() -> usize { size_of_val(&W) }"),
    ("E0133", "fn f() { std::hint::black_box(W); }"),
    ("E0133", "fn f() { let _x = &W; }"),
    ("E0133", "mod child { use super::*; pub fn f() -> usize { size_of_val(&W) } }"),
    ("E0530", "mod child { use super::*; pub fn f(n: usize) -> bool { matches!(n, W) } }"),
    ("E0530", "fn f(n: usize) -> bool { use lib::named::*; matches!(n, W) }"),
    ("E0530", "fn f(n: usize) -> bool { use lib::named::W as X; matches!(n, X) }"),
    ("E0277", "fn f() -> usize { size_of::<V>() }"),
    ("E0277", "fn f(v: lib::named::V) {}"),
    ("E0277", "struct S { v: V }"),
    ("E0277", "impl Drop for S { fn drop(&mut self) { let _: Option<V> = None; } } struct S;"),
];

/// What declares the name again has no error.
const OWN: &str = "fn f() -> usize { const W: usize = 3; W } fn g<const W: usize>() -> usize { W } mod m { pub const W: usize = 5; }
    fn h(n: usize) -> bool { use m::W; matches!(n, W) } macro_rules! own { ($W:ident) => { stringify!($W) } } pub fn k() -> &'static str { own!(W) }";

#[test]
fn a_name_that_differs_is_unusable_in_another_crate() {
    if cfg!(not(target_arch = "x86_64")) {
        return;
    }
    let library = DEBUG.path(&[Crate::library("lib", LIBRARY)]);
    let library = format!("--extern=lib={}", library.display());
    let flags = [&*library, "--cap-lints=allow", "--emit=metadata"];
    let compile = |name: &str, source: &str, edition: &str| {
        DEBUG.compile(&[Crate::library(name, source).edition(edition).flags(&flags)]).map(drop)
    };
    let mut failures = Vec::new();
    for edition in some_of(&["2024", "2021", "2018"], 1) {
        let program = |code: &str| format!("#![forbid(unsafe_code)]\nuse lib::*;\n{code}");
        if let Err(error) = compile("own", &program(OWN), edition) {
            failures.push(format!("edition {edition}: {OWN}\n{error}"));
        }
        for (number, code) in USES {
            match compile("user", &program(code), edition) {
                Err(error) if error.contains(number) => {}
                Err(error) => failures.push(format!("edition {edition}: {code}: another error than {number}\n{error}")),
                Ok(()) => failures.push(format!("edition {edition}: {code}: accepted")),
            }
        }
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}
