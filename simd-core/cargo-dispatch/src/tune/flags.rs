//! The compiler flags of the user's builds, as cargo finds them, so that more can be added.

use core::hash::{Hash, Hasher};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use toml::{Table, Value};

use crate::built::{enabled_features, rustc};

/// The settings of cargo's configuration and of the environment.
pub(super) struct Flags {
    /// `build.rustflags`, which cargo ignores where a target has flags.
    build: Vec<String>,
    /// Whether a target has flags, to which cargo adds, and those that are known.
    has_target: bool,
    target: Vec<String>,
    /// All files and variables, for the key of measurements.
    all: Vec<(String, String)>,
}

fn is_host(triple: &str) -> bool {
    triple.starts_with(env::consts::ARCH) && triple.contains(env::consts::OS)
}

impl Hash for Flags {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.all.hash(state);
    }
}

impl Flags {
    pub(super) fn new(directory: &Path) -> Result<Self> {
        let mut flags = Self { build: Vec::new(), has_target: false, target: Vec::new(), all: Vec::new() };
        let home = env::home_dir().map(|home| home.join(".cargo"));
        let home = env::var_os("CARGO_HOME").map(PathBuf::from).or(home);
        let mut directories: Vec<PathBuf> = directory.ancestors().map(|parent| parent.join(".cargo")).collect();
        directories.extend(home.filter(|home| !directories.contains(home)));
        // What is nearer comes later.
        for directory in directories.iter().rev() {
            let files = ["config", "config.toml"].map(|name| directory.join(name));
            let Some(file) = files.into_iter().find(|file| file.is_file()) else { continue };
            let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
            let table: Table = text.parse().with_context(|| file.display().to_string())?;
            flags.add(&table, &file)?;
            flags.all.push((file.display().to_string(), text));
        }
        for (name, value) in env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            let changes =
                ["CARGO_BUILD_", "CARGO_PROFILE_", "CARGO_TARGET_", "RUSTC", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"];
            if changes.iter().any(|prefix| name.starts_with(prefix)) && name != "CARGO_TARGET_DIR" {
                flags.has_target |= name.starts_with("CARGO_TARGET_") && name.ends_with("_RUSTFLAGS");
                flags.all.push((name, value.to_string_lossy().into_owned()));
            }
        }
        flags.all.sort();
        if let Ok(build) = env::var("CARGO_BUILD_RUSTFLAGS") {
            flags.build.extend(build.split_whitespace().map(str::to_owned));
        }
        Ok(flags)
    }

    fn add(&mut self, table: &Table, file: &Path) -> Result<()> {
        let list = |flags: &Value| match flags {
            Value::String(flags) => flags.split_whitespace().map(str::to_owned).collect(),
            Value::Array(flags) => flags.iter().filter_map(|flag| flag.as_str().map(str::to_owned)).collect(),
            _ => Vec::new(),
        };
        self.build.extend(table.get("build").and_then(|build| build.get("rustflags")).map(list).unwrap_or_default());
        for (name, target) in table.get("target").and_then(Value::as_table).into_iter().flatten() {
            let has_flags = target.get("rustflags").is_some();
            if is_host(name) {
                self.target.extend(target.get("rustflags").map(list).unwrap_or_default());
            }
            self.has_target |= has_flags && (name.starts_with("cfg(") || is_host(name));
            if has_flags && name.starts_with("cfg(") && !self.build.is_empty() {
                bail!(
                    "`{}` has flags for `{name}`, and `build.rustflags` is set too: cargo takes only one of them\nhelp: set \
                     RUSTFLAGS to those that a build has",
                    file.display()
                );
            }
        }
        Ok(())
    }

    pub(super) fn enabled(&self) -> Result<Vec<String>> {
        let own: Vec<String> = if let Ok(flags) = env::var("CARGO_ENCODED_RUSTFLAGS") {
            flags.split('\u{1f}').map(str::to_owned).collect()
        } else if let Ok(flags) = env::var("RUSTFLAGS") {
            flags.split_whitespace().map(str::to_owned).collect()
        } else if self.has_target {
            self.target.clone()
        } else {
            self.build.clone()
        };
        let output = rustc().arg("--print=cfg").args(own).output().context("rustc cannot be started")?;
        Ok(enabled_features(&output.stdout))
    }

    pub(super) fn with(&self, more: &[&str], cargo: &mut std::process::Command) {
        if let Ok(flags) = env::var("CARGO_ENCODED_RUSTFLAGS") {
            cargo.env("CARGO_ENCODED_RUSTFLAGS", [&[&*flags][..], more].concat().join("\u{1f}"));
        } else if let Ok(flags) = env::var("RUSTFLAGS") {
            cargo.env("RUSTFLAGS", format!("{flags} {}", more.join(" ")));
        } else {
            // Cargo ignores the flags of all builds if a target has its own.
            let build = self.build.iter().map(String::as_str).filter(|_| !self.has_target);
            let all: Vec<&str> = build.chain(more.iter().copied()).collect();
            cargo.arg("--config").arg(format!("target.'cfg(all())'.rustflags = {all:?}"));
        }
    }
}
