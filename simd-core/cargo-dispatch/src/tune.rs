//! `cargo dispatch tune`: finds what to annotate, by measuring it.

pub(crate) mod benches;
pub(crate) mod copy;
mod flags;
pub(crate) mod profile;
mod search;
mod show;
pub(crate) mod source;
mod state;
mod steps;

use core::hash::{Hash as _, Hasher as _};
use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::hash::DefaultHasher;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use simd_core_asm::{Architecture, Features};

use crate::built::{Options, rustc};
use crate::columns::{say, show, step};
use crate::timing::Spread;
use benches::{Benches, What};
use copy::{Copy, Lists};
use flags::Flags;
use search::Levels;
use state::State;
use steps::Session;

/// Find the functions to annotate, and the targets that pay
///
/// In a copy of the workspace, below the target directory, the command profiles the package's benches, annotates what is hot, times each
/// bench for each target against the original, and takes out what does not pay. It runs the tests of the packages for each target,
/// and prints the speeds and a diff. A run that was interrupted goes on where it was.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo dispatch tune --bench kernels --minutes 30")]
pub(crate) struct Tune {
    /// A benchmark, and again for more; without it, all of the package
    #[arg(long = "bench", value_name = "NAME", conflicts_with = "command")]
    names: Vec<String>,
    /// A program of the package with its arguments, whose whole run is timed in place of benches
    #[arg(long, value_name = "COMMAND")]
    command: Option<String>,
    /// The targets to try, the best first
    #[arg(long, value_name = "LIST")]
    targets: Option<String>,
    /// How long the search takes, without the first builds and the profile, the last measurement and the tests
    #[arg(long, value_name = "MINUTES", default_value_t = 15)]
    minutes: u64,
    /// Write the attributes into the sources, if git has no changes there
    #[arg(long)]
    apply: bool,
    /// Print the outcome as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: Options,
}

#[derive(Default)]
struct Outcome {
    targets: Vec<String>,
    absent: Vec<String>,
    lists: Lists,
    /// The original's nanoseconds, and the speed at each level.
    rows: BTreeMap<String, (f64, Vec<Spread>)>,
    /// Targets, and the tests that fail on them and did not before.
    tests: BTreeMap<String, Vec<String>>,
    findings: Vec<show::Finding>,
    /// Whether the time was over before the search.
    over: bool,
    changes: Vec<(PathBuf, String, String)>,
    /// Of benches, if nothing pays: what LLVM says of the hot loops.
    loops: BTreeMap<String, crate::why::Outcome>,
}

impl Tune {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let metadata = self.options.metadata()?;
        if self.apply {
            copy::expect_clean(metadata.workspace_root.as_std_path())?;
        }
        let package = self.options.package_of(&metadata);
        let name = package.map_or("workspace", |package| package.name.as_str());
        let directory = self.options.target_directory(&metadata)?.join("dispatch-tune").join(name);
        let _lock = copy::locked(&directory, "tune")?;
        self.options.expect_enabled(&metadata)?;
        let copy = Copy::new(&metadata, directory.join("copy"))?;
        let flags = Flags::new(&std::env::current_dir()?)?;
        let (targets, absent) = self.targets(&flags)?;
        let mut options = self.options.of_copy(package.map(|package| copy.id(package)).transpose()?);
        options.extend(self.options.testing()?.into_iter().flat_map(|feature| ["--features".into(), feature.into()]));
        let state = State::new(directory.join("state.json"), self.key(&copy, &flags, &targets, &options)?);
        let what = match &self.command {
            Some(command) => What::Command(command.split_whitespace().map(str::to_owned).collect()),
            None => What::Benches(self.options.benches(&metadata, &self.names)?),
        };
        let (root, build) = (copy.root.clone(), directory.join("build"));
        let benches = Benches { root, build, options, what, named: !self.names.is_empty(), flags };
        let all = targets.iter().map(|target| features(target)).collect::<Result<Vec<_>>>()?;
        let levels = Levels::new(targets.len(), |level, target| all[level].contains_all(&all[target]));
        let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
        let progress =
            ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        progress.enable_steady_tick(Duration::from_millis(500));
        let mut run = Session {
            copy,
            benches,
            state,
            targets,
            levels,
            original: Vec::new(),
            progress,
            sample: BTreeSet::new(),
            time: Duration::from_secs(60 * self.minutes),
            deadline: None,
            over: false,
        };
        let mut outcome = run.run(absent, &directory)?;
        if let (true, false, Some(package)) = (outcome.lists.is_empty(), outcome.over, package) {
            // The next step of who leaves the crate as it is. That it fails is no failure of the search.
            step(&run.progress, "looks for the reasons");
            let all = run.targets.join(" | ");
            for bench in run.bench_names() {
                match crate::why::hot_loops(&metadata, package, &self.options, &bench, &all, &run.progress) {
                    Ok(loops) => _ = outcome.loops.insert(bench, loops),
                    Err(error) => say(format_args!("no reasons for the loops of `{bench}`: {error:#}")),
                }
            }
        }
        run.progress.finish_and_clear();
        if self.json {
            show(outcome.json(&run)?)?;
        } else {
            show(outcome.text(&run))?;
        }
        let passes = outcome.tests.values().all(Vec::is_empty);
        if self.apply && !passes {
            say("error: tests fail that passed before, so `--apply` writes nothing");
        } else if self.apply && !outcome.changes.is_empty() {
            run.copy.apply(&outcome.changes)?;
        }
        Ok(if passes { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn targets(&self, flags: &Flags) -> Result<(Vec<String>, Vec<String>)> {
        let usual = if cfg!(target_arch = "x86_64") {
            "x86-64-v4,avx512vpopcntdq | x86-64-v4 | x86-64-v3 | x86-64-v2"
        } else {
            "sve2 | sve | dotprod"
        };
        let list = self.targets.as_deref().unwrap_or(usual).split('|').map(|target| target.trim().to_owned());
        let mut here = Vec::new();
        let mut absent = Vec::new();
        for target in list {
            let has_all = features(&target)?.names().all(|name| simd_core::features().contains(name));
            if has_all { here.push(target) } else { absent.push(target) }
        }
        if here.is_empty() {
            bail!("this CPU has none of the targets");
        }
        let enabled = flags.enabled()?;
        let is_new = |target: &String| {
            features(target).is_ok_and(|all| all.names().any(|name| !enabled.iter().any(|one| one == name)))
        };
        if !here.iter().any(is_new) {
            bail!(
                "the build's flags enable all targets already, so clones add nothing\nhelp: tune a build without them, for \
                 example with `RUSTFLAGS=`"
            );
        }
        here.retain(is_new);
        Ok((here, absent))
    }

    /// A name for all that measurements depend on.
    fn key(&self, copy: &Copy, flags: &Flags, targets: &[String], options: &[OsString]) -> Result<String> {
        let compiler = rustc().arg("-vV").output().context("rustc cannot be started")?;
        let mut hasher = DefaultHasher::new();
        (compiler.stdout, targets, &self.names, &self.command, options).hash(&mut hasher);
        (simd_core::features().to_string(), copy.digest).hash(&mut hasher);
        flags.hash(&mut hasher);
        Ok(format!("{} {:016x}", env!("CARGO_PKG_VERSION"), hasher.finish()))
    }
}

fn features(target: &str) -> Result<Features> {
    let architecture = Architecture::of_this_build().context("this architecture has no targets")?;
    Features::parse(architecture, target).with_context(|| format!("`{target}`"))
}
