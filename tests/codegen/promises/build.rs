//! Building the fixtures.

use core::fmt;
use integration_tests::package::cargo;
use integration_tests::scratch::{asks_for_all, set_profile, some_of, target_directory};
use integration_tests::skip;
use simd_core::asm::Binary;
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, OnceLock};

/// An architecture that the promises are checked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Arch {
    X86_64,
    Aarch64,
}

impl Arch {
    /// The one that this test was compiled for.
    pub(crate) const OWN: Self = if cfg!(target_arch = "aarch64") { Self::Aarch64 } else { Self::X86_64 };

    fn triple(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64-unknown-linux-gnu",
            Self::Aarch64 => "aarch64-unknown-linux-gnu",
        }
    }

    /// This test's own, and aarch64 if the toolchain has its standard library and there is a linker. None where the test
    /// is emulated and has no compiler. `SIMD_CORE_PROMISES_ARCH` names only one of them.
    pub(crate) fn available() -> &'static [Self] {
        static AVAILABLE: OnceLock<&[Arch]> = OnceLock::new();
        AVAILABLE.get_or_init(|| {
            if !integration_tests::has_compiler() {
                return &[];
            }
            match std::env::var("SIMD_CORE_PROMISES_ARCH").as_deref() {
                Err(_) => {}
                Ok("x86_64") => return &[Self::X86_64],
                Ok("aarch64") => return &[Self::Aarch64],
                Ok(other) => panic!("SIMD_CORE_PROMISES_ARCH is `{other}`; expected `x86_64` or `aarch64`"),
            }
            let missing = match Self::OWN {
                Self::Aarch64 => return &[Self::Aarch64],
                Self::X86_64 if !Self::has_library() => "its standard library",
                Self::X86_64 if !Self::has_linker() => LINKER,
                Self::X86_64 => return &[Self::X86_64, Self::Aarch64],
            };
            skip(format_args!("the promises on aarch64: {missing} is missing"));
            &[Self::X86_64]
        })
    }

    fn has_library() -> bool {
        let libraries = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
            .args(["--print", "target-libdir", "--target", Self::Aarch64.triple()])
            .output();
        let Ok(files) = libraries.and_then(|out| std::fs::read_dir(String::from_utf8_lossy(&out.stdout).trim())) else {
            return false;
        };
        files.flatten().any(|file| file.file_name().to_string_lossy().starts_with("libcore-"))
    }

    fn has_linker() -> bool {
        std::env::var_os(LINKER_VARIABLE).is_some() || Command::new(LINKER).arg("--version").output().is_ok()
    }
}

/// Where cargo looks for the linker for aarch64, and what is taken if nothing stands there.
const LINKER_VARIABLE: &str = "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER";
const LINKER: &str = "aarch64-linux-gnu-gcc";

/// One way to build the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Build {
    pub(crate) arch: Arch,
    pub(crate) package: &'static str,
    pub(crate) opt_level: &'static str,
    pub(crate) codegen_units: u32,
    pub(crate) lto: &'static str,
    /// Cargo features, separated by commas: the planted faults.
    pub(crate) features: &'static str,
    pub(crate) rustflags: &'static [&'static str],
}

impl Build {
    /// Optimised as `cargo build --release` does it.
    pub(crate) fn release(arch: Arch) -> Self {
        Self {
            arch,
            package: "promises-tree",
            opt_level: "3",
            codegen_units: 16,
            lto: "false",
            features: "",
            rustflags: &[],
        }
    }

    /// Whether LLVM unrolls loops of a few rounds.
    pub(crate) fn unrolls(&self) -> bool {
        ["2", "3"].contains(&self.opt_level)
    }

    /// At level `z` on AArch64, LLVM moves instructions that several functions share into functions of their own, which have
    /// no names and would count as calls.
    fn outliner(&self) -> &'static [&'static str] {
        let outlines = self.arch == Arch::Aarch64 && self.opt_level == "z";
        if outlines { &["-Cllvm-args=-enable-machine-outliner=never"] } else { &[] }
    }

    /// Builds, unless it was done before in this process.
    pub(crate) fn binary(&self) -> Binary {
        static BUILT: Mutex<Option<HashMap<Build, Binary>>> = Mutex::new(None);
        // A build that failed has poisoned nothing: the map is written last.
        let mut built = BUILT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let built = built.get_or_insert_default();
        if let Some(binary) = built.get(self) {
            return binary.clone();
        }
        eprintln!("{self}");
        let binary = Binary::open(self.cargo()).unwrap();
        built.insert(*self, binary.clone());
        binary
    }

    /// Runs cargo; returns the program. The profile comes from the environment, so that all builds share a directory
    /// and with it the build of the macros.
    fn cargo(&self) -> PathBuf {
        let directory = target_directory();
        let mut command = cargo();
        command
            .args(["build", "--offline", "--quiet", "--package", self.package])
            .args(["--target", self.arch.triple(), "--features", self.features])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("CARGO_TARGET_DIR", &directory)
            .env("CARGO_ENCODED_RUSTFLAGS", [self.rustflags, self.outliner()].concat().join("\x1f"))
            .env(LINKER_VARIABLE, std::env::var_os(LINKER_VARIABLE).unwrap_or_else(|| LINKER.into()));
        set_profile(&mut command, self.opt_level, false, self.codegen_units);
        command.env("CARGO_PROFILE_DEV_LTO", self.lto);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{self:?}\n{}", String::from_utf8_lossy(&output.stderr));
        // All other programs have the name of their package.
        let program = if self.package == "simd-crypto-cli" { "simd-crypto" } else { self.package };
        directory.join(self.arch.triple()).join("debug").join(program)
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { arch, package, opt_level, codegen_units, lto, features, rustflags } = self;
        write!(f, "{package} for {arch:?}: opt-level={opt_level} codegen-units={codegen_units} lto={lto}")?;
        if !features.is_empty() {
            write!(f, " --features {features}")?;
        }
        rustflags.iter().try_for_each(|flag| write!(f, " {flag}"))
    }
}

/// The ways in which the promises must hold: two of them, or with `SIMD_CORE_TESTS=all` every level with one codegen
/// unit and with 16, without link-time optimisation and with both kinds of it.
pub(crate) fn matrix(package: &'static str) -> Vec<Build> {
    let mut ways = vec![("3", 16, "false"), ("s", 1, "false")];
    if asks_for_all() {
        ways.clear();
        for opt_level in LEVELS {
            for codegen_units in [1, 16] {
                ways.extend(["false", "thin", "fat"].map(|lto| (opt_level, codegen_units, lto)));
            }
        }
    }
    let builds = |&arch| {
        let release = Build { package, ..Build::release(arch) };
        ways.iter().map(move |&(opt_level, codegen_units, lto)| Build { opt_level, codegen_units, lto, ..release })
    };
    Arch::available().iter().flat_map(builds).collect()
}

/// The release profile, or with `SIMD_CORE_TESTS=all` at each level.
pub(crate) fn levels(package: &'static str) -> Vec<Build> {
    let builds =
        |&arch| some_of(&LEVELS, 1).iter().map(move |opt_level| Build { opt_level, package, ..Build::release(arch) });
    Arch::available().iter().flat_map(builds).collect()
}

const LEVELS: [&str; 5] = ["3", "1", "2", "s", "z"];
