//! Programs of several crates that are compiled with flags of their own, which cargo has no way to say.
//!
//! `rustc` is called for each crate, against one `simd_core` that cargo has built.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::{env, fs};

use crate::scratch::{self, INLINES_MORE, Profile, TARGET, add_flags, target_directory};
use crate::shown;

/// A crate's source, and the flags that only it is compiled with.
pub struct Crate<'a> {
    pub name: &'a str,
    pub source: &'a str,
    pub flags: &'a [String],
}

/// A compiler, and what it has made of `simd_core`.
pub struct Compiler {
    rustc: OsString,
    name: String,
    simd_core: PathBuf,
}

impl Compiler {
    /// The compiler of these tests, or `rustc`; `name` tells its files from those of others. `simd_core` is optimised, with
    /// debug assertions or without: most of it is compiled again wherever it is used.
    ///
    /// # Panics
    ///
    /// If `simd_core` cannot be built.
    #[must_use]
    pub fn new(rustc: Option<&Path>, name: &str, debug_assertions: bool) -> Compiler {
        static BUILD: Mutex<()> = Mutex::new(());
        let _one_at_a_time = BUILD.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let checks = if debug_assertions { "checked" } else { "unchecked" };
        let name = format!("{name}-{checks}");
        let arguments = ["build", "--quiet", "--package", "simd-core", "--features", "testing"];
        let mut cargo = Profile::new("3", debug_assertions).cargo(&scratch::workspace(), &arguments);
        // Link-time optimisation needs the bitcode, which cargo leaves out.
        add_flags(&mut cargo, &["-Cembed-bitcode=yes"]);
        if let Some(rustc) = rustc {
            cargo.env("RUSTC", rustc);
        }
        let output = cargo.output().expect("cargo starts");
        assert!(output.status.success(), "{name}: simd-core cannot be built\n{}", shown(&output));
        let simd_core = scratch::scratch_directory("crates").join(format!("libsimd_core-{name}.rlib"));
        let built = target_directory().join(TARGET).join("debug").join("libsimd_core.rlib");
        let _ = fs::remove_file(&simd_core);
        fs::copy(built, &simd_core).expect("cargo has built the library");
        let rustc = rustc.map_or_else(|| env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()), Into::into);
        Compiler { rustc, name, simd_core }
    }

    /// Compiles crates of which each may use those before it; the last is a program, of which the path is returned.
    ///
    /// # Errors
    ///
    /// What the compiler says.
    ///
    /// # Panics
    ///
    /// If a file cannot be written.
    pub fn compile(&self, profile: Profile, crates: &[Crate<'_>]) -> Result<PathBuf, String> {
        let directory = scratch::scratch_directory(&format!("crates-{}-{profile}", self.name));
        let mut path = PathBuf::new();
        for (index, part) in crates.iter().enumerate() {
            let is_program = index + 1 == crates.len();
            let source = directory.join(format!("{}.rs", part.name));
            fs::write(&source, part.source).expect("a temporary file");
            path = if is_program {
                directory.join(format!("{}{}", part.name, env::consts::EXE_SUFFIX))
            } else {
                directory.join(format!("lib{}.rlib", part.name))
            };
            let mut rustc = self.command("2024", profile);
            rustc.arg(&source).arg("-o").arg(&path).args(["--crate-name", part.name]).args(part.flags);
            rustc.args(["--crate-type", if is_program { "bin" } else { "rlib" }]);
            if is_program {
                rustc.arg("-C").arg(format!("lto={}", profile.lto));
            }
            for other in &crates[..index] {
                rustc.arg("--extern").arg(external(other.name, &directory.join(format!("lib{}.rlib", other.name))));
            }
            let output = rustc.output().expect("the compiler starts");
            if !output.status.success() {
                return Err(format!("{rustc:?}\n{}", shown(&output)));
            }
        }
        Ok(path)
    }

    /// A call of the compiler for a crate that uses `simd_core`.
    #[must_use]
    pub fn command(&self, edition: &str, profile: Profile) -> Command {
        let mut rustc = Command::new(&self.rustc);
        rustc.args(["--edition", edition, "--target", TARGET, "--extern"]).arg(external("simd_core", &self.simd_core));
        // What `simd_core` uses: the macros, and other libraries.
        for built in [target_directory().join("debug"), target_directory().join(TARGET).join("debug")] {
            rustc.arg("-L").arg(external("dependency", &built.join("deps")));
        }
        let checks = if profile.debug_assertions { "yes" } else { "no" };
        for option in [
            format!("opt-level={}", profile.opt_level),
            format!("codegen-units={}", profile.codegen_units),
            format!("debug-assertions={checks}"),
            format!("overflow-checks={checks}"),
        ] {
            rustc.arg("-C").arg(option);
        }
        if profile.inlines_more {
            rustc.args(INLINES_MORE);
        }
        if let Ok(flags) = env::var("RUSTFLAGS") {
            rustc.args(flags.split_whitespace());
        }
        rustc
    }
}

fn external(name: &str, path: &Path) -> OsString {
    let mut text = OsString::from(format!("{name}="));
    text.push(path);
    text
}
