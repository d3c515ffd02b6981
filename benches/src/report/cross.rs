//! What it takes to build and run this program for another architecture, wherever it is to be found.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Tools for one architecture.
pub(super) struct Cross {
    pub(super) triple: String,
    cargo: PathBuf,
    /// The compiler, where it is not the one that cargo takes by itself.
    rustc: Option<PathBuf>,
    linker: String,
    /// The emulator with its arguments.
    pub(super) emulator: Vec<String>,
}

/// The tools for `arch`: those that the environment names, else those on the path and what `tests/platforms/setup.sh` leaves
/// behind. What is missing, in words, if there are none.
pub(super) fn find(arch: &str) -> Result<Cross, String> {
    let triple = format!("{arch}-unknown-linux-gnu");
    let gnu = format!("{arch}-linux-gnu");
    let linker = env::var(variable(&triple, "LINKER")).unwrap_or_else(|_| format!("{gnu}-gcc"));
    if !runs(Path::new(&linker)) {
        return Err(format!("there is no linker `{linker}`"));
    }
    let emulator = env::var(variable(&triple, "RUNNER")).unwrap_or_else(|_| format!("qemu-{arch} -L /usr/{gnu}"));
    let emulator: Vec<String> = emulator.split_whitespace().map(str::to_owned).collect();
    if !emulator.first().is_some_and(|program| runs(Path::new(program))) {
        return Err(format!("there is no emulator `qemu-{arch}`"));
    }
    let own = env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from);
    let set_up = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/cross/rust/usr/bin");
    let (cargo, rustc) = if has_library(&own, &triple) {
        (env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from), None)
    } else if has_library(&set_up.join("rustc"), &triple) {
        (set_up.join("cargo"), Some(set_up.join("rustc")))
    } else {
        return Err(format!(
            "the compiler has no standard library for {triple}; `tests/platforms/setup.sh {arch}` gets one"
        ));
    };
    Ok(Cross { triple, cargo, rustc, linker, emulator })
}

impl Cross {
    /// Cargo, to be told what to build.
    pub(super) fn cargo(&self) -> Command {
        let mut command = Command::new(&self.cargo);
        command.env(variable(&self.triple, "LINKER"), &self.linker);
        if let Some(rustc) = &self.rustc {
            command.env("RUSTC", rustc);
        }
        command
    }
}

/// What cargo calls a setting for a target.
fn variable(triple: &str, setting: &str) -> String {
    format!("CARGO_TARGET_{}_{setting}", triple.to_uppercase().replace('-', "_"))
}

fn runs(program: &Path) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Whether `rustc` can compile programs for `triple`.
fn has_library(rustc: &Path, triple: &str) -> bool {
    let output = Command::new(rustc).args(["--print", "target-libdir", "--target", triple]).output();
    let Ok(output) = output else { return false };
    let directory = String::from_utf8_lossy(&output.stdout);
    let files = std::fs::read_dir(directory.trim()).into_iter().flatten().flatten();
    files.into_iter().any(|file| file.file_name().to_string_lossy().starts_with("libstd-"))
}
