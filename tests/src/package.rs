//! Packages of one file, for tests that ask the compiler about it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use crate::scratch::{TARGET, same_for_the_host};

/// What a manifest says so that the macro is compiled as this workspace has it compiled: once for all.
pub const PROFILE: &str = "[profile.dev.package.\"*\"]\ndebug = false\n";

/// A package that depends on `simd-core`, with the feature `dispatched` for its own use.
pub struct Package {
    dir: PathBuf,
}

impl Package {
    /// Makes the package `name` in `dir`, the test's `CARGO_TARGET_TMPDIR`.
    ///
    /// # Panics
    ///
    /// If the files cannot be written.
    #[must_use]
    pub fn new(dir: &str, name: &str, edition: &'static str, source: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is in the workspace");
        let dir = Path::new(dir).join("packages").join(format!("{name}-{edition}"));
        fs::create_dir_all(&dir).expect("the directory for temporary files can be written to");
        let simd_core = root.join("simd-core");
        // All are built in one directory, where what has the same name replaces each other.
        let name = if edition == "2024" { name.to_owned() } else { format!("{name}-{edition}") };
        let manifest = format!(
            "[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = {edition:?}\n\
             [lib]\npath = \"lib.rs\"\n[features]\ndispatched = []\n\
             [dependencies]\nsimd-core = {{ path = {simd_core:?} }}\n[workspace]\n{PROFILE}",
        );
        // The same versions as the workspace's, which are there. Cargo writes the file itself, maybe right now.
        let lock = dir.join("Cargo.lock");
        if !lock.exists() {
            let _ = fs::copy(root.join("Cargo.lock"), lock);
        }
        Self { dir }.file("Cargo.toml", &manifest).file("lib.rs", source)
    }

    /// Writes `text` to the file `path` of the package, unless that is what it holds: cargo goes by a file's time.
    ///
    /// # Panics
    ///
    /// If it cannot be written.
    #[must_use]
    pub fn file(self, path: &str, text: &str) -> Self {
        let path = self.dir.join(path);
        if fs::read_to_string(&path).ok().as_deref() != Some(text) {
            fs::create_dir_all(path.parent().expect("it is in the package")).expect("as the package's directory");
            fs::write(path, text).expect("as the directory");
        }
        self
    }

    /// Runs cargo. `incremental` is rustc's way to compile.
    ///
    /// # Panics
    ///
    /// If there is no cargo.
    #[must_use]
    pub fn cargo(&self, arguments: &[&str], incremental: bool) -> Output {
        // What is compiled before is not said again.
        let source = fs::read(self.dir.join("lib.rs")).expect("it was written");
        fs::write(self.dir.join("lib.rs"), source).expect("it was written");
        let mut command = self.command(arguments);
        command.args(["--target", TARGET]);
        command.env("CARGO_PROFILE_DEV_INCREMENTAL", if incremental { "true" } else { "false" });
        command.output().expect("cargo runs these tests")
    }

    /// A call of cargo, for which what was built before is good enough. With `--target`, the macro need not be built again for
    /// each set of flags.
    #[must_use]
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = cargo();
        command
            .args(arguments)
            .arg("--offline")
            .current_dir(&self.dir)
            .env("CARGO_TARGET_DIR", self.target_directory());
        command
    }

    /// Where the package is.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.dir
    }

    /// Where the packages are built: all in one directory, so that the macro is compiled once.
    #[must_use]
    pub fn target_directory(&self) -> PathBuf {
        crate::scratch::target_directory()
    }
}

/// The cargo that runs the tests, for the host and without the flags of the tests' own build.
#[must_use]
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for variable in ["CARGO_BUILD_TARGET", "CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS"] {
        command.env_remove(variable);
    }
    same_for_the_host(&mut command);
    command
}

/// Whether there is a clippy; says so if not.
#[must_use]
pub fn has_clippy() -> bool {
    let found = cargo().args(["clippy", "--version"]).output().is_ok_and(|output| output.status.success());
    if !found {
        crate::skip("this toolchain has no clippy");
    }
    found
}
