//! The subcommands on packages and programs that the tests build. One program, so that they run side by side.
#![allow(missing_docs, dead_code, reason = "a program of tests, most of which are for one system")]

mod audit;
mod formats;
mod programs;
mod written;

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// The command, without variables that change what is built, or what a CPU is said to have.
fn dispatch(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-dispatch"));
    command.arg("dispatch").args(arguments).current_dir(directory);
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("SIMD_CORE_") || text.starts_with("CARGO_") && text.contains("PROFILE") {
            command.env_remove(&name);
        }
    }
    for name in ["CARGO_BUILD_TARGET", "CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS"] {
        command.env_remove(name);
    }
    command.env("CARGO_TARGET_DIR", directory.join("target")).env("CARGO_NET_OFFLINE", "true");
    command
}

/// A manifest, of which `rest` comes behind the package's own table.
fn manifest(name: &str, edition: &str, rest: &str) -> String {
    format!("[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = {edition:?}\n{rest}")
}

/// The path of a file or directory for these tests. Of processes that need one, one at a time goes on, until it ends.
fn scratch(name: &str) -> PathBuf {
    static LOCK: LazyLock<File> = LazyLock::new(|| {
        let lock = File::create(concat!(env!("CARGO_TARGET_TMPDIR"), "/lock")).expect("a temporary file");
        lock.lock().expect("a file can be locked");
        lock
    });
    LazyLock::force(&LOCK);
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A package of these files. In manifests, `SIMD_CORE` is its path.
fn package(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let directory = scratch(name);
    let simd_core = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in simd-core");
    let simd_core = format!("{:?}", simd_core.to_str().expect("a path in UTF-8"));
    for (file, text) in files {
        let is_manifest = file.ends_with("Cargo.toml");
        let text = if is_manifest { &text.replace("SIMD_CORE", &simd_core) } else { *text };
        write(&directory.join(file), text);
    }
    if !directory.join("Cargo.lock").exists() {
        // The same versions as the workspace's, which are there.
        write(&directory.join("Cargo.lock"), include_str!("../../../Cargo.lock"));
    }
    directory
}

/// Writes a file unless it is as it should be: cargo goes by its time.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).ok().as_deref() != Some(text) {
        fs::create_dir_all(path.parent().expect("a file")).expect("cargo's directory for temporary files");
        fs::write(path, text).expect("as the directory");
    }
}
