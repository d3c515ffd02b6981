//! Detection before `main`: that the initialiser is linked and runs in every kind of program and library, in which
//! order, and what code that runs earlier may keep.
//!
//! The tests build small programs, all in one package, in many ways; `tests/fixtures/startup` holds their sources.
#![cfg(all(feature = "host", target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{LazyLock, Mutex, PoisonError};

use integration_tests::package::Package;
use integration_tests::scratch::{asks_for_all, copy_program, set_profile, some_of};
use integration_tests::{has_compiler, shown, skip};
mod check;
mod environment;
mod kit;
mod libraries;
mod platforms;
mod profile;
mod programs;
mod runtime;

const HOST: &str = "x86_64-unknown-linux-gnu";

/// A file of the fixture.
macro_rules! source {
    ($file:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/startup/", $file))
    };
}
use source;

/// A way to build.
#[derive(Clone, Copy, Debug)]
struct Build {
    opt_level: &'static str,
    debug_assertions: bool,
    codegen_units: u32,
    lto: &'static str,
    target: &'static str,
    flags: &'static [&'static str],
}

/// Quick to compile, in one codegen unit for each module.
const UNOPTIMISED: Build =
    Build { opt_level: "0", debug_assertions: true, codegen_units: 256, lto: "off", target: HOST, flags: &[] };

const OPTIMISED: Build = Build { opt_level: "3", debug_assertions: false, codegen_units: 1, ..UNOPTIMISED };

impl Build {
    /// A call of cargo for `package` with `arguments`.
    fn cargo(self, package: &Package, arguments: &[&str]) -> Command {
        let (first, others) = arguments.split_first().expect("a command of cargo's");
        let mut command = package.command(&[first]);
        // With a target, neither procedural macros nor build scripts are compiled with the flags, or again.
        command.args(["--quiet", "--target", self.target]).args(others);
        set_profile(&mut command, self.opt_level, self.debug_assertions, self.codegen_units);
        let library = format!("-Lnative={}", constructors().display());
        let mut flags: Vec<&str> = [&*library].into_iter().chain(self.flags.iter().copied()).collect();
        // The setting of a profile would hold for the macro as well, which would be compiled again.
        if self.lto != "off" {
            assert_eq!(*first, "rustc", "other commands pass no flags to the last crate only");
            flags.push("-Cembed-bitcode=yes");
            command.arg("--").arg(format!("-Clto={}", self.lto));
        }
        command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
        command
    }

    /// Has cargo build something of the package with `arguments`; returns a copy of each of `files`.
    #[track_caller]
    fn build(self, arguments: &[&str], files: &[&str], name: &str) -> Vec<PathBuf> {
        self.build_of(package(), arguments, files, name)
    }

    /// The same for another package.
    #[track_caller]
    fn build_of(self, package: &Package, arguments: &[&str], files: &[&str], name: &str) -> Vec<PathBuf> {
        /// What is built in one way replaces what was built in another.
        static BUILD: Mutex<()> = Mutex::new(());
        let _one_at_a_time = BUILD.lock().unwrap_or_else(PoisonError::into_inner);
        let output = output(&mut self.cargo(package, arguments));
        assert!(output.status.success(), "{name}: {}", shown(&output));
        let built = package.target_directory().join(self.target).join("debug");
        files.iter().map(|file| keep(&built.join(file), &format!("{name}-{file}"))).collect()
    }
}

/// The package of the programs.
fn package() -> &'static Package {
    static PACKAGE: LazyLock<Package> = LazyLock::new(|| {
        Package::new(env!("CARGO_TARGET_TMPDIR"), "startup", "2024", source!("lib.rs"))
            .file("src/bin/plain.rs", source!("plain.rs"))
            .file("src/bin/order.rs", source!("order.rs"))
            .file("src/bin/limited.rs", source!("limited.rs"))
            .file("src/bin/profiled.rs", source!("profiled.rs"))
    });
    &PACKAGE
}

/// Where files of these tests only lie.
fn scratch() -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("startup");
    fs::create_dir_all(&directory).expect("a temporary directory");
    directory
}

/// What `command` has printed.
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

/// A copy of `file` that later builds leave as it is.
fn keep(file: &Path, name: &str) -> PathBuf {
    let copy = scratch().join(name);
    copy_program(file, &copy);
    copy
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
