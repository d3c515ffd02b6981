//! Other builds of this program.

use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

/// Builds with other flags and the features of this program, into a directory of its own. `last` is an argument for the compiler of
/// the program only, not of what it depends on.
pub(crate) fn build(name: &str, flags: &str, last: Option<&str>) -> Result<PathBuf> {
    let target = target_directory()?.join(name);
    let output = cargo()
        .args(["rustc", "--release", "--quiet", "--bin", "benches"])
        .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"), "--target-dir"])
        .arg(&target)
        .args(cfg!(feature = "openssl").then_some("--features=openssl"))
        .args(last.iter().flat_map(|last| ["--", last]))
        .env("RUSTFLAGS", flags)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .output()
        .context("could not start cargo")?;
    if !output.status.success() {
        bail!("building {name} failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(target.join("release").join(format!("benches{}", env::consts::EXE_SUFFIX)))
}

/// The build of the same name and flags, linked with its functions in the order that `seed` makes of them. `None` where the linker
/// cannot do that.
pub(crate) fn build_shuffled(name: &str, flags: &str, seed: u32) -> Result<Option<PathBuf>> {
    let argument = format!("-Clink-arg=-Wl,--shuffle-sections=*={seed}");
    let Ok(program) = build(name, flags, Some(&argument)) else { return Ok(None) };
    let copy = program.with_file_name(format!("benches-{seed}{}", env::consts::EXE_SUFFIX));
    fs::copy(&program, &copy).with_context(|| format!("could not write {}", copy.display()))?;
    Ok(Some(copy))
}

pub(crate) fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Where generated crates and other builds go: next to the profile's directory that holds this program.
pub(crate) fn target_directory() -> Result<PathBuf> {
    let program = env::current_exe()?;
    let target = program.ancestors().nth(2).context("this program is not in a target directory")?;
    Ok(target.join("report"))
}
