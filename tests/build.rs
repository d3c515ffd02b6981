//! Tells the tests which platforms they are built on and for, and gives them the code of a page.
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let [host, target] = ["HOST", "TARGET"].map(|name| {
        let value = env::var(name).unwrap_or_default();
        println!("cargo::rustc-env=INTEGRATION_TESTS_{name}={value}");
        value
    });
    println!("cargo::rustc-check-cfg=cfg(emulated)");
    if host != target {
        println!("cargo::rustc-cfg=emulated");
    }
    let page = "../docs/migration.md";
    println!("cargo::rerun-if-changed={page}");
    let directory = Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join("migration");
    fs::create_dir_all(&directory).expect("cargo's own directory");
    let page = fs::read_to_string(page).expect("it is in the repository");
    let blocks = page.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next());
    for (number, block) in blocks.filter(|block| !block.starts_with("// elsewhere\n")).enumerate() {
        fs::write(directory.join(format!("{number}.rs")), block).expect("as the directory");
    }
}
