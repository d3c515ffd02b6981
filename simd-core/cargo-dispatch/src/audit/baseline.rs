//! The features that every CPU has for which a program is meant.

use std::process::Output;

use anyhow::{Context as _, Result, bail};
use simd_core_asm::{Architecture, Binary, Features, Format};

use crate::built::{enabled_features, rustc};

/// Features that the system of a program requires of each CPU, by the name under which they are reported.
pub(crate) fn of(binary: &Binary) -> Result<(String, Features)> {
    let architecture = binary.architecture();
    let system = match binary.format() {
        Format::Pe => "pc-windows-msvc",
        Format::MachO => "apple-darwin",
        _ => return Ok((own(architecture).to_owned(), Features::architectural(architecture))),
    };
    let name = if architecture == Architecture::X86 { "i686" } else { super::name(architecture) };
    let target = format!("{name}-{system}");
    let output = rustc()
        .args(["--print=cfg", "--target", &target])
        .output()
        .with_context(|| format!("cannot ask rustc for the features of `{target}`\nhelp: give them with --baseline"))?;
    Ok((target, features(architecture, &output)))
}

/// The name of what every CPU of an architecture has.
fn own(architecture: Architecture) -> &'static str {
    match architecture {
        Architecture::X86 => "i686",
        Architecture::X86_64 => "x86-64",
        _ => "aarch64",
    }
}

/// Reads `x86-64-v2`, `x86-64+aes`, `aarch64`, `armv8.2-a+dotprod` or `haswell`.
pub(crate) fn parse(architecture: Architecture, name: &str) -> Result<Features> {
    let mut parts = name.split('+');
    let mut features = named(architecture, parts.next().unwrap_or_default())?;
    for more in parts {
        let more = Features::parse(architecture, more).with_context(|| format!("in the baseline `{name}`"))?;
        features = features.union(&more);
    }
    Ok(features)
}

fn named(architecture: Architecture, base: &str) -> Result<Features> {
    let always = Features::architectural(architecture);
    if base == own(architecture) || base == "armv8-a" && architecture == Architecture::Aarch64 {
        return Ok(always);
    }
    if [Architecture::X86, Architecture::X86_64, Architecture::Aarch64].into_iter().any(|other| base == own(other)) {
        bail!("`{base}` is no baseline for {}", super::name(architecture));
    }
    if base.starts_with("x86-64-v") && architecture == Architecture::X86_64 {
        let level = Features::parse(architecture, base).with_context(|| format!("the baseline `{base}`"))?;
        return Ok(always.union(&level));
    }
    ask(architecture, base).map(|features| always.union(&features))
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
    let output = rustc()
        .args(["--print=cfg", "--target", target, &flag])
        .output()
        .with_context(|| format!("cannot ask rustc for the features of `{base}`"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let unknown = ["not a recognized", "unknown and unstable"];
    if !output.status.success() || unknown.iter().any(|text| errors.contains(text)) {
        bail!(
            "`{base}` is no baseline for {}\nhelp: write a level such as `x86-64-v2`, `aarch64`, `armv8.2-a`, or a CPU of \
             `rustc --print target-cpus --target {target}`, with features behind `+`",
            super::name(architecture)
        );
    }
    Ok(features(architecture, &output))
}

fn features(architecture: Architecture, output: &Output) -> Features {
    // rustc names some features that no instruction is decoded for.
    let names = enabled_features(&output.stdout).into_iter();
    let known = names.filter_map(|name| Features::parse(architecture, &name).ok());
    known.fold(Features::architectural(architecture), |all, features| all.union(&features))
}
