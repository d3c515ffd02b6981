//! `cargo dispatch why`: which loops are vectorised, and why others are not.

mod build;
mod heat;
mod join;
mod loops;
mod reasons;
mod remarks;
mod show;
mod source;

use std::collections::BTreeSet;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use cargo_metadata::{Metadata, Package};
use indicatif::ProgressBar;
use simd_core_asm::{Binary, Function, Target};

use crate::built::{Options, Program};
use crate::columns::{self, step};
use crate::tune::copy::Lists;
use build::Build;
pub(crate) use build::wrap;
use loops::Lines;
use remarks::Remarks;
pub(crate) use show::Outcome;
use show::{Clone, Entry};
use source::File;

/// Say which loops are vectorised, and why others are not
///
/// FUNCTION is the end of a function's path: `nearest`, `Gf::square`. A function without the attribute gets it in a copy of the workspace, to show
/// what it would change. With --bench and no FUNCTION, the hot loops of the bench are listed. With neither, all dispatched
/// functions of the package.
#[derive(clap::Args)]
pub(crate) struct Why {
    /// A benchmark, which is profiled, or whose instances of generic functions are read
    #[arg(long, value_name = "NAME")]
    bench: Option<String>,
    /// The targets that a function without the attribute gets, the best first
    #[arg(long, value_name = "LIST", default_value = if cfg!(target_arch = "aarch64") { "sve2" } else { "x86-64-v3" })]
    targets: String,
    /// Print the loops as JSON
    #[arg(long)]
    json: bool,
    /// The end of a function's path
    function: Option<String>,
    #[command(flatten)]
    options: Options,
}

/// The hot loops of a bench, for the outcome of `tune`, which found nothing that pays.
pub(crate) fn hot_loops(
    metadata: &Metadata,
    package: &Package,
    options: &Options,
    bench: &str,
    targets: &str,
    progress: &ProgressBar,
) -> Result<Outcome> {
    heat::hot(&Build::new(metadata, package, options, Some(bench))?, targets, progress)
}

const OWN_FAILS: &str = "the copy does not build with the profile's own settings";

/// A function that is asked about, and the index of its file.
struct Asked<'a> {
    file: usize,
    function: &'a source::Function,
}

impl Why {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let metadata = self.options.metadata()?;
        let package = self.options.package_of(&metadata).context(
            "there are several packages\nhelp: choose one with --package, or run the command in its directory",
        )?;
        let progress = ProgressBar::new_spinner();
        progress.enable_steady_tick(core::time::Duration::from_millis(100));
        step(&progress, "builds a copy for LLVM's remarks");
        let build = Build::new(&metadata, package, &self.options, self.bench.as_deref())?;
        let outcome = match (&self.bench, &self.function) {
            (Some(_), None) => heat::hot(&build, &self.targets, &progress)?,
            _ => self.functions(&build, &progress)?,
        };
        progress.finish_and_clear();
        if self.json {
            columns::show(serde_json::to_string_pretty(&outcome)? + "\n")?;
        } else {
            columns::show(outcome.text())?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn functions(&self, build: &Build, progress: &ProgressBar) -> Result<Outcome> {
        let files = build.files();
        let asked = self.asked(&files)?;
        let mut notes = Vec::new();
        let mut lists = Lists::new();
        for one in asked.iter().filter(|one| !one.function.is_dispatched) {
            match annotation(build, one, &files[one.file]) {
                Ok(key) => _ = lists.insert(key, self.targets.clone()),
                Err(reason) => notes.push(format!("`{}` cannot have the attribute: {reason}", one.function.path)),
            }
        }
        let compiled = compile(build, &mut lists, &asked, &mut notes)?;
        let mut entries = read(build, &compiled, &asked, &build.remarks()?)?;
        step(progress, "builds a copy as the profile says");
        match build.build(false)? {
            Ok(programs) => {
                let own = read(
                    build,
                    &Compiled { programs, files: build_files(build, &lists, &asked)? },
                    &asked,
                    &Remarks::default(),
                )?;
                show::compare(&mut entries, &own);
            }
            Err(_) => notes.push(OWN_FAILS.to_owned()),
        }
        for one in &asked {
            if entries.iter().any(|entry| entry.function == one.function.path) {
                continue;
            }
            notes.push(match one.function.cannot_be_kept() {
                Some(source::HIDDEN) if self.function.is_none() => continue,
                Some(reason) => format!(
                    "`{}` has no code in this program, since {reason}: name a bench that uses it, `--bench NAME`",
                    one.function.path
                ),
                None => format!("`{}` has no code of its own: it is inlined, or left out by `cfg`", one.function.path),
            });
        }
        if entries.is_empty() {
            bail!("{}", notes.join("\n"));
        }
        Ok(Outcome { functions: entries, hot: Vec::new(), notes })
    }

    fn asked<'a>(&self, files: &'a [File]) -> Result<Vec<Asked<'a>>> {
        let mut asked = Vec::new();
        for (at, file) in files.iter().enumerate() {
            let is_meant =
                |one: &&source::Function| self.function.as_ref().map_or(one.is_dispatched, |name| one.is_called(name));
            asked.extend(file.functions.iter().filter(is_meant).map(|function| Asked { file: at, function }));
        }
        match &self.function {
            None if asked.is_empty() => {
                bail!(
                    "nothing is dispatched here\nhelp: name a function without the attribute, or a bench with --bench"
                )
            }
            Some(name) if asked.is_empty() => {
                let last = name.rsplit("::").next().unwrap_or(name).to_lowercase();
                let paths = files.iter().flat_map(|file| file.functions.iter().map(|one| one.path.as_str()));
                let similar: BTreeSet<&str> =
                    paths.filter(|path| path.to_lowercase().contains(&last)).take(8).collect();
                let found = if similar.is_empty() { "" } else { "\nthere are:\n    " };
                let similar: Vec<&str> = similar.into_iter().collect();
                bail!("the sources have no function `{name}`{found}{}", similar.join("\n    "))
            }
            _ => Ok(asked),
        }
    }
}

struct Compiled {
    programs: Vec<Program>,
    files: Vec<File>,
}

/// Where the attribute goes for a function, if it can have it.
fn annotation(build: &Build, one: &Asked<'_>, file: &File) -> Result<String, &'static str> {
    match build.copy.function_at(&file.path, *one.function.lines.start() as usize) {
        Some((source, function)) => function.refused.map_or_else(|| Ok(source.key(function)), Err),
        None => Err("it is not an item of a module, an impl or a trait"),
    }
}

/// Builds with the attributes and with what keeps the functions, or with less if that does not compile.
fn compile(build: &Build, lists: &mut Lists, asked: &[Asked<'_>], notes: &mut Vec<String>) -> Result<Compiled> {
    let files = build_files(build, lists, asked)?;
    let errors = match build.build(true)? {
        Ok(programs) => return Ok(Compiled { programs, files }),
        Err(errors) => errors,
    };
    let first = build::first(&errors);
    if !lists.is_empty() {
        lists.clear();
        let files = build_files(build, lists, asked)?;
        if let Ok(programs) = build.build(true)? {
            notes.push(format!(
                "with the attribute the copy does not compile, so only the code as it is is shown:\n{first}"
            ));
            return Ok(Compiled { programs, files });
        }
    }
    bail!("the copy does not compile:\n{first}")
}

fn build_files(build: &Build, lists: &Lists, asked: &[Asked<'_>]) -> Result<Vec<File>> {
    build.prepare(lists, |_, function| {
        asked.iter().any(|one| one.function.path == function.path && one.function.lines.end() == function.lines.end())
    })
}

fn read(build: &Build, compiled: &Compiled, asked: &[Asked<'_>], remarks: &Remarks) -> Result<Vec<Entry>> {
    let mut entries: Vec<Entry> = Vec::new();
    for program in &compiled.programs {
        let lines = Lines::new(&program.path, build.root(), &compiled.files)?;
        let mut seen = BTreeSet::new();
        for one in asked {
            let mut clones = Vec::new();
            for function in code(&lines.binary, &one.function.path) {
                if !seen.insert(function.symbol().to_owned()) {
                    continue;
                }
                let mut own = remarks.of(function.symbol());
                let mut found = lines.loops(&function);
                if function.target().is_none() {
                    // The baseline, which the dispatcher calls: some remarks are older than that it is inlined.
                    let inlined = baseline(&function, &one.function.path);
                    let same = remarks.functions().filter(|name| demangled(name) == inlined);
                    own.extend(same.flat_map(|name| remarks.of(name)));
                    for found in &mut found {
                        // The dispatcher's call of it stands on the attribute's line.
                        if found.place.through.last().is_some_and(|(_, line)| line <= one.function.lines.start()) {
                            found.place.through.pop();
                        }
                    }
                }
                let whys = join::whys(&found, &own, &compiled.files);
                let gone = join::gone(&compiled.files[one.file], one.function.lines.clone(), &found, &own);
                let target = match function.target() {
                    Some(target @ Target::Features(_)) => target.to_string(),
                    _ => "baseline".to_owned(),
                };
                clones.push(Clone::new(target, function.path().to_owned(), &found, whys, gone));
            }
            clones.sort_by_key(|clone: &Clone| clone.target == "baseline");
            if !clones.is_empty() {
                entries.push(Entry { function: one.function.path.clone(), clones });
            }
        }
    }
    Ok(entries)
}

/// How the baseline of a dispatcher is called, without what is generic.
fn baseline(dispatcher: &Function, path: &str) -> String {
    let name = path.rsplit("::").next().unwrap_or(path);
    format!("{}::__{name}__baseline", demangled(dispatcher.symbol()))
}

fn demangled(symbol: &str) -> String {
    let name = addr2line::demangle_auto(symbol.into(), None);
    name.find("::<").filter(|_| name.ends_with('>')).map_or(&*name, |end| &name[..end]).to_owned()
}

/// The clones of a function and the closures in them, or its own code.
fn code(binary: &Binary, path: &str) -> Vec<Function> {
    let mut functions = binary.clones(path).map(simd_core_asm::Clones::into_vec).unwrap_or_default();
    // A baseline that only the dispatcher calls is inlined there.
    if !functions.iter().any(|one| one.target() == Some(Target::Baseline)) {
        functions.extend(binary.functions(path).unwrap_or_default().into_iter().filter(|one| one.target().is_none()));
    }
    let nested: Vec<Function> = functions.iter().flat_map(Function::nested).collect();
    functions.extend(nested);
    functions
}
