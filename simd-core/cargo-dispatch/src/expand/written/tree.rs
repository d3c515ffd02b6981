//! The modules of a package, and their files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context as _, Result, bail};
use cargo_metadata::Package;
use proc_macro2::LineColumn;
use quote::ToTokens as _;
use simd_core_expand::written::{arguments, is_false, parts_of_cfg_attr};
use syn::spanned::Spanned as _;
use syn::visit::Visit;
use syn::{AttrStyle, Attribute, Expr, ExprLit, File, Item, ItemMod, Lit, Meta};

use super::HEAD;
use super::lists::Names;

/// The end of the name of a written file.
const END: &str = ".dispatched.rs";

/// A module with a written file.
pub(super) struct Module {
    pub(super) source: PathBuf,
    pub(super) written: PathBuf,
    /// Its names in the crate.
    pub(super) path: Vec<String>,
    pub(super) edition: String,
    /// The directory of its child modules' files, if that is another one than its own.
    pub(super) children: Option<PathBuf>,
    /// Where `unsafe` is forbidden, if it is.
    pub(super) forbidden: Option<String>,
    /// The name under which the crate has simd-core.
    pub(super) krate: String,
    /// The meaning of names in the crate.
    pub(super) names: Rc<Names>,
}

/// Those of all targets of `package`.
pub(super) fn modules(package: &Package) -> Result<Vec<Module>> {
    let mut all = Vec::new();
    let dependency = package.dependencies.iter().find(|one| one.name == "simd-core");
    let krate = dependency.and_then(|one| one.rename.as_deref()).unwrap_or("simd-core").replace('-', "_");
    for target in &package.targets {
        let root: PathBuf = target.src_path.clone().into();
        if !root.exists() || target.kind.iter().any(|kind| kind.to_string() == "custom-build") {
            continue;
        }
        let edition = target.edition.to_string();
        let mut walk = Walk { names: Names::default(), found: Vec::new(), open: Vec::new(), edition, krate: &krate };
        walk.file(&root, &[], true, None, false)?;
        let names = Rc::new(walk.names);
        for module in walk.found {
            if module.edition == "2015" {
                let source = module.source.display();
                bail!("{source}: a file of edition 2015 cannot be written\nhelp: `cargo fix --edition`");
            }
            all.push(Module { names: Rc::clone(&names), ..module });
        }
    }
    let directories: BTreeSet<&Path> =
        package.targets.iter().filter_map(|target| Path::new(&target.src_path).parent()).collect();
    directories.into_iter().try_for_each(|directory| refuse_others(directory, &all))?;
    Ok(all)
}

/// Refuses written files below `directory` that are not of `modules`: no build has their clones.
fn refuse_others(directory: &Path, modules: &[Module]) -> Result<()> {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            // Another package, or what cargo has built.
            if name != "target" && !path.join("Cargo.toml").exists() {
                refuse_others(&path, modules)?;
            }
        } else if name.ends_with(END)
            && !modules.iter().any(|module| module.written == path)
            && fs::read_to_string(&path).is_ok_and(|text| text.starts_with(HEAD))
        {
            bail!(
                "{}: no module is declared with this file\nhelp: declare it as \
                 `#[cfg_attr(not(miri), path = \"{name}\")] mod name;`, or remove the file",
                path.display()
            );
        }
    }
    Ok(())
}

struct Walk<'a> {
    names: Names,
    /// Without the names, which are not all there yet.
    found: Vec<Module>,
    /// The files from the root to the current one.
    open: Vec<PathBuf>,
    edition: String,
    krate: &'a str,
}

impl Walk<'_> {
    /// The module in `file`, which has the directory of its child modules for itself unless it `owns` that of the file.
    fn file(
        &mut self,
        file: &Path,
        path: &[String],
        owns: bool,
        forbidden: Option<&str>,
        is_source: bool,
    ) -> Result<()> {
        if self.open.iter().any(|open| open == file) {
            return Ok(());
        }
        let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
        let parsed = match parsed(&text) {
            Ok(parsed) => parsed,
            // It may be for another compiler, and has nothing for this command.
            Err(_) if !text.contains("dispatch") => return Ok(()),
            Err(error) => {
                let place = error.span().start();
                bail!("{}:{}:{}: {error}", file.display(), place.line, place.column + 1);
            }
        };
        if !is_source && let Some(place) = asleep(&parsed) {
            bail!(
                "{}:{}:{}: nothing wakes this attribute: the module's declaration asks for no written file\nhelp: declare it \
                 as `#[cfg_attr(not(miri), path = \"name{END}\")] mod name;`",
                file.display(),
                place.line,
                place.column + 1
            );
        }
        self.open.push(file.to_owned());
        let own = forbids(&parsed.attrs).then(|| file.display().to_string());
        let forbidden = own.as_deref().or(forbidden);
        let directory = file.parent().unwrap_or(Path::new(""));
        let children = if owns { directory.to_owned() } else { directory.join(file.file_stem().unwrap_or_default()) };
        if let Some(last) = self.found.last_mut().filter(|last| last.source == file) {
            last.forbidden = forbidden.map(str::to_owned);
        }
        self.items(&parsed.items, path, (directory, &children, file), false, forbidden)?;
        self.open.pop();
        Ok(())
    }

    fn items(
        &mut self,
        items: &[Item],
        path: &[String],
        (directory, children, file): (&Path, &Path, &Path),
        inline: bool,
        forbidden: Option<&str>,
    ) -> Result<()> {
        self.names.add(path, items);
        for item in items {
            let Item::Mod(module) = item else { continue };
            let path = [path, &[module.ident.to_string().trim_start_matches("r#").to_owned()]].concat();
            let name = path.last().map_or("", String::as_str);
            if let Some((_, items)) = &module.content {
                let own = forbids(&module.attrs).then(|| file.display().to_string());
                let children = children.join(name);
                self.items(items, &path, (directory, &children, file), true, own.as_deref().or(forbidden))?;
                continue;
            }
            // In an inline module the attribute is relative to where its children are.
            let base = if inline { children } else { directory };
            if let Some(line) = line(module) {
                let written = base.join(&line);
                let Some((source, owns)) = source_of(children, name, &module.attrs, base) else {
                    bail!("{}: there is no file of `mod {name};` next to {}", file.display(), written.display());
                };
                if written.parent() != source.parent() || written == source {
                    bail!("{}: {line} has to be in the directory of {}", file.display(), source.display());
                }
                self.found.push(Module {
                    source: source.clone(),
                    written,
                    path: path.clone(),
                    edition: self.edition.clone(),
                    children: (!owns).then(|| source.with_extension("")),
                    forbidden: forbidden.map(str::to_owned),
                    krate: self.krate.to_owned(),
                    names: Rc::default(),
                });
                self.file(&source, &path, owns, forbidden, true)?;
                continue;
            }
            if paths(&module.attrs).any(|path| path.ends_with(END)) {
                bail!(
                    "{}: `mod {name};` asks for a written file otherwise than by `#[cfg_attr(not(miri), path = \"name{END}\")]`",
                    file.display()
                );
            }
            if let Some((source, owns)) = source_of(children, name, &module.attrs, base) {
                self.file(&source, &path, owns, forbidden, false)?;
            }
        }
        Ok(())
    }
}

/// The file of `mod name;`, and whether its own directory is that of its children.
fn source_of(children: &Path, name: &str, attrs: &[Attribute], base: &Path) -> Option<(PathBuf, bool)> {
    if let Some(path) = attrs.iter().find_map(|attr| value_of(&attr.meta, "path")) {
        let file = base.join(path);
        return file.exists().then_some((file, true));
    }
    let alone = children.join(name).with_extension("rs");
    let directory = children.join(name).join("mod.rs");
    if alone.exists() { Some((alone, false)) } else { directory.exists().then_some((directory, true)) }
}

/// The path in `#[cfg_attr(not(miri), path = "name.dispatched.rs")]` on a declaration.
pub(super) fn line(module: &ItemMod) -> Option<String> {
    module.attrs.iter().find_map(|attr| {
        let (predicate, metas) = conditional(attr)?;
        let path = metas.iter().find_map(|meta| value_of(meta, "path"))?;
        (predicate == "not (miri)" && path.ends_with(END)).then_some(path)
    })
}

/// The first attribute in `file` that only the command reads.
fn asleep(file: &File) -> Option<LineColumn> {
    struct First(Option<LineColumn>);
    impl Visit<'_> for First {
        fn visit_attribute(&mut self, attr: &Attribute) {
            if self.0.is_none() && arguments(attr, &[]).is_some_and(|(_, only)| only.as_ref().is_some_and(is_false)) {
                self.0 = Some(attr.span().start());
            }
        }
    }
    let mut first = First(None);
    first.visit_file(file);
    first.0
}

/// The paths that a declaration gives its file, also under a condition.
pub(super) fn paths(attrs: &[Attribute]) -> impl Iterator<Item = String> {
    let metas = attrs.iter().flat_map(|attr| match conditional(attr) {
        Some((_, metas)) => metas,
        None => vec![attr.meta.clone()],
    });
    metas.filter_map(|meta| value_of(&meta, "path"))
}

/// The predicate and the attributes of a `cfg_attr`.
fn conditional(attr: &Attribute) -> Option<(String, Vec<Meta>)> {
    let (predicate, metas) = parts_of_cfg_attr(&attr.meta)?;
    Some((predicate.to_string(), metas))
}

/// The string in `name = "…"`.
fn value_of(meta: &Meta, name: &str) -> Option<String> {
    match meta {
        Meta::NameValue(meta) if meta.path.is_ident(name) => match &meta.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether `attrs` are `forbid(unsafe_code)`, in a module or on it.
fn forbids(attrs: &[Attribute]) -> bool {
    let forbids =
        |meta: &Meta| meta.path().is_ident("forbid") && meta.to_token_stream().to_string().contains("unsafe_code");
    attrs
        .iter()
        .any(|attr| forbids(&attr.meta) || conditional(attr).is_some_and(|(_, metas)| metas.iter().any(forbids)))
}

/// A file as `syn` reads it, with places that count from its start.
pub(super) fn parsed(text: &str) -> syn::Result<File> {
    syn::parse_str(&blanked(text))
}

/// `text` with blanks for what the parser skips, and does not count.
pub(super) fn blanked(text: &str) -> String {
    let mut blank = match text.strip_prefix('\u{feff}') {
        Some(rest) => format!("   {rest}"),
        None => text.to_owned(),
    };
    if blank.starts_with("#!") && !blank.trim_start_matches("#!").trim_start().starts_with('[') {
        let end = blank.find('\n').unwrap_or(blank.len());
        blank.replace_range(..end, &" ".repeat(end));
    }
    blank
}

/// The place behind the inner attributes of a file or a module.
pub(super) fn behind_inner(attrs: &[Attribute]) -> Option<usize> {
    attrs.iter().filter(|attr| matches!(attr.style, AttrStyle::Inner(_))).map(|attr| attr.span().byte_range().end).max()
}
