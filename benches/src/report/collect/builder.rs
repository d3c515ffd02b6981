//! Other builds of this program.

use anyhow::{Context, Result, bail};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What builds this program for one architecture, and runs it.
pub(crate) struct Builder {
    /// Nothing for the architecture of this program.
    triple: Option<String>,
    cargo: PathBuf,
    environment: Vec<(String, String)>,
    /// The emulator with its arguments.
    pub(crate) emulator: Vec<String>,
}

impl Builder {
    /// For another architecture with the tools that the environment names, else those on the path and what
    /// `tests/platforms/setup.sh` leaves behind.
    pub(crate) fn of(arch: &str) -> Self {
        let cargo = env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from);
        if arch == env::consts::ARCH {
            return Self { triple: None, cargo, environment: Vec::new(), emulator: vec![format!("qemu-{arch}")] };
        }
        let (triple, gnu) = (format!("{arch}-unknown-linux-gnu"), format!("{arch}-linux-gnu"));
        let variable = |what: &str| format!("CARGO_TARGET_{}_{what}", triple.to_uppercase().replace('-', "_"));
        let setting = |what: &str, other: String| env::var(variable(what)).unwrap_or(other);
        let environment = vec![(variable("LINKER"), setting("LINKER", format!("{gnu}-gcc")))];
        let emulator = setting("RUNNER", format!("qemu-{arch} -L /usr/{gnu}"));
        let emulator = emulator.split_whitespace().map(str::to_owned).collect();
        let mut builder = Self { triple: Some(triple.clone()), cargo, environment, emulator };
        let own = env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from);
        let set_up = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/cross/rust/usr/bin");
        if !has_library(&own, &triple) && has_library(&set_up.join("rustc"), &triple) {
            builder.cargo = set_up.join("cargo");
            builder.environment.push(("RUSTC".into(), set_up.join("rustc").to_string_lossy().into_owned()));
        }
        builder
    }

    /// Builds with other flags and the features of this program, into a directory of its own. `last` is an argument for the
    /// compiler of the program only, not of what it depends on.
    pub(crate) fn build(&self, name: &str, flags: &str, last: Option<&str>) -> Result<PathBuf> {
        let mut target = target_directory()?.join(name);
        let output = Command::new(&self.cargo)
            .args(["rustc", "--release", "--quiet", "--bin", "benchmarks"])
            .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"), "--target-dir"])
            .arg(&target)
            .args(self.triple.iter().flat_map(|triple| ["--target", triple]))
            .args((cfg!(feature = "openssl") && self.triple.is_none()).then_some("--features=openssl"))
            .args(last.iter().flat_map(|last| ["--", last]))
            .envs(self.environment.iter().cloned())
            .env("RUSTFLAGS", flags)
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .output()
            .context("could not start cargo")?;
        if !output.status.success() {
            bail!("building {name} failed: {}", String::from_utf8_lossy(&output.stderr));
        }
        target.extend(&self.triple);
        Ok(target.join("release").join(format!("benchmarks{}", env::consts::EXE_SUFFIX)))
    }

    /// The build of the same name and flags, linked with its functions in the order that `seed` makes of them. `None`
    /// where the linker cannot do that.
    pub(crate) fn build_shuffled(&self, name: &str, flags: &str, seed: u32) -> Result<Option<PathBuf>> {
        let argument = format!("-Clink-arg=-Wl,--shuffle-sections=*={seed}");
        let Ok(program) = self.build(name, flags, Some(&argument)) else { return Ok(None) };
        let copy = program.with_file_name(format!("benchmarks-{seed}{}", env::consts::EXE_SUFFIX));
        std::fs::copy(&program, &copy).with_context(|| format!("could not write {}", copy.display()))?;
        Ok(Some(copy))
    }
}

/// Whether `rustc` can compile programs for `triple`.
fn has_library(rustc: &Path, triple: &str) -> bool {
    let output = Command::new(rustc).args(["--print", "target-libdir", "--target", triple]).output();
    output.is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir())
}

/// Where generated crates and other builds go: next to the profile's directory that holds this program.
pub(crate) fn target_directory() -> Result<PathBuf> {
    let program = env::current_exe()?;
    let target = program.ancestors().nth(2).context("this program is not in a target directory")?;
    Ok(target.join("report"))
}
