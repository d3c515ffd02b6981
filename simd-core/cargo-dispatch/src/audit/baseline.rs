//! The features that every CPU has for which a program is meant.

use std::process::Command;

use anyhow::{Context as _, Result, bail};
use simd_core_asm::{Architecture, Features};

/// The name of what every CPU of an architecture has.
pub(crate) fn own(architecture: Architecture) -> &'static str {
    match architecture {
        Architecture::X86 => "i686",
        Architecture::X86_64 => "x86-64",
        _ => "aarch64",
    }
}

/// Reads `x86-64-v2`, `x86-64+aes`, `aarch64`, `armv8.2-a+dotprod` or `haswell`. Without a name: what the architecture has.
pub(crate) fn parse(architecture: Architecture, name: Option<&str>) -> Result<Features> {
    let own = Features::architectural(architecture);
    let Some(name) = name else { return Ok(own) };
    let mut parts = name.split('+');
    let base = parts.next().unwrap_or_default();
    let mut features = own.union(&named(architecture, base)?);
    for more in parts {
        let more = Features::parse(architecture, more).with_context(|| format!("in the baseline `{name}`"))?;
        features = features.union(&more);
    }
    Ok(features)
}

fn named(architecture: Architecture, base: &str) -> Result<Features> {
    let own = match base {
        "x86-64" => Some(Architecture::X86_64),
        "i686" | "x86" => Some(Architecture::X86),
        "aarch64" | "armv8-a" => Some(Architecture::Aarch64),
        _ if base.starts_with("x86-64-v") => {
            let features =
                Features::parse(Architecture::X86_64, base).with_context(|| format!("the baseline `{base}`"))?;
            if architecture == Architecture::X86_64 {
                return Ok(features);
            }
            Some(Architecture::X86_64)
        }
        _ => None,
    };
    match own {
        Some(own) if own == architecture => Ok(Features::none(architecture)),
        Some(_) => bail!("`{base}` is no baseline for {}", crate::audit::name(architecture)),
        None => ask(architecture, base),
    }
}

/// Asks rustc what a CPU has, or a version of the Arm architecture.
fn ask(architecture: Architecture, base: &str) -> Result<Features> {
    let target = match architecture {
        Architecture::X86 => "i686-unknown-linux-gnu",
        Architecture::Aarch64 => "aarch64-unknown-linux-gnu",
        _ => "x86_64-unknown-linux-gnu",
    };
    let version = base.strip_prefix("armv").and_then(|version| version.strip_suffix("-a"));
    let flag = match version {
        Some(version) if architecture == Architecture::Aarch64 => format!("-Ctarget-feature=+v{version}a"),
        _ => format!("-Ctarget-cpu={base}"),
    };
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    let output = command.args(["--print=cfg", "--target", target, &flag]).output();
    let output = output.with_context(|| format!("cannot ask rustc for the features of `{base}`"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || ["not a recognized", "unknown and unstable"].iter().any(|text| errors.contains(text))
    {
        bail!(
            "`{base}` is no baseline for {}\nhelp: write a level such as `x86-64-v2`, `aarch64`, `armv8.2-a`, or a CPU of \
             `rustc --print target-cpus --target {target}`, with features behind `+`",
            crate::audit::name(architecture)
        );
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let names = text.lines().filter_map(|line| line.strip_prefix("target_feature=\"")?.strip_suffix('"'));
    // rustc names some features that no instruction is decoded for.
    let known = names.filter_map(|name| Features::parse(architecture, name).ok());
    Ok(known.fold(Features::none(architecture), |all, features| all.union(&features)))
}
