//! `cargo dispatch expand --write`: modules whose dispatched form is a file of the crate.
//!
//! Nothing is built. The command follows the modules of each target from its root, finds those that are declared with the attribute
//! `cfg_attr(not(miri), path = "….dispatched.rs")`, and writes for each what the macro would make of its annotated items, around the source's own text.

mod comments;
mod format;
mod imports;
mod lists;
mod source;
mod tree;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use cargo_metadata::{Metadata, Package};
use similar::TextDiff;

use crate::built::Options;
use crate::columns::{say, show};
use tree::Module;

/// The outcome for the files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    Write,
    Check,
}

const HEAD: &str = "// Written by cargo-dispatch ";

/// Why there is `unsafe` that the source does not have.
const REASONS: &str = "\
// Its `unsafe` beyond that of the source, in each function with clones:
// - A `Proof` keeps other code from calling a clone: it is the last argument, or what a closure consumes.
// - A clone is called behind a test that has found its features. The baseline needs none.
// - An assertion is a hint for the optimizer: it says what those tests have found.
";

pub(super) fn run(options: &Options, task: Task) -> Result<ExitCode> {
    let metadata = options.metadata()?;
    let mut modules: Vec<Module> = Vec::new();
    for package in options.selected(&metadata) {
        refuse_dependency_named_core(package)?;
        let forbidden = forbids_unsafe(package, &metadata)?;
        for module in tree::modules(package)? {
            if let Some(place) = module.forbidden.as_ref().or(forbidden.as_ref()) {
                bail!(
                    "{}: `unsafe_code` is forbidden ({place}), and a file with clones has `unsafe` of its own: it calls them, which \
                     only a macro may do in such a crate\nhelp: use the attribute, whose `unsafe` is the macro's; or `deny` the \
                     lint, and allow it on this module",
                    module.source.display()
                );
            }
            if !modules.iter().any(|other| other.written == module.written) {
                modules.push(module);
            }
        }
    }
    if modules.is_empty() {
        bail!(
            "no module asks for a written file\nhelp: declare one as `#[cfg_attr(not(miri), path = \"name.dispatched.rs\")] mod name;`"
        );
    }
    let mut texts = Vec::new();
    let mut refused = 0;
    for module in &modules {
        match source::written(module) {
            Ok((text, warnings)) => {
                warnings.iter().for_each(say);
                texts.push((module, text));
            }
            Err(messages) => {
                refused += 1;
                messages.iter().for_each(say);
            }
        }
    }
    if refused > 0 {
        bail!("nothing was written: what {refused} of {} files say cannot be written out", modules.len());
    }
    for (module, _) in &texts {
        let known = fs::read_to_string(&module.written).map_or(true, |text| text.starts_with(HEAD) || text.is_empty());
        if !known {
            bail!(
                "{} exists, and its first line is not one of this command\nhelp: move it away, if the source has all of it",
                module.written.display()
            );
        }
    }
    match task {
        Task::Write => write(&texts),
        Task::Check => check(&texts),
    }
}

fn write(texts: &[(&Module, String)]) -> Result<ExitCode> {
    for (Module { written, .. }, text) in texts {
        if fs::read_to_string(written).is_ok_and(|known| known == *text) {
            continue;
        }
        fs::write(written, text).with_context(|| written.display().to_string())?;
        say(format_args!("written: {}", shown(written)));
    }
    Ok(ExitCode::SUCCESS)
}

fn check(texts: &[(&Module, String)]) -> Result<ExitCode> {
    let mut stale = String::new();
    for (module, text) in texts {
        let known = fs::read_to_string(&module.written).unwrap_or_default();
        // The user's formatting is no difference.
        let known = format::formatted(&known, module);
        if !format::same_tokens(&known, text) {
            let (old, new) = (shown(&module.written), "what its source would be written as");
            stale += &TextDiff::from_lines(&known, text).unified_diff().header(&old, new).to_string();
        }
    }
    if stale.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    show(stale)?;
    say("stale: run `cargo dispatch expand --write`");
    Ok(ExitCode::FAILURE)
}

fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path).display().to_string()
}

/// A written file names the standard library as `::core`, which `rustc-std-workspace-core` is too.
fn refuse_dependency_named_core(package: &Package) -> Result<()> {
    let mut others = package.dependencies.iter().filter(|one| one.name != "rustc-std-workspace-core");
    if let Some(one) = others.find(|one| one.rename.as_deref().unwrap_or(&one.name) == "core") {
        bail!(
            "`{}` has the dependency `{}` under the name `core`, which a written file needs for Rust's own",
            package.name,
            one.name
        );
    }
    Ok(())
}

/// Where the package's manifest forbids `unsafe`.
fn forbids_unsafe(package: &Package, metadata: &Metadata) -> Result<Option<String>> {
    let read = |path: &Path| -> Result<toml::Table> {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        text.parse().with_context(|| path.display().to_string())
    };
    let forbids = |lints: Option<&toml::Value>| {
        let level = lints.and_then(|lints| lints.get("rust")?.get("unsafe_code"));
        let level = level.and_then(|level| level.get("level").or(Some(level)));
        level.and_then(toml::Value::as_str) == Some("forbid")
    };
    let own: PathBuf = package.manifest_path.clone().into();
    let manifest = read(&own)?;
    let lints = manifest.get("lints");
    if forbids(lints) {
        return Ok(Some(own.display().to_string()));
    }
    if lints.and_then(|lints| lints.get("workspace")).is_some() {
        let root: PathBuf = metadata.workspace_root.join("Cargo.toml").into();
        if forbids(read(&root)?.get("workspace").and_then(|workspace| workspace.get("lints"))) {
            return Ok(Some(root.display().to_string()));
        }
    }
    Ok(None)
}
