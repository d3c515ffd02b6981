//! The copy of the workspace that is compiled for its remarks, with this program between cargo and rustc.

use core::fmt::Write as _;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use cargo_metadata::{Artifact, Metadata, Package};

use super::remarks::{PASSES, Remarks};
use super::source::{File, Function};
use crate::built::{Fault, Kind, Options, Program, build_copy, cargo, described};
use crate::expand::{exit_code, wrapped};
use crate::tune::copy::{Copy, Lists, locked, write};

/// Where rustc writes remarks, for this program as cargo's wrapper; empty for a build without them.
const DIRECTORY: &str = "CARGO_DISPATCH_REMARKS";

/// The program that the copy gets, which calls nothing of the library.
const PROGRAM: &str = "dispatch-why";

pub(super) struct Build {
    pub(super) copy: Copy,
    directory: PathBuf,
    options: Options,
    arguments: Vec<OsString>,
    /// The package's directory from the workspace's root.
    package: PathBuf,
    members: Vec<String>,
    what: What,
    _lock: fs::File,
}

enum What {
    Bench(String),
    /// The one that holds a library's functions.
    Library,
    Bins,
}

impl Build {
    pub(super) fn new(metadata: &Metadata, package: &Package, options: &Options, bench: Option<&str>) -> Result<Self> {
        let directory = options.target_directory(metadata)?.join("dispatch-why").join(package.name.as_str());
        let lock = locked(&directory, "why")?;
        let copy = Copy::new(metadata, directory.join("copy"))?;
        let arguments = options.of_copy(Some(copy.id(package)?));
        let library = package.targets.iter().find(|target| target.is_lib() || target.is_rlib());
        let what = match (bench, library) {
            (Some(name), _) => What::Bench(name.to_owned()),
            (None, Some(_)) => What::Library,
            (None, None) if package.targets.iter().any(cargo_metadata::Target::is_bin) => What::Bins,
            (None, None) => {
                bail!("`{}` has neither a library nor a program\nhelp: name a bench with --bench", package.name)
            }
        };
        let manifest = package.manifest_path.strip_prefix(&metadata.workspace_root)?;
        let build = Self {
            copy,
            directory,
            options: options.clone(),
            arguments,
            package: manifest.parent().map(Into::into).unwrap_or_default(),
            members: metadata.workspace_packages().iter().map(|member| member.name.to_string()).collect(),
            what,
            _lock: lock,
        };
        if let Some(library) = library {
            let text = format!("extern crate {} as _;\nfn main() {{}}\n", library.name.replace('-', "_"));
            write(&build.root().join(&build.package).join("dispatch-why.rs"), text.as_bytes())?;
        }
        Ok(build)
    }

    pub(super) fn root(&self) -> &Path {
        &self.copy.root
    }

    /// The copy's files, as they are now.
    pub(super) fn files(&self) -> Vec<File> {
        let paths = self.copy.sources().map(|source| &source.file);
        let file = |path: &PathBuf| File::new(path.clone(), &fs::read_to_string(self.root().join(path)).ok()?).ok();
        paths.filter_map(file).collect()
    }

    /// Writes the copy with attributes, and with items that keep functions. Gives its files before these items.
    pub(super) fn prepare(&self, lists: &Lists, wanted: impl Fn(&File, &Function) -> bool) -> Result<Vec<File>> {
        self.copy.annotate(lists)?;
        let files = self.files();
        let mut count = 0;
        for file in &files {
            let path = self.root().join(&file.path);
            let text = fs::read_to_string(&path)?;
            write(&path, file.with_keepers(&text, |one| wanted(file, one), &mut count).as_bytes())?;
        }
        if matches!(self.what, What::Library) {
            let manifest = self.root().join(&self.package).join("Cargo.toml");
            let mut text = fs::read_to_string(&manifest)?;
            _ = write!(text, "\n[[bin]]\nname = \"{PROGRAM}\"\npath = \"dispatch-why.rs\"\n");
            write(&manifest, text.as_bytes())?;
        }
        Ok(files)
    }

    pub(super) fn remarks(&self) -> Result<Remarks> {
        let mut remarks = Remarks::default();
        remarks.read(&self.directory.join("remarks"))?;
        Ok(remarks)
    }

    /// Builds the programs: for remarks, or as the user's profile says.
    pub(super) fn build(&self, with_remarks: bool) -> Result<Result<Vec<Program>, Vec<Fault>>> {
        let kind = if matches!(self.what, What::Bench(_)) { Kind::Bench } else { Kind::Bin };
        let mut cargo = cargo();
        match &self.what {
            What::Bench(name) => cargo.args(["bench", "--no-run", "--bench", name]),
            What::Library => cargo.args(["build", "--bin", PROGRAM]),
            What::Bins => cargo.args(["build", "--bins"]),
        };
        let profile = self.options.profile();
        match (profile, kind) {
            (Some(profile), _) => _ = cargo.args(["--profile", profile]),
            (None, Kind::Bench) => {}
            (None, _) => _ = cargo.arg("--release"),
        }
        cargo.args(&self.arguments).arg("--target-dir").arg(self.directory.join("build")).current_dir(self.root());
        for name in ["bench", "release"].into_iter().chain(profile).collect::<BTreeSet<_>>() {
            let mut set =
                |key: &str, value: &str| _ = cargo.arg("--config").arg(format!("profile.{name}.{key}={value}"));
            set("debug", "\"line-tables-only\"");
            set("strip", "\"none\"");
            if with_remarks {
                set("lto", "false");
                set("incremental", "false");
                // Other packages are the same in both builds, and compiled once.
                self.members.iter().for_each(|member| set(&format!("package.{member}.codegen-units"), "1"));
            }
        }
        let remarks = if with_remarks { self.directory.join("remarks") } else { PathBuf::new() };
        if with_remarks {
            fs::create_dir_all(&remarks)?;
        }
        cargo.env("RUSTC_WORKSPACE_WRAPPER", std::env::current_exe()?).env(DIRECTORY, &remarks);
        let programs = |artifacts: Vec<Artifact>| {
            artifacts.into_iter().filter_map(|artifact| Program::of(artifact, kind)).collect()
        };
        Ok(build_copy(&mut cargo)?.map(programs))
    }
}

pub(super) fn first(faults: &[Fault]) -> String {
    faults.first().map(described).unwrap_or_default()
}

/// Runs rustc for cargo, if this program is its wrapper.
pub(crate) fn wrap() -> Option<ExitCode> {
    let (directory, mut rustc, arguments) = wrapped(DIRECTORY)?;
    let value = |name: &str| arguments.iter().position(|one| one == name).and_then(|at| arguments.get(at + 1));
    let is_code = value("--crate-type").is_none_or(|kind| kind != "proc-macro");
    if let Some(name) = value("--crate-name").filter(|name| is_code && *name != "build_script_build" && *name != "___")
    {
        // For items that stay in a program that does not use them, and for files of remarks.
        rustc.env("RUSTC_BOOTSTRAP", "1").args(["-Zcrate-attr=feature(used_with_arg)", "--cap-lints=allow"]);
        let suffix = arguments.iter().find_map(|one| one.to_str()?.strip_prefix("extra-filename=")).unwrap_or_default();
        if !directory.is_empty() {
            let own = Path::new(&directory).join(format!("{}{suffix}", name.display()));
            // What was written before is of an earlier version of the code.
            _ = fs::remove_dir_all(&own);
            _ = fs::create_dir_all(&own);
            rustc.arg(format!("-Cremark={PASSES}")).arg(format!("-Zremark-dir={}", own.display()));
        }
    }
    Some(exit_code(rustc.args(arguments)))
}
