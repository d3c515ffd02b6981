//! Detection before `main`: that the initialiser is linked and runs in every kind of program and library, in which
//! order, and what code that runs earlier may keep.
//!
//! The tests build small programs, all in one package, in many ways; `tests/fixtures/startup` holds their sources.
#![cfg(all(feature = "host", target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use integration_tests::build::{Build, Crate, DEBUG, RELEASE, TARGET, copy_program, scratch_directory};
use integration_tests::{asks_for_all, for_each, shown, skip, some_of};

mod check;
mod environment;
mod libraries;
mod platforms;
mod profile;
mod programs;

/// A file of the fixture.
macro_rules! source {
    ($file:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/startup/", $file))
    };
}
use source;

/// Quick to compile, in one codegen unit for each module.
const UNOPTIMISED: Build = Build { features: &["std"], ..DEBUG };
const OPTIMISED: Build = Build { codegen_units: 1, features: &["std"], ..RELEASE };
const CHECKED: Build = Build { debug_assertions: true, ..OPTIMISED };
/// The functions that the programs call.
const LIBRARY: Crate<'_> = Crate::file("startup", "startup/lib.rs");

/// The program `name` of the fixture.
#[track_caller]
fn program(build: Build, name: &str) -> PathBuf {
    let (file, constructors) = (format!("startup/{name}.rs"), format!("-Lnative={}", constructors().display()));
    build.path(&[LIBRARY, Crate::file(name, &file).kind("bin").flags(&[&constructors])])
}

/// Where files of these tests only lie.
fn scratch() -> PathBuf {
    scratch_directory("startup")
}

/// The output of `command`.
#[track_caller]
fn run(command: &mut Command) -> String {
    let output = output(command);
    assert!(output.status.success(), "{command:?}: {}\n{}", output.status, shown(&output));
    shown(&output)
}

#[track_caller]
fn output(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Whether `command` can be run, with success; says so if not.
fn has(tool: &str, arguments: &[&str]) -> bool {
    let found = Command::new(tool).args(arguments).output().is_ok_and(|output| output.status.success());
    if !found {
        skip(format_args!("there is no {tool}"));
    }
    found
}

/// The directory of a C library whose constructors call a dispatched function.
fn constructors() -> &'static Path {
    static DIRECTORY: LazyLock<PathBuf> = LazyLock::new(|| {
        let directory = scratch();
        let source = directory.join("constructors.c");
        let object = directory.join("constructors.o");
        fs::write(&source, source!("constructors.c")).expect("as the directory");
        run(Command::new("cc").args(["-c", "-O1", "-fPIC", "-o"]).arg(&object).arg(source));
        run(Command::new("ar").arg("crs").arg(directory.join("libconstructors.a")).arg(object));
        directory
    });
    &DIRECTORY
}
