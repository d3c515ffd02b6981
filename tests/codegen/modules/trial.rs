//! Compiles a program without the attribute and with it, and compares.

use std::fs;
use std::path::{Path, PathBuf};

use integration_tests::shown;

use super::super::items::rustc::{Rustc, features};
use super::super::outcome::run;
use super::fill::INCLUDED_ITEM;
use super::generate::{Program, render};
use super::reasons::{Facts, classify, without_listed};

const DIFFERS: &str = "another result";
const ENDS: &str = "the annotated program ends";

pub(super) enum Verdict {
    /// rustc refuses it without the attribute.
    Discarded(String),
    Accepted,
    /// For these reasons.
    Refused(Vec<&'static str>),
    Undecided(String),
    /// In short, and at length.
    Failed(String, String),
}

#[derive(Clone, Copy)]
enum Form {
    Plain,
    Check,
    Build,
}

struct Trial<'a> {
    program: &'a Program,
    rustc: &'a Rustc,
    directory: PathBuf,
}

impl Trial<'_> {
    /// Compiles a crate, after those before it.
    fn compile(&self, at: usize, form: Form, options: &[String], output: &Path) -> Result<(), String> {
        let (name, pieces) = &self.program.crates[at];
        let source = self.directory.join(format!("{name}.rs"));
        fs::write(&source, render(pieces)).expect("a temporary file");
        let mut rustc = self.rustc.command(self.program.edition);
        rustc.arg(&source).arg("-o").arg(output).args(["--crate-name", name]).args(options).args(&self.program.others);
        let is_program = at + 1 == self.program.crates.len();
        rustc.args(["--crate-type", if is_program { "bin" } else { "rlib" }]);
        if matches!(form, Form::Check) {
            rustc.arg("--emit=metadata");
        }
        if !matches!(form, Form::Plain) {
            rustc.args(["--cfg", "d"]);
        }
        let extension = if matches!(form, Form::Check) { "rmeta" } else { "rlib" };
        for (other, _) in &self.program.crates[..at] {
            rustc.arg(format!("--extern={other}={}", self.directory.join(format!("lib{other}.{extension}")).display()));
        }
        rustc.arg("-L").arg(&self.directory);
        let output = rustc.output().expect("the compiler starts");
        if output.status.success() { Ok(()) } else { Err(shown(&output)) }
    }

    fn all(&self, form: Form, options: &[String]) -> Result<PathBuf, String> {
        let extension = if matches!(form, Form::Check) { "rmeta" } else { "rlib" };
        for (at, (name, _)) in self.program.crates.iter().enumerate() {
            self.compile(at, form, options, &self.directory.join(format!("lib{name}.{extension}")))?;
        }
        Ok(self.directory.join(format!("lib{}.{extension}", self.program.crates.last().expect("a crate").0)))
    }

    /// `options`, of which a part is in a file if one is `@`.
    fn in_a_file(&self, options: &[String]) -> Vec<String> {
        let Some(at) = options.iter().position(|option| option == "@") else { return options.to_vec() };
        let file = self.directory.join("options");
        fs::write(&file, options[at + 1..].join("\n")).expect("a temporary file");
        [&options[..at], &[format!("@{}", file.display())]].concat()
    }

    fn verdict(&self) -> Verdict {
        let program = self.program;
        let names = |target| [target, program.build].into_iter().filter(|name| !name.is_empty()).collect::<Vec<&str>>();
        let sets: Vec<Vec<&str>> = program.targets.iter().chain([&""]).map(|target| names(*target)).collect();
        let (mut plain, mut refused) = (Vec::new(), None);
        for set in &sets {
            match self.all(Form::Plain, &features(set)).map(|path| run(&path, None, &[])) {
                Ok(Ok(lines)) => plain.push(lines),
                Ok(Err(_)) => return Verdict::Undecided("the plain program ends with an error".to_owned()),
                Err(error) => refused = Some((set, error)),
            }
        }
        let build = features(&names(""));
        let options = [build.clone(), self.in_a_file(&program.spelled)].concat();
        let (check, built) = (self.all(Form::Check, &options), self.all(Form::Build, &options));
        if let Some((set, error)) = refused {
            let short = first_error(&error);
            // A program that rustc accepts with the features of a part of the targets is refused with the attribute.
            if built.is_err() || plain.is_empty() {
                return Verdict::Discarded(short);
            }
            return Verdict::Failed(
                format!("accepted, but not without the attribute: {short}"),
                format!("{set:?}: {error}"),
            );
        }
        let path = match (check, built) {
            (Ok(_), Ok(path)) => path,
            (Err(error), Err(_)) => return self.refused(&error),
            (Err(error), Ok(_)) => return Verdict::Failed("a build accepts, a check refuses".to_owned(), error),
            (Ok(_), Err(error)) => {
                return Verdict::Failed(format!("a check accepts, a build refuses: {}", first_error(&error)), error);
            }
        };
        for (set, plain) in sets.iter().zip(&plain) {
            match run(&path, Some(&set.join(",")), &[]) {
                Ok(lines) if lines == *plain => {}
                Ok(lines) => {
                    let [plain, lines] = [plain, &lines].map(|lines| lines.join("\n"));
                    let text = format!("for {set:?}, without the attribute:\n{plain}\nwith it:\n{lines}");
                    return Verdict::Failed(DIFFERS.to_owned(), text);
                }
                Err(error) => return Verdict::Failed(ENDS.to_owned(), error),
            }
        }
        let texts = [&program.spelled, &program.usual].map(|options| {
            let output = self.directory.join("expansion.mir");
            let options = [build.clone(), self.in_a_file(options), vec!["--emit=mir".to_owned()]].concat();
            self.compile(0, Form::Build, &options, &output).map(|()| fs::read_to_string(&output).unwrap_or_default())
        });
        match texts {
            [Ok(one), Ok(other)] if one == other => Verdict::Accepted,
            [Ok(one), Ok(other)] => {
                let text = format!("{} lines of MIR, and {} as usual", one.lines().count(), other.lines().count());
                Verdict::Failed("another expansion for the same options".to_owned(), text)
            }
            [Err(error), _] | [_, Err(error)] => Verdict::Failed("MIR is refused".to_owned(), error),
        }
    }

    /// The verdict about a program that is refused with the attribute only.
    fn refused(&self, error: &str) -> Verdict {
        if error.contains("panicked") || error.contains("internal compiler error") {
            return Verdict::Failed("the macro or the compiler panics".to_owned(), error.to_owned());
        }
        let errors = classify(error, self.program);
        if let Some((line, _)) = errors.iter().find(|(_, reason)| reason.is_none()) {
            return Verdict::Failed(format!("refused without a reason: {}", without_names(line)), error.to_owned());
        }
        if errors.is_empty() {
            return Verdict::Failed("refused without an error".to_owned(), error.to_owned());
        }
        let mut names: Vec<&str> = errors.iter().filter_map(|(_, reason)| *reason).collect();
        names.sort_unstable();
        names.dedup();
        Verdict::Refused(names)
    }
}

fn first_error(text: &str) -> String {
    without_names(text.lines().find(|line| line.starts_with("error")).unwrap_or_default())
}

fn without_names(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("_")
}

/// The verdict about a program, which is compiled in a directory of its own.
pub(super) fn judge(program: &Program, key: &str, rustc: &Rustc) -> Verdict {
    let directory = rustc.directory().join(format!("{}-{key}", std::process::id()));
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("a temporary directory");
    fs::write(directory.join("test.inc"), format!("cfg!(target_feature = \"{}\")", program.targets[0]))
        .expect("a file");
    fs::write(directory.join("items.inc"), INCLUDED_ITEM).expect("a file");
    let verdict = Trial { program, rustc, directory: directory.clone() }.verdict();
    let _ = fs::remove_dir_all(&directory);
    match verdict {
        Verdict::Failed(failure, _)
            if (failure == DIFFERS || failure == ENDS) && Facts::of(program).differing_in_unsafe_code() =>
        {
            Verdict::Undecided("a name that differs in `unsafe` code, in which any type fits".to_owned())
        }
        Verdict::Failed(failure, text) if failure == DIFFERS => match without_listed(program) {
            // Without it, the program may have another fault.
            Some(rest) => match judge(&rest, &format!("{key}-listed"), rustc) {
                Verdict::Failed(failure, text) => Verdict::Failed(failure, text),
                _ => {
                    Verdict::Undecided("what the reference lists: an included file, a `static` from a macro".to_owned())
                }
            },
            None => Verdict::Failed(failure, text),
        },
        verdict => verdict,
    }
}
