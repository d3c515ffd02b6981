//! Building the fixtures.

use core::fmt;
use integration_tests::build::{self, Crate, RELEASE, workspace};
use integration_tests::{asks_for_all, shown, skip, some_of};
use simd_core::asm::Binary;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::{Mutex, PoisonError};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Arch {
    X86_64,
    Aarch64,
}

impl Arch {
    /// The one that this test was compiled for.
    pub(crate) const OWN: Self = if cfg!(target_arch = "aarch64") { Self::Aarch64 } else { Self::X86_64 };

    pub(crate) fn triple(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64-unknown-linux-gnu",
            Self::Aarch64 => "aarch64-unknown-linux-gnu",
        }
    }

    /// This test's own, and aarch64 if the toolchain has its standard library and there is a linker. `SIMD_CORE_PROMISES_ARCH` names only one of them.
    pub(crate) fn available() -> &'static [Self] {
        static AVAILABLE: OnceLock<&[Arch]> = OnceLock::new();
        AVAILABLE.get_or_init(|| {
            match std::env::var("SIMD_CORE_PROMISES_ARCH").as_deref() {
                Err(_) => {}
                Ok("x86_64") => return &[Self::X86_64],
                Ok("aarch64") => return &[Self::Aarch64],
                Ok(other) => panic!("SIMD_CORE_PROMISES_ARCH is `{other}`; expected `x86_64` or `aarch64`"),
            }
            let missing = match Self::OWN {
                Self::Aarch64 => return &[Self::Aarch64],
                Self::X86_64 if !build::library_directory(Self::Aarch64.triple()).exists() => "its standard library",
                Self::X86_64 if Command::new(LINKER).arg("--version").output().is_err() => LINKER,
                Self::X86_64 => return &[Self::X86_64, Self::Aarch64],
            };
            skip(format_args!("the promises on aarch64: {missing} is missing"));
            &[Self::X86_64]
        })
    }
}

const LINKER: &str = "aarch64-linux-gnu-gcc";
const LINKER_OF_AARCH64: &str = "-Clinker=aarch64-linux-gnu-gcc";

#[derive(Clone, Copy, Debug)]
pub(crate) struct Build {
    pub(crate) arch: Arch,
    pub(crate) package: &'static str,
    pub(crate) fault: &'static str,
    pub(crate) how: build::Build,
}

impl Build {
    /// Optimised as `cargo build --release` does it.
    pub(crate) fn release(arch: Arch) -> Self {
        let how = build::Build { target: arch.triple(), features: &["std"], ..RELEASE };
        let how = if arch == Arch::OWN { how } else { how.more(&[LINKER_OF_AARCH64]) };
        Self { arch, package: "promises-tree", fault: "", how }
    }

    pub(crate) fn more(self, flags: &[&'static str]) -> Self {
        Self { how: self.how.more(flags), ..self }
    }

    pub(crate) fn level(self, opt_level: &'static str) -> Self {
        let how = build::Build { opt_level, ..self.how };
        // LLVM moves instructions that several functions share into functions of their own, which have no names and would count as
        // calls.
        let outlines = self.arch == Arch::Aarch64 && opt_level == "z";
        let how = if outlines { how.more(&["-Cllvm-args=-enable-machine-outliner=never"]) } else { how };
        Self { how, ..self }
    }

    /// Whether LLVM unrolls loops of a few rounds.
    pub(crate) fn unrolls(&self) -> bool {
        ["2", "3"].contains(&self.how.opt_level)
    }

    pub(crate) fn binary(&self) -> Binary {
        static CARGO: Mutex<()> = Mutex::new(());
        if self.package == "promises-tree" {
            let fault = format!("--cfg=feature={:?}", self.fault);
            let path = self.how.path(&[
                Crate::file("promises_leaf", "promises/leaf/src/lib.rs"),
                Crate::file("promises_tree", "promises/tree/src/main.rs").kind("bin").flags(&[&fault]),
            ]);
            return Binary::open(path).unwrap();
        }
        // A build with other features or flags replaces the program.
        let _alone = CARGO.lock().unwrap_or_else(PoisonError::into_inner);
        Binary::open(self.cargo()).unwrap()
    }

    /// Runs cargo for programs that use crates of others; returns the program.
    fn cargo(&self) -> PathBuf {
        let mut cargo = self.how.cargo(&workspace(), &["build", "--quiet", "--package", self.package]);
        let output = cargo.args(["--features", self.fault]).output().expect("cargo starts");
        assert!(output.status.success(), "{self}\n{}", shown(&output));
        // All other programs have the name of their package.
        let program = if self.package == "simd-crypto-cli" { "simd-crypto" } else { self.package };
        build::target_directory().join(self.arch.triple()).join("debug").join(program)
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.package, self.how, self.fault)
    }
}

/// The ways in which the promises must hold: two of them, or with `SIMD_CORE_TESTS=all` every level with one codegen
/// unit and with 16, without link-time optimisation and with both kinds of it.
pub(crate) fn matrix() -> Vec<Build> {
    let mut ways = vec![("3", 16, ""), ("s", 1, "")];
    if asks_for_all() {
        ways.clear();
        for opt_level in LEVELS {
            for codegen_units in [1, 16] {
                ways.extend(["", "thin", "fat"].map(|lto| (opt_level, codegen_units, lto)));
            }
        }
    }
    let builds = |&arch| {
        ways.iter().map(move |&(level, codegen_units, lto)| {
            let build = Build::release(arch).level(level);
            Build { how: build::Build { codegen_units, lto, ..build.how }, ..build }
        })
    };
    Arch::available().iter().flat_map(builds).collect()
}

/// The release profile, or with `SIMD_CORE_TESTS=all` at each level.
pub(crate) fn levels(package: &'static str) -> Vec<Build> {
    let builds = |&arch| {
        let release = Build { package, ..Build::release(arch) };
        some_of(&LEVELS, 1).iter().map(move |level| release.level(level))
    };
    Arch::available().iter().flat_map(builds).collect()
}

const LEVELS: [&str; 5] = ["3", "1", "2", "s", "z"];
