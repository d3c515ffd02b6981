//! Compiles and runs programs, with the attribute and without.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use integration_tests::build::{self, Build, RELEASE, TARGET, scratch_directory};
use integration_tests::shown;

use super::super::outcome::run;

/// Features as `cfg(target_feature)` has them.
pub(in super::super) type Features = BTreeSet<String>;

pub(in super::super) struct Rustc {
    build: Build,
    directory: PathBuf,
    closures: Mutex<HashMap<String, Features>>,
}

impl Rustc {
    /// The compiler of these tests, with a directory for its programs.
    pub(in super::super) fn new(directory: &str) -> Rustc {
        let build = Build { opt_level: "0", ..RELEASE }.as_here();
        Rustc { build, directory: scratch_directory(directory), closures: Mutex::default() }
    }

    pub(in super::super) fn directory(&self) -> &Path {
        &self.directory
    }

    pub(in super::super) fn command(&self, edition: &str) -> Command {
        self.build.command(edition)
    }

    /// The features of code that is compiled for `targets`, as rustc says.
    pub(in super::super) fn closure(&self, targets: &[&str]) -> Features {
        let names = targets.iter().flat_map(|target| target.split(',')).filter(|name| !name.is_empty());
        let names: Vec<&str> = names.collect();
        let flag = features(&names);
        let mut closures = self.closures.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        closures.entry(names.join(",")).or_insert_with(|| build::features(TARGET, &flag)).clone()
    }

    pub(in super::super) fn has(&self, target: &str) -> bool {
        self.closure(&[target]).iter().all(|name| present(name))
    }

    /// The features that a process finds under a limit.
    pub(in super::super) fn available(&self, limit: Option<&str>, build: &[&str]) -> Features {
        let names: Vec<&str> = match limit {
            Some(limit) => vec![limit],
            None => super::generate::FEATURES.iter().copied().filter(|name| self.has(name)).collect(),
        };
        self.closure(&[&names, build].concat())
    }

    /// What the program prints without the attribute, compiled with `names`; what all clones share is as in `build`.
    pub(in super::super) fn plain(
        &self,
        key: &str,
        source: &str,
        edition: &str,
        build: &Features,
        names: &Features,
    ) -> Result<Vec<String>, String> {
        let program = shared(source, &|name| if build.contains(name) { "all()" } else { "any()" }.to_owned());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let flags = [features(&names), vec!["-Copt-level=0".to_owned()]].concat();
        run(&self.compile(key, &program, edition, &flags)?, None, &[])
    }

    /// Compiles the program with the attribute: checks it, or builds it at a level.
    pub(in super::super) fn annotated(
        &self,
        key: &str,
        source: &str,
        edition: &str,
        build: &[&str],
        level: &str,
    ) -> Result<PathBuf, String> {
        let program = shared(source, &|name| format!("target_feature = \"{name}\""));
        let mut flags = features(build);
        flags.extend(["--cfg", "d"].map(str::to_owned));
        flags.extend(match level {
            "check" => vec!["--emit=metadata".to_owned()],
            _ => vec!["-C".to_owned(), format!("opt-level={level}")],
        });
        self.compile(key, &program, edition, &flags)
    }

    fn compile(&self, key: &str, source: &str, edition: &str, flags: &[String]) -> Result<PathBuf, String> {
        let program = self.directory.join(key);
        let path = program.with_extension("rs");
        fs::create_dir_all(program.parent().expect("a directory")).expect("a temporary directory");
        fs::write(&path, source).expect("a temporary file");
        let mut rustc = self.command(edition);
        rustc.arg(&path).arg("-o").arg(&program).args(["--crate-name", "items"]).args(flags);
        let output = rustc.output().expect("the compiler starts");
        if output.status.success() { Ok(program) } else { Err(format!("{}\n{}", path.display(), shown(&output))) }
    }
}

pub(in super::super) fn features(names: &[&str]) -> Vec<String> {
    if names.is_empty() {
        return Vec::new();
    }
    let names: Vec<String> = names.iter().map(|name| format!("+{name}")).collect();
    vec![format!("-Ctarget-feature={}", names.join(","))]
}

/// `source` with what stands for tests of features in code that all clones share.
fn shared(source: &str, test: &dyn Fn(&str) -> String) -> String {
    let parts = source.split('@').enumerate();
    parts.map(|(at, part)| if at % 2 == 1 { test(part) } else { part.to_owned() }).collect()
}

#[cfg(target_arch = "x86_64")]
fn present(name: &str) -> bool {
    macro_rules! one_of {
        ($($name:tt)*) => { match name { $($name => std::arch::is_x86_feature_detected!($name),)* _ => true } };
    }
    one_of!("sse3" "ssse3" "sse4.1" "sse4.2" "avx" "avx2" "fma" "aes" "pclmulqdq" "bmi2" "vaes" "sha")
}

#[cfg(not(target_arch = "x86_64"))]
fn present(_: &str) -> bool {
    false
}
