//! The macro's message for each mistake: one file a mistake, in `tests/diagnostics/ui`, and what rustc prints for it.
//!
//! The words of rustc around a message change between its releases, so the files are for one of them.
//! `TRYBUILD=overwrite cargo test -p messages` writes them anew.

#[rustversion::stable(1.95)]
#[test]
fn messages() {
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}

#[rustversion::not(stable(1.95))]
#[test]
#[ignore = "the expected messages are those of Rust 1.95"]
fn messages() {}
