//! Programs that cargo builds.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::columns::say;
use anyhow::{Context as _, Result, bail};
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};
use cargo_metadata::{Artifact, Dependency, DependencyKind, Message, Metadata, Package, Target};
use clap::Args;

/// Options that are passed to cargo as they are.
#[derive(Args, Clone)]
#[command(next_help_heading = "Building")]
#[expect(clippy::struct_excessive_bools, reason = "they are cargo's options")]
pub(crate) struct Options {
    /// The package
    #[arg(short, long, value_name = "SPEC")]
    package: Option<String>,
    /// The package's features, separated by commas or spaces
    #[arg(short = 'F', long, value_name = "FEATURES")]
    features: Vec<String>,
    /// All features of the package
    #[arg(long)]
    all_features: bool,
    /// Without the package's default features
    #[arg(long)]
    no_default_features: bool,
    /// The profile; without it, `release`, and `bench` for benches
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// For another platform than this one
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// The directory of what is built
    #[arg(long, value_name = "DIRECTORY")]
    target_dir: Option<PathBuf>,
    /// The path of Cargo.toml
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    /// Without access to the network
    #[arg(long)]
    offline: bool,
    /// With Cargo.lock as it is
    #[arg(long)]
    locked: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Bin,
    Example,
    /// The unit tests of a library.
    Lib,
    Test,
    Bench,
}

pub(crate) struct Program {
    pub(crate) path: PathBuf,
    pub(crate) name: String,
    /// The directory of its package.
    pub(crate) package: PathBuf,
}

impl Program {
    /// The program that cargo has built, if it is of this kind.
    pub(crate) fn of(artifact: Artifact, kind: Kind) -> Option<Self> {
        let Artifact { target, manifest_path, executable, .. } = artifact;
        let (path, package) = (executable?.into(), manifest_path.parent()?.into());
        kind.has(&target).then_some(Self { path, name: target.name, package })
    }
}

pub(crate) fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

pub(crate) fn rustc() -> Command {
    Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// The names in what `rustc --print=cfg` says.
pub(crate) fn enabled_features(printed: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(printed);
    let names = text.lines().filter_map(|line| line.strip_prefix("target_feature=\"")?.strip_suffix('"'));
    names.map(str::to_owned).collect()
}

/// Runs cargo, and takes its messages apart: what it has built, and the compiler's errors.
fn messages(cargo: &mut Command) -> Result<(Output, Vec<Artifact>, Vec<Diagnostic>)> {
    let output = cargo.output().context("cargo cannot be started")?;
    let (mut artifacts, mut errors) = (Vec::new(), Vec::new());
    for message in Message::parse_stream(&*output.stdout) {
        match message? {
            Message::CompilerArtifact(artifact) => artifacts.push(artifact),
            Message::CompilerMessage(message) if message.message.level == DiagnosticLevel::Error => {
                errors.push(message.message);
            }
            _ => {}
        }
    }
    Ok((output, artifacts, errors))
}

/// A message of the compiler, and the files and lines that it points at.
pub(crate) type Fault = (String, Vec<(PathBuf, usize)>);

/// The message, behind its first place.
pub(crate) fn described((message, places): &Fault) -> String {
    let place = places.first().map(|(file, line)| format!("{}:{line}: ", file.display()));
    format!("    {}{message}", place.unwrap_or_default())
}

/// Runs cargo on a copy: what it has built, or the compiler's errors.
pub(crate) fn build_copy(cargo: &mut Command) -> Result<Result<Vec<Artifact>, Vec<Fault>>> {
    let (output, artifacts, errors) = messages(cargo.arg("--message-format=json").stderr(Stdio::piped()))?;
    if output.status.success() {
        return Ok(Ok(artifacts));
    }
    if errors.is_empty() {
        bail!(
            "cargo could not build the copy of the workspace\n{}\nhelp: your own build has to work; in the copy, a build \
             script also finds no files by relative paths that lead out of the workspace",
            String::from_utf8_lossy(&output.stderr).trim_end()
        );
    }
    Ok(Err(errors.iter().map(fault).collect()))
}

fn fault(error: &Diagnostic) -> Fault {
    let mut places = Vec::new();
    for span in &error.spans {
        let mut span = Some(span);
        while let Some(one) = span {
            places.push((PathBuf::from(&one.file_name), one.line_start));
            span = one.expansion.as_ref().map(|expansion| &expansion.span);
        }
    }
    (error.message.clone(), places)
}

/// Runs cargo, whose own messages go to the standard error.
fn artifacts(mut cargo: Command) -> Result<Vec<Artifact>> {
    let (output, artifacts, _) = messages(cargo.stderr(Stdio::inherit()))?;
    if !output.status.success() {
        bail!("cargo could not build the program ({})", output.status);
    }
    Ok(artifacts)
}

impl Options {
    /// Builds the programs of one kind, the one called `name` or all.
    pub(crate) fn build(&self, kind: Kind, name: Option<&str>, features: &[String]) -> Result<Vec<Program>> {
        if name.is_none() {
            self.expect_some(kind)?;
        }
        let mut cargo = cargo();
        // Of `--benches` cargo builds the library's unit tests as well.
        let name = name.unwrap_or("*");
        match kind {
            Kind::Bin => cargo.args(["build", "--bin", name]),
            Kind::Example => cargo.args(["build", "--example", name]),
            Kind::Lib => cargo.args(["test", "--no-run", "--lib"]),
            Kind::Test => cargo.args(["test", "--no-run", "--test", name]),
            Kind::Bench => cargo.args(["bench", "--no-run", "--bench", name]),
        };
        cargo.arg("--message-format=json-render-diagnostics");
        match (&self.profile, kind) {
            (Some(profile), _) => _ = cargo.args(["--profile", profile]),
            (None, Kind::Bench) => {}
            (None, _) => _ = cargo.arg("--release"),
        }
        cargo.args(self.arguments()).args(features.iter().flat_map(|feature| ["--features", feature]));
        Ok(artifacts(cargo)?.into_iter().filter_map(|artifact| Program::of(artifact, kind)).collect())
    }

    /// Whether the package has a target of this kind: cargo's own message does not say what there is.
    fn expect_some(&self, kind: Kind) -> Result<()> {
        let metadata = self.metadata()?;
        let targets: Vec<&Target> = self.selected(&metadata).flat_map(|package| &package.targets).collect();
        let of = |kind: Kind| targets.iter().filter(move |target| kind.has(target));
        if targets.is_empty() || of(kind).next().is_some() {
            return Ok(());
        }
        let mut message = format!("the package has no {}\nhelp: ", kind.noun());
        message += if kind == Kind::Bench {
            "write one with criterion or divan, or take another package (`--package`)"
        } else if of(Kind::Lib).next().is_some() {
            "a library's clones are compiled in the programs that use it; take its unit tests \
             (`--lib`), another package (`--package`), or the path of a program"
        } else {
            "take another package (`--package`), or the path of a program"
        };
        let others = [Kind::Bin, Kind::Example, Kind::Test, Kind::Bench].into_iter();
        let others = others.flat_map(|kind| of(kind).map(move |target| (kind.name(), &target.name)));
        let others: Vec<String> = others.map(|(kind, name)| format!("\n    --{kind} {name}")).collect();
        if !others.is_empty() {
            message += "\nthere are:";
            message += &others.concat();
        }
        bail!(message)
    }

    /// Checks the programs of one kind, or the library and the binaries.
    pub(crate) fn check(
        &self,
        selection: Option<(Kind, Option<&str>)>,
        prepare: impl FnOnce(&mut Command),
    ) -> Result<Vec<Artifact>> {
        if let Some((kind, None)) = selection {
            self.expect_some(kind)?;
        }
        let mut cargo = cargo();
        cargo.args(["check", "--message-format=json-render-diagnostics"]);
        match selection {
            Some((Kind::Lib, _)) => _ = cargo.arg("--lib"),
            Some((kind, name)) => _ = cargo.args([&format!("--{}", kind.name()), name.unwrap_or("*")]),
            None => {}
        }
        if let Some(profile) = &self.profile {
            cargo.args(["--profile", profile]);
        }
        cargo.args(self.arguments());
        prepare(&mut cargo);
        artifacts(cargo)
    }

    pub(crate) fn target_directory(&self, metadata: &Metadata) -> Result<PathBuf> {
        match &self.target_dir {
            Some(directory) => Ok(std::path::absolute(directory)?),
            None => Ok(metadata.target_directory.clone().into()),
        }
    }

    /// For a copy of the workspace that lies and is built elsewhere, from its root, where `package` is not the one of the directory.
    pub(crate) fn of_copy(&self, package: Option<String>) -> Vec<OsString> {
        let package = package.or_else(|| self.package.clone());
        // With dependencies of its own, which the user's Cargo.lock may not have.
        Self { package, manifest_path: None, target_dir: None, locked: false, ..self.clone() }.arguments()
    }

    pub(crate) fn profile(&self) -> Option<&str> {
        self.profile.as_deref()
    }

    /// The benches of these names, or all that cargo builds: those whose `required-features` are not enabled are left out.
    pub(crate) fn benches(&self, metadata: &Metadata, names: &[String]) -> Result<Vec<String>> {
        self.expect_some(Kind::Bench)?;
        let mut benches = Vec::new();
        for package in self.selected(metadata) {
            let enabled = self.enabled(package);
            for bench in package.targets.iter().filter(|target| Kind::Bench.has(target)) {
                let missing = bench.required_features.iter().find(|name| !enabled.contains(*name));
                match missing {
                    _ if !names.is_empty() && !names.contains(&bench.name) => {}
                    Some(feature) => say(format_args!(
                        "left out: `{}` needs the feature `{feature}` (`--features {feature}`)",
                        bench.name
                    )),
                    None => benches.push(bench.name.clone()),
                }
            }
        }
        if let Some(unknown) = names.iter().find(|name| !benches.contains(name)) {
            bail!("the package has no bench `{unknown}` that its features enable");
        }
        if benches.is_empty() {
            bail!("no bench is enabled\nhelp: give the features that they need (`--features`)");
        }
        Ok(benches)
    }

    fn enabled(&self, package: &Package) -> BTreeSet<String> {
        let own = self.features.iter().flat_map(|features| features.split([',', ' ']));
        let mut open: Vec<String> = own.map(|name| name.rsplit('/').next().unwrap_or(name).to_owned()).collect();
        open.extend((!self.no_default_features).then(|| "default".to_owned()));
        open.extend(package.features.keys().filter(|_| self.all_features).cloned());
        let mut enabled = BTreeSet::new();
        while let Some(name) = open.pop() {
            if enabled.insert(name.clone()) {
                open.extend(package.features.get(&name).into_iter().flatten().cloned());
            }
        }
        enabled
    }

    /// Fails if a package has simd-core only with a feature that is not enabled, or is of an edition without its paths.
    pub(crate) fn expect_enabled(&self, metadata: &Metadata) -> Result<()> {
        for package in self.selected(metadata) {
            let mut own = package.dependencies.iter().filter(|dependency| dependency.name == "simd-core");
            let name = |own: &Dependency| own.rename.as_ref().unwrap_or(&own.name).clone();
            let enabled = self.enabled(package);
            let is_off = |own: &&Dependency| {
                own.optional && !enabled.contains(&format!("dep:{}", name(own))) && !enabled.contains(&name(own))
            };
            if own.any(|own| is_off(&own)) {
                bail!(
                    "`{}` has simd-core as an optional dependency, which is not enabled\nhelp: enable it (`--features`)",
                    package.name
                );
            }
            if package.edition.as_str() == "2015" {
                bail!(
                    "`{}` is of edition 2015, in which `#[simd_core::dispatch]` is no path\nhelp: `cargo fix --edition`",
                    package.name
                );
            }
        }
        Ok(())
    }

    /// The only package that is selected, if it is one.
    pub(crate) fn package_of<'a>(&'a self, metadata: &'a Metadata) -> Option<&'a Package> {
        let mut packages = self.selected(metadata);
        packages.next().filter(|_| packages.next().is_none())
    }

    pub(crate) fn metadata(&self) -> Result<Metadata> {
        let mut cargo = cargo();
        cargo.args(["metadata", "--format-version=1", "--no-deps"]).args(self.of_any_command());
        let output = cargo.stderr(Stdio::inherit()).output().context("cargo cannot be started")?;
        if !output.status.success() {
            bail!(
                "cargo could not read the manifest ({})\nhelp: run the command in a package's directory, or name it with \
                 --manifest-path",
                output.status
            );
        }
        serde_json::from_slice(&output.stdout).context("cargo metadata")
    }

    /// The packages that cargo builds, unless only cargo understands `--package`.
    pub(crate) fn selected<'a>(&'a self, metadata: &'a Metadata) -> impl Iterator<Item = &'a Package> {
        metadata.packages.iter().filter(|package| match &self.package {
            Some(name) => package.name == *name,
            None => metadata.workspace_default_members.contains(&package.id),
        })
    }

    fn arguments(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = Vec::new();
        for (option, value) in [("--package", &self.package), ("--target", &self.target)] {
            arguments.extend(value.iter().flat_map(|value| [option.into(), value.into()]));
        }
        arguments.extend(self.features.iter().flat_map(|features| ["--features".into(), features.into()]));
        if let Some(directory) = &self.target_dir {
            arguments.extend(["--target-dir".into(), directory.into()]);
        }
        for (option, is_set) in
            [("--all-features", self.all_features), ("--no-default-features", self.no_default_features)]
        {
            arguments.extend(is_set.then(|| option.into()));
        }
        arguments.extend(self.of_any_command());
        arguments
    }

    fn of_any_command(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = Vec::new();
        if let Some(path) = &self.manifest_path {
            arguments.extend(["--manifest-path".into(), path.into()]);
        }
        for (option, is_set) in [("--offline", self.offline), ("--locked", self.locked)] {
            arguments.extend(is_set.then(|| option.into()));
        }
        arguments
    }

    /// The features of the packages by which a build reads the variables of the test kit: none if it does already, or if
    /// no package depends on simd-core itself.
    pub(crate) fn testing(&self) -> Result<Vec<String>> {
        let metadata = self.metadata()?;
        let mut wanted = Vec::new();
        for package in self.selected(&metadata) {
            let own = || package.dependencies.iter().filter(|dependency| dependency.name == "simd-core");
            let reads = |dependency: &Dependency| {
                !dependency.optional
                    && dependency.features.iter().any(|name| name == "testing" || name == "environment")
            };
            let usual = |dependency: &&Dependency| dependency.kind != DependencyKind::Build;
            if own().filter(usual).any(reads) {
                continue;
            }
            if let Some(dependency) = own().find(usual) {
                let optional = if dependency.optional { "?" } else { "" };
                let name = dependency.rename.as_ref().unwrap_or(&dependency.name);
                wanted.push(format!("{name}{optional}/testing"));
            }
        }
        wanted.dedup();
        Ok(wanted)
    }
}

impl Kind {
    pub(crate) fn has(self, target: &Target) -> bool {
        target.kind.iter().map(ToString::to_string).any(|name| match self {
            // Other kinds of libraries have unit tests too.
            Self::Lib => name.ends_with("lib") || name == "proc-macro",
            _ => name == self.name(),
        })
    }

    fn noun(self) -> &'static str {
        match self {
            Self::Bin => "binary",
            Self::Example => "example",
            Self::Lib => "library",
            Self::Test => "test program",
            Self::Bench => "benchmark",
        }
    }

    /// As cargo has it.
    fn name(self) -> &'static str {
        match self {
            Self::Bin => "bin",
            Self::Example => "example",
            Self::Lib => "lib",
            Self::Test => "test",
            Self::Bench => "bench",
        }
    }
}
