//! Builds fixtures while a test runs. Sources, flags and profile are data: rustc compiles them, side by side, against one `simd_core`
//! for each set of flags, and what was compiled before from the same is taken from the target directory. Cargo runs where
//! cargo itself, or a crate of others, is part of what is tested.

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::{env, fmt};

use crate::shown;

pub const TARGET: &str = env!("INTEGRATION_TESTS_TARGET");

/// The flags with which LLVM inlines functions ten times as large as it usually does.
pub const INLINES_MORE: &[&str] = &["-Cllvm-args=-inline-threshold=2500", "-Cllvm-args=-inlinehint-threshold=2500"];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Build {
    /// The compiler; that of these tests if it is empty.
    pub rustc: &'static str,
    pub target: &'static str,
    /// As in `-C opt-level`.
    pub opt_level: &'static str,
    /// Whether assertions, those of `assert_unchecked` in particular, are checked.
    pub debug_assertions: bool,
    /// Into how many parts LLVM gets each crate.
    pub codegen_units: u32,
    /// As in `-C lto`, for the last crate; empty for cargo's default.
    pub lto: &'static str,
    /// The cargo features of `simd-core`; all have `macros`.
    pub features: &'static [&'static str],
    /// More flags, for every crate and `simd_core`.
    pub flags: &'static [&'static str],
}

/// As cargo's release builds, with the test kit.
pub const RELEASE: Build = Build {
    rustc: "",
    target: TARGET,
    opt_level: "3",
    debug_assertions: false,
    codegen_units: 16,
    lto: "",
    features: &["std", "testing"],
    flags: &[],
};

/// As cargo's debug builds, with the test kit.
pub const DEBUG: Build = Build { opt_level: "0", debug_assertions: true, codegen_units: 256, ..RELEASE };

/// A crate of a fixture: data for rustc.
#[derive(Clone, Copy)]
pub struct Crate<'a> {
    name: &'a str,
    source: Source<'a>,
    kind: &'a str,
    edition: &'a str,
    flags: &'a [&'a str],
}

#[derive(Clone, Copy, Hash)]
enum Source<'a> {
    Text(&'a str),
    File(&'a str),
}

impl<'a> Crate<'a> {
    pub const fn library(name: &'a str, source: &'a str) -> Self {
        Crate { name, source: Source::Text(source), kind: "rlib", edition: "2024", flags: &[] }
    }

    pub const fn program(name: &'a str, source: &'a str) -> Self {
        Self::library(name, source).kind("bin")
    }

    /// A library whose first file is this one of `tests/fixtures`.
    pub const fn file(name: &'a str, file: &'a str) -> Self {
        Crate { source: Source::File(file), ..Self::library(name, "") }
    }

    pub const fn kind(self, kind: &'a str) -> Self {
        Crate { kind, ..self }
    }

    /// In another edition than 2024.
    pub const fn edition(self, edition: &'a str) -> Self {
        Crate { edition, ..self }
    }

    /// With flags that the other crates do not have, which come last.
    pub const fn flags(self, flags: &'a [&'a str]) -> Self {
        Crate { flags, ..self }
    }
}

#[derive(Clone, Debug)]
pub struct Built {
    /// The last crate's program or library.
    pub path: PathBuf,
    /// Rustc's messages on all crates.
    pub said: String,
}

impl Build {
    /// With the flags of the tests' own build, as in `RUSTFLAGS`.
    pub fn as_here(self) -> Self {
        static HERE: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
            let flags = env::var("RUSTFLAGS").unwrap_or_default();
            flags.leak().split_whitespace().collect()
        });
        if HERE.is_empty() { self } else { self.more(&HERE) }
    }

    pub fn more(self, flags: &[&'static str]) -> Self {
        static ALL: Mutex<Vec<&'static [&'static str]>> = Mutex::new(Vec::new());
        let flags = [self.flags, flags].concat();
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        let flags = all.iter().find(|one| ***one == flags[..]).copied().unwrap_or_else(|| {
            all.push(flags.clone().leak());
            all[all.len() - 1]
        });
        Build { flags, ..self }
    }

    /// Compiles crates of which each may use those before it, unless that was done before; fails with rustc's messages.
    pub fn compile(&self, crates: &[Crate<'_>]) -> Result<Built, String> {
        let (mut place, last) = (DefaultHasher::new(), crates.last().expect("a crate"));
        self.hash(&mut place);
        for part in crates {
            (part.name, part.source, part.kind, part.edition, part.flags).hash(&mut place);
        }
        let directory = scratch_directory("fixtures").join(format!("{}-{:016x}", last.name, place.finish()));
        let simd_core = self.simd_core();
        let mut content = simd_core.content;
        for part in crates {
            if let Source::File(file) = part.source {
                content = content.wrapping_add(contents(fixture(file).parent().expect("a file of a directory")));
            }
        }
        cached(&directory, content, || self.compile_in(&directory, crates))
    }

    /// The same, in `directory`, whatever is there.
    pub fn compile_in(&self, directory: &Path, crates: &[Crate<'_>]) -> Result<Built, String> {
        let mut built = Built { path: PathBuf::new(), said: String::new() };
        let mut externs: Vec<OsString> = Vec::new();
        for (at, part) in crates.iter().enumerate() {
            let source = match part.source {
                Source::Text(text) => {
                    let name = format!("{}.rs", part.name);
                    fs::write(directory.join(&name), text).expect("a temporary file");
                    name.into()
                }
                Source::File(file) => fixture(file),
            };
            let mut rustc = self.command(part.edition);
            // Messages have relative paths, as cargo's: of long ones, rustc leaves types to files.
            rustc.current_dir(directory).arg(source).args(["--crate-name", part.name, "--crate-type", part.kind]);
            rustc.arg("--out-dir").arg(directory);
            rustc.arg("-L").arg(external("dependency", directory));
            rustc.args(externs.iter().flat_map(|path| ["--extern".as_ref(), path.as_os_str()]));
            if at + 1 == crates.len() && !self.lto.is_empty() {
                rustc.arg(format!("-Clto={}", self.lto));
            }
            rustc.args(part.flags).env("CARGO_CRATE_NAME", part.name);
            let output = rustc.output().expect("the compiler starts");
            built.said += &shown(&output);
            if !output.status.success() {
                return Err(format!("{rustc:?}\n{}", built.said));
            }
            built.path = directory.join(self.file_name(part));
            externs.push(external(part.name, &built.path));
        }
        Ok(built)
    }

    /// Compiles crates as [`compile`](Self::compile); returns the path of the last one.
    #[track_caller]
    pub fn path(&self, crates: &[Crate<'_>]) -> PathBuf {
        match self.compile(crates) {
            Ok(built) => built.path,
            Err(error) => panic!("{self}: {error}"),
        }
    }

    fn file_name(&self, part: &Crate<'_>) -> String {
        let windows = self.target.contains("-windows-");
        match part.kind {
            "bin" => format!("{}{}", part.name, if windows { ".exe" } else { "" }),
            "cdylib" if windows => format!("{}.dll", part.name),
            "staticlib" => format!("lib{}.a", part.name),
            "cdylib" | "proc-macro" => format!("lib{}.so", part.name),
            kind => format!("lib{}.{kind}", part.name),
        }
    }

    /// A call of rustc for a crate that uses `simd_core`. The options of this build come last.
    pub fn command(&self, edition: &str) -> Command {
        let SimdCore { path, libraries, .. } = self.simd_core();
        let own = path.parent().expect("a directory").to_owned();
        self.with_options(edition, &[libraries.directories, vec![own]].concat(), &[external("simd_core", &path)])
    }

    fn with_options(&self, edition: &str, directories: &[PathBuf], externs: &[OsString]) -> Command {
        let mut rustc = Command::new(self.rustc());
        rustc.args(["--edition", edition, "--target", self.target]);
        rustc.args(directories.iter().flat_map(|path| ["-L".into(), external("dependency", path)]));
        rustc.args(externs.iter().flat_map(|path| ["--extern".as_ref(), path.as_os_str()]));
        let checks = if self.debug_assertions { "yes" } else { "no" };
        rustc.arg(format!("-Copt-level={}", self.opt_level)).arg(format!("-Ccodegen-units={}", self.codegen_units));
        rustc.arg(format!("-Cdebug-assertions={checks}")).arg(format!("-Coverflow-checks={checks}")).args(self.flags);
        rustc
    }

    fn rustc(&self) -> OsString {
        if self.rustc.is_empty() { env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()) } else { self.rustc.into() }
    }

    /// `simd_core` as this build has it. Most of it is compiled again wherever it is used.
    fn simd_core(&self) -> SimdCore {
        static BUILT: Mutex<Vec<(Build, SimdCore)>> = Mutex::new(Vec::new());
        let build = Build { lto: "", ..*self };
        once(&BUILT, build, || build.new_simd_core())
    }

    fn new_simd_core(&self) -> SimdCore {
        let libraries = self.libraries();
        let mut place = DefaultHasher::new();
        let features: Vec<&str> = self.features.iter().copied().chain(["macros"]).collect();
        (self, &features).hash(&mut place);
        let directory = scratch_directory("fixtures").join(format!("simd_core-{:016x}", place.finish()));
        let sources = workspace().join("simd-core").join("src");
        let content = libraries.content.wrapping_add(contents(&sources));
        let built = cached(&directory, content, || {
            let mut rustc = self.with_options("2024", &libraries.directories, &libraries.externs);
            rustc.arg(sources.join("lib.rs")).args(["--crate-name", "simd_core", "--crate-type", "rlib"]);
            rustc.args(["--cap-lints", "allow", "--out-dir"]).arg(&directory);
            rustc.args(features.iter().flat_map(|name| ["--cfg".to_owned(), format!("feature={name:?}")]));
            let output = rustc.output().expect("the compiler starts");
            let path = directory.join("libsimd_core.rlib");
            if output.status.success() {
                Ok(Built { path, said: String::new() })
            } else {
                Err(format!("{rustc:?}\n{}", shown(&output)))
            }
        });
        let path = built.unwrap_or_else(|error| panic!("{self}: {error}")).path;
        SimdCore { path, content, libraries }
    }

    /// The dependencies of `simd_core`. Cargo builds them, once for each compiler and platform.
    fn libraries(&self) -> Libraries {
        static BUILT: Mutex<Vec<((&str, &str), Libraries)>> = Mutex::new(Vec::new());
        once(&BUILT, (self.rustc, self.target), || self.new_libraries())
    }

    fn new_libraries(&self) -> Libraries {
        // Link-time optimisation needs the bitcode, which cargo leaves out.
        let flags = &["-Cembed-bitcode=yes"];
        let plain = Build { rustc: self.rustc, target: self.target, flags, ..DEBUG };
        let mut cargo =
            plain.cargo(&workspace(), &["build", "--package", "simd-core", "--features", "testing,environment"]);
        let output = cargo.arg("--message-format=json").output().expect("cargo starts");
        assert!(output.status.success(), "{self}: {}", shown(&output));
        let files = |name: &str| -> Option<PathBuf> {
            let name = format!("\"name\":{name:?}");
            let lines = std::str::from_utf8(&output.stdout).expect("cargo writes UTF-8").lines();
            let mut lines = lines.filter(|line| line.contains("\"compiler-artifact\"") && line.contains(&name));
            let files = lines.next()?.split("\"filenames\":[\"").nth(1)?;
            let mut files = files.split("\"]").next()?.split("\",\"");
            files.find(|file| !file.ends_with(".rmeta")).map(|file| PathBuf::from(file.replace("\\\\", "\\")))
        };
        // Another builder may build in another way.
        let mut builder = DefaultHasher::new();
        include_str!("build.rs").hash(&mut builder);
        let mut libraries = Libraries { content: builder.finish(), ..Libraries::default() };
        for name in ["simd_core_macros", "libc", "cpufeatures"] {
            let Some(file) = files(name) else { continue };
            let mut hasher = DefaultHasher::new();
            fs::read(&file).expect("cargo has built it").hash(&mut hasher);
            libraries.content = libraries.content.wrapping_add(hasher.finish());
            libraries.externs.push(external(name, &file));
            libraries.directories.push(file.parent().expect("a directory").to_owned());
        }
        libraries
    }

    /// A call of cargo in `directory` for this build, and without the flags of the tests' own. What runs while compiling is compiled in
    /// one way for all builds.
    pub fn cargo(&self, directory: &Path, arguments: &[&str]) -> Command {
        let mut command = cargo();
        command.current_dir(directory).args(arguments).args(["--offline", "--target", self.target]);
        if !self.rustc.is_empty() {
            command.env("RUSTC", self.rustc);
        }
        let checks = if self.debug_assertions { "true" } else { "false" };
        for (option, value) in [
            ("OPT_LEVEL", self.opt_level),
            ("DEBUG_ASSERTIONS", checks),
            ("OVERFLOW_CHECKS", checks),
            ("CODEGEN_UNITS", &self.codegen_units.to_string()),
            // Procedural macros cannot have another one.
            ("LTO", if self.lto.is_empty() { "false" } else { self.lto }),
        ] {
            command.env(format!("CARGO_PROFILE_DEV_{option}"), value);
        }
        if !self.flags.is_empty() {
            command.env("CARGO_ENCODED_RUSTFLAGS", self.flags.join("\x1f"));
        }
        command
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Build { rustc, target, opt_level, debug_assertions, codegen_units, lto, features, flags } = self;
        let checks = if *debug_assertions { "checked" } else { "unchecked" };
        write!(f, "{target} opt-level={opt_level} {checks} codegen-units={codegen_units}")?;
        if !lto.is_empty() {
            write!(f, " lto={lto}")?;
        }
        let more = [&[*rustc][..], features, flags].concat();
        more.iter().filter(|word| !word.is_empty()).try_for_each(|word| write!(f, " {word}"))
    }
}

/// A library, what it was made of, and what it uses.
#[derive(Clone)]
struct SimdCore {
    path: PathBuf,
    content: u64,
    libraries: Libraries,
}

#[derive(Clone, Default)]
struct Libraries {
    externs: Vec<OsString>,
    directories: Vec<PathBuf>,
    content: u64,
}

/// What `make` gives for `key`: it may run more than once if several threads ask at the same time.
fn once<K: PartialEq, V: Clone>(made: &Mutex<Vec<(K, V)>>, key: K, make: impl FnOnce() -> V) -> V {
    let lock = || made.lock().unwrap_or_else(PoisonError::into_inner);
    let known = lock().iter().find(|(of, _)| *of == key).map(|(_, value)| value.clone());
    known.unwrap_or_else(|| {
        let value = make();
        lock().push((key, value.clone()));
        value
    })
}

fn external(name: &str, path: &Path) -> OsString {
    let mut text = OsString::from(format!("{name}="));
    text.push(path);
    text
}

fn fixture(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(file)
}

/// The hash of all files under `directory`.
fn contents(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let hash = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.expect("an entry").path();
        let mut hasher = DefaultHasher::new();
        path.hash(&mut hasher);
        let files = if path.is_dir() { contents(&path).to_be_bytes().into() } else { fs::read(&path).expect("a file") };
        files.hash(&mut hasher);
        hasher.finish()
    };
    entries.map(hash).fold(0, u64::wrapping_add)
}

/// What `build` makes in `directory`, or has made there of the same content. One at a time builds, of all processes.
fn cached(directory: &Path, content: u64, build: impl FnOnce() -> Result<Built, String>) -> Result<Built, String> {
    fs::create_dir_all(directory).expect("a temporary directory");
    let lock = File::create(directory.join("lock")).expect("a temporary file");
    lock.lock().expect("a file can be locked");
    let (key, record) = (format!("{content:016x}"), directory.join("built"));
    let known = fs::read_to_string(&record).unwrap_or_default();
    if let Some((file, said)) = known.strip_prefix(&key).and_then(|rest| rest.trim_start().split_once('\n')) {
        return Ok(Built { path: directory.join(file), said: said.to_owned() });
    }
    let _ = fs::remove_file(&record);
    let built = build()?;
    let file = built.path.file_name().expect("a file").to_string_lossy();
    fs::write(record, format!("{key} {file}\n{}", built.said)).expect("a temporary file");
    Ok(built)
}

/// What the compiler of these tests has to `--print`.
fn printed(what: &str, target: &str, flags: &[String]) -> String {
    let output = Command::new(RELEASE.rustc()).args(["--print", what, "--target", target]).args(flags).output();
    let output = output.expect("the compiler starts");
    assert!(output.status.success(), "{flags:?}: {}", shown(&output));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Where the compiler's standard library for `target` lies, or would.
pub fn library_directory(target: &str) -> PathBuf {
    printed("target-libdir", target, &[]).into()
}

/// The features of code that is compiled with `flags`.
pub fn features(target: &str, flags: &[String]) -> BTreeSet<String> {
    let said = printed("cfg", target, flags);
    let names = said.lines().filter_map(|line| line.strip_prefix("target_feature=\"")?.strip_suffix('"'));
    names.filter(|name| *name != "crt-static").map(str::to_owned).collect()
}

/// A package for cargo that depends on `simd-core`.
pub struct Package {
    pub directory: PathBuf,
}

impl Package {
    /// Makes the package `name`, a library with this source.
    pub fn new(name: &str, source: &str) -> Self {
        let directory = scratch_directory("packages").join(name);
        fs::create_dir_all(&directory).expect("a temporary directory");
        let manifest = format!(
            "[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n[lib]\npath = \"lib.rs\"\n[workspace]\n\
             [dependencies]\nsimd-core = {{ path = {:?} }}\n",
            workspace().join("simd-core")
        );
        // The same versions as the workspace's, which are there. Cargo writes the file itself, maybe right now.
        let lock = directory.join("Cargo.lock");
        if !lock.exists() {
            let _ = fs::copy(workspace().join("Cargo.lock"), lock);
        }
        Self { directory }.file("Cargo.toml", &manifest).file("lib.rs", source)
    }

    /// Writes `text` to the file `path` of the package, unless that is what it holds: cargo goes by a file's time.
    pub fn file(self, path: &str, text: &str) -> Self {
        let path = self.directory.join(path);
        if fs::read_to_string(&path).ok().as_deref() != Some(text) {
            fs::create_dir_all(path.parent().expect("it is in the package")).expect("as the package's directory");
            fs::write(path, text).expect("as the directory");
        }
        self
    }
}

/// The cargo that runs the tests, for the host and without the flags of the tests' own build. All builds are in one directory, and what
/// runs while compiling is built in one way, so that the macro is compiled once.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.env("CARGO_TARGET_DIR", target_directory());
    for variable in ["CARGO_BUILD_TARGET", "CARGO_ENCODED_RUSTFLAGS", "CARGO_INCREMENTAL", "RUSTFLAGS"] {
        command.env_remove(variable);
    }
    for (option, value) in
        [("OPT_LEVEL", "0"), ("DEBUG_ASSERTIONS", "false"), ("OVERFLOW_CHECKS", "false"), ("CODEGEN_UNITS", "16")]
    {
        command.env(format!("CARGO_PROFILE_DEV_BUILD_OVERRIDE_{option}"), value);
    }
    for option in ["DEBUG", "INCREMENTAL", "BUILD_OVERRIDE_DEBUG", "BUILD_OVERRIDE_INCREMENTAL"] {
        command.env(format!("CARGO_PROFILE_DEV_{option}"), "false");
    }
    command
}

/// Copies a program to `to`, from where it can be started at once; the file that was there is replaced.
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

pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is a directory of the workspace").to_owned()
}

/// A directory for temporary files called `name`.
pub fn scratch_directory(name: &str) -> PathBuf {
    let directory = target_directory().with_file_name(name);
    fs::create_dir_all(&directory).expect("a temporary directory");
    directory
}

/// Where cargo builds packages for the tests. Of processes that need such directories, one at a time goes on, until it ends.
pub fn target_directory() -> PathBuf {
    static LOCKED: LazyLock<(File, PathBuf)> = LazyLock::new(|| {
        // The tests' own binary lies in `<target>/<profile>/deps`.
        let program = env::current_exe().expect("the program knows its path");
        let scratch = program.ancestors().nth(3).expect("cargo's layout of directories").join("tmp").join("scratch");
        fs::create_dir_all(&scratch).expect("a temporary directory");
        let lock = File::create(scratch.join("lock")).expect("a temporary file");
        lock.lock().expect("a file can be locked");
        (lock, scratch.join("build"))
    });
    LOCKED.1.clone()
}
