//! `cargo dispatch expand`: what the attribute made of a function.
//!
//! Cargo checks the package with this program between it and rustc, as it does for Clippy. Each rustc then has the variable
//! for which the attribute writes its expansions into a file, and cargo's messages name the crates whose files are read.

mod cfg;
mod items;
mod written;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, bail};
use cargo_metadata::Artifact;

use crate::built::Options;
use crate::columns::{say, show};
use crate::selection::Selection;
use cfg::Configuration;

/// The directory of the expansions, for this program as cargo's wrapper of rustc.
const DIRECTORY: &str = "SIMD_CORE_EXPANSIONS_DIRECTORY";
/// The file, for the attribute.
const FILE: &str = "SIMD_CORE_EXPANSIONS";

/// Print the expansion of a function, module or impl
///
/// ITEM is the end of the path of a dispatched function (`nearest`, `Gf::square`), or of a module, type or trait with the
/// attribute. Without it, all expansions of the package's library and binaries are printed. Only what the compiler keeps after `cfg` is shown. Paths into simd-core's
/// private modules are shortened, and the attributes `allow` and `doc` are left out. Stable Rust is enough.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo dispatch expand search::nearest")]
pub(crate) struct Expand {
    #[command(flatten)]
    selection: Selection,
    /// Print all code, paths and attributes as they are
    #[arg(long)]
    exact: bool,
    /// Write the dispatched form of each module that asks for it into a file
    #[arg(long, conflicts_with_all = ["item", "exact", "check"])]
    write: bool,
    /// Compare those files with their sources; 1 and a difference if one is stale
    #[arg(long, conflicts_with_all = ["item", "exact"])]
    check: bool,
    /// The end of the item's path
    item: Option<String>,
    #[command(flatten)]
    options: Options,
}

/// An expansion as the attribute has written it.
struct Expansion<'a> {
    file: &'a str,
    line: &'a str,
    text: &'a str,
}

impl Expand {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match (self.write, self.check) {
            (true, _) => return written::run(&self.options, written::Task::Write),
            (_, true) => return written::run(&self.options, written::Task::Check),
            _ => {}
        }
        let directory = self.options.target_directory(&self.options.metadata()?)?.join("dispatch").join("expansions");
        fs::create_dir_all(&directory).with_context(|| directory.display().to_string())?;
        let program = std::env::current_exe().context("the path of this program")?;
        let artifacts = self.options.check(self.selection.kind(), |cargo| {
            cargo.env("RUSTC_WORKSPACE_WRAPPER", program).env(DIRECTORY, &directory);
        })?;
        let mut found = Vec::new();
        for file in artifacts.iter().filter_map(|artifact| expansions_of(artifact, &directory)) {
            // A crate that dispatches nothing has none.
            if let Ok(text) = fs::read_to_string(&file) {
                let printed = fs::read_to_string(file.with_extension("cfg"))?;
                found.push((text, Configuration::new(&printed)));
            }
        }
        let expansions: Vec<(Expansion<'_>, &Configuration)> = found
            .iter()
            .flat_map(|(text, configuration)| read(text).into_iter().map(move |one| (one, configuration)))
            .collect();
        if expansions.is_empty() {
            bail!(
                "nothing is dispatched here\nhelp: choose a package with --package, or a target with --bin, --example, \
                 --test, --bench or --lib"
            );
        }
        let item = self.item.as_deref().unwrap_or_default();
        let mut shown: Vec<String> = Vec::new();
        for (expansion, configuration) in &expansions {
            let configuration = (!self.exact).then_some(*configuration);
            let Some(text) = items::show(expansion.text, item, configuration) else { continue };
            let text = format!("// {}:{}\n{text}", expansion.file, expansion.line);
            // The library is compiled once more for its unit tests.
            if !shown.contains(&text) {
                shown.push(text);
            }
        }
        if shown.is_empty() {
            let mut names: Vec<String> = expansions.iter().flat_map(|(one, _)| items::names(one.text)).collect();
            names.sort();
            names.dedup();
            bail!("no dispatched function `{item}`; there are:\n    {}", names.join("\n    "));
        }
        show(shown.join("\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Runs rustc for cargo, if this program is its wrapper.
pub(crate) fn wrap() -> Option<ExitCode> {
    let (directory, mut rustc, arguments) = wrapped(DIRECTORY)?;
    if let Some(name) = name_of(&arguments) {
        let file = PathBuf::from(directory).join(name).with_extension("expansions");
        // Files from before are of an earlier version of the code.
        _ = fs::remove_file(&file);
        let mut printed = Command::new(rustc.get_program());
        if let Ok(output) = printed.args(["--print", "cfg"]).args(of_cfg(&arguments)).output() {
            _ = fs::write(file.with_extension("cfg"), output.stdout);
        }
        rustc.env(FILE, file);
    }
    Some(exit_code(rustc.args(arguments)))
}

/// If cargo has started this program in place of rustc: the value of a variable that says so, rustc, and its arguments.
pub(crate) fn wrapped(variable: &str) -> Option<(OsString, Command, Vec<OsString>)> {
    let value = std::env::var_os(variable)?;
    let mut arguments = std::env::args_os().skip(1);
    Some((value, Command::new(arguments.next()?), arguments.collect()))
}

/// Runs the compiler in place of which cargo has started this program; gives its exit code.
pub(crate) fn exit_code(rustc: &mut Command) -> ExitCode {
    match rustc.status() {
        Ok(status) => status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from),
        Err(error) => {
            say(format_args!("error: {}: {error}", rustc.get_program().display()));
            ExitCode::FAILURE
        }
    }
}

/// The crate's name and cargo's suffix, by which its files are called.
fn name_of(arguments: &[OsString]) -> Option<String> {
    let name = arguments.iter().position(|argument| argument == "--crate-name")?;
    let suffix = arguments.iter().find_map(|argument| argument.to_str()?.strip_prefix("extra-filename="))?;
    Some(format!("{}{suffix}", arguments.get(name + 1)?.to_str()?))
}

/// The arguments that `cfg` depends on.
fn of_cfg(arguments: &[OsString]) -> impl Iterator<Item = &OsString> {
    let depends = |(option, value): (&str, &str)| match option {
        "--cfg" | "--target" => true,
        "-C" => value.starts_with("target-") || value.starts_with("debug-assertions") || value.starts_with("panic"),
        _ => false,
    };
    // Cargo writes options and values as arguments of their own; those of RUSTFLAGS can be one.
    let pairs = arguments.windows(2).filter(
        move |pair| matches!(pair, [option, value] if depends((&option.to_string_lossy(), &value.to_string_lossy()))),
    );
    let single = arguments.iter().filter(|argument| {
        let argument = argument.to_string_lossy();
        ["--cfg=", "--target=", "-Ctarget-"].iter().any(|start| argument.starts_with(start))
    });
    pairs.flatten().chain(single)
}

/// The file for an artifact that cargo calls `libkernels-0123456789abcdef.rmeta`.
fn expansions_of(artifact: &Artifact, directory: &Path) -> Option<PathBuf> {
    let metadata = artifact.filenames.iter().find(|file| file.extension() == Some("rmeta"))?;
    let name = metadata.file_stem()?;
    Some(directory.join(name.strip_prefix("lib").unwrap_or(name)).with_extension("expansions"))
}

/// Reads a file of expansions: for each a line with its file, line and length, and its text.
fn read(mut text: &str) -> Vec<Expansion<'_>> {
    let mut expansions = Vec::new();
    while let Some((head, rest)) = text.split_once('\n') {
        let mut fields = head.rsplitn(3, '\t');
        let length: Option<usize> = fields.next().and_then(|length| length.parse().ok());
        let (Some(length), Some(line), Some(file)) = (length, fields.next(), fields.next()) else { break };
        let (Some(expansion), Some(rest)) = (rest.get(..length), rest.get(length + 1..)) else { break };
        expansions.push(Expansion { file, line, text: expansion });
        text = rest;
    }
    expansions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_expansions() {
        let text = "src/a b.rs\t12\t9\nfn f() {}\n\nsrc/c.rs\t3\t8\nfn g(){}\n";
        let read = |text| -> Vec<_> { read(text).iter().map(|one| (one.file, one.line, one.text)).collect() };
        // A length that is wrong is no text of another expansion.
        assert_eq!(read(text), [("src/a b.rs", "12", "fn f() {}")]);
        let text = text.replace("}\n\n", "}\n");
        assert_eq!(read(&text), [("src/a b.rs", "12", "fn f() {}"), ("src/c.rs", "3", "fn g(){}")]);
    }

    #[test]
    fn names_of_crates() {
        let name = |text: &str| name_of(&text.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(name("--crate-name k a.rs -C extra-filename=-12ab").as_deref(), Some("k-12ab"));
        assert_eq!(name("-vV"), None);
        let arguments =
            "a.rs --cfg feature=\"x\" -C opt-level=3 -C target-cpu=native -Ctarget-feature=+avx2 --cfg=y -C metadata=z";
        let arguments: Vec<OsString> = arguments.split(' ').map(OsString::from).collect();
        let of_cfg: Vec<_> = of_cfg(&arguments).collect();
        assert_eq!(of_cfg, ["--cfg", "feature=\"x\"", "-C", "target-cpu=native", "-Ctarget-feature=+avx2", "--cfg=y"]);
    }
}
