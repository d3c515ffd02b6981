//! Tells the tests which platforms they are built on and for.
use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for name in ["HOST", "TARGET"] {
        let value = env::var(name).unwrap_or_default();
        println!("cargo::rustc-env=INTEGRATION_TESTS_{name}={value}");
    }
}
