//! A published crate: what is written about it here, and its two copies.
#![allow(clippy::unnecessary_debug_formatting, reason = "paths are written as string literals of TOML and Rust")]

use core::fmt::Write as _;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use cargo_metadata::{Metadata, Package};
use serde::Deserialize;

use crate::{annotate, cargo, dispatch, here, made, output, root};

/// Where crates are that are annotated by program.
pub(crate) const WHOLE: &str = "whole/";
/// Where crates are whose annotated modules are written out: the macro is in none of their builds.
pub(crate) const WRITTEN: &str = "written/";

pub(crate) struct Subject {
    /// Its directory. One in `whole` is annotated by program.
    pub(crate) name: String,
    pub(crate) settings: Settings,
    /// In `written`: its own behind that of the crate with the attribute.
    patches: Vec<PathBuf>,
}

/// `crate.toml`.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Settings {
    pub(crate) version: String,
    /// All targets in the patch, the best first.
    pub(crate) targets: String,
    /// The features of the bench's processes, if a CPU selects by more than one list: a column for each.
    cpus: Option<String>,
    /// In how many columns the original runs the same kind of code, if it detects features itself: all without it.
    pub(crate) compared: Option<usize>,
    /// The annotated items, for the page.
    #[serde(default)]
    pub(crate) annotated: String,
    /// In a few words, for the table of all crates: the change that is no attribute.
    #[serde(default)]
    pub(crate) also: String,
    /// For the page as well: what the times show.
    #[serde(default)]
    pub(crate) remarks: String,
    /// Why rows are slow, likewise.
    #[serde(default)]
    pub(crate) causes: BTreeMap<String, String>,
    /// In `whole`: not one of the thirteen that the goals are for.
    #[serde(default)]
    pub(crate) further: bool,
    /// Features of the crate that the bench takes.
    #[serde(default)]
    features: Vec<String>,
    #[serde(default = "yes")]
    default_features: bool,
    #[serde(default)]
    pub(crate) test: Test,
    #[serde(default)]
    bench_dependencies: toml::Table,
}

/// How the crate's own tests are run.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Test {
    #[serde(default)]
    pub(crate) features: Vec<String>,
    /// For `cargo test`.
    #[serde(default)]
    pub(crate) arguments: Vec<String>,
    /// Variables of `cargo test`.
    #[serde(default)]
    pub(crate) environment: BTreeMap<String, String>,
    /// Without the package's Cargo.lock, which may name versions that were withdrawn.
    #[serde(default)]
    unlocked: bool,
}

fn yes() -> bool {
    true
}

impl Subject {
    pub(crate) fn read(name: &str) -> Result<Self> {
        let read = |file: &str| {
            let path = here().join(name).join(file);
            fs::read_to_string(&path).with_context(|| path.display().to_string())
        };
        let settings: Settings = toml::from_str(&read("crate.toml")?).with_context(|| format!("{name}/crate.toml"))?;
        let directories = [name.strip_prefix(WRITTEN), Some(name)].into_iter().flatten();
        let patches = directories.map(|directory| here().join(directory).join("annotate.patch"));
        // None yet, for a new crate.
        let subject =
            Self { name: name.to_owned(), settings, patches: patches.filter(|patch| patch.exists()).collect() };
        let patch = subject.patch()?;
        for target in subject.settings.targets.split('|').map(str::trim) {
            if !patch.is_empty() && !patch.lines().any(|line| line.starts_with('+') && line.contains(target)) {
                bail!("{name}/annotate.patch has no target `{target}`, which crate.toml names");
            }
        }
        Ok(subject)
    }

    fn patch(&self) -> Result<String> {
        let texts =
            self.patches.iter().map(|path| fs::read_to_string(path).with_context(|| path.display().to_string()));
        texts.collect()
    }

    /// The name on the registry.
    pub(crate) fn package(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or_default()
    }

    /// The name of the bench's package and program.
    pub(crate) fn bench_name(&self) -> String {
        format!("bench-{}", self.name.replace('/', "-"))
    }

    fn directory(&self, name: &str) -> PathBuf {
        made(&self.name).join(name)
    }

    pub(crate) fn original(&self) -> PathBuf {
        self.directory("original")
    }

    pub(crate) fn annotated(&self) -> PathBuf {
        self.directory("annotated")
    }

    /// The package that times both.
    pub(crate) fn bench(&self) -> PathBuf {
        self.directory("bench")
    }

    /// Makes all three, unless they are there and nothing has changed.
    pub(crate) fn prepare(&self) -> Result<()> {
        self.write_bench()?;
        self.copy()?;
        if self.name.starts_with(WRITTEN) {
            output(dispatch(&self.annotated(), "expand")?.arg("--write"))?;
        }
        Ok(())
    }

    fn copy(&self) -> Result<()> {
        let stamp = self.directory("stamp");
        let stamped = self.stamp(&self.patch()?);
        if fs::read_to_string(&stamp).is_ok_and(|text| text == stamped) {
            return Ok(());
        }
        let source = self.source()?;
        for (copy, dependency) in [(self.original(), false), (self.annotated(), true)] {
            if copy.exists() {
                fs::remove_dir_all(&copy)?;
            }
            copy_tree(&source, &copy)?;
            if self.settings.test.unlocked {
                fs::remove_file(copy.join("Cargo.lock"))?;
            }
            let manifest = copy.join("Cargo.toml");
            let mut text = fs::read_to_string(&manifest)?;
            // The directory lies in this workspace, and is none of its members.
            if !text.lines().any(|line| line.trim() == "[workspace]") {
                text.push_str("\n[workspace]\n");
            }
            if dependency {
                let macros = !self.name.starts_with(WRITTEN);
                let path = root().join("simd-core");
                write!(text, "\n[dependencies.simd-core]\npath = {path:?}\ndefault-features = {macros}\n")?;
            }
            fs::write(&manifest, text)?;
        }
        for patch in &self.patches {
            let mut command = Command::new("patch");
            command.args(["--strip=1", "--fuzz=0", "--batch", "--no-backup-if-mismatch", "--input"]);
            output(command.arg(patch).current_dir(self.annotated()))?;
        }
        if self.name.starts_with(WHOLE) {
            annotate::directory(&self.annotated().join("src"), &self.settings.targets)?;
        }
        fs::write(stamp, stamped)?;
        Ok(())
    }

    /// A workspace of the crate as it is published, and a package of its rows as benches of criterion, for `cargo dispatch tune`.
    pub(crate) fn tunable(&self) -> Result<PathBuf> {
        self.prepare()?;
        let workspace = self.directory("tune");
        if !workspace.join("original").exists() {
            copy_tree(&self.source()?, &workspace.join("original"))?;
        }
        write(&workspace.join("Cargo.toml"), "[workspace]\nmembers = [\"original\", \"rows\"]\nresolver = \"3\"\n")?;
        let rows = workspace.join("rows");
        self.write_rows(
            &rows,
            "rows",
            &format!("subject = {{ path = \"../original\", {} }}\n", self.dependency()),
            "",
        )?;
        write(&rows.join("src/lib.rs"), "")?;
        write(&rows.join("benches/rows.rs"), &(self.parts("subject")? + ADVISED))?;
        Ok(workspace)
    }

    /// The manifest of a package of the rows, as benches of criterion.
    fn write_rows(&self, directory: &Path, name: &str, crates: &str, end: &str) -> Result<()> {
        let mut manifest = format!(
            "[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [[bench]]\nname = \"rows\"\nharness = false\n\n\
             [dev-dependencies]\n\
             criterion = {{ version = \"0.8\", default-features = false, features = [\"cargo_bench_support\"] }}\n\n\
             [dependencies]\n{crates}"
        );
        // Inline: a table's own form has headers.
        for (name, value) in &self.settings.bench_dependencies {
            writeln!(manifest, "{name} = {value}")?;
        }
        write(&directory.join("Cargo.toml"), &(manifest + end))
    }

    /// The end of a dependency on the crate.
    fn dependency(&self) -> String {
        let Settings { features, default_features, .. } = &self.settings;
        format!("package = {:?}, features = {features:?}, default-features = {default_features}", self.package())
    }

    /// The rows of a crate of this name as a module `annotated`.
    fn parts(&self, name: &str) -> Result<String> {
        Ok(format!(
            "#[path = {:?}]\nmod harness;\n{}",
            here().join("bench/harness.rs"),
            self.module("annotated", name)?
        ))
    }

    fn module(&self, module: &str, name: &str) -> Result<String> {
        let rows = [&*self.name, self.package()].map(|name| here().join(name).join("bench.rs"));
        let rows = rows.into_iter().find(|rows| rows.exists()).context("there is no bench.rs")?;
        Ok(format!("mod {module} {{\n    use ::{name} as subject;\n    #[path = {rows:?}]\n    pub mod rows;\n}}\n"))
    }

    /// The copies' sources, and the code that makes them.
    fn stamp(&self, patch: &str) -> String {
        let Settings { version, targets, .. } = &self.settings;
        let made_by = concat!(include_str!("annotate.rs"), include_str!("subject.rs"));
        format!("{version} {targets} {}\n{patch}{made_by}", root().display())
    }

    /// Writes the patch anew, from what stands in the annotated copy.
    pub(crate) fn diff(&self) -> Result<()> {
        if self.name.starts_with(WRITTEN) {
            bail!("edit written/{}/annotate.patch: it comes upon another", self.package());
        }
        let mut command = Command::new("diff");
        command.args(["--unified=1", "--recursive", "--new-file", "--exclude=Cargo.*", "--exclude=target"]);
        let output = command.args(["original", "annotated"]).current_dir(made(&self.name)).output()?;
        // 1: there are differences.
        if output.status.code() != Some(1) {
            bail!("the copies do not differ: {}", String::from_utf8_lossy(&output.stderr));
        }
        let mut patch = String::new();
        for line in String::from_utf8(output.stdout)?.lines() {
            // Without the time of change.
            let file = |mark: &str| Some(line.strip_prefix(mark)?.split('\t').next().unwrap_or_default());
            match (file("--- original/"), file("+++ annotated/")) {
                (Some(file), _) => writeln!(patch, "--- a/{file}")?,
                (_, Some(file)) => writeln!(patch, "+++ b/{file}")?,
                _ if line.starts_with("diff ") => {}
                _ => writeln!(patch, "{line}")?,
            }
        }
        write(&here().join(&self.name).join("annotate.patch"), &patch)?;
        fs::write(self.directory("stamp"), self.stamp(&patch))?;
        Ok(())
    }

    /// Where cargo has unpacked the package.
    fn source(&self) -> Result<PathBuf> {
        let fetch = self.directory("fetch");
        let manifest = format!(
            "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[lib]\npath = \
             \"lib.rs\"\n[dependencies]\n{} = \"={}\"\n",
            self.package(),
            self.settings.version
        );
        write(&fetch.join("Cargo.toml"), &manifest)?;
        write(&fetch.join("lib.rs"), "")?;
        let metadata = output(cargo(&fetch).args(["metadata", "--format-version", "1"]))?;
        let metadata: Metadata = serde_json::from_str(&metadata)?;
        let wanted = |one: &&Package| one.name == self.package() && one.version.to_string() == self.settings.version;
        let package = metadata.packages.iter().find(wanted).context("cargo has not fetched the package")?;
        Ok(package.manifest_path.parent().context("the manifest has a directory")?.into())
    }

    fn write_bench(&self) -> Result<()> {
        let targets = self.settings.cpus.as_ref().unwrap_or(&self.settings.targets);
        let (bench, dependency) = (self.bench(), self.dependency());
        let crates = format!(
            "original = {{ version = \"={}\", {dependency} }}\n\
             annotated = {{ path = \"../annotated\", {dependency} }}\n\
             simd-core = {{ path = {:?}, features = [\"testing\"] }}\n",
            self.settings.version,
            root().join("simd-core")
        );
        self.write_rows(&bench, &self.bench_name(), &crates, "\n[workspace]\n")?;
        let parts = self.parts("annotated")?;
        let main = format!(
            "{parts}{}#[path = {:?}]\nmod compare;\n\nfn main() -> std::process::ExitCode {{\n    \
             compare::main(simd_core::targets!({targets:?}), original::rows::rows, annotated::rows::rows)\n}}\n",
            self.module("original", "original")?,
            here().join("bench/compare.rs")
        );
        write(&bench.join("src/main.rs"), &main)?;
        write(&bench.join("benches/rows.rs"), &(parts + ADVISED))
    }
}

/// The rows of the crate `annotated`, with criterion.
const ADVISED: &str = "
fn main() {
    let mut criterion = criterion::Criterion::default().configure_from_args();
    for mut row in harness::rows_of(annotated::rows::rows) {
        let name = row.name().to_owned();
        criterion.bench_function(&name, |bencher| bencher.iter_custom(|calls| row.time(calls)));
    }
}
";

/// Writes a file unless it is the same, so that cargo builds nothing again.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().context("a file has a directory")?)?;
    fs::write(path, text).with_context(|| path.display().to_string())
}

fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else {
            // Not `fs::copy`, which would keep the registry's permission to read only.
            fs::write(target, fs::read(entry.path())?)?;
        }
    }
    Ok(())
}
