//! The CPU, the compiler and the commit of stored figures. The report and `published` compile this file.
#![allow(unreachable_pub, reason = "one of them is a library")]

use anyhow::{Context as _, Result, ensure};
use std::env;
use std::fs;
use std::process::Command;

/// How the text of [`cpu`] ends, a feature that the CPU has, and the name that people know.
const NAMES: [(&str, &str, &str); 10] = [
    ("family 6, model 85", "", "Intel Skylake-SP"),
    ("family 6, model 106", "", "Intel Ice Lake-SP"),
    ("family 6, model 143", "", "Intel Sapphire Rapids"),
    // A virtual machine's number: Rocket Lake, which has it, lacks the feature.
    ("family 6, model 167", "avx512fp16", "Intel Sapphire Rapids or later"),
    ("family 6, model 173", "", "Intel Granite Rapids"),
    ("family 6, model 207", "", "Intel Emerald Rapids"),
    ("family 23, model 1", "", "AMD Zen 1"),
    ("family 25, model 1", "", "AMD Zen 3"),
    ("family 25, model 17", "", "AMD Zen 4"),
    ("family 26, model 2", "", "AMD Zen 5"),
];

/// The CPU as it calls itself, with its family and model, since virtual machines shorten names.
#[must_use]
pub fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let value = |line: &str| {
            line.split_once(':').filter(|(key, _)| key.trim() == name).map(|(_, text)| text.trim().to_owned())
        };
        info.lines().find_map(value)
    };
    let fields = [("", "model name"), ("family ", "cpu family"), ("model ", "model"), ("part ", "CPU part")];
    let fields: Vec<String> = fields.iter().filter_map(|(name, key)| Some(format!("{name}{}", field(key)?))).collect();
    if fields.is_empty() { format!("unknown, {}", env::consts::ARCH) } else { fields.join(", ") }
}

/// The name that people know, or the vendor and the model, where `NAMES` has none.
pub fn name(cpu: &str, has: impl Fn(&str) -> bool) -> String {
    let known = |(end, feature, _): &&(&str, &str, &str)| cpu.ends_with(end) && (feature.is_empty() || has(feature));
    let vendor = cpu.split([' ', '(', ',']).next().unwrap_or_default();
    let model = cpu.rsplit_once(", ").map_or_else(|| cpu.to_owned(), |(_, model)| format!("{vendor}, {model}"));
    NAMES.iter().find(known).map_or(model, |(.., name)| (*name).to_owned())
}

/// # Errors
/// If `$RUSTC`, or `rustc`, cannot be run.
pub fn rustc() -> Result<String> {
    output(Command::new(env::var_os("RUSTC").unwrap_or("rustc".into())).arg("--version"))
}

/// The commit of this repository, with `+` if its files have changed since.
///
/// # Errors
/// If git cannot say it.
pub fn commit() -> Result<String> {
    let git = |arguments: &[&str]| output(Command::new("git").args(["-C", env!("CARGO_MANIFEST_DIR")]).args(arguments));
    let changes = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Ok(git(&["rev-parse", "--short=12", "HEAD"])? + if changes.is_empty() { "" } else { "+" })
}

fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
