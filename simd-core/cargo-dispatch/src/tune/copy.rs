//! The copy of the workspace that is edited and built, and how its changes come back.

use core::fmt::Write as _;
use core::hash::{Hash as _, Hasher as _};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, TryLockError};
use std::hash::DefaultHasher;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use cargo_metadata::{DependencyKind, Metadata, Package};
use similar::TextDiff;
use toml_edit::{Array, DocumentMut, InlineTable, TableLike};

use super::source::{Function, Source};

/// A member of the workspace, with paths from its root.
pub(crate) struct Member {
    /// For cargo.
    id: String,
    manifest: PathBuf,
    /// The name of simd-core in its sources, if its manifest has it already.
    depends: Option<String>,
    pub(crate) sources: Vec<Source>,
}

pub(crate) struct Copy {
    pub(super) origin: PathBuf,
    pub(crate) root: PathBuf,
    pub(crate) members: Vec<Member>,
    /// Of all files.
    pub(super) digest: u64,
}

/// Functions by file and line, with the targets of each.
pub(crate) type Lists = BTreeMap<String, String>;

impl Copy {
    /// Copies the workspace to `root`, which is removed before.
    pub(crate) fn new(metadata: &Metadata, root: PathBuf) -> Result<Self> {
        if root.exists() {
            fs::remove_dir_all(&root).with_context(|| root.display().to_string())?;
        }
        let origin: PathBuf = metadata.workspace_root.clone().into();
        let target: PathBuf = metadata.target_directory.clone().into();
        let mut hasher = DefaultHasher::new();
        for file in files(&origin, &target)? {
            let from = origin.join(&file);
            if from.is_dir() {
                link(&fs::canonicalize(from)?, &root.join(&file))?;
                continue;
            }
            let bytes = fs::read(from).with_context(|| file.display().to_string())?;
            (&file, &bytes).hash(&mut hasher);
            write(&root.join(&file), &bytes)?;
        }
        let mut copy = Self { origin, root, members: Vec::new(), digest: hasher.finish() };
        for package in metadata.workspace_packages() {
            let member = copy.member(package)?;
            copy.members.push(member);
        }
        copy.manifests(None)?;
        Ok(copy)
    }

    fn member(&self, package: &Package) -> Result<Member> {
        let manifest = relative(package.manifest_path.as_std_path(), &self.origin)?;
        let directory = manifest.parent().unwrap_or(Path::new("")).to_owned();
        let is_code = |kind: &str| kind.ends_with("lib") || kind == "bin";
        let mut roots =
            package.targets.iter().filter(|target| target.kind.iter().any(|kind| is_code(&kind.to_string())));
        let mut sources = Vec::new();
        if roots.next().is_some() {
            for file in rust(&self.root.join(&directory))? {
                // A source for another compiler, in another encoding, or a template, is none of the program's.
                let Ok(text) = fs::read_to_string(&file) else { continue };
                sources.extend(Source::new(relative(&file, &self.root)?, text).ok());
            }
        }
        let mut own = package.dependencies.iter().filter(|dependency| dependency.name == "simd-core");
        let own = own.find(|dependency| dependency.kind == DependencyKind::Normal);
        let depends = own.map(|own| own.rename.as_ref().unwrap_or(&own.name).replace('-', "_"));
        Ok(Member { id: self.id(package)?, manifest, depends, sources })
    }

    /// Writes the sources with the attributes, or as they were, and the manifests for them.
    pub(crate) fn annotate(&self, lists: &Lists) -> Result<()> {
        for member in &self.members {
            for source in &member.sources {
                write(&self.root.join(&source.file), member.with(source, lists, false).as_bytes())?;
            }
        }
        self.manifests(Some(lists))
    }

    fn manifests(&self, lists: Option<&Lists>) -> Result<()> {
        let nothing = Lists::new();
        for member in &self.members {
            let text = self.manifest(member, lists.unwrap_or(&nothing), true)?;
            write(&self.root.join(&member.manifest), text.as_bytes())?;
        }
        let root = self.root.join("Cargo.toml");
        let mut manifest = parse(&root)?;
        self.absolute(manifest.as_table_mut(), &self.origin);
        // It lies in the user's directories, and belongs to no workspace of theirs.
        manifest.entry("workspace").or_insert_with(toml_edit::table);
        write(&root, manifest.to_string().as_bytes())
    }

    /// A manifest with the dependency, if a function of the package has the attribute. In the copy all have it: with other
    /// packages in the workspace, cargo would compile those that are there anew.
    fn manifest(&self, member: &Member, lists: &Lists, is_copy: bool) -> Result<String> {
        let origin = self.origin.join(&member.manifest);
        let mut manifest = parse(&origin)?;
        if is_copy {
            self.absolute(manifest.as_table_mut(), origin.parent().unwrap_or(&self.origin));
        }
        let is_wanted = |source: &Source| is_copy || source.is_in(lists);
        if member.depends.is_none() && member.sources.iter().any(is_wanted) {
            let (key, place) = location();
            let mut dependency = InlineTable::from_iter([(key, place)]);
            if is_copy {
                dependency.insert("features", Array::from_iter(["testing"]).into());
            }
            manifest.entry("dependencies").or_insert_with(toml_edit::table)["simd-core"] = toml_edit::value(dependency);
        }
        Ok(manifest.to_string())
    }

    /// Paths that lead out of the workspace do so from the copy as well.
    fn absolute(&self, table: &mut dyn TableLike, directory: &Path) {
        for (key, item) in table.iter_mut() {
            if let (Some(path), true) = (item.as_value_mut(), key == "path") {
                let to = normal(&directory.join(path.as_str().unwrap_or_default()));
                if !to.starts_with(&self.origin) {
                    let decor = path.decor().clone();
                    *path = to.display().to_string().into();
                    *path.decor_mut() = decor;
                }
            } else if let Some(table) = item.as_table_like_mut() {
                self.absolute(table, directory);
            } else if let Some(tables) = item.as_array_of_tables_mut() {
                tables.iter_mut().for_each(|table| self.absolute(table, directory));
            }
        }
    }

    /// Forgets files, whose functions get no attribute.
    pub(super) fn leave(&mut self, files: &BTreeSet<PathBuf>) {
        self.members.iter_mut().for_each(|member| member.sources.retain(|source| !files.contains(&source.file)));
    }

    /// The packages that get an attribute, for cargo.
    pub(super) fn packages(&self, lists: &Lists) -> Vec<String> {
        let members = self.members.iter().filter(|member| member.sources.iter().any(|source| source.is_in(lists)));
        members.map(|member| member.id.clone()).collect()
    }

    /// For cargo, which may know other packages of its name: a crate that criterion needs depends on itself.
    pub(crate) fn id(&self, package: &Package) -> Result<String> {
        let manifest = self.root.join(relative(package.manifest_path.as_std_path(), &self.origin)?);
        let directory = manifest.parent().unwrap_or(&self.root).display();
        Ok(format!("path+file://{directory}#{}@{}", package.name, package.version))
    }

    /// The files of the user's workspace with the attributes: path, text now, text then.
    pub(super) fn changes(&self, lists: &Lists) -> Result<Vec<(PathBuf, String, String)>> {
        let mut changes = Vec::new();
        for member in self.members.iter().filter(|member| member.sources.iter().any(|source| source.is_in(lists))) {
            let before = fs::read_to_string(self.origin.join(&member.manifest))?;
            changes.push((member.manifest.clone(), before, self.manifest(member, lists, false)?));
            let sources = member.sources.iter().filter(|source| source.is_in(lists));
            changes.extend(sources.map(|one| (one.file.clone(), one.text.clone(), member.with(one, lists, true))));
        }
        changes.retain(|(_, before, after)| before != after);
        Ok(changes)
    }

    pub(super) fn apply(&self, changes: &[(PathBuf, String, String)]) -> Result<()> {
        expect_clean(&self.origin)?;
        let files = changes.iter().map(|(file, ..)| file);
        let mut git = Command::new("git");
        let known = git.args(["ls-files", "--error-unmatch", "--"]).args(files).current_dir(&self.origin).output();
        if !known.is_ok_and(|output| output.status.success()) {
            bail!("git does not track the files, so `--apply` writes nothing\nhelp: commit them, or use the diff");
        }
        for (file, before, _) in changes {
            if fs::read_to_string(self.origin.join(file))? != *before {
                bail!("`{}` has changed meanwhile: nothing is written", file.display());
            }
        }
        for (file, _, after) in changes {
            fs::write(self.origin.join(file), after).with_context(|| file.display().to_string())?;
        }
        Ok(())
    }

    pub(crate) fn sources(&self) -> impl Iterator<Item = &Source> {
        self.members.iter().flat_map(|member| &member.sources)
    }

    pub(crate) fn function_at(&self, file: &Path, line: usize) -> Option<(&Source, &Function)> {
        let source = self.sources().find(|source| source.file == file)?;
        Some((source, source.function_at(line)?))
    }

    pub(super) fn function(&self, key: &str) -> Option<(&Source, &Function)> {
        self.sources().find_map(|one| Some((one, one.functions.iter().find(|function| one.key(function) == key)?)))
    }
}

impl Source {
    fn is_in(&self, lists: &Lists) -> bool {
        self.functions.iter().any(|function| lists.contains_key(&self.key(function)))
    }
}

impl Member {
    fn with(&self, source: &Source, lists: &Lists, own_lines: bool) -> String {
        let functions = source.functions.iter();
        let own = functions.filter_map(|one| Some((*one.lines.start(), lists.get(&source.key(one))?.as_str())));
        source.annotated(&own.collect::<Vec<_>>(), own_lines, self.depends.as_deref().unwrap_or("simd_core"))
    }
}

/// A directory that lies elsewhere.
fn link(to: &Path, from: &Path) -> Result<()> {
    fs::create_dir_all(from.parent().context("a directory has a parent")?)?;
    #[cfg(unix)]
    std::os::unix::fs::symlink(to, from).with_context(|| from.display().to_string())?;
    Ok(())
}

/// A unified diff, for `git apply` and `patch -p1`.
pub(super) fn diff(changes: &[(PathBuf, String, String)]) -> String {
    let mut text = String::new();
    for (file, before, after) in changes {
        let (old, new) = (format!("a/{}", file.display()), format!("b/{}", file.display()));
        _ = write!(text, "{}", TextDiff::from_lines(before, after).unified_diff().header(&old, &new));
    }
    text
}

/// Fails unless git could bring back what `--apply` overwrites.
pub(super) fn expect_clean(root: &Path) -> Result<()> {
    let git =
        Command::new("git").args(["status", "--porcelain", "--", ".", ":(exclude)target"]).current_dir(root).output();
    match git {
        Ok(output) if output.status.success() && output.stdout.is_empty() => Ok(()),
        Ok(output) if output.status.success() => bail!(
            "the working tree has changes, so `--apply` writes nothing:\n{}help: commit or stash them",
            String::from_utf8_lossy(&output.stdout)
                .lines()
                .fold(String::new(), |text, line| text + "    " + line + "\n")
        ),
        _ => bail!("`--apply` needs a git repository\nhelp: without it, the command prints a diff for `patch -p1`"),
    }
}

fn parse(manifest: &Path) -> Result<DocumentMut> {
    fs::read_to_string(manifest)?.parse().with_context(|| manifest.display().to_string())
}

/// Where the copy finds simd-core: in the checkout that this program was built in, or in the registry.
fn location() -> (&'static str, String) {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(""));
    if checkout.join("src/known.rs").exists() {
        ("path", checkout.display().to_string())
    } else {
        ("version", env!("CARGO_PKG_VERSION").to_owned())
    }
}

/// The files that git knows or would know, or all but what cargo makes.
fn files(origin: &Path, target: &Path) -> Result<Vec<PathBuf>> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(origin);
    let listed = git.output().ok().filter(|output| output.status.success() && !output.stdout.is_empty());
    let is_there = |file: &PathBuf| {
        let path = origin.join(file);
        (path.is_file() || path.is_symlink() && path.is_dir()) && !path.starts_with(target)
    };
    if let Some(output) = listed {
        let names = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut files: Vec<PathBuf> = names.split_terminator('\0').map(PathBuf::from).filter(is_there).collect();
        // Often ignored in libraries.
        files.extend(Some(PathBuf::from("Cargo.lock")).filter(is_there));
        return Ok(files);
    }
    let mut files = Vec::new();
    walk(origin, &mut |path, is_directory| {
        // Cargo marks what it makes.
        let is_left_out = path == target || path.join("CACHEDIR.TAG").exists() || path.ends_with(".git");
        let file = path.strip_prefix(origin).unwrap_or(path).to_owned();
        files.extend(Some(file).filter(|file| !is_directory && is_there(file)));
        !is_left_out
    })?;
    Ok(files)
}

/// The sources of a package's library and programs.
fn rust(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut sources = Vec::new();
    walk(directory, &mut |path, is_directory| {
        if !is_directory {
            let is_source = path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("build.rs");
            sources.extend(is_source.then(|| path.to_owned()));
            return true;
        }
        let is_other = ["tests", "benches", "examples", "target"].iter().any(|name| path == directory.join(name));
        // A package within this one has its own manifest.
        !is_other && !path.join("Cargo.toml").exists()
    })?;
    Ok(sources)
}

fn walk(directory: &Path, visit: &mut impl FnMut(&Path, bool) -> bool) -> Result<()> {
    let mut entries: Vec<_> = fs::read_dir(directory)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type()?);
        if visit(&path, kind.is_dir()) && kind.is_dir() {
            walk(&path, visit)?;
        }
    }
    Ok(())
}

/// Makes a directory that git ignores, for one run of a command at a time.
pub(crate) fn locked(directory: &Path, command: &str) -> Result<File> {
    let ignore = directory.join(".gitignore");
    write(&ignore, b"*\n")?;
    let lock = File::open(ignore)?;
    if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
        bail!(
            "another `cargo dispatch {command}` works in `{}`\nhelp: wait for it, or give another `--target-dir`",
            directory.display()
        );
    }
    Ok(lock)
}

/// Writes a file unless it is the same, so that cargo builds nothing again.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().context("a file has a directory")?)?;
    fs::write(path, bytes).with_context(|| path.display().to_string())
}

fn relative(path: &Path, root: &Path) -> Result<PathBuf> {
    match path.strip_prefix(root) {
        Ok(path) => Ok(path.to_owned()),
        Err(_) => bail!(
            "`{}` is not below `{}`, the root of its workspace, which is copied\nhelp: move it there, or tune it in a \
             workspace of its own",
            path.display(),
            root.display()
        ),
    }
}

/// Without `..`.
pub(super) fn normal(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut path, part| {
        if part == Component::ParentDir {
            _ = path.pop();
        } else {
            path.push(part);
        }
        path
    })
}

#[cfg(test)]
mod tests;
