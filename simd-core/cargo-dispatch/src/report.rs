//! `cargo dispatch report`: the clones of a program, what each calls, and which of them this CPU takes.

use core::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, anyhow, bail};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use simd_core_asm::{Architecture, Binary, CallLeft, Caller, Dispatched, Error, Function, Report as Functions};

use crate::built::{Kind, Options, Program};
use crate::columns::{show, wrapped};
use crate::cpu::{Choice, Cpu, Lists, Wanted};
use crate::selection::Selection;

/// List the clones in a program, their calls, and the ones that this CPU selects
///
/// Builds a target of the package, or reads the program at PATH, which may be for another platform. PATTERN is a part of
/// a function's path: the name of a crate, module, type or function. Without it, all dispatched functions are listed.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  cargo dispatch report --bench kernels search",
    override_usage = "cargo dispatch report [OPTIONS] [PATH] [PATTERN]"
)]
pub(crate) struct Report {
    #[command(flatten)]
    selection: Selection,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    /// The program, unless an option names a target, and a part of the functions' paths
    #[arg(value_name = "PATH | PATTERN", num_args = 0..=2)]
    words: Vec<String>,
    #[command(flatten)]
    options: Options,
}

impl Report {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let (program, pattern) = self.program()?;
        let progress = ProgressBar::new_spinner().with_message(format!("reading {}", program.display()));
        progress.enable_steady_tick(core::time::Duration::from_millis(100));
        let binary = Binary::open(&program).map_err(|error| advice(&error, &program))?;
        let report = binary.report(pattern).map_err(|error| match error {
            Error::NotFound { .. } if pattern.is_empty() => anyhow!(
                "`{}` has no clones of dispatched functions\nhelp: clones are compiled in the crate that calls a function \
                 with the attribute; for a library, take its unit tests (`--lib`)",
                program.display()
            ),
            error => error.into(),
        })?;
        let cpu = Cpu::of(&program)?;
        let lists =
            if pattern.is_empty() { Lists::of(report.functions()) } else { Lists::of(binary.report("")?.functions()) };
        if self.json {
            let json = json(&program, &binary, &report, &cpu, &lists);
            progress.finish_and_clear();
            show(serde_json::to_string_pretty(&json)? + "\n")?;
            return Ok(ExitCode::SUCCESS);
        }
        let report = report.with_remarks(|function, clone| Some(cpu.choice(&lists, function, clone).to_string()));
        let text = report.to_string();
        progress.finish_and_clear();
        show(format_args!("{}\n{text}", heading(&program, &binary, &cpu)))?;
        Ok(ExitCode::SUCCESS)
    }

    fn program(&self) -> Result<(PathBuf, &str)> {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let selected = self.selection.kind();
        let (kind, name, pattern) = match (selected, &words[..]) {
            (None, &[path, pattern]) => return Ok((path.into(), pattern)),
            (None, &[path]) if Path::new(path).is_file() || path.contains(['/', '\\']) => return Ok((path.into(), "")),
            (Some((kind, name)), &[]) => (kind, name, ""),
            (Some((kind, name)), &[pattern]) => (kind, name, pattern),
            (Some(_), _) => bail!("next to an option that names a target there can be one PATTERN, and no PATH"),
            (None, _) => (Kind::Bin, None, words.first().copied().unwrap_or_default()),
        };
        let mut programs = self.options.build(kind, name, &[])?;
        if programs.len() > 1 {
            let names = programs.iter().map(|program| format!("    {}\n", program.name));
            bail!("the package has several such targets; choose one by its name:\n{}", names.collect::<String>());
        }
        let Program { path, .. } = programs
            .pop()
            .context("the package has no such program\nhelp: name one with --bin, --example, --test, --bench or --lib, or give its PATH")?;
        Ok((path, pattern))
    }
}

pub(crate) fn advice(error: &Error, program: &Path) -> anyhow::Error {
    let is_library = || program.extension().is_some_and(|extension| extension == "rlib" || extension == "rmeta");
    let help = match error {
        Error::Read { .. } if program.is_dir() => "\nhelp: give the path of a program in this directory",
        Error::Read { .. } if !program.exists() => "\nhelp: build the program first; cargo puts it into target/release",
        Error::Format { .. } if is_library() => {
            "\nhelp: a library's rlib does not hold its clones, which are compiled in the crates that call them; take a \
             program, such as the library's unit tests (`cargo dispatch report --lib`)"
        }
        Error::Format { .. } => "\nhelp: give the path of a program or shared library",
        Error::Architecture { .. } => "\nhelp: build the program for one of these",
        Error::Stripped { .. } => {
            "\nhelp: a program can be built with its symbols for this once: CARGO_PROFILE_RELEASE_STRIP=none"
        }
        _ => "",
    };
    anyhow!("{error}{help}")
}

fn heading(program: &Path, binary: &Binary, cpu: &Cpu) -> String {
    let mut text = format!("{}, {}, {}\n", program.display(), binary.format(), architecture(binary));
    if let Some(file) = binary.names_file() {
        _ = writeln!(text, "names: {}", file.display());
    }
    if Architecture::of_this_build() == Some(binary.architecture()) {
        text += &wrapped("this CPU:", cpu.features());
    } else {
        text += "this CPU: of another architecture\n";
    }
    if !cpu.variables.is_empty() {
        let variables = cpu.variables.join(", ");
        if cpu.reads_variables {
            _ = writeln!(text, "the environment: {variables}");
            text += &wrapped("  takes away:", cpu.taken());
        } else {
            _ = writeln!(text, "the environment: {variables}, which this program does not read");
        }
    }
    text
}

fn architecture(binary: &Binary) -> &'static str {
    match binary.architecture() {
        Architecture::X86 => "x86",
        Architecture::X86_64 => "x86-64",
        Architecture::Aarch64 => "AArch64",
        _ => "another architecture",
    }
}

/// The words of `simd_core::Status`.
impl core::fmt::Display for Choice {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Runs => f.write_str("runs"),
            Self::Perhaps(names) => {
                write!(f, "this CPU has {}; the one that is first in the list runs", names.join(" and "))
            }
            Self::Unless(_) => f.write_str("runs, unless a better clone was inlined everywhere"),
            Self::NotNeeded => f.write_str("not needed"),
            Self::Lacks(names) => write!(f, "not here, lacks {}", names.join(", ")),
            Self::Elsewhere => f.write_str("for another architecture"),
        }
    }
}

/// The report as data. `status` is `runs`, `perhaps`, `unless`, `not needed`, `lacks` or `elsewhere`; `names` are the missing clones:
/// targets of which one runs, or those whose clones may have been inlined everywhere.
fn json(program: &Path, binary: &Binary, report: &Functions, cpu: &Cpu, lists: &Lists) -> Value {
    let clone = |clone: &Function, choice: Choice| {
        let (status, names) = match choice {
            Choice::Runs => ("runs", Vec::new()),
            Choice::Perhaps(names) => ("perhaps", names),
            Choice::Unless(names) => ("unless", names),
            Choice::NotNeeded => ("not needed", Vec::new()),
            Choice::Lacks(names) => ("lacks", names),
            Choice::Elsewhere => ("elsewhere", Vec::new()),
        };
        let calls = clone.calls_left();
        let call = |call: &CallLeft| {
            json!({
                "callee": call.callee.to_string(),
                "what": call.describe(clone),
                "times": call.times,
                "is_tail": call.is_tail,
            })
        };
        json!({
            "path": clone.path(),
            "symbol": clone.symbol(),
            "target": Wanted::of(clone).name(),
            "status": status,
            "names": names,
            "copies": clone.copies(),
            "instructions": clone.instructions().len(),
            "bytes": clone.bytes(),
            "calls": calls.iter().map(call).collect::<Vec<_>>(),
        })
    };
    let function = |function: &Dispatched| {
        let clones = function.clones().iter().map(|one| clone(one, cpu.choice(lists, function, one)));
        json!({ "path": function.path(), "clones": clones.collect::<Vec<_>>() })
    };
    let caller = |caller: &Caller| {
        let calls = caller.calls().iter();
        let calls = calls.map(|call| json!({ "path": call.path, "places": call.places, "in_loops": call.in_loops }));
        json!({ "path": caller.path(), "calls": calls.collect::<Vec<_>>() })
    };
    json!({
        "program": program.display().to_string(),
        "format": binary.format().to_string(),
        "names": binary.names_file(),
        "architecture": architecture(binary),
        "cpu": {
            "features": cpu.features().collect::<Vec<_>>(),
            "environment": cpu.variables,
            "reads_environment": cpu.reads_variables,
            "taken_away": cpu.taken().collect::<Vec<_>>(),
        },
        "functions": report.functions().iter().map(function).collect::<Vec<_>>(),
        "callers": report.callers().iter().map(caller).collect::<Vec<_>>(),
        "hand_written": report.hand_written().iter().map(caller).collect::<Vec<_>>(),
    })
}
