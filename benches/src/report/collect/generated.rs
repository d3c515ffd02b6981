//! Crates that the report writes, builds and runs.

use super::builder::{cargo, target_directory};
use anyhow::{Context, Result, ensure};
use core::time::Duration;
use std::path::PathBuf;
use std::time::Instant;
use std::{env, fs};

/// How a generated crate depends on this project.
pub(crate) const OURS: &str = concat!("simd-core = { path = '", env!("CARGO_MANIFEST_DIR"), "/../simd-core' }");

/// A package of one program, in a workspace of its own.
pub(crate) struct Generated {
    place: PathBuf,
}

impl Generated {
    pub(crate) fn new(name: &str, dependency: &str) -> Result<Self> {
        let place = target_directory()?.join("generated").join(name.replace([' ', ','], "-"));
        fs::create_dir_all(place.join("src"))?;
        let package = "[package]\nname = 'functions'\nversion = '0.0.0'\nedition = '2024'\n[workspace]\n[profile.release]\nstrip = true";
        fs::write(place.join("Cargo.toml"), format!("{package}\n[dependencies]\n{dependency}\n"))?;
        Ok(Self { place })
    }

    pub(crate) fn write(&self, text: &str) -> Result<()> {
        Ok(fs::write(self.place.join("src/main.rs"), text)?)
    }

    /// A file that the profile's builds have left.
    pub(crate) fn built(&self, profile: &str, name: &str) -> PathBuf {
        self.place.join("target").join(profile).join(name)
    }

    /// The program of a release build.
    pub(crate) fn program(&self) -> PathBuf {
        self.built("release", &format!("functions{}", env::consts::EXE_SUFFIX))
    }

    /// Runs cargo with some variables, and returns how long it has taken.
    pub(crate) fn cargo(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Result<Duration> {
        let start = Instant::now();
        let output = cargo()
            .current_dir(&self.place)
            .args(arguments)
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_TARGET_DIR")
            .envs(environment.iter().copied())
            .output()
            .context("could not start cargo")?;
        let time = start.elapsed();
        let text = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "cargo {arguments:?} failed in {}:\n{text}", self.place.display());
        Ok(time)
    }
}
