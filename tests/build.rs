//! Tells the tests which platform they are built for.
use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=INTEGRATION_TESTS_TARGET={}", env::var("TARGET").unwrap_or_default());
}
