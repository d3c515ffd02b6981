//! Random modules, and other modules and crates that use their names: each program is the plain program, or is refused.
//!
//! "What would differ in any other way does not compile." The programs of [`items`](super::items) are bodies and items that mostly
//! compile. These are made of what silently went wrong before: the order of macros in the text, names that other modules and crates see,
//! names that the expansion has too, spellings of tests and of the compiler's options. Each is compiled without the attribute for
//! every target, and with it. Then it prints the same for every target, or is refused for a [reason](reasons) that the program has.
//!
//! `SIMD_CORE_MODULES_ROUNDS` is the number of programs; a plain run has few. `SIMD_CORE_MODULES_SEED` starts at another program. What
//! fails is printed without the parts that do not matter.

mod fill;
mod generate;
mod options;
mod outside;
mod reasons;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use generate::{Piece, Program, render};
use integration_tests::report;
use integration_tests::scratch::asks_for_all;
use integration_tests::shown;
use reasons::Facts;

use super::items::rustc::{Features, Rustc, features};

/// An item in another file.
const INCLUDED_ITEM: &str = "pub fn late_included(x: usize) -> usize { x + cfg!(any(target_feature = \"avx2\", target_feature = \"sse4.1\")) as usize }";

const DIFFERS: &str = "another result";
const ENDS: &str = "the annotated program ends";

/// What became of a program.
enum Verdict {
    /// rustc refuses it without the attribute.
    Discarded(String),
    Accepted,
    /// For these reasons.
    Refused(Vec<&'static str>),
    Undecided(String),
    /// In short, and at length.
    Failed(String, String),
}

/// How crates are compiled.
#[derive(Clone, Copy)]
enum Form {
    Plain,
    Check,
    Build,
}

/// A program, and where it is compiled.
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

    /// Compiles all crates; returns the path of the program.
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
        let Trial { program, rustc, .. } = self;
        let names = |target: &str| {
            rustc.closure(
                &[target, program.build].map(|names| names.split(',')).into_iter().flatten().collect::<Vec<_>>(),
            )
        };
        let sets: Vec<Features> = program.targets.iter().chain([&""]).map(|target| names(target)).collect();
        let flags = |set: &Features| features(&set.iter().map(String::as_str).collect::<Vec<_>>());
        let (mut plain, mut refused) = (Vec::new(), None);
        for set in &sets {
            match self.all(Form::Plain, &flags(set)) {
                Ok(path) => match rustc.run(&path, None) {
                    Ok(lines) => plain.push(lines),
                    Err(error) => return Verdict::Undecided(format!("the plain program ends: {}", first_line(&error))),
                },
                Err(error) => refused = Some((flags(set), error)),
            }
        }
        let build = features(&program.build.split(',').filter(|name| !name.is_empty()).collect::<Vec<_>>());
        let options = [build.clone(), self.in_a_file(&program.spelled)].concat();
        let (check, built) = (self.all(Form::Check, &options), self.all(Form::Build, &options));
        if let Some((flags, error)) = refused {
            // With the features of one target only, it is refused with the attribute.
            return match built {
                Ok(_) if !plain.is_empty() => Verdict::Failed(
                    format!("accepted, but not without the attribute: {}", first_error(&error)),
                    format!("{flags:?}: {error}"),
                ),
                _ => Verdict::Discarded(first_error(&error)),
            };
        }
        let path = match (check, built) {
            (Ok(_), Ok(path)) => path,
            (Err(error), Err(_)) => return self.refused(&error),
            (Err(error), Ok(_)) => return Verdict::Failed("a build accepts, a check refuses".to_owned(), error),
            (Ok(_), Err(error)) => {
                return Verdict::Failed(format!("a check accepts, a build refuses: {}", first_error(&error)), error);
            }
        };
        for (set, (target, plain)) in sets.iter().zip(program.targets.iter().chain([&""]).zip(&plain)) {
            let limit: Vec<&str> = set.iter().map(String::as_str).collect();
            match rustc.run(&path, Some(&limit.join(","))) {
                Ok(lines) if lines == *plain => {}
                Ok(lines) => {
                    let text = format!(
                        "for `{target}`, without the attribute:\n{}\nwith it:\n{}",
                        plain.join("\n"),
                        lines.join("\n")
                    );
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
                let sizes = format!("{} and {} lines of MIR", one.lines().count(), other.lines().count());
                Verdict::Failed(
                    "another expansion for the same options".to_owned(),
                    format!("{:?}: {sizes}", program.spelled),
                )
            }
            [Err(error), _] | [_, Err(error)] => Verdict::Failed("MIR is refused".to_owned(), error),
        }
    }

    /// The verdict about a program that is refused with the attribute only.
    fn refused(&self, error: &str) -> Verdict {
        if error.contains("panicked") || error.contains("internal compiler error") {
            return Verdict::Failed("the macro or the compiler panics".to_owned(), error.to_owned());
        }
        let errors = reasons::classify(error, self.program);
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

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn first_error(text: &str) -> String {
    without_names(text.lines().find(|line| line.starts_with("error")).unwrap_or_default())
}

/// A message without what is in quotes.
fn without_names(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("_")
}

/// The verdict about a program, which is compiled in a directory of its own.
fn judge(program: &Program, key: &str, rustc: &Rustc) -> Verdict {
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
        verdict => verdict,
    }
}

/// All ways to remove one piece, and before them to remove half of the pieces.
fn removals(pieces: &[Piece]) -> Vec<Vec<Piece>> {
    let (first, second) = pieces.split_at(pieces.len() / 2);
    let mut all = if pieces.len() > 3 { vec![first.to_vec(), second.to_vec()] } else { Vec::new() };
    for at in (0..pieces.len()).rev() {
        let mut fewer = pieces.to_vec();
        fewer.remove(at);
        all.push(fewer);
    }
    for (at, piece) in pieces.iter().enumerate() {
        for inside in removals(piece.inside.as_deref().unwrap_or_default()) {
            let mut fewer = pieces.to_vec();
            fewer[at].inside = Some(inside);
            all.push(fewer);
        }
    }
    all
}

/// The program without what does not matter to a failure.
fn minimised(mut program: Program, key: &str, failure: &str, rustc: &Rustc) -> Program {
    let fails = |program: &Program| matches!(judge(program, key, rustc), Verdict::Failed(other, _) if other == failure);
    let mut changed = true;
    while changed {
        changed = false;
        for part in 0..program.crates.len() {
            let mut at = 0;
            // From the one after that was removed: those before it were tried.
            while let Some(fewer) = removals(&program.crates[part].1).into_iter().nth(at) {
                let mut smaller = program.clone();
                smaller.crates[part].1 = fewer;
                if fails(&smaller) {
                    program = smaller;
                    changed = true;
                } else {
                    at += 1;
                }
            }
        }
    }
    program
}

#[derive(Default)]
struct Counts {
    accepted: u64,
    discarded: BTreeMap<String, u64>,
    refused: BTreeMap<String, u64>,
    undecided: BTreeMap<String, u64>,
    failures: Vec<String>,
}

impl Counts {
    fn report(&self, started: Instant) {
        let [refused, undecided, discarded] =
            [&self.refused, &self.undecided, &self.discarded].map(|all| all.values().sum::<u64>());
        report(format_args!(
            "{} accepted, {refused} refused, {undecided} undecided, {} failures, {discarded} discarded; {} s",
            self.accepted,
            self.failures.len(),
            started.elapsed().as_secs()
        ));
        for (reason, count) in self.refused.iter().chain(&self.undecided).chain(&self.discarded) {
            report(format_args!("{count:5} {reason}"));
        }
    }

    fn add(&mut self, seed: u64, verdict: Verdict, rustc: &Rustc, program: Program) {
        match verdict {
            Verdict::Discarded(why) => *self.discarded.entry(why).or_default() += 1,
            Verdict::Accepted => self.accepted += 1,
            Verdict::Refused(reasons) => *self.refused.entry(reasons.join(" + ")).or_default() += 1,
            Verdict::Undecided(why) => *self.undecided.entry(why).or_default() += 1,
            Verdict::Failed(failure, text) => {
                // It takes about a minute: of the others each gives it by its seed.
                let small = if self.failures.is_empty() {
                    minimised(program, &format!("{seed}-small"), &failure, rustc)
                } else {
                    program
                };
                let crates: String =
                    small.crates.iter().map(|(name, pieces)| format!("// {name}.rs\n{}", render(pieces))).collect();
                self.failures.push(format!(
                    "seed {seed}: {failure}\n{text}\n{crates}edition {}, targets {:?}, build {:?}, options {:?} {:?}\n\
                     SIMD_CORE_MODULES_SEED={seed} SIMD_CORE_MODULES_ROUNDS=1 cargo test -p integration-tests --test host \
                     codegen::modules:: -- --nocapture\n",
                    small.edition, small.targets, small.build, small.spelled, small.others
                ));
            }
        }
    }
}

#[test]
fn modules_are_right_or_refused() {
    let Some(rustc) = super::items::compiler("modules") else { return };
    if !rustc.has("avx2") {
        integration_tests::skip("the programs name AVX2, which this CPU lacks");
        return;
    }
    let rounds = super::folding::number("SIMD_CORE_MODULES_ROUNDS", if asks_for_all() { 60 } else { 4 });
    let first = super::folding::number("SIMD_CORE_MODULES_SEED", 1);
    let (counts, started) = (Mutex::new(Counts::default()), Instant::now());
    super::items::side_by_side(rounds, |round| {
        let seed = first + round;
        let program = generate::program(seed);
        let verdict = judge(&program, &seed.to_string(), &rustc);
        let mut counts = counts.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        counts.add(seed, verdict, &rustc, program);
        if round % 100 == 99 {
            counts.report(started);
        }
    });
    let counts = counts.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    counts.report(started);
    assert!(counts.failures.is_empty(), "{} failures\n{}", counts.failures.len(), counts.failures.join("\n"));
}
