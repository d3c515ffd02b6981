//! Builds other packages with cargo while a test runs, optimised in several ways.
//!
//! Everything goes into one target directory of its own, in which the macro and its dependencies are compiled once. The
//! build flags of the tests (`RUSTFLAGS`) hold there as well.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::{env, fmt, fs};

use crate::shown;

/// The platform that the tests run on.
pub const TARGET: &str = env!("INTEGRATION_TESTS_TARGET");

/// The flags of a profile that inlines more.
pub(crate) const INLINES_MORE: [&str; 2] =
    ["-Cllvm-args=-inline-threshold=2500", "-Cllvm-args=-inlinehint-threshold=2500"];

/// How a package is compiled.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// As in `-C opt-level`.
    pub opt_level: &'static str,
    /// Whether assertions, those of `assert_unchecked` in particular, are checked.
    pub debug_assertions: bool,
    /// Into how many parts LLVM gets each crate.
    pub codegen_units: u32,
    /// Whether LLVM inlines functions ten times as large as it usually does.
    pub inlines_more: bool,
    /// As in `-C lto`.
    pub lto: &'static str,
}

impl Profile {
    /// Every optimisation level with and without debug assertions, that of release builds first. What shares a codegen
    /// unit can be inlined, and what is inlined shares its reads, so that few and many of each show something.
    pub const ALL: [Profile; 8] = [
        Profile::new("3", false),
        Profile::new("1", true).units(1).inlining_more(),
        Profile::new("2", true).units(1),
        Profile::new("3", true).units(1).inlining_more(),
        Profile::new("s", true),
        Profile::new("1", false),
        Profile::new("2", false).units(1).inlining_more(),
        Profile::new("s", false).units(1),
    ];

    /// Cargo's defaults, but for the level and the assertions.
    #[must_use]
    pub const fn new(opt_level: &'static str, debug_assertions: bool) -> Self {
        Profile { opt_level, debug_assertions, codegen_units: 16, inlines_more: false, lto: "off" }
    }

    /// With so many codegen units.
    #[must_use]
    pub const fn units(self, codegen_units: u32) -> Self {
        Profile { codegen_units, ..self }
    }

    /// With link-time optimisation of this kind.
    #[must_use]
    pub const fn lto(self, lto: &'static str) -> Self {
        Profile { lto, ..self }
    }

    /// With larger functions inlined.
    #[must_use]
    pub const fn inlining_more(self) -> Self {
        Profile { inlines_more: true, ..self }
    }

    /// A call of `cargo` with `arguments` for this profile.
    pub(crate) fn cargo(self, directory: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(directory).args(arguments).arg("--offline").arg("--target-dir").arg(target_directory());
        set_profile(&mut command, self.opt_level, self.debug_assertions, self.codegen_units);
        same_for_the_host(&mut command);
        // With a target, what runs while compiling is not compiled with these flags, nor again for each profile.
        command.args(["--target", TARGET]);
        if self.inlines_more {
            add_flags(&mut command, &INLINES_MORE);
        }
        command
    }

    /// Builds the program `name` of the package in `directory`; returns where a copy of it lies.
    ///
    /// # Panics
    ///
    /// If it cannot be built.
    #[must_use]
    pub fn build(self, directory: &Path, package: &str, name: &str) -> PathBuf {
        self.build_with(directory, package, name, &[])
    }

    /// The same, with `flags` for the program only and not for the libraries in it.
    ///
    /// # Panics
    ///
    /// If it cannot be built.
    #[must_use]
    pub fn build_with(self, directory: &Path, package: &str, name: &str, flags: &[&str]) -> PathBuf {
        /// Programs of different profiles have one path.
        static BUILD: Mutex<()> = Mutex::new(());
        let _one_at_a_time = BUILD.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if flags.is_empty() {
            self.run(directory, &["build", "--quiet", "--package", package, "--bin", name], &[]);
        } else {
            self.run(directory, &["rustc", "--quiet", "--package", package, "--bin", name], flags);
        }
        let file = format!("{name}{}", env::consts::EXE_SUFFIX);
        let copy = scratch_directory("programs").join(format!("{name}-{self}{}", env::consts::EXE_SUFFIX));
        copy_program(&target_directory().join(TARGET).join("debug").join(file), &copy);
        copy
    }

    /// Runs the tests of `package` in this workspace.
    ///
    /// # Panics
    ///
    /// If one fails.
    pub fn test(self, package: &str) {
        self.run(&workspace(), &["test", "--package", package], &[]);
    }

    /// Runs cargo, with `flags` for rustc.
    fn run(self, directory: &Path, arguments: &[&str], flags: &[&str]) {
        let mut command = self.cargo(directory, arguments);
        if !flags.is_empty() {
            command.arg("--").args(flags);
        }
        let output = command.output().expect("cargo starts");
        assert!(output.status.success(), "{self}: cargo {}\n{}", arguments.join(" "), shown(&output));
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Profile { opt_level, debug_assertions, codegen_units, inlines_more, lto } = self;
        let checks = if *debug_assertions { "checked" } else { "unchecked" };
        let inlining = if *inlines_more { "-inlining" } else { "" };
        let lto = if *lto == "off" { String::new() } else { format!("-{lto}-lto") };
        write!(f, "{opt_level}-{checks}-{codegen_units}{inlining}{lto}")
    }
}

/// Copies a program to `to`, from where it can be started at once; the file that was there is replaced.
///
/// # Panics
///
/// If it cannot be copied.
#[track_caller]
pub fn copy_program(from: &Path, to: &Path) {
    // The old one may be in use as the program of a process.
    let _ = fs::remove_file(to);
    // Not by this process where that can be: another thread may start a program meanwhile, which then holds the copy
    // open for a moment, and a file that is open for writing cannot be started.
    if !Command::new("cp").arg(from).arg(to).status().is_ok_and(|status| status.success()) {
        fs::copy(from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    }
}

/// Has cargo compile everything but the macro in this way.
pub fn set_profile(command: &mut Command, opt_level: &str, debug_assertions: bool, codegen_units: u32) {
    let checks = if debug_assertions { "true" } else { "false" };
    for (option, value) in [
        ("OPT_LEVEL", opt_level),
        ("DEBUG_ASSERTIONS", checks),
        ("OVERFLOW_CHECKS", checks),
        ("CODEGEN_UNITS", &codegen_units.to_string()),
        ("INCREMENTAL", "false"),
    ] {
        command.env(format!("CARGO_PROFILE_DEV_{option}"), value);
    }
}

/// Has cargo compile the macro, and whatever else runs while compiling, in one way for all profiles, so that it is
/// compiled once. Link-time optimisation has no setting for such crates only: those who want it give rustc the flag.
pub(crate) fn same_for_the_host(command: &mut Command) {
    for (option, value) in
        [("OPT_LEVEL", "0"), ("DEBUG", "0"), ("DEBUG_ASSERTIONS", "false"), ("OVERFLOW_CHECKS", "false")]
    {
        command.env(format!("CARGO_PROFILE_DEV_BUILD_OVERRIDE_{option}"), value);
    }
    for (option, value) in [("CODEGEN_UNITS", "16"), ("INCREMENTAL", "false"), ("STRIP", "none")] {
        command.env(format!("CARGO_PROFILE_DEV_BUILD_OVERRIDE_{option}"), value);
    }
    command.env("CARGO_PROFILE_DEV_LTO", "false").env("CARGO_PROFILE_DEV_DEBUG", "0");
    // It would hold for the macro as well.
    command.env_remove("CARGO_INCREMENTAL");
}

/// Adds compiler flags to a call of `cargo`.
pub(crate) fn add_flags(command: &mut Command, flags: &[&str]) {
    match env::var("RUSTFLAGS") {
        Ok(before) => command.env("RUSTFLAGS", format!("{before} {}", flags.join(" "))),
        Err(_) => command.args(["--config", &format!("build.rustflags = {flags:?}")]),
    };
}

/// Whether the environment asks for every variant of a check, as the gate does. A plain run takes a few of each.
///
/// # Panics
///
/// If `SIMD_CORE_TESTS` is set to something else than `all`.
#[must_use]
pub fn asks_for_all() -> bool {
    match env::var("SIMD_CORE_TESTS") {
        Ok(value) if value == "all" => true,
        Ok(value) => panic!("SIMD_CORE_TESTS is `{value}`; expected `all`"),
        Err(_) => false,
    }
}

/// The first `plain` of `variants`, or all of them where the environment [asks for all](asks_for_all).
#[must_use]
pub fn some_of<T>(variants: &[T], plain: usize) -> &[T] {
    if asks_for_all() {
        return variants;
    }
    if plain < variants.len() {
        crate::skip(format_args!("all but {plain} of {} variants; SIMD_CORE_TESTS=all", variants.len()));
    }
    &variants[..plain]
}

/// The root of this workspace.
#[must_use]
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is a directory of the workspace").to_owned()
}

/// A directory for temporary files called `name`.
///
/// # Panics
///
/// If it cannot be made.
#[must_use]
pub fn scratch_directory(name: &str) -> PathBuf {
    let directory = target_directory().with_file_name(name);
    fs::create_dir_all(&directory).expect("a temporary directory");
    directory
}

/// Where the packages of this workspace are built.
///
/// # Panics
///
/// If the program does not lie where cargo puts it.
#[must_use]
pub fn target_directory() -> PathBuf {
    // The tests' own binary lies in `<target>/<profile>/deps`.
    let program = env::current_exe().expect("the program knows its path");
    let target = program.ancestors().nth(3).expect("cargo's layout of directories");
    target.join("tmp").join("scratch").join("build")
}
